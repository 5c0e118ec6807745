internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB
internal import SQLColumns

/// SQL on the table `session`.
enum CountedSessionRow {
    private static let columns = """
        venue_id, session_id, device_id, kind, direction, began_unix_ms, last_unix_ms, progress, tallies, baseline,
        plugged_in_unix_ms
        """
    private static let tables = "session JOIN series ON series.id = session.series_id"

    static func fetch(_ key: SessionKey, _ generation: Int64, _ db: Database) throws -> CountedSession? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM \(tables)
                    WHERE session_id = ? AND generation = ? AND venue_id = ?
                    """),
            arguments: [key.sessionID.bytes, generation, key.venueID.bytes]
        ).map(session)
    }

    static func fetch(_ sessionID: UUID, series: Int64, _ db: Database) throws -> CountedSession? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM \(tables) WHERE session_id = ? AND series_id = ?"),
            arguments: [sessionID.bytes, series]
        ).map(session)
    }

    static func fetch(
        series: Int64, beginningIn interval: Interval, _ db: Database
    ) throws -> [CountedSession] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM \(tables)
                    WHERE series_id = ? AND began_unix_ms >= ? AND began_unix_ms < ?
                    """),
            arguments: [series, interval.start.unixMilliseconds, interval.end.unixMilliseconds]
        ).map(session)
    }

    static func fetchLast(
        series: Int64, beginningBefore end: Timestamp, _ db: Database
    ) throws -> CountedSession? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM \(tables) WHERE series_id = ? AND began_unix_ms < ?
                    ORDER BY began_unix_ms DESC, session_id DESC LIMIT 1
                    """),
            arguments: [series, end.unixMilliseconds]
        ).map(session)
    }

    static func fetch(
        venueID: UUID, touching interval: Interval, _ generation: Int64, _ db: Database
    ) throws -> [CountedSession] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM \(tables)
                    WHERE generation = ? AND venue_id = ? AND coalesce(plugged_in_unix_ms, began_unix_ms) < ?
                        AND last_unix_ms >= ?
                    ORDER BY began_unix_ms, session_id
                    """),
            arguments: [
                generation, venueID.bytes, interval.end.unixMilliseconds, interval.start.unixMilliseconds,
            ]
        ).map(session)
    }

    static func fetch(
        _ query: SessionQuery, after last: SessionCursor?, limit: Int, _ generation: Int64, _ db: Database
    ) throws -> [CountedSession] {
        let from = max(query.range.start, last?.began ?? query.range.start)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM \(tables)
                    WHERE generation = ? AND venue_id = ? AND began_unix_ms >= ? AND began_unix_ms < ?
                        AND (began_unix_ms, session_id) > (?, ?) AND (? IS NULL OR device_id = ?)
                        AND (? IS NULL OR kind = ?)
                    ORDER BY began_unix_ms, session_id LIMIT ?
                    """),
            arguments: [
                generation, query.venueID.bytes, from.unixMilliseconds, query.range.end.unixMilliseconds,
                last?.began.unixMilliseconds ?? .min, last?.sessionID.bytes ?? Data(), query.deviceID, query.deviceID,
                query.deviceKind?.code, query.deviceKind?.code, limit,
            ]
        ).map(session)
    }

    static func fetch(series: Int64, _ db: Database) throws -> [CountedSession] {
        try Row.fetchAll(
            db,
            sql: "SELECT \(columns) FROM \(tables) WHERE series_id = ? ORDER BY began_unix_ms, session_id",
            arguments: [series]
        ).map(session)
    }

    static func forEach(_ generation: Int64, _ db: Database, _ body: (CountedSession) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(columns) FROM \(tables) WHERE generation = ?", arguments: [generation])
        while let row = try rows.next() { try body(session(row)) }
    }

    /// Of all generations, with their series. For a migration, which every column that is read here comes before.
    static func forEach(_ db: Database, _ body: (CountedSession, _ series: Int64) throws -> Void) throws {
        for row in try Row.fetchAll(db, sql: "SELECT id FROM series") {
            let series: Int64 = row[0]
            for session in try fetch(series: series, db) { try body(session, series) }
        }
    }

    static func save(_ session: CountedSession, series: Int64, _ db: Database) throws {
        try db.upsert(
            ColumnList([("series_id", series)]) + session.columns, into: "session", key: ["session_id", "series_id"])
    }

    private static func session(_ row: Row) throws -> CountedSession { try CountedSession(SQLiteRow(row)) }
}
