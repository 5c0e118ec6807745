/// What a service answers: the closed list of its methods. Nothing outside the list can be called.
public struct MethodTable: Sendable {
    /// Starts on the thread that owns the socket: it must not block there. It may suspend.
    public typealias Unary = @Sendable (_ body: [UInt8], RequestContext) async throws(CallFailure) -> [UInt8]
    /// Returns when the stream is complete.
    public typealias Streaming =
        @Sendable (_ body: [UInt8], RequestContext, any ReplyWriter) async throws(CallFailure) -> Void

    public enum Handler: Sendable {
        case unary(Unary)
        case streaming(Streaming)
    }

    public struct Entry: Sendable {
        public let handler: Handler
        /// Larger request bodies are refused with `resourceExhausted`.
        public let bodyBytesMax: Int
        public let audit: AuditRule
    }

    public private(set) var entries: [String: Entry] = [:]
    /// Whether the principal may read the publications of a topic. Unless told otherwise, only who may see everything.
    public var mayRead: @Sendable (Principal, _ topic: String) -> Bool = { (principal, _) in
        principal.permissions.count == Permission.allCases.count && principal.venues == nil
    }

    /// Whether calls with a ``CallOptions/affinity`` are left to another replica: they end before they are written down, and before
    /// their handlers have seen them. Asked by typed methods that are added after it was set.
    public var leaves: (@Sendable (_ affinity: [UInt8]) async -> Bool)?

    /// Where actions are written down; `nil` where there is no such place, as in tests.
    public let trail: (any AuditTrail)?

    public init(trail: (any AuditTrail)? = nil) { self.trail = trail }

    /// - Parameter audit: which of the calls the handler writes down.
    public mutating func add(
        _ method: String, bodyBytesMax: Int = 64 * 1024, audit: AuditRule = .none, _ handler: Handler
    ) {
        precondition(entries[method] == nil, "\(method) has a handler already")
        entries[method] = Entry(handler: handler, bodyBytesMax: bodyBytesMax, audit: audit)
    }

    /// Calls of these methods are left to another replica as long as this one follows it: they end before their handlers
    /// have seen them, and before they are written down.
    ///
    /// - Parameter isLeft: asked once for each method there is.
    public mutating func leave(
        _ isLeft: (_ method: String) -> Bool, while follows: @escaping @Sendable () -> Bool
    ) {
        for (method, entry) in entries where isLeft(method) {
            let handler: Handler =
                switch entry.handler {
                case .unary(let answer):
                    .unary { (body, context) async throws(CallFailure) in
                        if follows() { throw .forAnother }
                        return try await answer(body, context)
                    }
                case .streaming(let answer):
                    .streaming { (body, context, writer) async throws(CallFailure) in
                        if follows() { throw .forAnother }
                        try await answer(body, context, writer)
                    }
                }
            entries[method] = Entry(handler: handler, bodyBytesMax: entry.bodyBytesMax, audit: entry.audit)
        }
    }
}

/// Who calls, and what the transport knows of the call.
public struct RequestContext: Sendable {
    /// Whom the transport has authenticated; `local` on loopback, ipc and in process. Never taken from the message.
    public let principal: Principal
    /// Until the deadline, as of the arrival. The handler's task is cancelled when it is over.
    public let timeout: Duration
    public let idempotencyKey: [UInt8]
    public let attempt: Int
    public let traceID: [UInt8]

    public init(
        principal: Principal, timeout: Duration, idempotencyKey: [UInt8] = [], attempt: Int = 0, traceID: [UInt8] = []
    ) {
        self.principal = principal
        self.timeout = timeout
        self.idempotencyKey = idempotencyKey
        self.attempt = attempt
        self.traceID = traceID
    }
}

/// Sends the chunks of one streamed reply.
public protocol ReplyWriter: Sendable {
    /// Waits until the caller has room. Chunks of at most 1 MiB.
    ///
    /// - Throws: `cancelled` when the caller is gone or no longer wants the answer.
    func write(_ chunk: [UInt8]) async throws(CallFailure)
}
