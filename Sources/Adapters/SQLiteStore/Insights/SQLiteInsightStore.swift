public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB

/// ``InsightStore`` in one SQLite file.
///
/// The cost of a question grows with the periods in its answer: each is one index seek to the next bucket that exists and
/// one range scan.
public struct SQLiteInsightStore: InsightStore {
    let database: SQLiteDatabase

    /// - Throws: ``EnergyError`` `.unavailable` when the file cannot be opened or was written by a newer version.
    public init(path: String) throws(EnergyError) {
        database = try SQLiteDatabase(path: path, migrator: Self.migrator)
    }

    public func close() throws(EnergyError) { try database.close() }

    public func positions() async throws(EnergyError) -> [LogHead] {
        try await database.read { try Self.positions($0) }
    }

    public func logID() async throws(EnergyError) -> UUID? {
        try await database.read { try UUID.fetchOne($0, sql: "SELECT id FROM counted_log") }
    }

    public func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) {
        try await database.write { db in
            let forgotten = ["counted_log"] + (anew ? ["position", "session", "bucket"] : [])
            for table in forgotten { try db.execute(sql: "DELETE FROM \(table)") }
            if let id { try db.execute(sql: "INSERT INTO counted_log (id) VALUES (?)", arguments: [id]) }
        }
    }

    public func sessions(_ keys: Set<SessionKey>) async throws(EnergyError) -> [SessionKey: CountedSession] {
        guard !keys.isEmpty else { return [:] }
        return try await database.read { db in
            try keys.reduce(into: [:]) { found, key in found[key] = try CountedSessionRow.fetch(key, db) }
        }
    }

    public func apply(_ effects: InsightEffects) async throws(EnergyError) -> Bool {
        guard let through = Int64(exactly: effects.through) else {
            throw EnergyError(.invalidInput, "sequence \(effects.through) is more than the store holds")
        }
        return try await database.write { db in
            let position = try Self.positions(db).first { $0.partition == effects.partition }?.sequence ?? 0
            guard position < effects.through else { return false }
            guard position == effects.after else {
                throw EnergyError(
                    .conflict, "partition \(effects.partition) is counted to \(position), not to \(effects.after)")
            }
            try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO position (partition, sequence, checksum) VALUES (?, ?, ?)"
            ).execute(arguments: [effects.partition, through, effects.checksum.map { Int64($0) }])
            for session in effects.sessions.values { try CountedSessionRow.save(session, db) }
            for (bucket, amount) in effects.amounts { try BucketRow.add(amount, to: bucket, db) }
            return true
        }
    }

    public func totals(
        of scope: InsightScope, in range: Interval, by periods: CalendarPeriods, limit: Int
    ) async throws(EnergyError) -> InsightTotals {
        try await database.read { db in
            let applied = try Self.positions(db)
            let devices = try scope.deviceID.map { [$0] } ?? BucketRow.devices(of: scope.venueID, db)
            let series = devices.map {
                InsightSeries(venueID: scope.venueID, deviceID: $0, direction: scope.direction)
            }
            var totals: [InsightTotals.Period] = []
            var from = range.start
            while let first = try series.compactMap({ try BucketRow.firstStart(of: $0, from: from, db) }).min(),
                first < range.end
            {
                guard totals.count < limit else { return InsightTotals(periods: totals, next: from, applied: applied) }
                let period = periods.period(containing: first)
                var amounts: [InsightClass: InsightAmount] = [:]
                for series in series { try BucketRow.sum(series, from: first, to: period.end, into: &amounts, db) }
                totals.append(InsightTotals.Period(interval: period, amounts: amounts))
                from = period.end
            }
            return InsightTotals(periods: totals, next: nil, applied: applied)
        }
    }

    private static func positions(_ db: Database) throws -> [LogHead] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT partition, sequence, checksum FROM position ORDER BY partition")
        ).map { row in
            LogHead(
                partition: row[0], sequence: UInt64(clamping: row[1] as Int64),
                checksum: (row[2] as Int64?).map(UInt32.init(truncatingIfNeeded:)))
        }
    }
}
