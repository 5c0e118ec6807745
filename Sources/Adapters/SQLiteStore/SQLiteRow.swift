internal import EnergyModel
internal import Foundation
internal import GRDB
internal import SQLColumns

/// A row of GRDB's, read by the codecs that all SQL stores share.
struct SQLiteRow: ColumnRow {
    private let row: Row

    init(_ row: Row) { self.row = row }

    func value(in column: String) throws(EnergyError) -> ColumnValue {
        guard let value = row[column] as DatabaseValue? else { throw .damaged(column) }
        return ColumnValue(value)
    }
}

extension Database {
    func insert(_ row: ColumnList, into table: String) throws {
        try cachedStatement(sql: row.insert(into: table, mark: .question)).execute(
            arguments: StatementArguments(row.values.map(\.databaseValue)))
    }

    /// A row that has its key already takes the new values.
    func upsert(_ row: ColumnList, into table: String, key: [String]) throws {
        try cachedStatement(sql: row.upsert(into: table, key: key, mark: .question)).execute(
            arguments: StatementArguments(row.values.map(\.databaseValue)))
    }

    /// Every row that a question finds, in order.
    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [SQLiteRow] {
        try Row.fetchAll(self, sql: sql, arguments: arguments).map(SQLiteRow.init)
    }
}

extension ColumnValue {
    init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let number): .integer(number)
            case .double(let number): .real(number)
            case .string(let text): .text(text)
            case .blob(let data): .bytes(data)
            }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let data): data.databaseValue
        case .uuid(let id): id.bytes.databaseValue
        }
    }
}
