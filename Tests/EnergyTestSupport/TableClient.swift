public import EnergyTransport
internal import Synchronization

/// Calls the methods of a table directly, as one caller, or answers `unavailable` while it is told to be away.
public final class TableClient: RequestClient {
    private struct State {
        var table: MethodTable
        var isAway = false
        var calls: [String] = []
    }
    private let state: Mutex<State>

    public init(_ table: MethodTable = MethodTable()) { state = Mutex(State(table: table)) }

    public var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// The names of the methods called so far.
    public var calls: [String] { state.withLock { $0.calls } }

    public func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8] {
        guard case .unary(let answer) = try self.handler(method) else { throw CallFailure(.unimplemented, method) }
        return try await answer(body, Self.context)
    }

    public func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        ReplyStream { [self] in
            let chunks = Chunks()
            var next = 0
            var isDone = false
            return ReplyStream.AsyncIterator { () async throws(CallFailure) in
                if !isDone {
                    guard case .streaming(let answer) = try self.handler(method) else {
                        throw CallFailure(.unimplemented, method)
                    }
                    try await answer(body, Self.context, chunks)
                    isDone = true
                }
                defer { next += 1 }
                return chunks[next]
            }
        }
    }

    private func handler(_ method: String) throws(CallFailure) -> MethodTable.Handler {
        let (entry, isAway) = state.withLock { state in
            state.calls.append(method)
            return (state.table.entries[method], state.isAway)
        }
        if isAway { throw CallFailure(.unavailable, "away") }
        guard let entry else { throw CallFailure(.unimplemented, method) }
        return entry.handler
    }

    private static let context = RequestContext(principal: Principal.local, timeout: .seconds(10))
}

/// The chunks of one reply, all kept.
private final class Chunks: ReplyWriter {
    private let chunks = Mutex<[[UInt8]]>([])

    func write(_ chunk: [UInt8]) async throws(CallFailure) { chunks.withLock { $0.append(chunk) } }

    subscript(index: Int) -> [UInt8]? { chunks.withLock { index < $0.count ? $0[index] : nil } }
}
