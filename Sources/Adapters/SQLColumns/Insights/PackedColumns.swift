internal import EnergyModel
internal import Foundation

/// Numbers in columns, each as wide as its numbers differ: what a day's buckets take a tenth of in rows of SQL.
///
/// The same numbers always give the same bytes: the number of rows; for each column its layout; the columns, each from a
/// whole byte on; and eight bytes more, so that every number can be read with one load. A layout is a number, a width in
/// bits, and where nearly all rows are alike the rows that are not: then the number is what they are alike in.
enum PackedColumns {
    static let padding = 8
    /// Added to the number of exceptions, to tell it from a width.
    private static let sparse = 0x80
    private static let exceptionsMax = 12

    /// - Parameter columns: of the same length.
    static func pack(_ columns: [[Int64]]) -> Data {
        var bytes: [UInt8] = []
        append(UInt64(columns.first?.count ?? 0), to: &bytes)
        let layouts = columns.map(Layout.init)
        for layout in layouts {
            appendZigzag(layout.base, to: &bytes)
            guard !layout.exceptions.isEmpty else {
                bytes.append(UInt8(layout.width))
                continue
            }
            bytes.append(UInt8(sparse + layout.exceptions.count))
            appendZigzag(layout.exceptionBase, to: &bytes)
            bytes.append(UInt8(layout.width))
        }
        var isPadded = false
        for (column, layout) in zip(columns, layouts) {
            bytes += layout.exceptions.map { UInt8($0) }
            let values = layout.exceptions.isEmpty ? column : layout.exceptions.map { column[$0] }
            append(values, layout.exceptions.isEmpty ? layout.base : layout.exceptionBase, layout.width, to: &bytes)
            isPadded = isPadded || layout.width > 0
        }
        if isPadded { bytes.append(contentsOf: repeatElement(0, count: padding)) }
        return Data(bytes)
    }

    private static func append(_ values: [Int64], _ base: Int64, _ width: Int, to bytes: inout [UInt8]) {
        guard width > 0 else { return }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: byteCount(values.count, width)))
        for (index, value) in values.enumerated() {
            let bit = index * width
            var bits = UInt64(bitPattern: value &- base) << UInt64(bit & 7)
            var place = start + bit >> 3
            while bits != 0 {
                bytes[place] |= UInt8(truncatingIfNeeded: bits)
                bits >>= 8
                place += 1
            }
        }
    }

    static func byteCount(_ count: Int, _ width: Int) -> Int { (count * width + 7) / 8 }

    private struct Layout {
        let base: Int64
        /// Of all numbers, or of the exceptions.
        let width: Int
        /// Rows, ascending; below 256.
        var exceptions: [Int] = []
        var exceptionBase: Int64 = 0

        init(_ column: [Int64]) {
            let (least, width) = Self.span(column)
            guard let common = Self.common(column), width > 0 else {
                (base, self.width) = (least, width)
                return
            }
            let others = column.indices.filter { column[$0] != common }
            let (otherLeast, otherWidth) = Self.span(others.map { column[$0] })
            // One byte for the row, and the second layout.
            let size = others.count + byteCount(others.count, otherWidth) + 6
            guard others.count <= exceptionsMax, size < byteCount(column.count, width) else {
                (base, self.width) = (least, width)
                return
            }
            (base, self.width, exceptions, exceptionBase) = (common, otherWidth, others, otherLeast)
        }

        /// What most rows have, if more than half of them have it; only of columns whose rows fit into a byte.
        private static func common(_ column: [Int64]) -> Int64? {
            guard 16...256 ~= column.count else { return nil }
            // Boyer and Moore's vote.
            var (candidate, votes) = (column[0], 0)
            for value in column {
                if votes == 0 { candidate = value }
                votes += value == candidate ? 1 : -1
            }
            return candidate
        }

        /// The least number, and the bits that the others need beside it: `0...56`, or 64, what one load can hold.
        private static func span(_ column: [Int64]) -> (least: Int64, width: Int) {
            let least = column.min() ?? 0
            let bits = 64 - UInt64(bitPattern: (column.max() ?? 0) &- least).leadingZeroBitCount
            return (least, bits > 56 ? 64 : bits)
        }
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func appendZigzag(_ value: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }

    /// What was packed. Every column at once: its layout is looked at once, not for each of its numbers.
    struct Reader {
        private(set) var count = 0
        private let columns: Int
        private let countMax: Int
        private var layouts: [PackedColumn] = []
        /// One column after the other; perhaps longer.
        private var numbers: [Int64] = []

        /// - Parameter columns: how many are packed.
        init(columns: Int, countMax: Int = 100_000) {
            (self.columns, self.countMax) = (columns, countMax)
            layouts.reserveCapacity(columns)
        }

        /// Takes other numbers, in the same place: a year has a thousand of such rows.
        ///
        /// - Throws: `.dataLoss` for anything that was not packed here.
        mutating func read(_ bytes: UnsafeRawBufferPointer) throws(EnergyError) {
            count = 0
            var place = 0
            let packedCount = try Self.number(bytes, &place)
            guard packedCount <= UInt64(countMax) else { throw .damaged("row") }
            let count = Int(packedCount)
            layouts.removeAll(keepingCapacity: true)
            for _ in 0..<columns { layouts.append(try Self.column(bytes, &place, count)) }
            for index in layouts.indices { try layouts[index].locate(in: bytes, &place) }
            if numbers.count < count * columns { numbers = Array(repeating: 0, count: count * columns) }
            numbers.withUnsafeMutableBufferPointer { numbers in
                guard let base = numbers.baseAddress else { return }
                for index in layouts.indices { layouts[index].unpack(bytes, to: base + index * count) }
            }
            self.count = count
        }

        /// - Precondition: there are such a column and row. Without a check: a year has a quarter of a million numbers.
        subscript(column: Int, row: Int) -> Int64 {
            numbers.withUnsafeBufferPointer { $0[column &* count &+ row] }
        }

        private static func column(
            _ bytes: UnsafeRawBufferPointer, _ place: inout Int, _ count: Int
        ) throws(EnergyError) -> PackedColumn {
            let base = try zigzag(bytes, &place)
            let width = try byte(bytes, &place)
            guard width > PackedColumns.sparse else { return try PackedColumn(base: base, width: width, count: count) }
            return try PackedColumn(
                base: try zigzag(bytes, &place), width: try byte(bytes, &place), count: width - PackedColumns.sparse,
                common: base, of: count)
        }

        private static func byte(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) throws(EnergyError) -> Int {
            guard place < bytes.count else { throw .damaged("row") }
            defer { place += 1 }
            return Int(bytes[place])
        }

        private static func zigzag(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) throws(EnergyError) -> Int64 {
            let number = try number(bytes, &place)
            return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        }

        private static func number(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) throws(EnergyError) -> UInt64 {
            var (value, shift) = (UInt64(0), UInt64(0))
            while shift < 64 {
                let byte = try byte(bytes, &place)
                value |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 { return value }
                shift += 7
            }
            throw .damaged("row")
        }
    }
}
