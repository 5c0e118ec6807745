internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

/// What ``PackedTallies`` packed; sorted.
struct UnpackedTallies {
    private let numbers: PackedColumns.Reader
    /// Before it stand the quarters, if there are any.
    private let classColumn: Int

    /// - Throws: `.dataLoss` for anything that was not packed so.
    static func buckets(_ row: Row, column: Int) throws -> UnpackedTallies {
        try UnpackedTallies(row, column: column, classColumn: 1)
    }

    /// - Throws: likewise.
    static func classes(_ row: Row, column: Int) throws -> UnpackedTallies {
        try UnpackedTallies(row, column: column, classColumn: 0)
    }

    private init(_ row: Row, column: Int, classColumn: Int) throws {
        self.classColumn = classColumn
        // In place: a year of quarters is 300 kB.
        numbers = try row.withUnsafeData(atIndex: column) { data in
            guard let data else { throw EnergyError.damaged("tallies") }
            return try PackedNumbers.reading(data) { (bytes) throws(EnergyError) in
                try PackedColumns.Reader(bytes, columns: classColumn + PackedTallies.columnCount)
            }
        }
    }

    var indices: Range<Int> { 0..<numbers.count }

    /// Of buckets.
    func key(_ index: Int) -> QuarterClass {
        QuarterClass(
            quarter: Int32(truncatingIfNeeded: numbers[0, index] &+ Int64(index)), class: self.class(index))
    }

    func `class`(_ index: Int) -> InsightClass {
        InsightClass(code: Int32(truncatingIfNeeded: numbers[classColumn, index]))
    }

    subscript(index: Int) -> InsightTally {
        let runtime = numbers[classColumn + 2, index]
        return InsightTally(
            amount: InsightAmount(
                energy: Energy(milliwattHours: numbers[classColumn + 1, index]), runtimeMilliseconds: runtime,
                weightedRuntimeMilliseconds: runtime &- numbers[classColumn + 3, index]),
            costMicros: numbers[classColumn + 4, index], carbonMilligrams: numbers[classColumn + 5, index])
    }
}
