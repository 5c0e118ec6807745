internal import EnergyModel
internal import Foundation

/// Reads carbon signals from a CSV file with a heading (RFC 4180; commas or semicolons).
enum CSVSignals {
    /// - Parameter isWhole: nobody writes the file any more. Otherwise a last line without a line break is still being
    ///   written: half of a number is a number, too.
    /// - Returns: the points, and whether a line was passed over for that reason.
    static func read(
        _ bytes: Data, file: String, format: FileFormat, isWhole: Bool
    ) throws(EnergyError) -> (points: [SignalPoint], isCut: Bool) {
        var rows = SignalRows(file: file, format: format)
        var (line, columns): (Int, (time: Int, value: Int, count: Int, separator: UInt8)?) = (0, nil)
        // An array, not Data: its bytes are read several times as fast.
        let bytes = Array(bytes)
        var rest = bytes[...]
        while !rest.isEmpty {
            let row = rest.prefix { $0 != UInt8(ascii: "\n") }
            let isOpen = row.endIndex == bytes.endIndex
            rest = rest[min(row.endIndex + 1, rest.endIndex)...]
            line += 1
            if row.count > 64 * 1024 { throw rows.failure("line \(line)", "is longer than the 64 KiB allowed") }
            guard row.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
            guard let columns else {
                columns = try heading(row, line, rows, format)
                continue
            }
            if isOpen {
                let (count, whole) = (fields(row, columns.separator).count, columns.count)
                if !isWhole || count < whole { return (rows.points, true) }
            }
            // What follows the columns that matter is not looked at: files hold many more.
            let fields = fields(row, columns.separator, countMax: max(columns.time, columns.value) + 1)
            guard fields.count > max(columns.time, columns.value) else {
                throw rows.failure(
                    "line \(line)",
                    "has \(fields.count) columns, the heading has at least \(max(columns.time, columns.value) + 1)")
            }
            // An empty value is a gap, not a zero.
            if fields[columns.value].isEmpty { continue }
            guard let value = Double(fields[columns.value]) else {
                throw rows.failure(
                    "line \(line)",
                    "the value \"\(fields[columns.value].prefix(40))\" must be a number like 243.5, or empty if unknown"
                )
            }
            try rows.append(place: "line \(line)", label: fields[columns.time], value: value)
        }
        if columns == nil { throw rows.failure("line 1", "the file is empty, a heading is needed") }
        return (rows.points, false)
    }

    private static func heading(
        _ row: ArraySlice<UInt8>, _ line: Int, _ rows: SignalRows, _ format: FileFormat
    ) throws(EnergyError) -> (time: Int, value: Int, count: Int, separator: UInt8) {
        let separator = row.contains(UInt8(ascii: ",")) ? UInt8(ascii: ",") : UInt8(ascii: ";")
        var names = fields(row, separator)
        // Spreadsheets put a byte order mark first.
        if let first = names.first, first.hasPrefix("\u{FEFF}") { names[0] = String(first.dropFirst()) }
        func index(_ name: String) throws(EnergyError) -> Int {
            if let index = names.firstIndex(of: name) { return index }
            let known = names.prefix(20).map { $0.prefix(40) }.joined(separator: ", ")
            throw rows.failure("line \(line)", "there is no column \"\(name)\"; there are: \(known)")
        }
        return (try index(format.timeColumn), try index(format.valueColumn), names.count, separator)
    }

    /// Fields without quotes and the spaces around them. Bytes, not strings: most of them are never looked at.
    private static func fields(_ row: ArraySlice<UInt8>, _ separator: UInt8, countMax: Int = 1_000) -> [String] {
        var (result, field, isQuoted): ([String], [UInt8], Bool) = ([], [], false)
        var previous: UInt8 = 0
        for byte in row where byte != UInt8(ascii: "\r") {
            if byte == UInt8(ascii: "\"") {
                // Two quotes inside quotes are one.
                if !isQuoted && previous == byte { field.append(byte) }
                isQuoted.toggle()
            } else if byte == separator && !isQuoted {
                result.append(text(field))
                if result.count == countMax { return result }
                field.removeAll(keepingCapacity: true)
            } else {
                field.append(byte)
            }
            previous = byte
        }
        return result + [text(field)]
    }

    private static func text(_ field: [UInt8]) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = field.firstIndex(where: { !isSpace($0) }), let last = field.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: field[first...last], as: UTF8.self)
    }
}
