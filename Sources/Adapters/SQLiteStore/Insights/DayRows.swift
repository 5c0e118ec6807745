internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import SQLColumns

/// SQL on the tables `quarters` and `day`: the buckets of one local day of one series, and what they add up to.
struct DayRows {
    /// Days of a series in its id: enough for the calendar's last year.
    static let dayBits = Int64(22)
    private static let days: Range<Int64> = 0..<(1 << dayBits)

    let series: SeriesRow

    private func id(_ day: Int64) -> Int64 {
        series.id << Self.dayBits | min(max(Self.days.lowerBound, day), Self.days.upperBound - 1)
    }

    /// Adds to the buckets; those that add up to nothing are removed.
    ///
    /// - Parameter tallies: sorted, each bucket once.
    func add(_ tallies: [QuarterTally], _ db: Database) throws {
        for (day, added) in tallies.byDay(of: series.timeZone) { try add(added, to: day, db) }
    }

    private func add(_ added: ArraySlice<QuarterTally>, to day: Int64, _ db: Database) throws {
        var before: [QuarterTally] = []
        try forEachBucket(in: day...day, db) { before.append(QuarterTally(key: $0, tally: $1)) }
        guard let packed = PackedDay(before, adding: added) else {
            for table in ["quarters", "day"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?").execute(arguments: [id(day)])
            }
            return
        }
        try save(packed.quarters, "quarters", day, db)
        try save(packed.sums, "day", day, db)
    }

    private func save(_ data: Data, _ table: String, _ day: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO \(table) (id, tallies) VALUES (?, ?)")
            .execute(arguments: [id(day), data])
    }

    /// The buckets of each of some local days.
    func buckets(in days: ClosedRange<Int64>, _ db: Database) throws -> MapCursor<RowCursor, UnpackedTallies> {
        let statement = try db.cachedStatement(sql: "SELECT tallies FROM quarters WHERE id BETWEEN ? AND ?")
        var buckets = UnpackedTallies.buckets
        return try Row.fetchCursor(statement, arguments: [id(days.lowerBound), id(days.upperBound)])
            .map { _ in
                try buckets.read(statement.bytes(0))
                return buckets
            }
    }

    /// What each of some local days adds up to, by class.
    func sums(
        in days: ClosedRange<Int64>, _ db: Database
    ) throws -> MapCursor<RowCursor, (day: Int64, classes: UnpackedTallies)> {
        let statement = try db.cachedStatement(sql: "SELECT id, tallies FROM day WHERE id BETWEEN ? AND ?")
        var classes = UnpackedTallies.classes
        return try Row.fetchCursor(statement, arguments: [id(days.lowerBound), id(days.upperBound)])
            .map { row in
                try classes.read(statement.bytes(1))
                return ((row[0] as Int64) & (Self.days.upperBound - 1), classes)
            }
    }

    func forEachBucket(
        in days: ClosedRange<Int64> = Self.days.lowerBound...Self.days.upperBound - 1, _ db: Database,
        _ body: (QuarterClass, InsightTally) -> Void
    ) throws {
        let rows = try buckets(in: days, db)
        while let buckets = try rows.next() {
            for index in buckets.indices { body(buckets.key(index), buckets[index]) }
        }
    }

    /// Lays the buckets out anew by another zone's days.
    func move(to timeZone: TimeZone, _ db: Database) throws -> SeriesRow? {
        var tallies: [QuarterTally] = []
        try forEachBucket(db) { tallies.add($1, to: $0) }
        try remove(db)
        try series.save(timeZone, db)
        guard let moved = try SeriesRow.fetch(id: series.id, db) else { return nil }
        try DayRows(series: moved).add(tallies.joined(), db)
        return moved
    }

    /// Of each day that there is, ascending.
    func allBuckets(_ db: Database) throws -> MapCursor<RowCursor, UnpackedTallies> {
        try buckets(in: Self.days.lowerBound...Self.days.upperBound - 1, db)
    }

    /// - Returns: how many days there were.
    @discardableResult
    func remove(_ db: Database) throws -> Int {
        for table in ["quarters", "day"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE id BETWEEN ? AND ?",
                arguments: [id(Self.days.lowerBound), id(Self.days.upperBound - 1)])
        }
        return db.changesCount
    }
}

extension Statement {
    /// Where SQLite has them: a year of quarters is 300 kB in 365 rows, and GRDB would make an object for each.
    fileprivate func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(sqliteStatement, column),
            count: Int(sqlite3_column_bytes(sqliteStatement, column)))
    }
}

/// The days of a series, read while a transaction runs.
struct ReadDays: CountedDays {
    let rows: DayRows
    let database: Database

    var timeZone: TimeZone { rows.series.timeZone }

    func forEachSum(in days: ClosedRange<Int64>, _ body: (_ day: Int64, UnpackedTallies) throws -> Void) throws {
        let sums = try rows.sums(in: days, database)
        while let (day, classes) = try sums.next() { try body(day, classes) }
    }

    func forEachDay(in days: ClosedRange<Int64>, _ body: (UnpackedTallies) throws -> Void) throws {
        let days = try rows.buckets(in: days, database)
        while let buckets = try days.next() { try body(buckets) }
    }
}
