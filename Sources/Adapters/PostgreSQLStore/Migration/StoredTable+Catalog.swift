internal import EnergyModel
internal import SQLColumns

extension StoredTable {
    /// The tables of a schema, by name, as the server knows them: a column that a later version adds is not forgotten.
    static func all(in schema: String, _ transaction: PostgreSQLTransaction) throws -> [StoredTable] {
        let rows = try transaction.query(
            """
            SELECT c.relname AS table_name, a.attname AS column_name, format_type(a.atttypid, NULL) AS type_name,
                coalesce(array_position(i.indkey::int2[], a.attnum), -1) AS key_place
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
            ORDER BY c.relname, (array_position(i.indkey::int2[], a.attnum)) NULLS LAST, a.attnum
            """,
            [schema])
        var tables: [StoredTable] = []
        for row in rows {
            let (name, place): (String, Int) = (try row["table_name"], try row["key_place"])
            let column = Column(name: try row["column_name"], kind: try Kind(type: try row["type_name"]))
            let before = tables.last?.name == name ? tables.removeLast() : nil
            tables.append(
                StoredTable(
                    name: name, columns: (before?.columns ?? []) + [column],
                    keyCount: (before?.keyCount ?? 0) + (place < 0 ? 0 : 1)))
        }
        return tables
    }

    /// As its index has it. Text has the collation "C" there, but for words of ours, which every collation has in that order.
    var orderedKey: String { key.map(\.name).joined(separator: ", ") }
}

extension StoredTable.Kind {
    fileprivate init(type: String) throws {
        switch type {
        case "bigint": self = .integer
        case "double precision": self = .real
        case "text": self = .text
        case "bytea": self = .bytes
        case "uuid": self = .uuid
        default: throw EnergyError(.unavailable, "a column is of type \(type), which no table of ours has")
        }
    }
}
