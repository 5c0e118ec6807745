internal import EnergyModel
internal import Foundation

/// Numbers in columns, each as wide as its numbers differ: what a day's buckets take a tenth of in rows of SQL.
///
/// The same numbers always give the same bytes. Number of rows, then for each column its least number and its width in
/// bits, then the columns, each from a whole byte on, and eight bytes so that every number can be read with one load.
enum PackedColumns {
    static let padding = 8

    /// - Parameter columns: of the same length.
    static func pack(_ columns: [[Int64]]) -> Data {
        var bytes: [UInt8] = []
        let count = columns.first?.count ?? 0
        append(UInt64(count), to: &bytes)
        let layouts = columns.map(Layout.init)
        for layout in layouts {
            append(UInt64(bitPattern: layout.base << 1 ^ layout.base >> 63), to: &bytes)
            bytes.append(UInt8(layout.width))
        }
        for (column, layout) in zip(columns, layouts) where layout.width > 0 {
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: layout.bytes(of: count)))
            for (index, value) in column.enumerated() {
                let bit = index * layout.width
                var bits = UInt64(bitPattern: value &- layout.base) << UInt64(bit & 7)
                var place = start + bit >> 3
                while bits != 0 {
                    bytes[place] |= UInt8(truncatingIfNeeded: bits)
                    bits >>= 8
                    place += 1
                }
            }
        }
        bytes.append(contentsOf: repeatElement(0, count: padding))
        return Data(bytes)
    }

    fileprivate struct Layout {
        let base: Int64
        /// `0...56`, or 64: what one load can hold at any bit.
        let width: Int

        init(_ column: [Int64]) {
            let base = column.min() ?? 0
            let range = UInt64(bitPattern: (column.max() ?? 0) &- base)
            let bits = 64 - range.leadingZeroBitCount
            self.base = base
            width = bits > 56 ? 64 : bits
        }

        init?(base: Int64, width: Int) {
            guard 0...56 ~= width || width == 64 else { return nil }
            self.base = base
            self.width = width
        }

        func bytes(of count: Int) -> Int { (count * width + 7) / 8 }
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// What was packed, read in place.
    struct Reader {
        let count: Int
        private let columns: [Column]

        struct Column {
            fileprivate let base: Int64
            fileprivate let width: Int
            fileprivate let mask: UInt64
            fileprivate let start: UnsafeRawPointer

            @inline(__always)
            subscript(index: Int) -> Int64 {
                let bit = index &* width
                let load = start.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
                return base &+ Int64(bitPattern: load >> UInt64(bit & 7) & mask)
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
            var layouts: [Layout] = []
            for _ in 0..<columns {
                let zigzag = try Self.number(bytes, &place)
                guard place < bytes.count else { throw .damaged("row") }
                let base = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
                guard let layout = Layout(base: base, width: Int(bytes[place])) else { throw .damaged("row") }
                layouts.append(layout)
                place += 1
            }
            var found: [Column] = []
            found.reserveCapacity(columns)
            for layout in layouts {
                guard place + layout.bytes(of: self.count) + PackedColumns.padding <= bytes.count else {
                    throw .damaged("row")
                }
                found.append(
                    Column(
                        base: layout.base, width: layout.width,
                        mask: layout.width == 64 ? .max : (1 << UInt64(layout.width)) - 1, start: start + place))
                place += layout.bytes(of: self.count)
            }
            self.columns = found
        }

        subscript(column: Int) -> Column { columns[column] }

        private static func number(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) throws(EnergyError) -> UInt64 {
            var (value, shift) = (UInt64(0), UInt64(0))
            while place < bytes.count, shift < 64 {
                let byte = bytes[place]
                place += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 { return value }
                shift += 7
            }
            throw .damaged("row")
        }
    }
}
