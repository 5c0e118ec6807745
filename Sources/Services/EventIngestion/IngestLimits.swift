/// Bounds of one ingestor.
public struct IngestLimits: Hashable, Sendable {
    /// Batches that were taken in and not answered yet.
    public var batchesInFlightMax: Int
    /// Of those batches together, about as encoded.
    public var bytesInFlightMax: Int
    /// Of one transaction: more batches than that wait for the next one.
    public var batchesPerCommitMax: Int
    /// Of one transaction; a single batch may exceed it.
    public var bytesPerCommitMax: Int
    /// What a refused sender is told to wait.
    public var retryAfterMilliseconds: Int64
    /// Of the events that one authenticated sender submits.
    public var perPrincipal: RateLimit
    /// Of the events for one venue, whoever submits them.
    public var perVenue: RateLimit

    public init(
        batchesInFlightMax: Int = 4_096, bytesInFlightMax: Int = 16 * 1024 * 1024, batchesPerCommitMax: Int = 512,
        bytesPerCommitMax: Int = 4 * 1024 * 1024, retryAfterMilliseconds: Int64 = 100,
        perPrincipal: RateLimit = RateLimit(eventsPerSecond: 100_000, burst: 1_000_000),
        perVenue: RateLimit = RateLimit(eventsPerSecond: 10_000, burst: 200_000)
    ) {
        self.batchesInFlightMax = batchesInFlightMax
        self.bytesInFlightMax = bytesInFlightMax
        self.batchesPerCommitMax = batchesPerCommitMax
        self.bytesPerCommitMax = bytesPerCommitMax
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.perPrincipal = perPrincipal
        self.perVenue = perVenue
    }

    /// A page of the log, as a reader gets it, stays under 256 KiB unless one record alone is larger: 192 KiB of events
    /// and up to 500 records' heads.
    static let pagePayloadBytesMax = 192 * 1024
    static let pageRecordsMax = 500
    /// Told in one refusal.
    static let violationsMax = 20
}
