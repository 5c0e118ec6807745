internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB
internal import SQLColumns

/// One transaction on the log's file, used on the writer's queue only.
struct SQLiteEventLogTransaction: EventLogTransaction {
    let connection: Database
    let index: EventIndex

    func session(_ id: UUID, venueID: UUID) throws -> SessionProgress? {
        let statement = try connection.cachedStatement(
            sql: "SELECT \(SessionProgress.columns) FROM session WHERE venue_id = ? AND id = ?")
        return try Row.fetchOne(statement, arguments: [venueID, id]).map(SessionProgress.init(row:))
    }

    func knownDigest(ofEvent id: UUID, venueID: UUID) throws -> UInt64? {
        try index.digest(of: IndexKey(venueID: venueID, id: id), connection)
    }

    func append(_ draft: RecordDraft) throws -> UInt64 {
        let partition = LogPartition.of(venueID: draft.venueID)
        let stored = StoredPayload(draft.payload)
        let record = StoredRecord(
            partition: partition, sequence: try takeSequence(partition, payloadBytes: stored.bytes.count),
            venueID: draft.venueID, received: draft.received, principal: draft.principal, payload: draft.payload,
            erasure: draft.erasure)
        let place = LogPlace(partition: partition, sequence: record.sequence).rawValue
        try execute(
            """
            INSERT INTO log_record
                (place, venue_id, received_ms, principal, checksum, payload, plain_bytes, erasure)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                place, record.venueID, record.received.unixMilliseconds, record.principal, Int64(record.checksum),
                stored.bytes, stored.plainCount, record.erasure?.column,
            ])
        for event in draft.events {
            let key = IndexKey(venueID: draft.venueID, id: event.id)
            let isNew = index.insert(
                IndexEntry(key: key, digest: event.digest),
                receivedUnixMilliseconds: draft.received.unixMilliseconds)
            // The caller has asked for all of them, but a draft may have one twice.
            guard isNew else {
                throw EnergyError(.conflict, "the log has event \(event.id.uuidString.lowercased()) already")
            }
        }
        for session in draft.sessions { try store(session) }
        // A session is a page somewhere.
        index.wrote(bytes: stored.bytes.count + 4096 * (1 + draft.sessions.count))
        return record.sequence
    }

    func forget(_ subject: DataSubject) throws -> [ErasedCount] {
        try SQLiteEventLogStore.forget(subject, connection)
    }

    private func takeSequence(_ partition: Int, payloadBytes: Int) throws -> UInt64 {
        let statement = try connection.cachedStatement(
            sql: """
                INSERT INTO log_head (partition, sequence, payload_bytes) VALUES (?, 1, ?)
                ON CONFLICT (partition) DO UPDATE SET
                    sequence = sequence + 1, payload_bytes = payload_bytes + excluded.payload_bytes
                RETURNING sequence
                """)
        guard let sequence = try Int64.fetchOne(statement, arguments: [partition, payloadBytes]),
            1...Int64(LogPlace.sequenceMax) ~= sequence
        else { throw EnergyError(.unavailable, "partition \(partition) of the log is full") }
        return UInt64(sequence)
    }

    private func store(_ session: SessionProgress) throws {
        try execute(
            """
            INSERT OR REPLACE INTO session
                (venue_id, id, device_id, kind, direction, began_ms, last_ms, energy_mwh, is_ended,
                is_abandoned)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                session.venueID, session.id, session.deviceID, session.kind.rawValue, session.direction?.rawValue,
                session.began.unixMilliseconds, session.last.unixMilliseconds, session.energyMilliwattHours,
                session.isEnded, session.isAbandoned,
            ])
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try connection.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
