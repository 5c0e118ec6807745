/// Counters since the start. Nothing is dropped without being counted in one of them.
public struct TransportStatistics: Hashable, Sendable {
    // Both sides
    public var framesReceived: UInt64 = 0
    public var framesSent: UInt64 = 0
    /// Messages that are no frame of ours: dropped.
    public var framesUnrecognised: UInt64 = 0
    /// Frames without a place here: late replies, answers to nobody, what a peer sent before it left, kinds that only the
    /// other side sends.
    public var framesUnexpected: UInt64 = 0

    // Server
    public var callsStarted: UInt64 = 0
    /// Requests refused before they reached a handler, for any reason.
    public var callsRefused: UInt64 = 0
    /// Requests with the call id of a call in flight: taken for the same request once more, and dropped.
    public var callsDuplicate: UInt64 = 0
    /// Left to another replica: no failure.
    public var callsLeft: UInt64 = 0
    /// Other terminal frames by status code, those of requests that were refused among them: 17 counts, gRPC's order.
    public var repliesByStatus = [UInt64](repeating: 0, count: StatusCode.allCases.count)
    /// Of this moment, streams included.
    public var callsInFlight: UInt64 = 0
    public var streamsOpen: UInt64 = 0
    /// Of this moment: peers with calls in flight or heard lately.
    public var peers: UInt64 = 0
    public var callsExpired: UInt64 = 0
    public var callsCancelled: UInt64 = 0
    /// Peers whose state was dropped: silent for longer than the lease, or found gone.
    public var peersLost: UInt64 = 0
    /// Connections whose key was not let in.
    public var connectionsRefused: UInt64 = 0
    /// Connections without a key, for another server's, or that never finished their handshake; counted where keys are
    /// demanded.
    public var handshakesFailed: UInt64 = 0
    /// Frames that waited because the peer's queue was full.
    public var framesParked: UInt64 = 0
    /// Frames given up because their peer is gone or never made room.
    public var framesUndeliverable: UInt64 = 0
    /// Replies replaced by one that says that there was no room, because the peer does not read.
    public var repliesShortened: UInt64 = 0
    public var publications: UInt64 = 0
    /// Publications that at least one slow subscriber did not get; its gap tells it to fetch them.
    public var publicationsDropped: UInt64 = 0
    public var subscriptions: UInt64 = 0
    /// Of this moment: each prefix of each subscriber.
    public var subscriptionsOpen: UInt64 = 0

    // Client
    public var connections: UInt64 = 0
    public var connectionsLost: UInt64 = 0
    public var callsRetried: UInt64 = 0
    public var publicationsReceived: UInt64 = 0
    public var publicationsDuplicate: UInt64 = 0
    public var publicationsRecovered: UInt64 = 0
    public var topicsMissed: UInt64 = 0
    /// Times a consumer lagged so far that its events were replaced by `joined`.
    public var subscriptionsOverflowed: UInt64 = 0

    public init() {}
}
