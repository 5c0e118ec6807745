internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

/// SQL on the tables `quarters` and `day`: the buckets of one local day of one series, and what they add up to.
struct DayRows {
    /// Days of a series in its id: enough for the calendar's last year.
    private static let dayBits = Int64(22)
    private static let days: Range<Int64> = 0..<(1 << dayBits)

    let series: SeriesRow

    private func id(_ day: Int64) -> Int64 {
        series.id << Self.dayBits | min(max(Self.days.lowerBound, day), Self.days.upperBound - 1)
    }

    /// Adds to the buckets; those that add up to nothing are removed.
    ///
    /// - Parameter tallies: sorted, each bucket once.
    func add(_ tallies: [QuarterTally], _ db: Database) throws {
        let offsets = ZoneOffsets.of(series.timeZone)
        var rest = tallies[...]
        while let first = rest.first {
            let day = offsets.day(at: first.key.start)
            let end = rest.firstIndex { day.end <= $0.key.start } ?? rest.endIndex
            try add(rest[..<end], to: day.number, db)
            rest = rest[end...]
        }
    }

    private func add(_ added: ArraySlice<QuarterTally>, to day: Int64, _ db: Database) throws {
        var before: [QuarterTally] = []
        try forEachBucket(in: day...day, db) { before.append(QuarterTally(key: $0, tally: $1)) }
        var merged: [QuarterTally] = []
        merged.reserveCapacity(before.count + added.count)
        var (old, new) = (before[...], added)
        while let bucket = Self.next(&old, &new) {
            if bucket.tally != .zero { merged.append(bucket) }
        }
        guard !merged.isEmpty else {
            for table in ["quarters", "day"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?").execute(arguments: [id(day)])
            }
            return
        }
        try save(PackedTallies.pack(merged), "quarters", day, db)
        var collector = TotalsCollector()
        for bucket in merged { collector.add(bucket.tally, bucket.key.class, to: 0) }
        let sums = collector.entries.map { ClassTally(class: $0.class, tally: $0.tally) }
        try save(PackedTallies.pack(sums), "day", day, db)
    }

    private static func next(
        _ old: inout ArraySlice<QuarterTally>, _ new: inout ArraySlice<QuarterTally>
    ) -> QuarterTally? {
        guard let ours = old.first else { return new.popFirst() }
        guard let theirs = new.first, theirs.key <= ours.key else { return old.popFirst() }
        new.removeFirst()
        guard theirs.key == ours.key else { return theirs }
        old.removeFirst()
        return QuarterTally(key: ours.key, tally: ours.tally + theirs.tally)
    }

    private func save(_ data: Data, _ table: String, _ day: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO \(table) (id, tallies) VALUES (?, ?)")
            .execute(arguments: [id(day), data])
    }

    /// The buckets of each of some local days.
    func buckets(in days: ClosedRange<Int64>, _ db: Database) throws -> MapCursor<RowCursor, UnpackedTallies> {
        let statement = try db.cachedStatement(sql: "SELECT tallies FROM quarters WHERE id BETWEEN ? AND ?")
        return try Row.fetchCursor(statement, arguments: [id(days.lowerBound), id(days.upperBound)])
            .map { _ in try UnpackedTallies.buckets(statement, column: 0) }
    }

    /// What each of some local days adds up to, by class.
    func sums(
        in days: ClosedRange<Int64>, _ db: Database
    ) throws -> MapCursor<RowCursor, (day: Int64, classes: UnpackedTallies)> {
        let statement = try db.cachedStatement(sql: "SELECT id, tallies FROM day WHERE id BETWEEN ? AND ?")
        return try Row.fetchCursor(statement, arguments: [id(days.lowerBound), id(days.upperBound)])
            .map { row in
                ((row[0] as Int64) & (Self.days.upperBound - 1), try UnpackedTallies.classes(statement, column: 1))
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

    /// Ascending.
    func days(_ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db, sql: "SELECT id FROM day WHERE id BETWEEN ? AND ? ORDER BY id",
            arguments: [id(Self.days.lowerBound), id(Self.days.upperBound - 1)]
        ).map { $0 & (Self.days.upperBound - 1) }
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
