public import Foundation

/// A batch, or the part of it that belongs to one venue, as it stands in the log.
public struct LogRecord: Hashable, Sendable {
    public let partition: Int
    /// 1, 2, 3 ... in its partition, without gaps.
    public let sequence: UInt64
    public let venueID: UUID
    public let received: Timestamp
    /// Who submitted.
    public let principal: String
    public let events: [Event]

    public init(
        partition: Int, sequence: UInt64, venueID: UUID, received: Timestamp, principal: String, events: [Event]
    ) {
        self.partition = partition
        self.sequence = sequence
        self.venueID = venueID
        self.received = received
        self.principal = principal
        self.events = events
    }
}

/// The newest record of a partition.
public struct LogHead: Hashable, Sendable {
    public let partition: Int
    /// 0 when the partition is empty.
    public let sequence: UInt64
    /// The newest record that is no longer kept; 0 while all are.
    public let removedSequence: UInt64

    public init(partition: Int, sequence: UInt64, removedSequence: UInt64 = 0) {
        self.partition = partition
        self.sequence = sequence
        self.removedSequence = removedSequence
    }
}

/// How the log is divided.
public enum LogPartition {
    /// Fixed for the life of a log: a venue never moves.
    public static let count = 16

    /// The partition of a venue: the last byte of its id, modulo ``count``.
    public static func of(venueID: UUID) -> Int { Int(venueID.uuid.15) % count }
}

/// What became of a submitted batch.
public struct SubmitResult: Hashable, Sendable {
    /// Events stored by this call.
    public let accepted: Int
    /// Events stored before, acknowledged again.
    public let duplicates: Int

    public init(accepted: Int, duplicates: Int) {
        self.accepted = accepted
        self.duplicates = duplicates
    }
}
