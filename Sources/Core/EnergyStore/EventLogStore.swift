public import EnergyModel
public import Foundation

/// The durable log of events: what is in it was acknowledged, or will be found by whoever sends it again.
///
/// Divided by venue into ``LogPartition/count`` partitions; within one, sequences are 1, 2, 3 ... without gaps and become
/// visible in order. Sessions and event ids belong to a venue: nothing sent to one venue touches those of another.
public protocol EventLogStore: Sendable {
    /// Runs one transaction. What it appended is on disk when this returns; nothing of it is when this throws.
    /// Transactions on the same partition run one after another, never on the caller's thread if they touch a disk.
    ///
    /// - Parameter body: does not keep the transaction, and lets the errors of its methods pass. A store that others write
    ///   to as well may run it several times; what it does counts once.
    /// - Throws: `.unavailable` with a time to retry when the disk is full, read-only or failing; `.dataLoss` when what
    ///   is stored is damaged; what `body` threw.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value

    /// Puts something that means nothing on the disk, to find out whether it takes anything.
    ///
    /// - Throws: as ``write(_:)``.
    func tryWriting() async throws(EnergyError)

    /// Records of a partition from the one after `sequence` on, in order.
    ///
    /// - Parameters:
    ///   - partition: one outside `0..<LogPartition.count` is empty.
    ///   - countMax: of the records returned.
    ///   - bytesMax: of their payloads together; the first record is returned even if it is larger.
    /// - Throws: `.unavailable`; `.dataLoss` when the first record is damaged: a page ends before one that is.
    func records(
        inPartition partition: Int, after sequence: UInt64, countMax: Int, bytesMax: Int
    ) async throws(EnergyError) -> [StoredRecord]

    /// Which log this is: made with the log, and anew with each backup, so that one that was restored is another log.
    func logID() async throws(EnergyError) -> UUID

    /// The checksum that a record was stored with; `nil` when it is not kept.
    func checksum(ofRecord sequence: UInt64, inPartition partition: Int) async throws(EnergyError) -> UInt32?

    /// The newest record of every partition, with its checksum if it is kept; sorted by partition.
    func heads() async throws(EnergyError) -> [LogHead]

    /// Remembers that `reader` has handled everything up to `sequence`, so that retention keeps what comes after.
    ///
    /// - Throws: `.rateLimited` when there are ``LogReader/countMax`` other readers.
    func note(_ reader: LogReader) async throws(EnergyError)

    /// Every reader's position in every partition that it has read, by name and partition.
    func readers() async throws(EnergyError) -> [LogReader]

    /// Forgets a reader: nothing is kept for it any more, until it is noted again.
    ///
    /// - Returns: whether there was one.
    func removeReader(_ name: String) async throws(EnergyError) -> Bool

    /// Removes old records, oldest first, as far as `policy` wants and readers allow: a record is kept until each reader
    /// that was ever noted has handled it. Only where the log is too large are readers passed over that were not heard for
    /// ``LogReader/patienceMilliseconds``, for records that have waited as long. Sequences go on as if nothing had been removed, and events stay known for 30
    /// days all the same.
    ///
    /// - Parameter countMax: of the records removed by this call.
    /// - Returns: how many were removed; fewer than `countMax` when there is nothing left to remove.
    func removeRecords(_ policy: RetentionPolicy, now: Timestamp, countMax: Int) async throws(EnergyError) -> Int

    /// Marks sessions as abandoned whose last event is before `limit`.
    ///
    /// - Returns: how many were marked; at most `countMax`.
    func abandonSessions(silentSince limit: Timestamp, countMax: Int) async throws(EnergyError) -> Int

    /// The sessions of a venue, the one with the newest event first.
    func sessions(ofVenue venueID: UUID, countMax: Int) async throws(EnergyError) -> [SessionProgress]

    /// Copies the log as it is at one moment into a new file, while reading and writing go on.
    ///
    /// - Returns: the file's size.
    /// - Throws: `.conflict` when there is a file at `path`; `.unavailable` when it cannot be written, or the store has
    ///   no files.
    func backUp(to path: String) async throws(EnergyError) -> Int

    /// Replaces records by what is left of them, and forgets the events that are gone: their ids may come again.
    ///
    /// - Throws: `.conflict` when a record is not there, or would get another checksum.
    func replace(_ records: [ErasedRecord]) async throws(EnergyError)

    /// Leaves nothing of what was removed in the files, where it would stay in unused places until written over.
    ///
    /// - Throws: `.unavailable`, also when there is no room: it takes as much again as the store has.
    func scrub() async throws(EnergyError)

    /// Nothing can be read or written afterwards.
    func close() async throws(EnergyError)
}

/// What a transaction can look up and append. It sees its own appends.
public protocol EventLogTransaction {
    /// Says which batches will be looked at, before the first look: a store that is far away fetches all of it at once. What
    /// was not said may be looked at too.
    func expect(_ batches: [[Event]]) throws

    /// - Returns: `nil` for a session that has not begun at this venue.
    func session(_ id: UUID, venueID: UUID) throws -> SessionProgress?

    /// - Returns: ``EventMark/digest`` of the event, if the log has it; `nil` if not, or if it was received so long ago
    ///   that it may be forgotten (at least 30 days).
    func knownDigest(ofEvent id: UUID, venueID: UUID) throws -> UInt64?

    /// Appends one record, remembers its events and replaces the progress of its sessions.
    ///
    /// - Precondition: none of the events is known.
    /// - Returns: the record's sequence in its partition.
    func append(_ draft: RecordDraft) throws -> UInt64

    /// Forgets what is remembered of a subject beside the records: sessions, and of a whole venue also its tokens and that
    /// it exists.
    func forget(_ subject: DataSubject) throws -> [ErasedCount]
}

extension EventLogTransaction {
    /// Nothing is far away.
    public func expect(_ batches: [[Event]]) {}
}
