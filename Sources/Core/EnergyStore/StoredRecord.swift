public import EnergyModel
public import Foundation

/// A record of the event log as the store keeps it: the payload's meaning is the writer's business.
public struct StoredRecord: Hashable, Sendable {
    public let partition: Int
    /// 1, 2, 3 ... in its partition, without gaps.
    public let sequence: UInt64
    public let venueID: UUID
    public let received: Timestamp
    /// Who submitted.
    public let principal: String
    public let payload: [UInt8]
    /// What was erased of everything before this record; such a record has an empty payload.
    public let erasure: Erasure?

    public init(
        partition: Int, sequence: UInt64, venueID: UUID, received: Timestamp, principal: String, payload: [UInt8],
        erasure: Erasure? = nil
    ) {
        self.partition = partition
        self.sequence = sequence
        self.venueID = venueID
        self.received = received
        self.principal = principal
        self.payload = payload
        self.erasure = erasure
    }

    /// Of everything in the record, so that neither payload, nor place, nor sender can change unnoticed.
    public var checksum: UInt32 { crc(of: payload).value }

    /// The record with less in it, and the checksum that it had: whoever stands at it in the log, by place and checksum,
    /// still does.
    ///
    /// - Parameter payload: its last four bytes mean nothing, and are chosen here.
    public func replacing(payload: [UInt8], principal: String) -> StoredRecord {
        let kept = payload.dropLast(4)
        func record(_ payload: [UInt8]) -> StoredRecord {
            StoredRecord(
                partition: partition, sequence: sequence, venueID: venueID, received: received, principal: principal,
                payload: payload, erasure: erasure)
        }
        let start = record(Array(kept))
        return record(kept + start.crc(of: start.payload).completion(to: checksum))
    }

    private func crc(of payload: [UInt8]) -> CRC32 {
        var checksum = CRC32()
        checksum.update(UInt64(partition))
        checksum.update(sequence)
        withUnsafeBytes(of: venueID.uuid) { checksum.update($0) }
        checksum.update(UInt64(bitPattern: received.unixMilliseconds))
        let sender = Array(principal.utf8)
        checksum.update(UInt64(sender.count))
        sender.withUnsafeBytes { checksum.update($0) }
        if let erasure {
            checksum.update(erasure.device?.salt ?? 0)
            checksum.update(erasure.device?.digest ?? 0)
        }
        payload.withUnsafeBytes { checksum.update($0) }
        return checksum
    }
}

/// A record to append: the part of one accepted batch that belongs to one venue.
public struct RecordDraft: Hashable, Sendable {
    public let venueID: UUID
    public let received: Timestamp
    public let principal: String
    public let payload: [UInt8]
    /// Of the payload's events, in their order.
    public let events: [EventMark]
    /// The sessions those events belong to, as they are afterwards. All of this venue.
    public let sessions: [SessionProgress]
    /// With neither payload nor events.
    public let erasure: Erasure?

    public init(
        venueID: UUID, received: Timestamp, principal: String, payload: [UInt8], events: [EventMark],
        sessions: [SessionProgress], erasure: Erasure? = nil
    ) {
        self.venueID = venueID
        self.received = received
        self.principal = principal
        self.payload = payload
        self.events = events
        self.sessions = sessions
        self.erasure = erasure
    }
}

/// A record from which events were erased.
public struct ErasedRecord: Hashable, Sendable {
    /// As it is to be: with the checksum that it had.
    public let record: StoredRecord
    /// Ids of the events that are no longer in it.
    public let events: [UUID]

    public init(record: StoredRecord, events: [UUID]) {
        self.record = record
        self.events = events
    }
}

/// What is remembered of an event to know it again.
public struct EventMark: Hashable, Sendable {
    /// Events stay known for at least so long after they were received.
    public static let knownMilliseconds = 30 * Int64.millisecondsPerDay

    public let id: UUID
    /// ``EnergyModel/Event/digest``
    public let digest: UInt64

    public init(id: UUID, digest: UInt64) {
        self.id = id
        self.digest = digest
    }
}
