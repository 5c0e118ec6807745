internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import SQLColumns

/// A series of one generation, and its days, while a transaction runs.
struct PostgreSQLSeries: CountedDays {
    /// How the tables of a series' rows find them.
    private static let isOurs = "venue_id = $1 AND generation = $2 AND device_id = $3 AND kind = $4 AND direction = $5"
    private static let key = ["venue_id", "generation", "device_id", "kind", "direction"]

    let series: InsightSeries
    let generation: Int64
    private(set) var timeZone: TimeZone
    private let transaction: PostgreSQLTransaction

    private var columns: ColumnList { series.columns + ColumnList([("generation", generation)]) }
    private var values: [(any PostgreSQLParameter)?] {
        [series.venueID, generation, series.deviceID, series.kind.code, series.direction.code]
    }

    /// Those of a venue, sorted by device, kind and direction.
    static func fetchAll(
        venueID: UUID, _ generation: Int64, _ transaction: PostgreSQLTransaction
    ) throws -> [PostgreSQLSeries] {
        try transaction.query(
            "SELECT * FROM series WHERE venue_id = $1 AND generation = $2 ORDER BY device_id, kind, direction",
            [venueID, generation]
        ).map { row in
            PostgreSQLSeries(
                series: try InsightSeries(row), generation: generation, timeZone: try row.timeZone("time_zone"),
                transaction: transaction)
        }
    }

    /// A new one.
    static func sendInsert(
        _ series: InsightSeries, _ timeZone: TimeZone, _ generation: Int64, _ transaction: PostgreSQLTransaction
    ) throws -> PostgreSQLSeries {
        let new = PostgreSQLSeries(
            series: series, generation: generation, timeZone: timeZone, transaction: transaction)
        try transaction.sendInsert(new.columns + ColumnList([("time_zone", timeZone.identifier)]), into: "series")
        return new
    }

    private init(
        series: InsightSeries, generation: Int64, timeZone: TimeZone, transaction: PostgreSQLTransaction
    ) {
        (self.series, self.generation, self.timeZone, self.transaction) = (series, generation, timeZone, transaction)
    }

    func forEachSum(in days: ClosedRange<Int64>, _ body: (_ day: Int64, UnpackedTallies) throws -> Void) throws {
        for row in try rows("day", days) {
            try body(try row["day"], try UnpackedTallies.classes(try row["tallies"] as Data))
        }
    }

    func forEachDay(in days: ClosedRange<Int64>, _ body: (UnpackedTallies) throws -> Void) throws {
        for row in try rows("quarters", days) { try body(try UnpackedTallies.buckets(try row["tallies"] as Data)) }
    }

    func forEachDay(_ body: (UnpackedTallies) throws -> Void) throws {
        try forEachDay(in: .min...(.max), body)
    }

    func sessions() throws -> [CountedSession] {
        try transaction.query(
            "SELECT * FROM session WHERE \(Self.isOurs) ORDER BY began_unix_ms, session_id", values
        ).map { try CountedSession($0) }
    }

    private func rows(_ table: String, _ days: ClosedRange<Int64>) throws -> [PostgreSQLRow] {
        try transaction.query(
            "SELECT day, tallies FROM \(table) WHERE \(Self.isOurs) AND day BETWEEN $6 AND $7 ORDER BY day",
            values + [days.lowerBound, days.upperBound])
    }

    /// Asks for the buckets of a day; the answer is for ``sendSave(_:adding:to:)``.
    func sendQuery(_ day: Int64) throws {
        try transaction.send("SELECT tallies FROM quarters WHERE \(Self.isOurs) AND day = $6", values + [day])
    }

    /// - Parameter found: what ``sendQuery(_:)`` has brought.
    func sendSave(_ found: [PostgreSQLRow], adding added: ArraySlice<QuarterTally>, to day: Int64) throws {
        let before = try found.first.map { [QuarterTally](try UnpackedTallies.buckets(try $0["tallies"] as Data)) }
        guard let packed = PackedDay(before ?? [], adding: added) else {
            for table in ["day", "quarters"] {
                try transaction.send("DELETE FROM \(table) WHERE \(Self.isOurs) AND day = $6", values + [day])
            }
            return
        }
        for (table, tallies) in [("day", packed.sums), ("quarters", packed.quarters)] {
            let row = columns + ColumnList([("day", day), ("tallies", tallies)])
            try transaction.sendUpsert(row, into: table, key: Self.key + ["day"])
        }
    }

    /// Lays the buckets out anew by another zone's days.
    mutating func move(to timeZone: TimeZone) throws {
        var tallies: [QuarterTally] = []
        try forEachDay { tallies += [QuarterTally]($0) }
        try sendDelete("day", "quarters")
        self.timeZone = timeZone
        try transaction.send("UPDATE series SET time_zone = $6 WHERE \(Self.isOurs)", values + [timeZone.identifier])
        for (day, added) in tallies.joined().byDay(of: timeZone) { try sendSave([], adding: added, to: day) }
    }

    func sendDelete(_ tables: String...) throws {
        for table in tables { try transaction.send("DELETE FROM \(table) WHERE \(Self.isOurs)", values) }
    }

    /// - Returns: how many days there were.
    func remove() throws -> Int {
        let count = try transaction.count("SELECT count(*) AS count FROM day WHERE \(Self.isOurs)", values)
        try sendDelete("day", "quarters", "series")
        return count
    }
}
