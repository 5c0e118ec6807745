public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB

/// The guidance-publisher's data in one SQLite file.
public final class SQLiteGuidanceStore: GuidanceStore {
    let database: SQLiteDatabase

    /// Opens or creates the file.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` when it cannot be opened or was written by a newer version.
    public init(path: String) throws(EnergyError) {
        database = try SQLiteDatabase(path: path, migrator: GuidanceMigrations.migrator)
    }

    public func close() throws(EnergyError) { try database.close() }

    public func addAsker(_ principal: String, venueID: UUID, at instant: Timestamp) async throws(EnergyError) {
        try await database.write { connection in
            try connection.execute(
                sql: """
                    INSERT INTO askers (venue_id, principal, asked_ms) VALUES (?, ?, ?)
                    ON CONFLICT (venue_id, principal) DO UPDATE SET asked_ms = excluded.asked_ms
                    """, arguments: [venueID.bytes, principal, instant.unixMilliseconds])
            try connection.execute(
                sql: """
                    DELETE FROM askers WHERE venue_id = ? AND principal NOT IN (
                        SELECT principal FROM askers WHERE venue_id = ? ORDER BY asked_ms DESC, principal DESC LIMIT ?)
                    """, arguments: [venueID.bytes, venueID.bytes, GuidanceLimits.askersMax])
        }
    }

    public func askers(venueID: UUID) async throws(EnergyError) -> [String] {
        try await database.read { connection in
            try String.fetchAll(
                connection, sql: "SELECT principal FROM askers WHERE venue_id = ? ORDER BY principal",
                arguments: [venueID.bytes])
        }
    }

    public func tokenKey(orNew new: [UInt8]) async throws(EnergyError) -> [UInt8] {
        try await database.write { connection in
            try connection.execute(
                sql: "INSERT OR IGNORE INTO secrets (name, value) VALUES ('token key', ?)", arguments: [Data(new)])
            guard
                let key = try Data.fetchOne(connection, sql: "SELECT value FROM secrets WHERE name = 'token key'")
            else { throw EnergyError.damaged("value") }
            return [UInt8](key)
        }
    }

    public func prune(forecastsBefore: Timestamp, signalsBefore: Timestamp) async throws(EnergyError) {
        try await database.write { connection in
            try connection.execute(
                sql: "DELETE FROM forecasts WHERE start_ms < ?", arguments: [forecastsBefore.unixMilliseconds])
            try connection.execute(
                sql: "DELETE FROM signals WHERE end_ms < ?", arguments: [signalsBefore.unixMilliseconds])
            try connection.execute(
                sql: "DELETE FROM demand_response WHERE end_ms < ?", arguments: [signalsBefore.unixMilliseconds])
        }
    }
}
