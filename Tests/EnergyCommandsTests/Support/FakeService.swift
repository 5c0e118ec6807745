import EnergyTestSupport
import EnergyTransport
import Synchronization

/// A service without a network: calls go to its methods, publications are sent by hand. It can be taken down.
final class FakeService: RequestClient, Subscriber {
    let publications = HandSubscriber()
    private let methods: MethodTable
    private struct State {
        var isDown = false
        var running: [Int: AsyncStream<Result<[UInt8], CallFailure>>.Continuation] = [:]
        var nextID = 0
    }
    private let state = Mutex(State())

    init(_ methods: MethodTable) { self.methods = methods }

    /// Running streams fail, and calls do until it is up again.
    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set {
            let running = state.withLock { state in
                state.isDown = newValue
                defer { if newValue { state.running = [:] } }
                return newValue ? Array(state.running.values) : []
            }
            for stream in running {
                stream.yield(.failure(Self.gone))
                stream.finish()
            }
        }
    }

    private static let gone = CallFailure(.unavailable, "nobody answers")

    func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8] {
        if isDown { throw Self.gone }
        guard let entry = methods.entries[method], case .unary(let handler) = entry.handler else {
            throw CallFailure(.unimplemented, "no method \(method)")
        }
        return try await handler(body, RequestContext(principal: Principal.local, timeout: .seconds(1)))
    }

    func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        ReplyStream { [self] in
            let (chunks, sink) = AsyncStream<Result<[UInt8], CallFailure>>.makeStream()
            let isDown = state.withLock { state in
                state.nextID += 1
                state.running[state.nextID] = sink
                return state.isDown
            }
            let task = Task {
                do throws(CallFailure) {
                    if isDown { throw Self.gone }
                    guard let entry = methods.entries[method], case .streaming(let handler) = entry.handler else {
                        throw CallFailure(.unimplemented, "no method \(method)")
                    }
                    let context = RequestContext(principal: Principal.local, timeout: .seconds(1))
                    try await handler(body, context, Writer(sink: sink))
                } catch { sink.yield(.failure(error)) }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
            var iterator = chunks.makeAsyncIterator()
            return ReplyStream.AsyncIterator { () async throws(CallFailure) in
                try await iterator.next(isolation: #isolation)?.get()
            }
        }
    }

    func subscribe(_ prefix: String) -> Subscription { publications.subscribe(prefix) }

    private struct Writer: ReplyWriter {
        let sink: AsyncStream<Result<[UInt8], CallFailure>>.Continuation
        func write(_ chunk: [UInt8]) async throws(CallFailure) { sink.yield(.success(chunk)) }
    }
}
