public import EnergyModel
public import Foundation

/// The durable log of events: what is in it was acknowledged, or will be found by whoever sends it again.
///
/// Divided by venue into ``LogPartition/count`` partitions; within one, sequences are 1, 2, 3 ... without gaps and become
/// visible in order. Sessions and event ids belong to a venue: nothing sent to one venue touches those of another.
public protocol EventLogStore: Sendable {
    /// Runs one transaction. What it appended is on disk when this returns; nothing of it is when this throws.
    /// Transactions run one after another, never on the caller's thread if they touch a disk.
    ///
    /// - Parameter body: does not keep the transaction, and lets the errors of its methods pass.
    /// - Throws: `.unavailable` with a time to retry when the disk is full, read-only or failing; what `body` threw.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value

    /// Records of a partition from the one after `sequence` on, in order.
    ///
    /// - Parameters:
    ///   - partition: one outside `0..<LogPartition.count` is empty.
    ///   - countMax: of the records returned.
    ///   - bytesMax: of their payloads together; the first record is returned even if it is larger.
    /// - Throws: `.unavailable`; also, without a time to retry, when a record is damaged.
    func records(
        inPartition partition: Int, after sequence: UInt64, countMax: Int, bytesMax: Int
    ) async throws(EnergyError) -> [StoredRecord]

    /// The newest record of every partition, sorted by partition.
    func heads() async throws(EnergyError) -> [LogHead]

    /// Nothing can be read or written afterwards.
    func close() throws(EnergyError)
}

/// What a transaction can look up and append. It sees its own appends.
public protocol EventLogTransaction {
    /// - Returns: `nil` for a session that has not begun at this venue.
    func session(_ id: UUID, venueID: UUID) throws -> SessionProgress?

    /// - Returns: ``EventMark/digest`` of those events that are in the log, by id; at most those asked for.
    func knownEvents(_ ids: [UUID], venueID: UUID) throws -> [UUID: UInt64]

    /// Appends one record, remembers its events and replaces the progress of its sessions.
    ///
    /// - Precondition: none of the events is known.
    /// - Returns: the record's sequence in its partition.
    func append(_ draft: RecordDraft) throws -> UInt64
}
