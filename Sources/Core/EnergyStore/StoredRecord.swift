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

    public init(
        partition: Int, sequence: UInt64, venueID: UUID, received: Timestamp, principal: String, payload: [UInt8]
    ) {
        self.partition = partition
        self.sequence = sequence
        self.venueID = venueID
        self.received = received
        self.principal = principal
        self.payload = payload
    }

    /// Of everything in the record, so that neither payload, nor place, nor sender can change unnoticed.
    public var checksum: UInt32 {
        var checksum = CRC32()
        checksum.update(UInt64(partition))
        checksum.update(sequence)
        withUnsafeBytes(of: venueID.uuid) { checksum.update($0) }
        checksum.update(UInt64(bitPattern: received.unixMilliseconds))
        let sender = Array(principal.utf8)
        checksum.update(UInt64(sender.count))
        sender.withUnsafeBytes { checksum.update($0) }
        payload.withUnsafeBytes { checksum.update($0) }
        return checksum.value
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

    public init(
        venueID: UUID, received: Timestamp, principal: String, payload: [UInt8], events: [EventMark],
        sessions: [SessionProgress]
    ) {
        self.venueID = venueID
        self.received = received
        self.principal = principal
        self.payload = payload
        self.events = events
        self.sessions = sessions
    }
}

/// What is remembered of an event to know it again.
public struct EventMark: Hashable, Sendable {
    public let id: UUID
    /// ``EnergyModel/Event/digest``
    public let digest: UInt64

    public init(id: UUID, digest: UInt64) {
        self.id = id
        self.digest = digest
    }
}
