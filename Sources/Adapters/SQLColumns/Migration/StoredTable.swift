public import EnergyModel

/// A table as all SQL stores have it that keep the same: what differs between them is the business of each.
public struct StoredTable: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case integer, real, text, bytes, uuid
    }

    public struct Column: Hashable, Sendable {
        public let name: String
        public let kind: Kind

        public init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    public let name: String
    /// Those of its key first, in the key's order.
    public let columns: [Column]
    public let keyCount: Int

    public init(name: String, columns: [Column], keyCount: Int) {
        (self.name, self.columns, self.keyCount) = (name, columns, keyCount)
    }

    public var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// Rows that are read or written at once: those with long values take more room.
    public var rowsPerPage: Int { columns.contains { $0.kind == .bytes } ? 100 : 1_000 }
}

/// The values of one row, in the order of ``StoredTable/columns``.
public typealias StoredRow = [ColumnValue]

/// One row that is to be in a table, or no longer.
public enum RowChange: Hashable, Sendable {
    /// In place of one with the same key.
    case put(StoredRow)
    /// By its key.
    case remove(ArraySlice<ColumnValue>)
}

/// The row of a table, read by the names of its columns.
public struct NamedRow: ColumnRow {
    private let table: StoredTable
    private let row: StoredRow

    public init(_ table: StoredTable, _ row: StoredRow) { (self.table, self.row) = (table, row) }

    public func value(in column: String) throws(EnergyError) -> ColumnValue {
        guard let place = table.columns.firstIndex(where: { $0.name == column }) else { throw .damaged(column) }
        return row[place]
    }
}
