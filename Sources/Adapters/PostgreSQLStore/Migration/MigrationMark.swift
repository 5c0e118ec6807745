internal import EnergyModel
internal import Foundation
internal import SQLColumns

/// Says in a schema that it is being filled from elsewhere, or was, and by whom: of two at once the one that began last writes.
struct MigrationMark {
    static let table = "store_migration"

    let source: String
    let finished: Timestamp?

    /// - Returns: `nil` for a schema that nobody has moved anything into.
    static func read(_ schema: PostgreSQLSchema, _ transaction: PostgreSQLTransaction) throws -> MigrationMark? {
        guard try schema.hasTable(table, transaction) else { return nil }
        return try transaction.query("SELECT source, finished_ms FROM \(table)").first.map {
            MigrationMark(source: try $0["source"], finished: try $0["finished_ms"])
        }
    }

    /// - Parameter run: whose it is from now on.
    static func begin(_ run: UUID, _ source: String, now: Timestamp, _ transaction: PostgreSQLTransaction) throws {
        try transaction.run([
            """
            CREATE TABLE IF NOT EXISTS \(table) (
                one BIGINT PRIMARY KEY CHECK (one = 1), run UUID NOT NULL, source TEXT NOT NULL,
                begun_ms BIGINT NOT NULL, finished_ms BIGINT
            )
            """
        ])
        try transaction.send(
            """
            INSERT INTO \(table) (one, run, source, begun_ms) VALUES (1, $1, $2, $3)
            ON CONFLICT (one) DO UPDATE SET run = excluded.run
            """,
            [run, source, now])
    }

    /// Nobody else begins before the transaction ends.
    static func hold(_ run: UUID, _ transaction: PostgreSQLTransaction) throws {
        let rows = try transaction.query(
            "SELECT 1 FROM \(table) WHERE run = $1 AND finished_ms IS NULL FOR SHARE", [run])
        guard rows.isEmpty else { return }
        throw EnergyError(
            .conflict, "another migration into the same database has begun, and goes on in place of this one")
    }

    static func finish(_ run: UUID, now: Timestamp, _ transaction: PostgreSQLTransaction) throws {
        try hold(run, transaction)
        try transaction.send("UPDATE \(table) SET finished_ms = $2 WHERE run = $1", [run, now])
    }

    /// Two sources would each remove what the other one has.
    func refuse(otherThan source: String, _ schema: PostgreSQLSchema) throws {
        guard finished == nil, source != self.source else { return }
        throw EnergyError(
            .conflict,
            "the schema \(schema.name) is being filled from \(self.source), not from \(source). Finish that, or begin again "
                + "after DROP SCHEMA \(schema.name) CASCADE")
    }

    /// A service that starts on a half would take it for the whole.
    func refuseService(_ schema: PostgreSQLSchema) throws {
        guard finished == nil else { return }
        throw EnergyError(
            .unavailable,
            "the schema \(schema.name) is being filled from \(source): finish that with energyctl store migrate first")
    }
}
