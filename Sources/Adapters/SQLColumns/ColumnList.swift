/// The columns of one row to be written, in order.
public struct ColumnList: Sendable {
    public private(set) var names: [String] = []
    public private(set) var values: [ColumnValue] = []

    public init(_ columns: [(String, (any ColumnConvertible)?)]) {
        names = columns.map(\.0)
        values = columns.map { $0.1?.column ?? .null }
    }

    public static func + (first: ColumnList, second: ColumnList) -> ColumnList {
        var sum = first
        sum.names += second.names
        sum.values += second.values
        return sum
    }

    /// `INSERT` with one mark for each value.
    public func insert(into table: String, mark: ValueMark) -> String {
        WrittenSQL.text(table, names, mark) { insertText(into: table, mark) }
    }

    /// As ``insert(into:mark:)``; a row that has its key already takes the new values.
    public func upsert(into table: String, key: [String], mark: ValueMark) -> String {
        WrittenSQL.text(table, names, key: key, mark) {
            let others = names.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
            return insertText(into: table, mark)
                + " ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(others.joined(separator: ", "))"
        }
    }

    private func insertText(into table: String, _ mark: ValueMark) -> String {
        let marks = (1...max(1, names.count)).map(mark.text).joined(separator: ", ")
        return "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    }
}
