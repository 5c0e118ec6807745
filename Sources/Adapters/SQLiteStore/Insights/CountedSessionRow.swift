internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

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
        let tallies = session.tallies.sorted { $0.key.code < $1.key.code }
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO session (
                    session_id, series_id, began_unix_ms, last_unix_ms, progress, tallies, baseline,
                    plugged_in_unix_ms, moved_mwh, followed, saved_class, saved_micros, saved_mg)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                session.key.sessionID.bytes, series,
                session.began.unixMilliseconds, session.timestamp.unixMilliseconds, progress(session),
                PackedTallies.pack(tallies.map { ClassTally(class: $0.key, tally: $0.value) }),
                session.baseline.map(PackedBaseline.pack), session.pluggedIn?.unixMilliseconds,
            ] + SavingsRow.columns(of: session))
    }

    private static func session(_ row: Row) throws -> CountedSession {
        let venueID = try row.uuid("venue_id")
        let numbers = try PackedNumbers.unpack(row[7], count: 13)
        var tallies: [InsightClass: InsightTally] = [:]
        let unpacked = try UnpackedTallies.classes(row, column: 8)
        for index in unpacked.indices { tallies[unpacked.class(index)] = unpacked[index] }
        let sequences = (UInt64(clamping: numbers[10]), UInt64(clamping: numbers[11]))
        return CountedSession(
            key: SessionKey(venueID: venueID, sessionID: try row.uuid("session_id")),
            series: InsightSeries(
                venueID: venueID, deviceID: row[2], kind: Device.Kind(code: row[3]),
                direction: FlowDirection(code: row[4])),
            began: Timestamp(unixMilliseconds: row[5]),
            pluggedIn: (row[10] as Int64?).map(Timestamp.init(unixMilliseconds:)),
            timestamp: Timestamp(unixMilliseconds: row[6]),
            energy: Energy(milliwattHours: numbers[0]), powerMilliwatts: numbers[1] < 0 ? nil : numbers[1],
            isRunning: numbers[2] != 0, stage: Int(clamping: numbers[3]), isOver: numbers[4] != 0,
            wasFollowingGuidance: numbers[5] != 0, stateOfChargeAtBegin: numbers[6] < 0 ? nil : Int(numbers[6]),
            stateOfChargeAtLast: numbers[7] < 0 ? nil : Int(numbers[7]), powerMilliwattsMax: numbers[8],
            meanPowerMilliwattsMax: numbers[9], sequences: sequences.0...max(sequences.0, sequences.1),
            isRepaired: numbers[12] != 0, tallies: tallies, baseline: try (row[9] as Data?).map(PackedBaseline.unpack))
    }

    private static func progress(_ session: CountedSession) -> Data {
        PackedNumbers.pack([
            session.energy.milliwattHours, session.powerMilliwatts ?? -1, session.isRunning ? 1 : 0,
            Int64(session.stage), session.isOver ? 1 : 0, session.wasFollowingGuidance ? 1 : 0,
            Int64(session.stateOfChargeAtBegin ?? -1), Int64(session.stateOfChargeAtLast ?? -1),
            session.powerMilliwattsMax, session.meanPowerMilliwattsMax,
            Int64(clamping: session.sequences.lowerBound), Int64(clamping: session.sequences.upperBound),
            session.isRepaired ? 1 : 0,
        ])
    }
}
