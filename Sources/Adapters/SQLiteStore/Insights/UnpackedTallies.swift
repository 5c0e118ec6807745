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
    func key(_ index: Int) -> QuarterClass { QuarterClass(quarter: quarter(index), class: self.class(index)) }

    private func quarter(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: numbers[0, index] &+ Int64(index)) }

    /// Hands over what neighbouring buckets of one period and class add up to.
    ///
    /// - Parameters:
    ///   - edges: the quarters of an hour that periods begin with, ascending, and the one after the last. What lies
    ///     outside is left out.
    ///   - period: not after that of the first bucket; that of the last one afterwards.
    func forEachSum(
        within edges: [Int32], from period: inout Int, _ body: (Int, InsightClass, InsightTally) -> Void
    ) {
        guard let first = edges.first, let last = edges.last else { return }
        var index = 0
        while index < numbers.count {
            let (quarter, code) = (quarter(index), numbers[classColumn, index])
            var tally = self[index]
            index += 1
            guard first <= quarter, quarter < last else { continue }
            while edges[period + 1] <= quarter { period += 1 }
            let end = edges[period + 1]
            while index < numbers.count, numbers[classColumn, index] == code, self.quarter(index) < end {
                tally += self[index]
                index += 1
            }
            body(period, InsightClass(code: Int32(truncatingIfNeeded: code)), tally)
        }
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
