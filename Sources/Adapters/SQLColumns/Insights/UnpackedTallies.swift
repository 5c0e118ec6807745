public import EnergyModel
public import EnergyStore
public import Foundation

/// What ``PackedTallies`` packed; sorted.
public struct UnpackedTallies {
    private var numbers: PackedColumns.Reader
    /// Before it stand the quarters, if there are any.
    private let classColumn: Int

    /// Of which ``read(_:)`` reads buckets.
    public static var buckets: UnpackedTallies { UnpackedTallies(classColumn: 1) }

    /// Of which ``read(_:)`` reads what something adds up to.
    public static var classes: UnpackedTallies { UnpackedTallies(classColumn: 0) }

    public static func buckets(_ data: Data) throws(EnergyError) -> UnpackedTallies { try buckets.reading(data) }

    public static func classes(_ data: Data) throws(EnergyError) -> UnpackedTallies { try classes.reading(data) }

    private init(classColumn: Int) {
        self.classColumn = classColumn
        numbers = PackedColumns.Reader(columns: classColumn + PackedTallies.columnCount)
    }

    /// Takes others in place of its own.
    ///
    /// - Throws: `.dataLoss` for anything that was not packed so.
    public mutating func read(_ bytes: UnsafeRawBufferPointer) throws(EnergyError) { try numbers.read(bytes) }

    private consuming func reading(_ data: Data) throws(EnergyError) -> UnpackedTallies {
        var tallies = self
        try PackedNumbers.reading(data) { (bytes) throws(EnergyError) in try tallies.read(bytes) }
        return tallies
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
        let count = numbers.count
        collector.add(upTo: count) { entries in
            edges.withUnsafeBufferPointer { edges in
                var index = 0
                while index < count {
                    let (start, code) = (start(index), numbers[classColumn, index])
                    var tally = self[index]
                    index += 1
                    guard first <= start, start < last else { continue }
                    while edges[period + 1] <= start { period += 1 }
                    let end = edges[period + 1]
                    while index < count, numbers[classColumn, index] == code, self.start(index) < end {
                        tally += self[index]
                        index += 1
                    }
                    let item = InsightClass(code: Int32(truncatingIfNeeded: code))
                    entries.append(InsightTotals.Entry(period: period, class: item, tally: tally))
                }
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
