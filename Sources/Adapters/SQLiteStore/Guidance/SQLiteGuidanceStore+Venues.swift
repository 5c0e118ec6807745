public import EnergyModel
internal import EnergyStore
public import Foundation
internal import GRDB
internal import SQLColumns

extension SQLiteGuidanceStore {
    public func venues() async throws(EnergyError) -> [Venue] {
        try await database.read { connection in
            // SQLite takes the other columns from the row that holds the maximum.
            let rows = try connection.rows(
                "SELECT *, MAX(changed_ms) AS newest_ms FROM venue_revisions GROUP BY venue_id")
            var homes: [UUID: [UUID]] = [:]
            for row in try connection.rows("SELECT venue_id, home_id FROM venue_homes ORDER BY venue_id, position") {
                homes[try row["venue_id"], default: []].append(try row["home_id"])
            }
            return try rows.map { try Venue($0, homes: homes[try $0["venue_id"]] ?? []) }
                .sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
        }
    }

    public func venueRevisions(_ id: UUID) async throws(EnergyError) -> [Venue] {
        try await database.read { connection in
            let homes: [UUID] = try connection.rows(
                "SELECT home_id FROM venue_homes WHERE venue_id = ? ORDER BY position", [id.bytes]
            ).map { try $0["home_id"] }
            return try connection.rows(
                "SELECT * FROM venue_revisions WHERE venue_id = ? ORDER BY changed_ms", [id.bytes]
            ).map { try Venue($0, homes: homes) }
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
            try connection.insert(venue.columns, into: "venue_revisions")
            try connection.execute(sql: "DELETE FROM venue_homes WHERE venue_id = ?", arguments: [venue.id.bytes])
            for home in venue.homeColumns { try connection.insert(home, into: "venue_homes") }
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
}
