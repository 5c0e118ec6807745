internal import SQLColumns

extension PostgreSQLTransaction {
    /// Sends one row and goes on.
    func sendInsert(_ row: ColumnList, into table: String) throws {
        try send(row.insert(into: table) { "$\($0)" }, row.values)
    }
}
