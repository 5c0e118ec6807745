public import EnergyModel

/// Cuts a table that comes in portions into rows. Commas or semicolons, by what stands more often in the first line; quoted
/// cells may hold both, and line breaks.
///
/// - Source: RFC 4180.
public struct CSVRows: Sendable {
    public struct Row: Hashable, Sendable {
        /// Of the file, counted from 1; of its beginning, where a quoted cell has line breaks.
        public let line: Int
        public let cells: [String]
    }

    /// Beyond that a table is none: an opening quotation mark that is never closed swallows all that follows.
    public static let rowByteCountMax = 1 << 16
    public static let cellsMax = 200

    private enum State { case plain, quoted, quoteInQuoted }

    private var separator: UInt8?
    private var state = State.plain
    private var cell: [UInt8] = []
    private var cells: [String] = []
    private var line = 1
    private var rowLine = 1
    private var rowByteCount = 0
    /// What came before the separator was known.
    private var held: [UInt8] = []

    public init() {}

    /// - Returns: the rows that end in `bytes`; empty ones are left out.
    /// - Throws: `.invalidInput` when it is no table, with the line.
    public mutating func read(_ bytes: ArraySlice<UInt8>) throws(EnergyError) -> [Row] {
        var rows: [Row] = []
        if separator == nil {
            held += bytes
            guard held.contains(UInt8(ascii: "\n")) || held.count > Self.rowByteCountMax else { return [] }
            try begin(&rows)
        } else {
            for byte in bytes { try take(byte, &rows) }
        }
        return rows
    }

    /// - Returns: the last row, where the file does not end with a line break.
    public mutating func finish() throws(EnergyError) -> [Row] {
        var rows: [Row] = []
        if separator == nil { try begin(&rows) }
        if state == .quoted { throw broken("a quoted cell begins and does not end") }
        endRow(&rows)
        return rows
    }

    private mutating func begin(_ rows: inout [Row]) throws(EnergyError) {
        guard !held.prefix(Self.rowByteCountMax).contains(0), !held.starts(with: [0xFF, 0xFE]),
            !held.starts(with: [0xFE, 0xFF])
        else { throw broken("the text is UTF-16, or no text: save it as CSV in UTF-8") }
        let mark = Array(CSVText.byteOrderMark.utf8)
        if held.starts(with: mark) { held.removeFirst(mark.count) }
        let first = held.prefix { $0 != UInt8(ascii: "\n") }
        let semicolons = first.count { $0 == UInt8(ascii: ";") }
        separator = semicolons > first.count { $0 == UInt8(ascii: ",") } ? UInt8(ascii: ";") : UInt8(ascii: ",")
        defer { held = [] }
        for byte in held { try take(byte, &rows) }
    }

    private mutating func take(_ byte: UInt8, _ rows: inout [Row]) throws(EnergyError) {
        rowByteCount += 1
        guard rowByteCount <= Self.rowByteCountMax else { throw broken("a row is longer than 64 KiB") }
        if byte == UInt8(ascii: "\n") { line += 1 }
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
        case (.quoted, _): cell.append(byte)
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            cell.append(byte)
            state = .quoted
        case (_, separator):
            state = .plain
            try endCell()
        case (_, UInt8(ascii: "\n")):
            state = .plain
            endRow(&rows)
        case (_, UInt8(ascii: "\r")): break
        case (.quoteInQuoted, _): throw broken("something follows a quoted cell")
        case (.plain, UInt8(ascii: "\"")) where cell.isEmpty: state = .quoted
        case (.plain, _): cell.append(byte)
        }
    }

    private mutating func endCell() throws(EnergyError) {
        guard cells.count < Self.cellsMax else { throw broken("a row has more than \(Self.cellsMax) cells") }
        cells.append(String(decoding: cell, as: UTF8.self))
        cell = []
    }

    private mutating func endRow(_ rows: inout [Row]) {
        cells.append(String(decoding: cell, as: UTF8.self))
        if cells.contains(where: { !$0.isEmpty }) { rows.append(Row(line: rowLine, cells: cells)) }
        (cell, cells, rowLine, rowByteCount) = ([], [], line, 0)
    }

    private func broken(_ reason: String) -> EnergyError {
        EnergyError(.invalidInput, "line \(rowLine): \(reason)")
    }
}
