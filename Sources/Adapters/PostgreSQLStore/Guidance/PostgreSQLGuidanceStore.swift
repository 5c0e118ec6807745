public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns

/// The guidance-publisher's data in a schema of a PostgreSQL database.
///
/// Several may write: what must not be changed by two at once is changed in turns, whoever they are.
public struct PostgreSQLGuidanceStore: GuidanceStore {
    let database: PostgreSQLDatabase

    /// - Parameters: as ``PostgreSQLDatabase`` takes them.
    /// - Throws: as ``PostgreSQLDatabase``.
    public init(
        _ connection: String, connectionsMax: Int = 8, timeout: Duration = .seconds(10), waitsForServer: Bool = false,
        tell: @escaping @Sendable (PostgreSQLNews) -> Void = { _ in }
    ) async throws(EnergyError) {
        database = try await PostgreSQLDatabase(
            connection, schema: PostgreSQLGuidanceSchema.schema, connectionsMax: connectionsMax, timeout: timeout,
            waitsForServer: waitsForServer, tell: tell)
    }

    public func close() async { await database.close() }

    /// For a process that is to be the only one that writes here.
    ///
    /// - Parameter holder: of that process, also when it is started again.
    public func lease(holder: UUID) -> any StoreLease { PostgreSQLLease(database, holder: holder) }

    public func addAsker(_ principal: String, venueID: UUID, at instant: Timestamp) async throws(EnergyError) {
        try await database.run(.readCommitted, under: nil) { transaction in
            let asker = ColumnList([("venue_id", venueID), ("principal", principal), ("asked_ms", instant)])
            try transaction.sendUpsert(asker, into: "askers", key: ["venue_id", "principal"])
            try transaction.send(
                """
                DELETE FROM askers WHERE venue_id = $1 AND principal NOT IN (
                    SELECT principal FROM askers WHERE venue_id = $1 ORDER BY asked_ms DESC, principal DESC LIMIT $2)
                """,
                [venueID, GuidanceLimits.askersMax])
        }
    }

    public func askers(venueID: UUID) async throws(EnergyError) -> [String] {
        try await database.read { transaction in
            try transaction.query("SELECT principal FROM askers WHERE venue_id = $1 ORDER BY principal", [venueID])
                .map { try $0["principal"] }
        }
    }

    public func tokenKey(orNew new: [UInt8]) async throws(EnergyError) -> [UInt8] {
        try await database.run(.readCommitted, under: nil) { transaction in
            // Of two who bring one at once, the second waits here, and is then given the first one's.
            try transaction.send(
                "INSERT INTO secrets (name, value) VALUES ('token key', $1) ON CONFLICT (name) DO NOTHING", [Data(new)])
            guard let row = try transaction.query("SELECT value FROM secrets WHERE name = 'token key'").first else {
                throw EnergyError.damaged("value")
            }
            return [UInt8](try row["value"] as Data)
        }
    }

    public func prune(forecastsBefore: Timestamp, signalsBefore: Timestamp) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            try transaction.send("DELETE FROM forecasts WHERE start_ms < $1", [forecastsBefore])
            try transaction.send("DELETE FROM signals WHERE end_ms < $1", [signalsBefore])
            try transaction.send("DELETE FROM demand_response WHERE end_ms < $1", [signalsBefore])
        }
    }
}

extension PostgreSQLTransaction {
    /// Waits until everybody else who took the turn of this name has committed. What is asked afterwards, in a transaction
    /// that is read-committed, sees what they left; whoever comes next waits for this one.
    func takeTurn(_ name: String) throws {
        try send("INSERT INTO turn (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", [name])
        try send("SELECT name FROM turn WHERE name = $1 FOR UPDATE", [name])
    }
}
