public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB
internal import SQLColumns

/// A ``ScheduleStore`` in one SQLite file.
public struct SQLiteScheduleStore: ScheduleStore, DocumentStore {
    private static let tables =
        ["device", "goal", "absence", "schedule_block"].map { PersonalTable($0) }
        + [PersonalTable("venue_setup", device: nil)]

    private let database: SQLiteDatabase

    /// Opens or creates the file at `path`.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` when it cannot be opened or was written by a newer version.
    public init(path: String) throws(EnergyError) {
        database = try SQLiteDatabase(path: path, migrator: SQLiteScheduleSchema.migrator)
    }

    public func close() throws(EnergyError) { try database.close() }

    public func load() async throws(EnergyError) -> ScheduleStoreContent {
        try await database.read { connection in
            let devices = try Row.fetchAll(connection, sql: "SELECT * FROM device ORDER BY venue_id, device_id")
            let records = try devices.map { row in
                func parts(_ table: String) throws -> [SQLiteRow] {
                    try Row.fetchAll(
                        connection,
                        sql: "SELECT * FROM \(table) WHERE venue_id = ? AND device_id = ? ORDER BY position",
                        arguments: [row["venue_id"] as Data, row["device_id"] as String]
                    ).map(SQLiteRow.init)
                }
                return try DeviceRecord(
                    SQLiteRow(row), goals: parts("goal"), absences: parts("absence"), blocks: parts("schedule_block"))
            }
            let positions = try Row.fetchAll(connection, sql: "SELECT * FROM log_position ORDER BY partition")
            return ScheduleStoreContent(
                records: records,
                venues: try Row.fetchAll(connection, sql: "SELECT * FROM venue_setup ORDER BY venue_id")
                    .map { try VenueSetup(SQLiteRow($0)) },
                positions: positions.map { row in
                    LogHead(
                        partition: row["partition"], sequence: UInt64(bitPattern: row["sequence"] as Int64),
                        checksum: (row["checksum"] as Int64?).map(UInt32.init(truncatingIfNeeded:)))
                },
                logID: try UUID.fetchOne(connection, sql: "SELECT id FROM followed_log"))
        }
    }

    public func save(_ records: [DeviceRecord], positions: [LogHead]) async throws(EnergyError) {
        try await database.write { connection in
            for record in records { try Self.save(record, connection) }
            for head in positions {
                try connection.execute(
                    sql: """
                        INSERT INTO log_position (partition, sequence, checksum) VALUES (?, ?, ?)
                        ON CONFLICT (partition) DO UPDATE SET sequence = excluded.sequence, checksum = excluded.checksum
                        WHERE excluded.sequence >= sequence
                        """,
                    arguments: [head.partition, Int64(bitPattern: head.sequence), head.checksum.map { Int64($0) }])
            }
        }
    }

    private static func save(_ record: DeviceRecord, _ connection: Database) throws {
        for table in ["device"] + DeviceRecord.partTables {
            try connection.execute(
                sql: "DELETE FROM \(table) WHERE venue_id = ? AND device_id = ?",
                arguments: [record.device.venueID.bytes, record.device.device.id])
        }
        try connection.insert(record.columns, into: "device")
        for table in DeviceRecord.partTables {
            for part in record.parts(of: table) { try connection.insert(part, into: table) }
        }
    }

    public func save(_ setup: VenueSetup) async throws(EnergyError) {
        try await database.write { connection in
            try connection.execute(
                sql: "DELETE FROM venue_setup WHERE venue_id = ?", arguments: [setup.venueID.bytes])
            if !setup.isEmpty { try connection.insert(setup.columns(), into: "venue_setup") }
        }
    }

    public func erase(_ subject: DataSubject) async throws(EnergyError) -> [ErasedCount] {
        try await database.erase(subject, from: Self.tables)
    }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.documents(of: subject, in: Self.tables, skipped: skipped, countMax: countMax)
    }

    public func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) {
        try await database.write { connection in
            for table in ["followed_log"] + (anew ? ["log_position"] : []) {
                try connection.execute(sql: "DELETE FROM \(table)")
            }
            if let id { try connection.execute(sql: "INSERT INTO followed_log (id) VALUES (?)", arguments: [id]) }
        }
    }
}
