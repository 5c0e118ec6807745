internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import SQLColumns

/// One transaction on the log. It locks the head of each partition before it looks at anything of it, and writes at its end,
/// all at once.
final class PostgreSQLEventLogTransaction: EventLogTransaction {
    private struct Key: Hashable {
        let venueID: UUID
        let id: UUID
    }

    private struct Head {
        var sequence: Int64
        var addedBytes = 0
    }

    let transaction: PostgreSQLTransaction
    /// Of the partitions that are locked.
    private var heads: [Int: Head] = [:]
    /// What was looked up or appended; `nil` is known not to be there.
    private var digests: [Key: UInt64?] = [:]
    private var sessions: [Key: SessionProgress?] = [:]
    private var records: [StoredRecord] = []
    private var marks: [(key: Key, digest: UInt64, received: Timestamp)] = []
    private var changedSessions: [Key: SessionProgress] = [:]

    init(_ transaction: PostgreSQLTransaction) { self.transaction = transaction }

    /// Locks, and asks for all of it, in one round trip.
    func expect(_ batches: [[Event]]) throws {
        var (events, begun): (Set<Key>, Set<Key>) = ([], [])
        for event in batches.joined() {
            events.insert(Key(venueID: event.venueID, id: event.id))
            if let session = event.session { begun.insert(Key(venueID: event.venueID, id: session.id)) }
        }
        guard !events.isEmpty else { return }
        try sendLock(Set(events.map { LogPartition.of(venueID: $0.venueID) }))
        try sendLook(forEvents: Array(events))
        try sendLook(forSessions: Array(begun))
        let answers = try transaction.answers()
        try locked(answers[0])
        try found(events: Array(events), answers[1])
        try found(sessions: Array(begun), answers[2])
    }

    func session(_ id: UUID, venueID: UUID) throws -> SessionProgress? {
        let key = Key(venueID: venueID, id: id)
        if let known = sessions[key] { return known }
        try lock([LogPartition.of(venueID: venueID)])
        try sendLook(forSessions: [key])
        try found(sessions: [key], try transaction.answers()[0])
        return sessions[key] ?? nil
    }

    func knownDigest(ofEvent id: UUID, venueID: UUID) throws -> UInt64? {
        let key = Key(venueID: venueID, id: id)
        if let known = digests[key] { return known }
        try lock([LogPartition.of(venueID: venueID)])
        try sendLook(forEvents: [key])
        try found(events: [key], try transaction.answers()[0])
        return digests[key] ?? nil
    }

    func append(_ draft: RecordDraft) throws -> UInt64 {
        let partition = LogPartition.of(venueID: draft.venueID)
        try lock([partition])
        let sequence = (heads[partition]?.sequence ?? 0) + 1
        heads[partition]?.sequence = sequence
        heads[partition]?.addedBytes += draft.payload.count
        for event in draft.events {
            let key = Key(venueID: draft.venueID, id: event.id)
            // One that was not looked up, and is there, is found by the table's key.
            guard (digests[key] ?? nil) == nil else {
                throw EnergyError(.conflict, "the log has event \(event.id.uuidString.lowercased()) already")
            }
            digests[key] = event.digest
            marks.append((key, event.digest, draft.received))
        }
        for session in draft.sessions {
            let key = Key(venueID: draft.venueID, id: session.id)
            sessions[key] = session
            changedSessions[key] = session
        }
        records.append(
            StoredRecord(
                partition: partition, sequence: UInt64(sequence), venueID: draft.venueID, received: draft.received,
                principal: draft.principal, payload: draft.payload, erasure: draft.erasure))
        return UInt64(sequence)
    }

    func forget(_ subject: DataSubject) throws -> [ErasedCount] {
        try lock([LogPartition.of(venueID: subject.venueID)])
        sessions = sessions.filter { $0.key.venueID != subject.venueID }
        return try PostgreSQLDatabase.delete(subject, from: PostgreSQLEventLogStore.tables, transaction)
    }

    // MARK: Locks

    /// Of partitions that are asked for one by one, in no order, two transactions may wait for each other: the server then
    /// throws one of them out, and it is run again.
    func lock(_ partitions: Set<Int>) throws {
        let missing = partitions.subtracting(heads.keys)
        guard !missing.isEmpty else { return }
        try sendLock(missing)
        try locked(try transaction.answers()[0])
    }

    private func sendLock(_ partitions: Set<Int>) throws {
        try transaction.send(
            "SELECT partition, sequence FROM log_head WHERE partition = ANY($1::bigint[]) ORDER BY partition FOR UPDATE",
            [partitions.sorted()])
    }

    private func locked(_ rows: [PostgreSQLRow]) throws {
        for row in rows {
            let partition: Int = try row["partition"]
            if heads[partition] == nil { heads[partition] = Head(sequence: try row["sequence"]) }
        }
    }

    // MARK: Looking

    private func sendLook(forEvents keys: [Key]) throws {
        try transaction.send(
            """
            SELECT known_event.* FROM unnest($1::uuid[], $2::uuid[]) AS asked (venue_id, id)
            JOIN known_event USING (venue_id, id)
            """,
            [keys.map(\.venueID), keys.map(\.id)])
    }

    private func found(events keys: [Key], _ rows: [PostgreSQLRow]) throws {
        for key in keys where digests[key] == nil { digests[key] = .some(nil) }
        for row in rows {
            let key = Key(venueID: try row["venue_id"], id: try row["id"])
            digests[key] = UInt64(bitPattern: try row["digest"] as Int64)
        }
    }

    private func sendLook(forSessions keys: [Key]) throws {
        try transaction.send(
            """
            SELECT session.* FROM unnest($1::uuid[], $2::uuid[]) AS asked (venue_id, id)
            JOIN session USING (venue_id, id)
            """,
            [keys.map(\.venueID), keys.map(\.id)])
    }

    private func found(sessions keys: [Key], _ rows: [PostgreSQLRow]) throws {
        for key in keys where sessions[key] == nil { sessions[key] = .some(nil) }
        for row in rows {
            let session = try SessionProgress(row)
            sessions[Key(venueID: session.venueID, id: session.id)] = session
        }
    }

    // MARK: The end

    /// Sends what was appended.
    ///
    /// - Returns: by what the commit is known again; `nil` when there is nothing to commit.
    func finish() throws -> LogReceipt? {
        guard let first = records.first else { return nil }
        let receipt = LogReceipt(
            id: UUID(), partitions: Set(heads.keys), place: (first.partition, Int64(clamping: first.sequence)))
        try sendRecords(receipt.id)
        try sendMarks()
        try sendSessions()
        let changed = heads.filter { head in records.contains { $0.partition == head.key } }.sorted { $0.key < $1.key }
        try transaction.send(
            """
            UPDATE log_head SET sequence = next.sequence, payload_bytes = payload_bytes + next.bytes
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS next (partition, sequence, bytes)
            WHERE log_head.partition = next.partition
            """,
            [changed.map(\.key), changed.map(\.value.sequence), changed.map(\.value.addedBytes)])
        return receipt
    }

    private func sendRecords(_ receipt: UUID) throws {
        try transaction.send(
            """
            INSERT INTO log_record
                (partition, sequence, venue_id, received_ms, principal, checksum, payload, erasure, receipt)
            SELECT *, $9::uuid FROM unnest(
                $1::bigint[], $2::bigint[], $3::uuid[], $4::bigint[], $5::text[], $6::bigint[], $7::bytea[], $8::bytea[])
            """,
            [
                records.map(\.partition), records.map { Int64(clamping: $0.sequence) }, records.map(\.venueID),
                records.map(\.received.unixMilliseconds), records.map(\.principal),
                records.map { Int64($0.checksum) }, records.map { Data($0.payload) },
                PostgreSQLValue.array(records.map { $0.erasure?.column.column ?? .null }), receipt,
            ])
    }

    private func sendMarks() throws {
        guard !marks.isEmpty else { return }
        try transaction.send(
            """
            INSERT INTO known_event (venue_id, id, digest, received_ms)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[])
            """,
            [
                marks.map(\.key.venueID), marks.map(\.key.id), marks.map { Int64(bitPattern: $0.digest) },
                marks.map(\.received.unixMilliseconds),
            ])
    }

    private func sendSessions() throws {
        let columns = changedSessions.values.map(\.columns)
        guard let names = columns.first?.names else { return }
        try transaction.send(
            """
            INSERT INTO session (\(names.joined(separator: ", ")))
            SELECT * FROM unnest(
                $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[],
                $9::bigint[], $10::bigint[])
            ON CONFLICT (venue_id, id) DO UPDATE SET
                last_ms = excluded.last_ms, energy_mwh = excluded.energy_mwh, is_ended = excluded.is_ended,
                is_abandoned = excluded.is_abandoned
            """,
            names.indices.map { index in PostgreSQLValue.array(columns.map { $0.values[index] }) })
    }

    /// Whether that commit happened. It locks the partitions, so a commit that is still under way is waited for.
    func holds(_ receipt: LogReceipt) throws -> Bool {
        try lock(receipt.partitions)
        return try !transaction.query(
            "SELECT 1 FROM log_record WHERE partition = $1 AND sequence = $2 AND receipt = $3",
            [receipt.place.partition, receipt.place.sequence, receipt.id]
        ).isEmpty
    }
}

/// By what a transaction that appended is known again: the place of its first record, and what only it wrote there.
struct LogReceipt: Sendable {
    let id: UUID
    let partitions: Set<Int>
    let place: (partition: Int, sequence: Int64)
}
