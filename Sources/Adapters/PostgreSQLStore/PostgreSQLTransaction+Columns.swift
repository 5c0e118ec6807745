internal import SQLColumns

extension PostgreSQLTransaction {
    /// Sends one row and goes on.
    func sendInsert(_ row: ColumnList, into table: String) throws {
        try send(row.insert(into: table, mark: .numbered), row.values)
    }

    /// As ``sendInsert(_:into:)``; a row that has its key already takes the new values.
    func sendUpsert(_ row: ColumnList, into table: String, key: [String]) throws {
        try send(row.upsert(into: table, key: key, mark: .numbered), row.values)
    }

    /// - Parameter sql: answers one row with a `count`.
    func count(_ sql: String, _ values: [(any PostgreSQLParameter)?] = []) throws -> Int {
        try query(sql, values).first?["count"] ?? 0
    }
}
