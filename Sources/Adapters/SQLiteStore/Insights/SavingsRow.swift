internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB
internal import SQLColumns

/// SQL on what sessions saved: columns of the table `session` that its index `session_by_begin` has too, so that sums of
/// years read no session.
enum SavingsRow {
    /// Part of a migration: never edited once it was released.
    static func addColumns(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE session ADD COLUMN moved_mwh INTEGER;
                ALTER TABLE session ADD COLUMN followed INTEGER;
                ALTER TABLE session ADD COLUMN saved_class INTEGER;
                ALTER TABLE session ADD COLUMN saved_micros INTEGER;
                ALTER TABLE session ADD COLUMN saved_mg INTEGER;
                DROP INDEX session_by_begin;
                CREATE INDEX session_by_begin ON session (
                    series_id, began_unix_ms, session_id, moved_mwh, followed, saved_class, saved_micros, saved_mg);
                """)
        try CountedSessionRow.forEach(db) { session, series in
            try db.cachedStatement(
                sql: """
                    UPDATE session SET moved_mwh = ?, followed = ?, saved_class = ?, saved_micros = ?, saved_mg = ?
                    WHERE session_id = ? AND series_id = ?
                    """
            ).execute(
                arguments: StatementArguments(session.savingColumns.values.map(\.databaseValue))
                    + [session.key.sessionID.bytes, series])
        }
    }

    /// - Parameters: series, start, end.
    static let sumSQL = """
        SELECT \(Savings.groupColumns)
        FROM session WHERE series_id = ? AND began_unix_ms >= ? AND began_unix_ms < ? AND moved_mwh IS NOT NULL
        GROUP BY followed, saved_class
        """

    static func sum(_ series: [SeriesRow], beganIn range: Interval, _ db: Database) throws -> Savings {
        var savings = Savings.none
        for row in series {
            let groups = try Row.fetchCursor(
                db.cachedStatement(sql: sumSQL),
                arguments: [row.id, range.start.unixMilliseconds, range.end.unixMilliseconds])
            while let group = try groups.next() { try savings.add(group: SQLiteRow(group)) }
        }
        return savings
    }

    /// Of sessions that were compared the newest, the newest first.
    static func newest(
        _ limit: Int, of series: [SeriesRow], beganIn range: Interval, _ db: Database
    ) throws -> [CountedSession] {
        guard limit > 0 else { return [] }
        var found: [(cursor: SessionCursor, series: Int64)] = []
        for row in series {
            found += try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT began_unix_ms, session_id FROM session
                        WHERE series_id = ? AND began_unix_ms >= ? AND began_unix_ms < ? AND saved_class > ?
                        ORDER BY began_unix_ms DESC, session_id DESC LIMIT ?
                        """),
                arguments: [
                    row.id, range.start.unixMilliseconds, range.end.unixMilliseconds, InsightClass.unknown.code, limit,
                ]
            ).map {
                (SessionCursor(began: .init(unixMilliseconds: $0[0]), sessionID: try $0.uuid("session_id")), row.id)
            }
        }
        return try found.sorted { $1.cursor < $0.cursor }.prefix(limit).compactMap {
            try CountedSessionRow.fetch($0.cursor.sessionID, series: $0.series, db)
        }
    }
}
