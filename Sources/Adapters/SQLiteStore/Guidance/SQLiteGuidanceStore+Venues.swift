public import EnergyModel
internal import EnergyStore
public import Foundation
internal import GRDB

extension SQLiteGuidanceStore {
    public func venues() async throws(EnergyError) -> [Venue] {
        try await database.read { connection in
            // SQLite takes the other columns from the row that holds the maximum.
            let rows = try Row.fetchAll(
                connection, sql: "SELECT *, MAX(changed_ms) AS newest_ms FROM venue_revisions GROUP BY venue_id")
            var homes: [UUID: [UUID]] = [:]
            let homeRows = try Row.fetchCursor(
                connection, sql: "SELECT venue_id, home_id FROM venue_homes ORDER BY venue_id, position")
            while let row = try homeRows.next() {
                homes[try row.uuid("venue_id"), default: []].append(try row.uuid("home_id"))
            }
            return try rows.map { row in
                let venue = try Self.venue(row)
                return Self.venue(venue, with: homes[venue.id] ?? [])
            }
            .sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
        }
    }

    public func venueRevisions(_ id: UUID) async throws(EnergyError) -> [Venue] {
        try await database.read { connection in
            let rows = try Row.fetchAll(
                connection, sql: "SELECT * FROM venue_revisions WHERE venue_id = ? ORDER BY changed_ms",
                arguments: [id.bytes])
            let homeRows = try Row.fetchAll(
                connection, sql: "SELECT home_id FROM venue_homes WHERE venue_id = ? ORDER BY position",
                arguments: [id.bytes])
            let homes = try homeRows.map { try $0.uuid("home_id") }
            return try rows.map { Self.venue(try Self.venue($0), with: homes) }
        }
    }

    public func venueNumbers() async throws(EnergyError) -> [UUID: VenueNumber] {
        try await database.read { connection in
            var result: [UUID: VenueNumber] = [:]
            let rows = try Row.fetchCursor(connection, sql: "SELECT number, venue_id FROM venue_numbers")
            while let row = try rows.next() { result[try row.uuid("venue_id")] = row["number"] }
            return result
        }
    }

    @discardableResult
    public func putVenue(_ venue: Venue) async throws(EnergyError) -> VenueNumber {
        try await database.write { connection in
            let homes = venue.removed == nil ? venue.homeIDs : []
            for home in homes {
                let isTaken = try Bool.fetchOne(
                    connection, sql: "SELECT 1 FROM venue_homes WHERE home_id = ? AND venue_id <> ?",
                    arguments: [home.bytes, venue.id.bytes])
                if isTaken == true { throw EnergyError.homeTaken(home) }
            }
            try Self.checkRevision(
                connection, table: "venue_revisions", key: "venue_id", id: venue.id.bytes, changed: venue.changed,
                max: GuidanceLimits.venuesMax, what: "venue")
            try connection.execute(
                sql: """
                    INSERT INTO venue_revisions (venue_id, changed_ms, name, time_zone, region, rate_plan_id, removed_ms,
                        price_weight) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    venue.id.bytes, venue.changed.unixMilliseconds, venue.name, venue.timeZone.identifier,
                    venue.region, venue.ratePlanID, venue.removed?.unixMilliseconds, venue.priceWeight,
                ])
            try connection.execute(sql: "DELETE FROM venue_homes WHERE venue_id = ?", arguments: [venue.id.bytes])
            for (position, home) in homes.enumerated() {
                try connection.execute(
                    sql: "INSERT INTO venue_homes (venue_id, home_id, position) VALUES (?, ?, ?)",
                    arguments: [venue.id.bytes, home.bytes, position])
            }
            try connection.execute(
                sql: "INSERT OR IGNORE INTO venue_numbers (venue_id) VALUES (?)", arguments: [venue.id.bytes])
            let number = try VenueNumber.fetchOne(
                connection, sql: "SELECT number FROM venue_numbers WHERE venue_id = ?", arguments: [venue.id.bytes])
            guard let number else { throw EnergyError.damaged("number") }
            return number
        }
    }

    /// - Parameters:
    ///   - table: one of this file's own names, never from outside.
    ///   - key: likewise.
    static func checkRevision(
        _ connection: Database, table: String, key: String, id: any DatabaseValueConvertible, changed: Timestamp,
        max: Int, what: String
    ) throws {
        let row = try Row.fetchOne(
            connection,
            sql: "SELECT COUNT(*) AS revisions, MAX(changed_ms) AS newest_ms FROM \(table) WHERE \(key) = ?",
            arguments: [id])
        let revisions: Int = row?["revisions"] ?? 0
        let newest: Int64? = row?["newest_ms"]
        // Counting all is only needed for a new one.
        let count =
            revisions > 0
            ? 0 : try Int.fetchOne(connection, sql: "SELECT COUNT(DISTINCT \(key)) FROM \(table)") ?? 0
        try GuidanceLimits.check(
            count: count, max: max, revisions: revisions,
            isNewest: newest.map { $0 < changed.unixMilliseconds } ?? true,
            what: what)
    }

    private static func venue(_ row: Row) throws -> Venue {
        Venue(
            id: try row.uuid("venue_id"), name: row["name"], timeZone: try row.timeZone("time_zone"),
            region: row["region"], ratePlanID: row["rate_plan_id"], priceWeight: row["price_weight"],
            changed: Timestamp(unixMilliseconds: row["changed_ms"]),
            removed: (row["removed_ms"] as Int64?).map(Timestamp.init(unixMilliseconds:)))
    }

    private static func venue(_ venue: Venue, with homes: [UUID]) -> Venue {
        var venue = venue
        venue.homeIDs = homes
        return venue
    }
}
