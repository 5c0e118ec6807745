internal import EnergyModel

/// Where the numbers of one of ``PackedColumns`` stand, and how.
struct PackedColumn {
    private let base: Int64
    /// In bits.
    private let width: Int
    /// Numbers that stand in the bytes: all, or only those that are not ``common``.
    private let count: Int
    /// What nearly all rows have; `nil` if every row has a number of its own.
    private let common: Int64?
    private let rowCount: Int
    /// Where the rows of the exceptions, and the numbers, begin.
    private var (rows, numbers) = (0, 0)

    /// Every row has a number of its own.
    init(base: Int64, width: Int, count: Int) throws(EnergyError) {
        try self.init(base: base, width: width, count: count, common: nil, of: count)
    }

    /// - Throws: `.dataLoss` for a width that no column has.
    init(base: Int64, width: Int, count: Int, common: Int64?, of rowCount: Int) throws(EnergyError) {
        guard 0...56 ~= width || width == 64 else { throw .damaged("row") }
        (self.base, self.width, self.count, self.common, self.rowCount) = (base, width, count, common, rowCount)
    }

    /// - Throws: `.dataLoss` if the bytes are too few, or a row is none of the column's.
    mutating func locate(in bytes: UnsafeRawBufferPointer, _ place: inout Int) throws(EnergyError) {
        rows = place
        numbers = place + (common == nil ? 0 : count)
        let end = numbers + PackedColumns.byteCount(count, width)
        guard end + (width > 0 ? PackedColumns.padding : 0) <= bytes.count,
            bytes[rows..<numbers].allSatisfy({ $0 < rowCount })
        else { throw .damaged("row") }
        place = end
    }

    /// - Parameter values: as many as there are rows.
    func unpack(_ bytes: UnsafeRawBufferPointer, to values: UnsafeMutablePointer<Int64>) {
        if common == nil, width == 0 { return values.update(repeating: base, count: count) }
        guard let common else { return forEach(in: bytes) { values[$0] = $1 } }
        values.update(repeating: common, count: rowCount)
        forEach(in: bytes) { values[Int(bytes[rows + $0])] = $1 }
    }

    /// What is the same for all numbers is looked at once.
    @inline(__always)
    private func forEach(in bytes: UnsafeRawBufferPointer, _ body: (_ index: Int, _ number: Int64) -> Void) {
        guard width > 0 else {
            for index in 0..<count { body(index, base) }
            return
        }
        let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) &- 1
        var bit = numbers &* 8
        for index in 0..<count {
            let load = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
            body(index, base &+ Int64(bitPattern: load &>> UInt64(bit & 7) & mask))
            bit &+= width
        }
    }
}
