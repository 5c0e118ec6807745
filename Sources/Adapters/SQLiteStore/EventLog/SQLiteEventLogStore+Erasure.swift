public import EnergyModel
public import EnergyStore
internal import GRDB

extension SQLiteEventLogStore: DocumentStore {
    /// Beside the records themselves.
    private static let tables = [
        PersonalTable("session"), PersonalTable("known_token", device: nil), PersonalTable("known_venue", device: nil),
    ]

    static func forget(_ subject: DataSubject, _ connection: Database) throws -> [ErasedCount] {
        try connection.execute(sql: "PRAGMA secure_delete = ON")
        defer { try? connection.execute(sql: "PRAGMA secure_delete = OFF") }
        return try SQLiteDatabase.delete(subject, from: tables, connection)
    }

    public func replace(_ records: [ErasedRecord]) async throws(EnergyError) {
        try await database.write(whenCommitted: index.committed) { [index] connection in
            try connection.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? connection.execute(sql: "PRAGMA secure_delete = OFF") }
            try index.begin(connection)
            var keys: Set<IndexKey> = []
            for erased in records {
                try Self.replace(erased.record, connection)
                for event in erased.events { keys.insert(IndexKey(venueID: erased.record.venueID, id: event)) }
            }
            try index.forget(keys, connection)
        }
    }

    private static func replace(_ record: StoredRecord, _ connection: Database) throws {
        let place = LogPlace(partition: record.partition, sequence: record.sequence).rawValue
        let before = try Int64.fetchOne(
            connection, sql: "SELECT length(payload) FROM log_record WHERE place = ? AND checksum = ?",
            arguments: [place, Int64(record.checksum)])
        guard let before else { throw EnergyError(.conflict, "the log has no such record") }
        let stored = StoredPayload(record.payload)
        try connection.execute(
            sql: "UPDATE log_record SET payload = ?, plain_bytes = ?, principal = ? WHERE place = ?",
            arguments: [stored.bytes, stored.plainCount, record.principal, place])
        try connection.execute(
            sql: "UPDATE log_head SET payload_bytes = max(0, payload_bytes + ?) WHERE partition = ?",
            arguments: [Int64(stored.bytes.count) - before, record.partition])
    }

    public func scrub() async throws(EnergyError) { try await database.scrub() }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.documents(of: subject, in: Self.tables, skipped: skipped, countMax: countMax)
    }
}
