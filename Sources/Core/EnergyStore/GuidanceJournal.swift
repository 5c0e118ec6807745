public import EnergyModel
public import Foundation

/// What the publisher that leads tells those that follow it, in order, so that all of them publish the same.
///
/// Everything is durable when a method returns. Every method throws ``EnergyError`` `.unavailable` when the store cannot be
/// used now, and those that write also when another leads meanwhile.
public protocol GuidanceJournal: Sendable {
    /// A publisher begins to lead: what was written before is forgotten.
    ///
    /// - Returns: the new epoch, later than all before, also of a store that lost its last changes, unless a clock is far off.
    func begin(now: Timestamp) async throws(EnergyError) -> JournalEpoch

    /// Writes entries of the present epoch. Those of numbers that are there are passed over: writing again does no harm.
    func append(_ entries: [NumberedEntry], at now: Timestamp) async throws(EnergyError)

    /// The entries after a position, in order, perhaps not all of them at once; of a later epoch all.
    ///
    /// - Parameter position: what was read last; `nil` is nothing.
    /// - Returns: `nil` while nobody has led yet.
    func entries(after position: JournalPosition?) async throws(EnergyError) -> JournalPage?

    /// Forgets what was written before.
    func forgetEntries(before: Timestamp) async throws(EnergyError)
}

/// The time in which one publisher leads.
public struct JournalEpoch: Hashable, Sendable {
    /// Names the store.
    public let publisherID: UUID
    /// Unix milliseconds of its beginning, or a little more.
    public let number: UInt64

    public init(publisherID: UUID, number: UInt64) {
        self.publisherID = publisherID
        self.number = number
    }
}

/// Up to where a journal was read.
public struct JournalPosition: Hashable, Sendable {
    public let epoch: JournalEpoch
    /// Of the last entry; 0 is none.
    public let number: UInt64

    public init(epoch: JournalEpoch, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }
}

public struct JournalPage: Hashable, Sendable {
    public let epoch: JournalEpoch
    public let entries: [NumberedEntry]

    public init(epoch: JournalEpoch, entries: [NumberedEntry]) {
        self.epoch = epoch
        self.entries = entries
    }
}

public struct NumberedEntry: Hashable, Sendable {
    /// Counts from 1 in its epoch; those that were forgotten are missing.
    public let number: UInt64
    public let entry: JournalEntry

    public init(number: UInt64, entry: JournalEntry) {
        self.number = number
        self.entry = entry
    }
}

public enum JournalEntry: Hashable, Sendable {
    /// What the store says of them has changed.
    case venue(UUID)
    /// What was published for it is handed out no more, though it may have been made anew since.
    case erasure(UUID)
    case ratePlan(String)
    case demandResponse
    case guidance(PublishedGuidance)
}

/// A guidance that was published to venues which share it.
public struct PublishedGuidance: Hashable, Sendable {
    /// What they share, encoded: everything but token and venue.
    public let document: [UInt8]
    public let venues: [PublishedVenue]

    /// Of one entry; more venues are more entries.
    public static let venuesMax = 10_000

    public init(document: [UInt8], venues: [PublishedVenue]) {
        self.document = document
        self.venues = venues
    }
}

public struct PublishedVenue: Hashable, Sendable {
    public let id: UUID
    /// Of the publication, in its topic.
    public let sequence: UInt32

    public init(id: UUID, sequence: UInt32) {
        self.id = id
        self.sequence = sequence
    }
}

extension PublishedVenue {
    private static let byteCount = 20

    /// As stores keep them: of each the 16 bytes of its id, then its sequence, most significant byte first.
    public static func encode(_ venues: [PublishedVenue]) -> Data {
        var data = Data(capacity: venues.count * byteCount)
        for venue in venues {
            withUnsafeBytes(of: venue.id.uuid) { data.append(contentsOf: $0) }
            withUnsafeBytes(of: venue.sequence.bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    /// - Returns: `nil` for what ``encode(_:)`` does not give.
    public static func decode(_ data: Data) -> [PublishedVenue]? {
        guard data.count.isMultiple(of: byteCount) else { return nil }
        return data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: byteCount).map { start in
                PublishedVenue(
                    id: UUID(uuid: bytes.loadUnaligned(fromByteOffset: start, as: uuid_t.self)),
                    sequence: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self)))
            }
        }
    }
}
