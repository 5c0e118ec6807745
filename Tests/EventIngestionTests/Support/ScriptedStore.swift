import EnergyModel
import EnergyStore
import EnergyTestSupport
import Synchronization

/// A store that counts transactions, and fails them when a test says so.
final class ScriptedStore: ForwardingEventLogStore {
    let inner: any EventLogStore
    private let script = Mutex((transactions: 0, failure: EnergyError?.none))

    init(_ inner: any EventLogStore = InMemoryEventLogStore()) { self.inner = inner }

    var transactions: Int { script.withLock { $0.transactions } }

    func fail(with failure: EnergyError?) { script.withLock { $0.failure = failure } }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        let failure = script.withLock { script in
            script.transactions += 1
            return script.failure
        }
        if let failure { throw failure }
        return try await inner.write(body)
    }
}
