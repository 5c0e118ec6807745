import EnergyTransport
import ServiceRuntime
import Synchronization

/// What happened, in order.
final class Journal: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A transport that carries nothing and writes down what it is told.
final class FakeEndpoint: ServiceEndpoint, Publisher {
    let journal: Journal
    private let table = Mutex(MethodTable())

    init(_ journal: Journal) { self.journal = journal }

    var publisher: any Publisher { self }
    let statistics: TransportStatistics = {
        var statistics = TransportStatistics()
        statistics.callsDuplicate = 3
        statistics.repliesByStatus[8] = 7
        statistics.callsLeft = 2
        return statistics
    }()
    var methods: MethodTable { table.withLock { $0 } }

    func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) { journal.add("publish \(topic)") }
    func serve(_ methods: MethodTable) async throws {
        table.withLock { $0 = methods }
        journal.add("serve")
    }
    func drain(within timeout: Duration) async { journal.add("drain within \(timeout)") }
    func close() async { journal.add("close endpoint") }
    func admissionChanged() { journal.add("admission changed") }

    /// Calls a unary method as the transport would.
    func call(_ method: String, _ body: [UInt8]) async throws -> [UInt8] {
        guard case .unary(let handler)? = methods.entries[method]?.handler else {
            throw CallFailure(.unimplemented, method)
        }
        return try await handler(body, RequestContext(principal: Principal.local, timeout: .seconds(1)))
    }
}

final class FakeConnection: ServiceConnection {
    let journal: Journal
    let statistics = TransportStatistics()
    init(_ journal: Journal) { self.journal = journal }

    func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8] {
        throw CallFailure(.unavailable, "nobody is there")
    }
    func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        ReplyStream { .init { () async throws(CallFailure) in nil } }
    }
    func subscribe(_ prefix: String) -> Subscription { Subscription { .init { nil } } }
    func close() async { journal.add("close connection") }
}
