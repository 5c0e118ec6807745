/// The two times a transport needs, handed in so that tests own them.
package struct TransportClock: Sendable {
    /// For deadlines and leases.
    package let now: @Sendable () -> MonotonicTime
    /// The time of day, Unix milliseconds: stamped on publications.
    package let unixMilliseconds: @Sendable () -> Int64

    package init(
        now: @escaping @Sendable () -> MonotonicTime, unixMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.now = now
        self.unixMilliseconds = unixMilliseconds
    }
}
