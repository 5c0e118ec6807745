internal import EnergyModel
internal import Foundation

/// Numbers in columns, each as wide as its numbers differ: what a day's buckets take a tenth of in rows of SQL.
///
/// The same numbers always give the same bytes: the number of rows; for each column its layout; the columns, each from a
/// whole byte on; and eight bytes more, so that every number can be read with one load. A layout is a number, a width in
/// bits, and where nearly all rows are alike the rows that are not: then the number is what they are alike in.
enum PackedColumns {
    private static let padding = 8
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

    private static func byteCount(_ count: Int, _ width: Int) -> Int { (count * width + 7) / 8 }

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

    /// What was packed, read in place.
    struct Reader {
        let count: Int
        private let columns: [Column]

        struct Column {
            fileprivate var base: Int64
            fileprivate var width = 0
            fileprivate var start: UnsafeRawPointer?
            fileprivate var exceptionCount = 0
            fileprivate var exceptionBase: Int64 = 0
            fileprivate var exceptions: UnsafeRawPointer?

            @inline(__always)
            subscript(index: Int) -> Int64 {
                if exceptionCount > 0 { return exception(index) }
                return width == 0 ? base : base &+ number(index)
            }

            private func exception(_ index: Int) -> Int64 {
                guard let exceptions else { return base }
                for place in 0..<exceptionCount
                where Int(exceptions.load(fromByteOffset: place, as: UInt8.self)) == index {
                    return width == 0 ? exceptionBase : exceptionBase &+ number(place)
                }
                return base
            }

            @inline(__always)
            private func number(_ index: Int) -> Int64 {
                guard let start else { return 0 }
                let bit = index &* width
                let load = start.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
                let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) &- 1
                return Int64(bitPattern: load >> UInt64(bit & 7) & mask)
            }
        }

        /// - Parameters:
        ///   - bytes: outlive the reader.
        ///   - columns: how many were packed.
        /// - Throws: `.dataLoss` for anything that was not packed here.
        init(_ bytes: UnsafeRawBufferPointer, columns: Int, countMax: Int = 100_000) throws(EnergyError) {
            var place = 0
            let count = try Self.number(bytes, &place)
            guard count <= UInt64(countMax), let start = bytes.baseAddress else { throw .damaged("row") }
            self.count = Int(count)
            var found: [Column] = []
            found.reserveCapacity(columns)
            for _ in 0..<columns {
                var column = Column(base: try Self.zigzag(bytes, &place))
                let width = try Self.byte(bytes, &place)
                if width > PackedColumns.sparse {
                    column.exceptionCount = width - PackedColumns.sparse
                    column.exceptionBase = try Self.zigzag(bytes, &place)
                    column.width = try Self.byte(bytes, &place)
                } else {
                    column.width = width
                }
                guard 0...56 ~= column.width || column.width == 64 else { throw .damaged("row") }
                found.append(column)
            }
            for index in found.indices {
                let exceptions = found[index].exceptionCount
                found[index].exceptions = start + place
                place += exceptions
                found[index].start = start + place
                let size = PackedColumns.byteCount(exceptions > 0 ? exceptions : self.count, found[index].width)
                let padding = found[index].width > 0 ? PackedColumns.padding : 0
                guard place + size + padding <= bytes.count else { throw .damaged("row") }
                place += size
            }
            self.columns = found
        }

        subscript(column: Int) -> Column { columns[column] }

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
