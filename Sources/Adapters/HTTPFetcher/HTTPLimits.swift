/// What an exchange over HTTP may take at most.
public struct HTTPLimits: Hashable, Sendable {
    public var connectTimeout: Duration
    /// From the first byte sent to the last byte received; of each redirection anew.
    public var totalTimeout: Duration
    /// Of one answer; it is not asked for compressed. A day of a large JSON list is under 1 MiB.
    public var bodyBytesMax: Int
    public var redirectionsMax: Int
    /// Of all bodies kept for conditional requests.
    public var storedBytesMax: Int

    public init(
        connectTimeout: Duration = .seconds(10), totalTimeout: Duration = .seconds(30),
        bodyBytesMax: Int = 16 * 1024 * 1024, redirectionsMax: Int = 3, storedBytesMax: Int = 8 * 1024 * 1024
    ) {
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.bodyBytesMax = bodyBytesMax
        self.redirectionsMax = redirectionsMax
        self.storedBytesMax = storedBytesMax
    }
}
