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
    /// Of the record as it is stored, CRC-32; `nil` where it is not known, for example in a publication.
    public let checksum: UInt32?
    /// What was erased of everything before this record; such a record has no events.
    public let erasure: Erasure?

    public init(
        partition: Int, sequence: UInt64, venueID: UUID, received: Timestamp, principal: String, events: [Event],
        checksum: UInt32? = nil, erasure: Erasure? = nil
    ) {
        self.partition = partition
        self.sequence = sequence
        self.venueID = venueID
        self.received = received
        self.principal = principal
        self.events = events
        self.checksum = checksum
        self.erasure = erasure
    }
}

/// The newest record of a partition, or the newest that somebody has handled.
public struct LogHead: Hashable, Sendable {
    public let partition: Int
    /// 0 when the partition is empty.
    public let sequence: UInt64
    /// The newest record that is no longer kept; 0 while all are.
    public let removedSequence: UInt64
    /// ``LogRecord/checksum`` of that record; `nil` where it is not known, or the record is no longer kept.
    public let checksum: UInt32?

    public init(partition: Int, sequence: UInt64, removedSequence: UInt64 = 0, checksum: UInt32? = nil) {
        self.partition = partition
        self.sequence = sequence
        self.removedSequence = removedSequence
        self.checksum = checksum
    }
}

/// Up to where each partition of a log goes, or was handled, and which log it is.
public struct LogProgress: Hashable, Sendable {
    /// Another one after each restore from a backup; `nil` where it is not known.
    public var logID: UUID?
    /// Sorted by partition.
    public var heads: [LogHead]

    public init(logID: UUID? = nil, heads: [LogHead] = []) {
        self.logID = logID
        self.heads = heads
    }

    /// Why this cannot be progress in the log that now is `found`; `nil` when it may be.
    public func difference(from found: LogProgress) -> String? {
        if let logID, let other = found.logID, logID != other { return "it has another identity" }
        let heads = Dictionary(found.heads.map { ($0.partition, $0) }, uniquingKeysWith: { $1 })
        for position in self.heads {
            guard let head = heads[position.partition] else { continue }
            if position.sequence > head.sequence {
                return "its partition \(head.partition) ends at \(head.sequence), before position \(position.sequence)"
            }
            if position.sequence == head.sequence, let own = position.checksum, let other = head.checksum, own != other
            {
                return "record \(head.sequence) of its partition \(head.partition) is another"
            }
        }
        return nil
    }
}

/// How the log is divided by venue.
public enum LogPartition {
    /// Fixed for the life of a log: a venue never moves.
    public static let count = 16

    public static let all = Set(0..<count)

    /// The partition of a venue: the last byte of its id, modulo ``count``.
    public static func of(venueID: UUID) -> Int { Int(venueID.uuid.15) % count }

    /// With what the ids of a partition's venues end, as two digits in lower case.
    public static func endings(of partitions: Set<Int>) -> [String] {
        (0...255).filter { partitions.contains($0 % count) }.map { String(format: "%02x", $0) }
    }
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
