public import EnergyModel
public import EnergyStore
public import Foundation

/// What ``PackedTallies`` packed; sorted.
public struct UnpackedTallies {
    private let numbers: PackedColumns.Reader
    /// Before it stand the quarters, if there are any.
    private let classColumn: Int

    /// Buckets.
    ///
    /// - Throws: `.dataLoss` for anything that was not packed so.
    public static func buckets(_ bytes: UnsafeRawBufferPointer) throws(EnergyError) -> UnpackedTallies {
        try UnpackedTallies(bytes, classColumn: 1)
    }

    /// What something adds up to, likewise.
    public static func classes(_ bytes: UnsafeRawBufferPointer) throws(EnergyError) -> UnpackedTallies {
        try UnpackedTallies(bytes, classColumn: 0)
    }

    public static func buckets(_ data: Data) throws(EnergyError) -> UnpackedTallies {
        try PackedNumbers.reading(data, buckets)
    }

    public static func classes(_ data: Data) throws(EnergyError) -> UnpackedTallies {
        try PackedNumbers.reading(data, classes)
    }

    private init(_ bytes: UnsafeRawBufferPointer, classColumn: Int) throws(EnergyError) {
        self.classColumn = classColumn
        numbers = try PackedColumns.Reader(bytes, columns: classColumn + PackedTallies.columnCount)
    }

    public var indices: Range<Int> { 0..<numbers.count }

    /// Of buckets.
    public func key(_ index: Int) -> QuarterClass { QuarterClass(quarter: quarter(index), class: self.class(index)) }

    private func quarter(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: numbers[0, index] &+ Int64(index)) }

    /// Adds what neighbouring buckets of one period and class add up to.
    ///
    /// - Parameters:
    ///   - grid: buckets outside its periods in `range` are left out.
    ///   - period: not after that of the first bucket; that of the last one afterwards.
    public func add(
        over grid: PeriodGrid, _ range: Range<Int>, from period: inout Int, to collector: inout TotalsCollector
    ) {
        let edges = grid.edges
        let (first, last) = (edges[range.lowerBound], edges[range.upperBound])
        var index = 0
        collector.add(upTo: numbers.count) { entries in
            while index < numbers.count {
                let (start, code) = (start(index), numbers[classColumn, index])
                var tally = self[index]
                index += 1
                guard first <= start, start < last else { continue }
                while edges[period + 1] <= start { period += 1 }
                let end = edges[period + 1]
                while index < numbers.count, numbers[classColumn, index] == code, self.start(index) < end {
                    tally += self[index]
                    index += 1
                }
                let item = InsightClass(code: Int32(truncatingIfNeeded: code))
                entries.append(InsightTotals.Entry(period: period, class: item, tally: tally))
            }
        }
    }

    private func start(_ index: Int) -> Timestamp {
        Timestamp(unixMilliseconds: Int64(quarter(index)) * InsightBucket.milliseconds)
    }

    public func `class`(_ index: Int) -> InsightClass {
        InsightClass(code: Int32(truncatingIfNeeded: numbers[classColumn, index]))
    }

    public subscript(index: Int) -> InsightTally {
        let runtime = numbers[classColumn + 2, index]
        return InsightTally(
            amount: InsightAmount(
                energy: Energy(milliwattHours: numbers[classColumn + 1, index]), runtimeMilliseconds: runtime,
                weightedRuntimeMilliseconds: runtime &- numbers[classColumn + 3, index]),
            costMicros: numbers[classColumn + 4, index], carbonMilligrams: numbers[classColumn + 5, index])
    }
}

extension [QuarterTally] {
    public init(_ buckets: UnpackedTallies) {
        self = buckets.indices.map { QuarterTally(key: buckets.key($0), tally: buckets[$0]) }
    }
}
