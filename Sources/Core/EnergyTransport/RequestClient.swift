/// Asks a service, over any transport. Bodies are bytes; EnergyWire gives them meaning.
///
/// Many calls may be in flight. A call ends with its reply, its failure, its deadline or the cancellation of its task,
/// whichever is first; both sides are told.
public protocol RequestClient: Sendable {
    /// - Throws: what the service answered, or `unavailable`, `deadlineExceeded`, `cancelled`.
    func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8]

    /// Starts a call whose reply is a stream. Chunks are fetched as they are consumed: a slow reader slows the sender.
    func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream
}

/// What a caller may say about one call.
public struct CallOptions: Sendable {
    /// For the whole call, all attempts included. The server ends it at its own limit if that is sooner.
    /// `nil` is 10 s for a unary call and no limit for a stream.
    public var timeout: Duration?
    /// The call may be sent again, to this or another replica, when it is not known whether it was carried out.
    public var isIdempotent: Bool
    /// The same in every attempt; at most 32 bytes.
    public var idempotencyKey: [UInt8]
    /// 16 bytes, or none; copied into the service's logs.
    public var traceID: [UInt8]
    /// Calls with the same bytes prefer the same replica, whichever client makes them: a venue's id, mostly. Never sent.
    public var affinity: [UInt8]

    public init(
        timeout: Duration? = nil, isIdempotent: Bool = false, idempotencyKey: [UInt8] = [], traceID: [UInt8] = [],
        affinity: [UInt8] = []
    ) {
        self.timeout = timeout
        self.isIdempotent = isIdempotent
        self.idempotencyKey = idempotencyKey
        self.traceID = traceID
        self.affinity = affinity
    }
}

/// The chunks of a streamed reply, in order and without gaps. Can be iterated once. Ends by finishing, or by throwing
/// ``CallFailure``; dropping the iterator cancels the call.
public struct ReplyStream: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = CallFailure

    private let start: @Sendable () -> AsyncIterator

    /// - Parameter start: makes the one iterator; the call begins here.
    public init(_ start: @escaping @Sendable () -> AsyncIterator) { self.start = start }

    public func makeAsyncIterator() -> AsyncIterator { start() }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let nextChunk: () async throws(CallFailure) -> [UInt8]?

        public init(_ nextChunk: @escaping () async throws(CallFailure) -> [UInt8]?) { self.nextChunk = nextChunk }

        public mutating func next() async throws(CallFailure) -> [UInt8]? { try await nextChunk() }
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallFailure) -> [UInt8]? {
            try await nextChunk()
        }
    }
}
