public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB

/// ``InsightStore`` in one SQLite file.
///
/// The cost of a question grows with the periods in its answer: a year of one device by days or longer periods is a scan of
/// 365 small rows, by hours or quarters one of 365 rows with 96 buckets each.
public struct SQLiteInsightStore: InsightStore {
    /// Which of the projections in the file.
    enum Role: Sendable {
        /// The one that answers.
        case serving
        case rebuilding(generation: Int64)
    }

    let database: SQLiteDatabase
    let role: Role

    /// - Throws: ``EnergyError`` `.unavailable` when the file cannot be opened or was written by a newer version.
    public init(path: String) throws(EnergyError) {
        // A day of quarters is about 900 bytes: nine to a page, where three would fit into 4 kB.
        database = try SQLiteDatabase(path: path, migrator: Self.migrator, pageBytes: 8_192)
        role = .serving
    }

    init(database: SQLiteDatabase, role: Role) { (self.database, self.role) = (database, role) }

    public func close() throws(EnergyError) { try database.close() }

    func generation(_ db: Database) throws -> Int64 {
        switch role {
        case .rebuilding(let generation): return generation
        case .serving: return try Self.serving(db)
        }
    }

    static func serving(_ db: Database) throws -> Int64 {
        guard let generation = try Int64.fetchOne(db.cachedStatement(sql: "SELECT generation FROM projection")) else {
            throw EnergyError.damaged("projection")
        }
        return generation
    }

    public func positions() async throws(EnergyError) -> [LogHead] {
        try await database.read { try Self.positions(generation($0), $0) }
    }

    public func logID() async throws(EnergyError) -> UUID? {
        try await database.read { try UUID.fetchOne($0, sql: "SELECT id FROM counted_log") }
    }

    public func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM counted_log")
            if let id { try db.execute(sql: "INSERT INTO counted_log (id) VALUES (?)", arguments: [id]) }
            guard anew else { return }
            try Self.forget(generation(db), db)
            if case .serving = role {
                try db.execute(sql: "UPDATE projection SET rules = ?", arguments: [InsightRules.version])
            }
        }
    }

    public func frozenDays(_ keys: Set<FrozenDayKey>) async throws(EnergyError) -> [FrozenDayKey: FrozenDay] {
        guard !keys.isEmpty else { return [:] }
        return try await database.read { db in
            try keys.reduce(into: [:]) { found, key in found[key] = try FrozenDayRow.fetch(key, db) }
        }
    }

    public func incompleteDays(since start: Timestamp, limit: Int) async throws(EnergyError) -> [FrozenDayKey] {
        try await database.read { try FrozenDayRow.incomplete(since: start, limit: limit, $0) }
    }

    public func daysToRate(limit: Int) async throws(EnergyError) -> [FrozenDayKey] {
        try await database.read { try FrozenDayRow.toRate(limit: limit, $0) }
    }

    public func repairs() async throws(EnergyError) -> [EventRepair] {
        try await database.read { try RepairRow.fetchAll($0) }
    }

    public func apply(_ effects: InsightEffects) async throws(EnergyError) -> Bool {
        guard let through = Int64(exactly: effects.through) else {
            throw EnergyError(.invalidInput, "sequence \(effects.through) is more than the store holds")
        }
        return try await database.write { db in
            let generation = try generation(db)
            let position =
                try Self.positions(generation, db).first { $0.partition == effects.partition }?.sequence ?? 0
            guard position < effects.through || position == effects.after else { return false }
            guard position == effects.after else {
                throw EnergyError(
                    .conflict, "partition \(effects.partition) is counted to \(position), not to \(effects.after)")
            }
            if effects.through > effects.after {
                try db.cachedStatement(
                    sql: """
                        INSERT OR REPLACE INTO position (generation, partition, sequence, checksum) VALUES (?, ?, ?, ?)
                        """
                ).execute(arguments: [generation, effects.partition, through, effects.checksum.map { Int64($0) }])
            }
            try Self.save(effects, generation, db)
            return true
        }
    }

    private static func save(_ effects: InsightEffects, _ generation: Int64, _ db: Database) throws {
        var rows: [InsightSeries: SeriesRow] = [:]
        func row(_ series: InsightSeries) throws -> SeriesRow {
            if let known = rows[series] { return known }
            let timeZone = effects.timeZones[series.venueID]
            var row =
                try SeriesRow.fetch(series, generation, db)
                ?? SeriesRow.insert(series, timeZone ?? .gmt, generation, db)
            if let timeZone, timeZone.identifier != row.timeZone.identifier {
                row = try DayRows(series: row).move(to: timeZone, db) ?? row
            }
            rows[series] = row
            return row
        }
        for (series, tallies) in effects.tallies { try DayRows(series: row(series)).add(tallies, db) }
        for session in effects.sessions.values {
            try CountedSessionRow.save(session, series: row(session.series).id, db)
        }
        try StatusRow.save(effects.statuses, generation, db)
        for (key, day) in effects.frozenDays { try FrozenDayRow.save(day, key, db) }
        for repair in effects.repairs { try RepairRow.insert(repair, db) }
    }

    static func positions(_ generation: Int64, _ db: Database) throws -> [LogHead] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT partition, sequence, checksum FROM position WHERE generation = ? ORDER BY partition"),
            arguments: [generation]
        ).map { row in
            LogHead(
                partition: row[0], sequence: UInt64(clamping: row[1] as Int64),
                checksum: (row[2] as Int64?).map(UInt32.init(truncatingIfNeeded:)))
        }
    }

    /// Removes what a generation has counted.
    static func forget(_ generation: Int64, _ db: Database) throws {
        try SeriesRow.forEach(generation, db) { row in
            try DayRows(series: row).remove(db)
            try db.execute(sql: "DELETE FROM session WHERE series_id = ?", arguments: [row.id])
        }
        for table in ["position", "series", "status"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE generation = ?", arguments: [generation])
        }
    }
}
