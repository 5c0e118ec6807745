/// What a service has removed of a ``DataSubject``.
public struct ErasureReceipt: Hashable, Sendable {
    /// The name of the executable.
    public var service: String
    public var subject: DataSubject
    public var erased: Timestamp
    /// Sorted by kind; also those of which there was nothing.
    public var counts: [ErasedCount]
    /// Of the event log only.
    public var records: ErasedRecords?

    public init(
        service: String, subject: DataSubject, erased: Timestamp, counts: [ErasedCount], records: ErasedRecords? = nil
    ) {
        self.service = service
        self.subject = subject
        self.erased = erased
        self.counts = counts
        self.records = records
    }
}

public struct ErasedCount: Hashable, Sendable {
    public let kind: String
    public let count: Int

    public init(kind: String, count: Int) {
        self.kind = kind
        self.count = count
    }
}

/// The records of the event log that held something of the subject. They keep their places and their checksums.
public struct ErasedRecords: Hashable, Sendable {
    public static let sequencesMax = 10_000

    public var partition: Int
    /// Sorted; the first ``sequencesMax``.
    public var sequences: [UInt64]
    /// Of all.
    public var count: Int
    /// SHA-256 of their checksums, four bytes each, big endian, in order.
    public var hash: [UInt8]
    /// Of the record that holds the ``Erasure``.
    public var erasureSequence: UInt64
    /// Damaged records of the partition: what they held is not known, and still there.
    public var unreadable: Int

    public init(
        partition: Int, sequences: [UInt64], count: Int, hash: [UInt8], erasureSequence: UInt64, unreadable: Int = 0
    ) {
        self.partition = partition
        self.sequences = sequences
        self.count = count
        self.hash = hash
        self.erasureSequence = erasureSequence
        self.unreadable = unreadable
    }
}
