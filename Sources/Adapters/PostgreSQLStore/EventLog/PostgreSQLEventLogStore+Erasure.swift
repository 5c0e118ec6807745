public import EnergyModel
public import EnergyStore
internal import Foundation
internal import SQLColumns

extension PostgreSQLEventLogStore: DocumentStore {
    /// Beside the records themselves.
    static let tables = [
        PersonalTable("session"), PersonalTable("known_token", ofDevices: false),
        PersonalTable("known_venue", ofDevices: false),
    ]

    public func replace(_ records: [ErasedRecord]) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            try PostgreSQLEventLogTransaction(transaction).lock(Set(records.map(\.record.partition)))
            for erased in records {
                try Self.replace(erased.record, transaction)
                try transaction.send(
                    "DELETE FROM known_event WHERE venue_id = $1 AND id = ANY($2::uuid[])",
                    [erased.record.venueID, erased.events])
            }
        }
    }

    private static func replace(_ record: StoredRecord, _ transaction: PostgreSQLTransaction) throws {
        let place: [(any PostgreSQLParameter)?] = [record.partition, Int64(clamping: record.sequence)]
        let before = try transaction.query(
            """
            SELECT octet_length(payload) AS bytes FROM log_record
            WHERE partition = $1 AND sequence = $2 AND checksum = $3
            """,
            place + [Int64(record.checksum)])
        guard let bytes: Int = try before.first?["bytes"] else {
            throw EnergyError(.conflict, "the log has no such record")
        }
        try transaction.send(
            "UPDATE log_record SET payload = $3, principal = $4 WHERE partition = $1 AND sequence = $2",
            place + [Data(record.payload), record.principal])
        try transaction.send(
            "UPDATE log_head SET payload_bytes = greatest(0, payload_bytes + $2) WHERE partition = $1",
            [record.partition, record.payload.count - bytes])
    }

    /// The server's write-ahead log and its backups keep what they hold until they are removed.
    public func scrub() async throws(EnergyError) {
        for name in ["log_record", "known_event"] + Self.tables.map(\.name) { try await database.scrub(name) }
    }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.documents(of: subject, in: Self.tables, skipped: skipped, countMax: countMax)
    }
}
