public import EnergyModel
public import EnergyStore
internal import Foundation
public import SQLColumns

/// The schema of a service, filled row by row by who moves a store into it. Until ``finish(content:now:)`` no service
/// starts on it.
public final class PostgreSQLDestination: Sendable {
    /// Of this database alone, or of who uses it.
    private static let notMoved: Set<String> = [
        "schema_version", "lease", "lease_holder", "partition_lease", "replica", "turn", "journal", "journal_epoch",
        MigrationMark.table, PostgreSQLSchema.useTable,
    ]
    /// That have a row before anybody has stored anything.
    private static let neverEmpty: Set<String> = ["log_identity", "log_head", "venue_numbering"]
    /// Reading a page of a large table, or counting it.
    private static let timeout = Duration.seconds(120)

    public enum Beginning: Sendable {
        case filling(PostgreSQLDestination)
        /// That was done before, from the same source.
        case finished(Former)
    }

    /// A migration that is finished.
    public struct Former: Sendable {
        public let schema: String
        /// That were filled, by name.
        public let tables: [StoredTable]
        /// As ``finish(content:now:)`` was told.
        public let content: Int64
        public let finished: Timestamp
    }

    /// Those to be filled, by name.
    public let tables: [StoredTable]
    private let database: PostgreSQLDatabase
    private let schema: String
    private let run: UUID

    /// - Parameters:
    ///   - connection: as ``PostgreSQLDatabase`` takes it.
    ///   - origin: what it is filled from.
    /// - Throws: as ``PostgreSQLDatabase``; `.conflict` when something in it is from elsewhere, or may be.
    public static func begin(
        _ service: StoredService, _ connection: String, from origin: MigrationOrigin, now: Timestamp
    ) async throws(EnergyError) -> Beginning {
        let (schema, run) = (service.schema, UUID())
        let database = try await PostgreSQLDatabase(connection, schema: schema, connectionsMax: 2, isFilling: true)
        do throws(EnergyError) {
            let (tables, mark) = try await database.run(.readCommitted, timeout: Self.timeout) { transaction in
                try schema.takeTurn(transaction)
                let tables = try StoredTable.all(in: schema.name, transaction).filter { !notMoved.contains($0.name) }
                let mark = try MigrationMark.read(schema, transaction)
                if mark == nil { try refuseOthers(tables, schema, transaction) }
                try mark?.refuse(otherThan: origin, schema)
                if mark?.finished == nil { try MigrationMark.begin(run, origin, after: mark, now: now, transaction) }
                return (tables, mark)
            }
            guard let finished = mark?.finished, let content = mark?.content else {
                return .filling(PostgreSQLDestination(database, schema.name, tables, run))
            }
            await database.close()
            return .finished(Former(schema: schema.name, tables: tables, content: content, finished: finished))
        } catch {
            await database.close()
            throw error
        }
    }

    private init(_ database: PostgreSQLDatabase, _ schema: String, _ tables: [StoredTable], _ run: UUID) {
        (self.database, self.schema, self.tables, self.run) = (database, schema, tables, run)
    }

    private static func refuseOthers(
        _ tables: [StoredTable], _ schema: PostgreSQLSchema, _ transaction: PostgreSQLTransaction
    ) throws {
        // Also of one that has stored nothing yet: it may be about to.
        guard try !schema.isUsed(transaction) else {
            throw EnergyError(
                .conflict,
                "the schema \(schema.name) is in use: a service has been started on it. Name another database, or stop the "
                    + "service and remove what is there with DROP SCHEMA \(schema.name) CASCADE")
        }
        // A version that did not note its use.
        for table in tables where !neverEmpty.contains(table.name) {
            guard try !transaction.query("SELECT 1 FROM \(table.name) LIMIT 1").isEmpty else { continue }
            throw EnergyError(
                .conflict,
                "the schema \(schema.name) is in use: its table \(table.name) has rows that no migration brought. Name "
                    + "another database, or stop the service and remove what is there with DROP SCHEMA \(schema.name) CASCADE"
            )
        }
    }

    /// - Parameter key: of the last row before; `nil` for the first page.
    /// - Returns: in the order of the key; fewer than a page at the end only.
    public func rows(
        of table: StoredTable, after key: ArraySlice<ColumnValue>?
    ) async throws(EnergyError) -> [StoredRow] {
        let marks = (1...table.keyCount).map { "$\($0)" }.joined(separator: ", ")
        let sql =
            "SELECT \(table.columns.map(\.name).joined(separator: ", ")) FROM \(table.name)"
            + (key == nil ? "" : " WHERE (\(table.orderedKey)) > (\(marks))")
            + " ORDER BY \(table.orderedKey) LIMIT \(table.rowsPerPage)"
        return try await database.run(.reading, timeout: Self.timeout) { transaction in
            try transaction.query(sql, Array(key ?? [])).map { row in
                try table.columns.map { try row.value(in: $0.name) }
            }
        }
    }

    /// All of it, or nothing.
    ///
    /// - Throws: `.conflict` when another migration into the same schema has begun.
    public func apply(_ changes: [RowChange], to table: StoredTable) async throws(EnergyError) {
        let (put, remove) = (table.putSQL, table.removeSQL)
        try await database.run(.readCommitted, timeout: Self.timeout) { [run] transaction in
            try MigrationMark.hold(run, transaction)
            for change in changes {
                switch change {
                case .put(let row): try transaction.send(put, row)
                case .remove(let key): try transaction.send(remove, Array(key))
                }
            }
        }
    }

    /// - Returns: how many of the rows are not there as they are.
    public func countMissing(_ rows: [StoredRow], in table: StoredTable) async throws(EnergyError) -> Int {
        let conditions = table.columns.indices.map { "\(table.columns[$0].name) = $\($0 + 1)" }
        let sql = "SELECT 1 FROM \(table.name) WHERE \(conditions.joined(separator: " AND "))"
        return try await database.run(.reading, timeout: Self.timeout) { transaction in
            for row in rows { try transaction.send(sql, row) }
            return try transaction.answers().count(where: \.isEmpty)
        }
    }

    /// From now on a service may start on it.
    ///
    /// - Parameter content: what the source holds, to tell later whether it still does.
    public func finish(content: Int64, now: Timestamp) async throws(EnergyError) {
        // The planner knows nothing of tables that were filled a moment ago.
        try await database.runAlone("ANALYZE", timeout: Self.timeout)
        try await database.run(.readCommitted, timeout: Self.timeout) { [schema, run] transaction in
            // What is numbered goes on behind the rows that were numbered elsewhere.
            let numbered = try transaction.query(
                """
                SELECT table_name, column_name FROM information_schema.columns
                WHERE table_schema = $1 AND is_identity = 'YES'
                """,
                [schema])
            for row in numbered {
                let (table, column): (String, String) = (try row["table_name"], try row["column_name"])
                try transaction.send(
                    """
                    SELECT setval(pg_get_serial_sequence('"\(schema)".\(table)', '\(column)'),
                        coalesce(max(\(column)), 0) + 1, false) FROM \(table)
                    """)
            }
            try MigrationMark.finish(run, content: content, now: now, transaction)
        }
    }

    public func close() async { await database.close() }
}

extension StoredTable {
    fileprivate var putSQL: String {
        let names = columns.map(\.name)
        let marks = (1...columns.count).map { "$\($0)" }.joined(separator: ", ")
        let others = names.dropFirst(keyCount).map { "\($0) = excluded.\($0)" }
        // Also into a column that is numbered otherwise.
        return "INSERT INTO \(name) (\(names.joined(separator: ", "))) OVERRIDING SYSTEM VALUE VALUES (\(marks)) "
            + "ON CONFLICT (\(key.map(\.name).joined(separator: ", "))) DO "
            + (others.isEmpty ? "NOTHING" : "UPDATE SET \(others.joined(separator: ", "))")
    }

    fileprivate var removeSQL: String {
        let conditions = key.enumerated().map { "\($1.name) = $\($0 + 1)" }
        return "DELETE FROM \(name) WHERE \(conditions.joined(separator: " AND "))"
    }
}

extension StoredService {
    fileprivate var schema: PostgreSQLSchema {
        switch self {
        case .guidancePublisher: PostgreSQLGuidanceSchema.schema
        case .eventIngestor: PostgreSQLEventLogSchema.schema
        case .insightService: PostgreSQLInsightSchema.schema
        case .scheduler: PostgreSQLScheduleSchema.schema
        }
    }
}
