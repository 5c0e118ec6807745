internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB
internal import SQLColumns

/// SQL on the table `frozen_day`.
enum FrozenDayRow {
    /// What is there was rated among its UTC day. Part of a migration: never edited once it was released.
    static func rateAnew(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE frozen_day ADD COLUMN needs_rating INTEGER NOT NULL DEFAULT 0;
                UPDATE frozen_day SET needs_rating = 1;
                CREATE INDEX frozen_day_to_rate ON frozen_day (day) WHERE needs_rating;
                """)
    }

    static func fetch(_ key: FrozenDayKey, _ db: Database) throws -> FrozenDay? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM frozen_day WHERE venue_id = ? AND day = ?"),
            arguments: [key.venueID.bytes, key.day]
        ).map { try FrozenDay(SQLiteRow($0), start: key.start) }
    }

    static func save(_ frozen: FrozenDay, _ key: FrozenDayKey, _ db: Database) throws {
        try db.upsert(key.columns + frozen.columns, into: "frozen_day", key: key.columns.names)
    }

    static func incomplete(since start: Timestamp, limit: Int, _ db: Database) throws -> [FrozenDayKey] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT venue_id, day FROM frozen_day WHERE is_incomplete AND day >= ?
                    ORDER BY day DESC, venue_id LIMIT ?
                    """),
            arguments: [start.unixMilliseconds / .millisecondsPerDay, limit]
        ).map(key)
    }

    static func toRate(limit: Int, _ db: Database) throws -> [FrozenDayKey] {
        try Row.fetchAll(
            db,
            sql: "SELECT venue_id, day FROM frozen_day WHERE needs_rating ORDER BY day DESC, venue_id LIMIT ?",
            arguments: [limit]
        ).map(key)
    }

    private static func key(_ row: Row) throws -> FrozenDayKey { try FrozenDayKey(SQLiteRow(row)) }
}
