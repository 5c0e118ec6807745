/// What one client does by itself to stay within its servers' limits.
public struct ClientLimits: Hashable, Sendable {
    /// Calls in flight on one connection; more wait their turn. A server refuses more than its own limit.
    public var callsInFlightMax = 256
    /// Calls that wait for a connection or their turn; more fail with `resourceExhausted`.
    public var callsWaitingMax = 10_000
    /// For calls that name no timeout.
    public var unaryTimeout: Duration = .seconds(10)
    /// A call fails with `unavailable` when there has been no connection for so long.
    public var connectionPatience: Duration = .seconds(2)
    /// The same where there are several replicas: one of them may be about to take over from another.
    public var replicaPatience: Duration = .seconds(30)
    /// Attempts of one idempotent call, the first included.
    public var attemptsMax: UInt32 = 5
    /// Before the second attempt, on average; twice as long before each further one, up to `backoffMax`.
    public var backoffInitial: Duration = .milliseconds(50)
    public var backoffMax: Duration = .seconds(2)
    /// How often a server with calls in flight is asked whether it is there; it is gone after three silent intervals.
    public var pingInterval: Duration = .seconds(5)
    /// Chunks of one stream that may be under way or waiting to be taken.
    public var streamWindow: UInt32 = 16
    /// Events one subscription keeps for a slow consumer.
    public var subscriptionEventsMax = 1_024
    /// Publications of one topic kept while earlier ones are fetched.
    public var recoveringPublicationsMax = 256
    /// Topics one subscription follows.
    public var topicsMax = 100_000

    public init() {}
}
