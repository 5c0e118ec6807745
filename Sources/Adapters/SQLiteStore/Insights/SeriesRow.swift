internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB
internal import SQLColumns

/// SQL on the table `series`.
struct SeriesRow {
    let id: Int64
    let series: InsightSeries
    /// Of the clocks that its days are on.
    let timeZone: TimeZone

    static func fetchAll(venueID: UUID, _ generation: Int64, _ db: Database) throws -> [SeriesRow] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id, venue_id, device_id, kind, direction, time_zone FROM series
                    WHERE generation = ? AND venue_id = ? ORDER BY device_id, kind, direction
                    """),
            arguments: [generation, venueID.bytes]
        ).map(Self.init)
    }

    static func fetch(_ series: InsightSeries, _ generation: Int64, _ db: Database) throws -> SeriesRow? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id, venue_id, device_id, kind, direction, time_zone FROM series
                    WHERE generation = ? AND venue_id = ? AND device_id = ? AND kind = ? AND direction = ?
                    """),
            arguments: [
                generation, series.venueID.bytes, series.deviceID, series.kind.code, series.direction.code,
            ]
        ).map(Self.init)
    }

    static func fetch(id: Int64, _ db: Database) throws -> SeriesRow? {
        try Row.fetchOne(
            db, sql: "SELECT id, venue_id, device_id, kind, direction, time_zone FROM series WHERE id = ?",
            arguments: [id]
        ).map(Self.init)
    }

    static func insert(
        _ series: InsightSeries, _ timeZone: TimeZone, _ generation: Int64, _ db: Database
    ) throws -> SeriesRow {
        try db.cachedStatement(
            sql: """
                INSERT INTO series (generation, venue_id, device_id, kind, direction, time_zone)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            generation, series.venueID.bytes, series.deviceID, series.kind.code, series.direction.code,
            timeZone.identifier,
        ])
        return SeriesRow(id: db.lastInsertedRowID, series: series, timeZone: timeZone)
    }

    func save(_ timeZone: TimeZone, _ db: Database) throws {
        try db.execute(sql: "UPDATE series SET time_zone = ? WHERE id = ?", arguments: [timeZone.identifier, id])
    }

    static func forEach(_ generation: Int64, _ db: Database, _ body: (SeriesRow) throws -> Void) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, venue_id, device_id, kind, direction, time_zone FROM series WHERE generation = ?
                """, arguments: [generation])
        for row in rows { try body(SeriesRow(row)) }
    }

    private init(id: Int64, series: InsightSeries, timeZone: TimeZone) {
        (self.id, self.series, self.timeZone) = (id, series, timeZone)
    }

    private init(_ row: Row) throws {
        id = row[0]
        series = try InsightSeries(SQLiteRow(row))
        timeZone = try row.timeZone("time_zone")
    }
}
