internal import EnergyModel
internal import SQLColumns

/// The tables of one service: a schema of that name in the database, so that services share a database, each with a user of
/// its own, and none sees another's tables.
public struct PostgreSQLSchema: Sendable {
    public let name: String
    /// From the first to the newest version, each a list of statements. A merged one is never edited.
    public let migrations: [[String]]

    public init(_ name: String, migrations: [[String]]) { (self.name, self.migrations) = (name, migrations) }

    /// Of several that begin at once the second one waits here until the first one's transaction is over, and finds its work done.
    func takeTurn(_ transaction: PostgreSQLTransaction) throws {
        let key = name.utf8.reduce(0 as Int64) { $0 &* 131 &+ Int64($1) }
        _ = try transaction.query("SELECT pg_advisory_xact_lock($1)", [key])
    }

    /// A service begins to store here: from now on nothing is moved into the schema any more.
    ///
    /// - Throws: `.unavailable` for one that is being filled.
    func use(_ transaction: PostgreSQLTransaction) throws {
        try takeTurn(transaction)
        try MigrationMark.read(self, transaction)?.refuseService(self)
        guard try !isUsed(transaction) else { return }
        // That it is there says everything.
        try transaction.run(["CREATE TABLE \(Self.useTable) (one BIGINT PRIMARY KEY)"])
    }

    static let useTable = "service_use"

    func isUsed(_ transaction: PostgreSQLTransaction) throws -> Bool { try hasTable(Self.useTable, transaction) }

    func hasTable(_ table: String, _ transaction: PostgreSQLTransaction) throws -> Bool {
        try !transaction.query(
            "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = $2", [name, table]
        ).isEmpty
    }

    /// Goes one version forward.
    ///
    /// - Returns: whether it is the newest now.
    func migrate(_ transaction: PostgreSQLTransaction) throws -> Bool {
        try takeTurn(transaction)
        // Asked before it is made: IF NOT EXISTS wants the right to make it in any case.
        if try transaction.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [name]).isEmpty {
            try transaction.run(["CREATE SCHEMA \"\(name)\""])
        }
        // Without it PostgreSQL says of each table that there is none.
        let rights = try transaction.query("SELECT CAST(has_schema_privilege($1, 'USAGE') AS TEXT) AS may", [name])
            .first
        guard try rights?["may"] == "true" else {
            throw EnergyError(
                .unavailable,
                "the schema \(name) is another user's: connect as that one, or GRANT this one what it has")
        }
        if try !hasTable("schema_version", transaction) {
            try refuseForeignTables(transaction)
            try transaction.run(["CREATE TABLE schema_version (version BIGINT PRIMARY KEY)"])
        }
        let row = try transaction.query("SELECT coalesce(max(version), 0) AS version FROM schema_version").first
        let version: Int = try row?["version"] ?? 0
        guard version <= migrations.count else {
            throw EnergyError(
                .unavailable,
                "the schema \(name) has version \(version), of a newer version of this program, which knows "
                    + "\(migrations.count)")
        }
        guard version < migrations.count else { return true }
        try transaction.run(migrations[version])
        try transaction.execute("INSERT INTO schema_version (version) VALUES ($1)", [version + 1])
        return version + 1 == migrations.count
    }

    private func refuseForeignTables(_ transaction: PostgreSQLTransaction) throws {
        let others = try transaction.query(
            "SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename LIMIT 1", [name])
        guard let table: String = try others.first?["tablename"] else { return }
        throw EnergyError(
            .conflict,
            "the schema \(name) is somebody else's: its table \(table) is of no version of this program. Name another "
                + "database, or rename that schema")
    }
}
