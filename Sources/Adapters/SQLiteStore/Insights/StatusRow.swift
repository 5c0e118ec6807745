internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB
internal import SQLColumns

/// SQL on the table `status`: what vehicles reported, for the activity log.
enum StatusRow {
    /// Part of a migration: never edited once it was released.
    static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE status (
                    generation INTEGER NOT NULL,
                    venue_id BLOB NOT NULL,
                    time_unix_ms INTEGER NOT NULL,
                    event_id BLOB NOT NULL,
                    device_id TEXT NOT NULL,
                    device_name TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    reason TEXT NOT NULL,
                    state_of_charge INTEGER NOT NULL,
                    energy_mwh INTEGER NOT NULL,
                    range_mm INTEGER,
                    target_state_of_charge INTEGER,
                    target_completion_unix_ms INTEGER,
                    target_start_unix_ms INTEGER,
                    target_range_mm INTEGER,
                    session_id BLOB,
                    PRIMARY KEY (generation, venue_id, time_unix_ms, event_id)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Part of a migration: never edited once it was released. Among statuses of one time those that were stored before come
    /// first, by id as ever.
    static func keepOrder(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE status ADD COLUMN log_order INTEGER NOT NULL DEFAULT 0")
    }

    /// - Returns: also where the last of them stands.
    static func fetch(
        _ query: ActivityQuery, after last: ActivityCursor?, limit: Int, _ generation: Int64, _ db: Database
    ) throws -> (statuses: [Activity], last: ActivityCursor?) {
        let from = max(query.range.start, last?.time ?? query.range.start)
        func wants(_ kind: Activity.Kind) -> String? { query.wants(kind) ? kind.rawValue : nil }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT * FROM status
                    WHERE generation = ? AND venue_id = ? AND time_unix_ms >= ? AND time_unix_ms < ?
                        AND (time_unix_ms, log_order, event_id) > (?, ?, ?) AND (? IS NULL OR device_id = ?)
                        AND kind IN (?, ?, ?)
                    ORDER BY time_unix_ms, log_order, event_id LIMIT ?
                    """),
            arguments: [
                generation, query.venueID.bytes, from.unixMilliseconds, query.range.end.unixMilliseconds,
                last?.time.unixMilliseconds ?? .min, last?.order ?? .min, last?.id.bytes ?? Data(), query.deviceID,
                query.deviceID, wants(.plug), wants(.charging), wants(.waiting), limit,
            ])
        let statuses = try rows.map(activity)
        let cursor = rows.last.flatMap { row in
            statuses.last.map { ActivityCursor(time: $0.time, order: row["log_order"], id: $0.id) }
        }
        return (statuses, cursor)
    }

    /// What a vehicle said of its plug, from `start` until before `end`.
    static func words(
        of vehicle: VehicleKey, from start: Timestamp, to end: Timestamp, _ generation: Int64, _ db: Database
    ) throws -> [PlugHistory.Word] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT time_unix_ms, kind, reason FROM status
                    WHERE generation = ? AND venue_id = ? AND device_id = ? AND time_unix_ms >= ? AND time_unix_ms < ?
                    """),
            arguments: [
                generation, vehicle.venueID.bytes, vehicle.deviceID, start.unixMilliseconds, end.unixMilliseconds,
            ]
        ).map { try PlugHistory.Word(SQLiteRow($0)) }
    }

    static func save(_ statuses: [Activity], _ generation: Int64, _ db: Database) throws {
        for activity in statuses {
            guard let columns = activity.statusColumns else { continue }
            let order =
                try Int.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT max(log_order) FROM status WHERE generation = ? AND venue_id = ? AND time_unix_ms = ?
                            """),
                    arguments: [generation, activity.venueID.bytes, activity.time.unixMilliseconds]) ?? 0
            try db.upsert(
                ColumnList([("generation", generation)]) + columns + ColumnList([("log_order", order + 1)]),
                into: "status", key: ["generation", "venue_id", "time_unix_ms", "event_id"])
        }
        for venueID in Set(statuses.map(\.venueID)) { try removeOld(venueID, generation, db) }
    }

    static func fetch(
        of subject: DataSubject, skipped: Int, countMax: Int, _ generation: Int64, _ db: Database
    ) throws -> [Activity] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM status WHERE generation = ? AND venue_id = ? AND (? IS NULL OR device_id = ?)
                ORDER BY time_unix_ms, log_order, event_id LIMIT ? OFFSET ?
                """,
            arguments: [
                generation, subject.venueID.bytes, subject.deviceID, subject.deviceID, max(0, countMax), skipped,
            ]
        ).map(activity)
    }

    static func forEach(_ generation: Int64, _ db: Database, _ body: (Activity) -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM status WHERE generation = ?", arguments: [generation])
        while let row = try rows.next() { body(try activity(row)) }
    }

    private static func removeOld(_ venueID: UUID, _ generation: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM status WHERE generation = ?1 AND venue_id = ?2 AND time_unix_ms <
                    (SELECT max(time_unix_ms) FROM status WHERE generation = ?1 AND venue_id = ?2) - ?3
                """
        ).execute(arguments: [generation, venueID.bytes, ActivityRetention.milliseconds])
    }

    private static func activity(_ row: Row) throws -> Activity { try Activity(SQLiteRow(row)) }
}
