internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

/// SQL on what sessions saved: columns of the table `session` that its index `session_by_begin` has too, so that sums of
/// years read no session.
enum SavingsRow {
    /// Part of a migration: never edited once it was released.
    ///
    /// `moved_mwh` is NULL of a session that is not counted, `saved_class` of one without a baseline. It has the currency
    /// and the kind of carbon, each where what was saved is known.
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
            ).execute(arguments: columns(of: session) + [session.key.sessionID.bytes, series])
        }
    }

    /// `moved_mwh`, `followed`, `saved_class`, `saved_micros`, `saved_mg`.
    static func columns(of session: CountedSession) -> StatementArguments {
        let insight = SessionInsight(session)
        guard let saving = SessionSaving(insight) else { return [nil, nil, nil, nil, nil] }
        let item = InsightClass(
            cleanliness: .unknown, peak: .unknown, currency: saving.money?.currency, carbonKind: saving.carbon?.kind)
        return [
            insight.amount.energy.milliwattHours, saving.hasFollowed, saving.hasBaseline ? item.code : nil,
            saving.money?.micros, saving.carbon?.milligrams,
        ]
    }

    /// - Parameters: series, start, end.
    static let sumSQL = """
        SELECT count(*), followed, saved_class, \(exactSum("moved_mwh")), \(exactSum("saved_micros")),
            \(exactSum("saved_mg"))
        FROM session WHERE series_id = ? AND began_unix_ms >= ? AND began_unix_ms < ? AND moved_mwh IS NOT NULL
        GROUP BY followed, saved_class
        """

    static func sum(_ series: [SeriesRow], beganIn range: Interval, _ db: Database) throws -> Savings {
        var savings = Savings.none
        for row in series {
            let groups = try Row.fetchCursor(
                db.cachedStatement(sql: sumSQL),
                arguments: [row.id, range.start.unixMilliseconds, range.end.unixMilliseconds])
            while let group = try groups.next() {
                let item = (group[2] as Int32?).map(InsightClass.init(code:))
                let energy = Energy(milliwattHours: sum(group, 3))
                savings.add(
                    SessionSaving(
                        hasFollowed: group[1], hasBaseline: item != nil,
                        money: item?.currency.map { Money(micros: sum(group, 5), currency: $0) },
                        carbon: item?.carbonKind.map { CarbonMass(milligrams: sum(group, 7), kind: $0, energy: energy) }
                    ), count: group[0])
            }
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

    /// Two columns, the upper and the lower 32 bits: SQL's own sum fails beyond 64 bits.
    private static func exactSum(_ column: String) -> String { "sum(\(column) >> 32), sum(\(column) & 0xFFFFFFFF)" }

    private static func sum(_ row: Row, _ column: Int) -> Int64 {
        let (upper, lower) = (row[column] as Int64? ?? 0, row[column + 1] as Int64? ?? 0)
        return Int64(clamping: Int128(upper) << 32 + Int128(lower))
    }
}
