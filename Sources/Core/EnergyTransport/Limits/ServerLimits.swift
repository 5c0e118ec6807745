/// What one server allows. Beyond each limit the caller is refused with `resourceExhausted`, or told what was lost.
public struct ServerLimits: Hashable, Sendable {
    /// Calls of one peer that may be in flight, streams included. A cancelled call counts until its handler returns.
    public var callsPerPeerMax = 256
    public var streamsPerPeerMax = 32
    /// Peers with state: those heard from within ``lease``.
    public var peersMax = 4_096
    /// The longest a unary call may take; also what a call without a timeout gets.
    public var unaryTimeoutMax: Duration = .seconds(60)
    /// The same for streams: a caller that wants more opens the stream again.
    public var streamTimeoutMax: Duration = .seconds(24 * 3_600)
    /// A peer that says nothing for so long is gone, and its calls with it.
    public var lease: Duration = .seconds(15)
    /// Told to callers that are refused because of a limit.
    public var retryAfter: Duration = .milliseconds(100)
    /// Encoded frames kept for one peer that does not read, and for all such peers together. While anything is kept, it
    /// counts as calls in flight do; what does not fit is lost, and told.
    public var unsentBytesPerPeerMax = 16 * 1024 * 1024
    public var unsentBytesMax = 64 * 1024 * 1024
    /// Topics with a sequence of their own.
    public var topicsMax = 500_000
    /// Publications kept for subscribers that missed them: of one topic, and the bytes of all topics together.
    public var retainedPerTopicMax = 256
    public var retainedBytesMax = 8 * 1024 * 1024

    public init() {}
}
