internal import EnergyModel
internal import Foundation
internal import SQLColumns

/// Says in a schema that it is being filled from elsewhere, or was, and by whom: of two at once the one that began last writes.
struct MigrationMark {
    static let table = "store_migration"

    let path: String
    /// ``MigrationOrigin/id``; `nil` in a mark of a version that noted the path only, and so are the next two.
    let id: String?
    let host: String?
    /// What the source held when it was finished.
    let content: Int64?
    let finished: Timestamp?

    /// - Returns: `nil` for a schema that nobody has moved anything into.
    static func read(_ schema: PostgreSQLSchema, _ transaction: PostgreSQLTransaction) throws -> MigrationMark? {
        guard try schema.hasTable(table, transaction) else { return nil }
        let known = try transaction.query(
            """
            SELECT 1 FROM information_schema.columns
            WHERE table_schema = $1 AND table_name = $2 AND column_name = 'source_id'
            """,
            [schema.name, table])
        let others =
            known.isEmpty
            ? "NULL AS source_id, NULL AS source_host, NULL AS content" : "source_id, source_host, content"
        return try transaction.query("SELECT source, finished_ms, \(others) FROM \(table)").first.map {
            MigrationMark(
                path: try $0["source"], id: try $0["source_id"], host: try $0["source_host"],
                content: try $0["content"], finished: try $0["finished_ms"])
        }
    }

    /// - Parameters:
    ///   - run: whose it is from now on.
    ///   - former: what was read before, if anything was.
    static func begin(
        _ run: UUID, _ origin: MigrationOrigin, after former: MigrationMark?, now: Timestamp,
        _ transaction: PostgreSQLTransaction
    ) throws {
        try transaction.run([
            """
            CREATE TABLE IF NOT EXISTS \(table) (
                one BIGINT PRIMARY KEY CHECK (one = 1), run UUID NOT NULL, source TEXT NOT NULL,
                begun_ms BIGINT NOT NULL, finished_ms BIGINT, source_id TEXT, source_host TEXT, content BIGINT
            )
            """
        ])
        if former?.id == nil {
            try transaction.run(
                ["source_id TEXT", "source_host TEXT", "content BIGINT"].map {
                    "ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS \($0)"
                })
        }
        try transaction.send(
            """
            INSERT INTO \(table) (one, run, source, begun_ms, source_id, source_host) VALUES (1, $1, $2, $3, $4, $5)
            ON CONFLICT (one) DO UPDATE SET
                run = excluded.run, source_id = excluded.source_id, source_host = excluded.source_host
            """,
            [run, origin.path, now, origin.id, origin.host])
    }

    /// Nobody else begins before the transaction ends.
    static func hold(_ run: UUID, _ transaction: PostgreSQLTransaction) throws {
        let rows = try transaction.query(
            "SELECT 1 FROM \(table) WHERE run = $1 AND finished_ms IS NULL FOR SHARE", [run])
        guard rows.isEmpty else { return }
        throw EnergyError(
            .conflict, "another migration into the same database has begun, and goes on in place of this one")
    }

    static func finish(_ run: UUID, content: Int64, now: Timestamp, _ transaction: PostgreSQLTransaction) throws {
        try hold(run, transaction)
        try transaction.send(
            "UPDATE \(table) SET finished_ms = $2, content = $3 WHERE run = $1", [run, now, content])
    }

    /// Two sources would each remove what the other one has, and one that was never brought must not pass for moved.
    ///
    /// - Throws: `.conflict`.
    func refuse(otherThan origin: MigrationOrigin, _ schema: PostgreSQLSchema) throws {
        guard path == origin.path, id == nil || id == origin.id else { throw refusal(of: origin, schema) }
        // One that is not finished goes on with the path alone: should it have been another file of that path, that one
        // has everything still, and is refused from now on.
        guard let finished, id == nil || content == nil else { return }
        throw EnergyError(
            .conflict,
            "the schema \(schema.name) was filled from \(path) at \(finished) by an earlier version of this program, "
                + "which did not note on which host that was, nor what the file held: whether it was this file cannot "
                + "be told. If it was, nothing is left to do; if not, name another database")
    }

    private func refusal(of origin: MigrationOrigin, _ schema: PostgreSQLSchema) -> EnergyError {
        var (mine, other) = (path, path == origin.path ? "the file that is there now" : origin.path)
        if let host, host != origin.host {
            (mine, other) = ("\(path) on \(host)", "\(origin.path) on \(origin.host)")
        }
        guard let finished else {
            return EnergyError(
                .conflict,
                "the schema \(schema.name) is being filled from \(mine), not from \(other). Finish that, or begin "
                    + "again after DROP SCHEMA \(schema.name) CASCADE, with every such service stopped")
        }
        return EnergyError(
            .conflict,
            "the schema \(schema.name) was filled from \(mine) at \(finished), not from \(other), which was not moved. "
                + "Name another database, or begin again after DROP SCHEMA \(schema.name) CASCADE, with every such service "
                + "stopped: it removes all that is stored there")
    }

    /// A service that starts on a half would take it for the whole.
    func refuseService(_ schema: PostgreSQLSchema) throws {
        guard finished == nil else { return }
        throw EnergyError(
            .unavailable,
            "the schema \(schema.name) is being filled from \(path): finish that with energyctl store migrate first")
    }
}
