import EnergyModel
import EnergyStore
import EnergyTestSupport
import Synchronization

/// A store that counts transactions, and fails them when a test says so.
final class ScriptedStore: ForwardingEventLogStore {
    let inner: any EventLogStore
    private let script = Mutex((transactions: 0, failure: EnergyError?.none, readFailure: EnergyError?.none))

    init(_ inner: any EventLogStore = InMemoryEventLogStore()) { self.inner = inner }

    var transactions: Int { script.withLock { $0.transactions } }

    func fail(with failure: EnergyError?) { script.withLock { $0.failure = failure } }

    func failReading(with failure: EnergyError?) { script.withLock { $0.readFailure = failure } }

    func tryWriting() async throws(EnergyError) {
        if let failure = script.withLock({ $0.failure }) { throw failure }
        try await inner.tryWriting()
    }

    func records(
        inPartition partition: Int, after sequence: UInt64, countMax: Int, bytesMax: Int
    ) async throws(EnergyError) -> [StoredRecord] {
        if let failure = script.withLock({ $0.readFailure }) { throw failure }
        return try await inner.records(
            inPartition: partition, after: sequence, countMax: countMax, bytesMax: bytesMax)
    }

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
