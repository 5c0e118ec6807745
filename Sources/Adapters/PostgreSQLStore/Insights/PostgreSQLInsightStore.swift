public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns

/// ``InsightStore`` in a schema of a PostgreSQL database. What several services count into it is counted once.
public struct PostgreSQLInsightStore: InsightStore {
    /// Reading, or forgetting, everything that is counted.
    static let wholeTimeout = Duration.seconds(600)
    /// Of thousands of rows at once, for which nobody waits: on a slow machine they take longer than a request may.
    static let countingTime = Duration.seconds(30)

    let database: PostgreSQLDatabase
    /// `nil` for the one that answers.
    let rebuilding: Int64?

    /// - Parameters: as ``PostgreSQLDatabase`` takes them.
    /// - Throws: as ``PostgreSQLDatabase``.
    public init(
        _ connection: String, connectionsMax: Int = 8, timeout: Duration = .seconds(10), waitsForServer: Bool = false,
        tell: @escaping @Sendable (PostgreSQLNews) -> Void = { _ in }
    ) async throws(EnergyError) {
        database = try await PostgreSQLDatabase(
            connection, schema: PostgreSQLInsightSchema.schema, connectionsMax: connectionsMax, timeout: timeout,
            waitsForServer: waitsForServer, tell: tell)
        rebuilding = nil
        // The rules are those of the program that first counts here.
        try await database.run(.readCommitted) { transaction in
            try transaction.send(
                "INSERT INTO projection (one, generation, rules) VALUES (1, 1, $1) ON CONFLICT (one) DO NOTHING",
                [InsightRules.version])
        }
    }

    init(database: PostgreSQLDatabase, rebuilding: Int64) { (self.database, self.rebuilding) = (database, rebuilding) }

    public func close() async { await database.close() }

    /// For a process that is to be the only one that writes here.
    ///
    /// - Parameter holder: of that process, also when it is started again.
    public func lease(holder: UUID) -> any StoreLease { PostgreSQLLease(database, holder: holder) }

    /// How others may use the generations meanwhile.
    enum Hold: String {
        case reading = ""
        /// Others count too, and nobody changes generations.
        case counting = "FOR SHARE"
        case alone = "FOR UPDATE"
    }

    func generation(_ transaction: PostgreSQLTransaction, _ hold: Hold = .reading) throws -> Int64 {
        let serving = try Self.serving(transaction, hold)
        return rebuilding ?? serving
    }

    static func serving(_ transaction: PostgreSQLTransaction, _ hold: Hold) throws -> Int64 {
        let row = try transaction.query("SELECT generation FROM projection WHERE one = 1 \(hold.rawValue)").first
        guard let row else { throw EnergyError.damaged("projection") }
        return try row["generation"]
    }

    public func positions() async throws(EnergyError) -> [LogHead] {
        try await database.read { try Self.positions(generation($0), $0) }
    }

    static func positions(_ generation: Int64, _ transaction: PostgreSQLTransaction) throws -> [LogHead] {
        try transaction.query(
            "SELECT * FROM position WHERE generation = $1 AND sequence > 0 ORDER BY partition", [generation]
        ).map { row in
            LogHead(
                partition: try row["partition"], sequence: UInt64(clamping: try row["sequence"] as Int64),
                checksum: (try row["checksum"] as Int64?).map(UInt32.init(truncatingIfNeeded:)))
        }
    }

    public func logID() async throws(EnergyError) -> UUID? {
        try await database.read { try $0.query("SELECT id FROM counted_log").first.map { try $0["id"] } }
    }

    public func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) {
        try await database.run(.readCommitted, timeout: Self.wholeTimeout) { transaction in
            let generation = try generation(transaction, .alone)
            try transaction.send("DELETE FROM counted_log")
            if let id { try transaction.send("INSERT INTO counted_log (id) VALUES ($1)", [id]) }
            guard anew else { return }
            try Self.forget(generation, transaction)
            guard rebuilding == nil else { return }
            try transaction.send("UPDATE projection SET rules = $1", [InsightRules.version])
        }
    }

    public func frozenDays(_ keys: Set<FrozenDayKey>) async throws(EnergyError) -> [FrozenDayKey: FrozenDay] {
        guard !keys.isEmpty else { return [:] }
        return try await database.read { transaction in
            let keys = Array(keys)
            for key in keys {
                try transaction.send(
                    "SELECT * FROM frozen_day WHERE venue_id = $1 AND day = $2", [key.venueID, key.day])
            }
            return try zip(keys, transaction.answers()).reduce(into: [:]) { found, item in
                found[item.0] = try item.1.first.map { try FrozenDay($0, start: item.0.start) }
            }
        }
    }

    public func incompleteDays(since start: Timestamp, limit: Int) async throws(EnergyError) -> [FrozenDayKey] {
        try await database.read { transaction in
            try transaction.query(
                """
                SELECT venue_id, day FROM frozen_day WHERE is_incomplete = 1 AND day >= $1
                ORDER BY day DESC, venue_id LIMIT $2
                """,
                [start.unixMilliseconds / .millisecondsPerDay, limit]
            ).map { try FrozenDayKey($0) }
        }
    }

    public func daysToRate(limit: Int) async throws(EnergyError) -> [FrozenDayKey] {
        try await database.read { transaction in
            try transaction.query(
                "SELECT venue_id, day FROM frozen_day WHERE needs_rating = 1 ORDER BY day DESC, venue_id LIMIT $1",
                [limit]
            ).map { try FrozenDayKey($0) }
        }
    }

    public func repairs() async throws(EnergyError) -> [EventRepair] {
        try await database.read { try $0.query("SELECT * FROM repair ORDER BY number").map { try EventRepair($0) } }
    }

    /// Removes what a generation has counted.
    static func forget(_ generation: Int64, _ transaction: PostgreSQLTransaction) throws {
        for table in ["position", "series", "day", "quarters", "session", "status"] {
            try transaction.send("DELETE FROM \(table) WHERE generation = $1", [generation])
        }
    }
}
