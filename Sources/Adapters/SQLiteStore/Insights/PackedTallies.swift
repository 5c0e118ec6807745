internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// Buckets of a day, or what a day or a session adds up to, as they stand in a column.
enum PackedTallies {
    private static let tallyColumns = 5

    static func pack(_ tallies: [(key: QuarterClass, tally: InsightTally)]) -> Data {
        // Mostly one bucket follows the other, so that these differences are all the same and take no space.
        let places = tallies.enumerated().map { Int64($1.key.quarter) - Int64($0) }
        return PackedColumns.pack([places] + columns(tallies.map { ($0.key.class, $0.tally) }))
    }

    static func pack(_ tallies: [ClassTally]) -> Data {
        PackedColumns.pack(columns(tallies.map { ($0.class, $0.tally) }))
    }

    private static func columns(_ tallies: [(InsightClass, InsightTally)]) -> [[Int64]] {
        [
            tallies.map { Int64($0.0.code) }, tallies.map(\.1.amount.energy.milliwattHours),
            tallies.map(\.1.amount.runtimeMilliseconds),
            tallies.map { $0.1.amount.runtimeMilliseconds &- $0.1.amount.weightedRuntimeMilliseconds },
            tallies.map(\.1.costMicros), tallies.map(\.1.carbonMilligrams),
        ]
    }

    /// Hands over every bucket, sorted.
    static func forEachBucket(
        _ bytes: UnsafeRawBufferPointer, _ body: (QuarterClass, InsightTally) -> Void
    ) throws(EnergyError) {
        let reader = try PackedColumns.Reader(bytes, columns: tallyColumns + 2)
        let (places, tallies) = (reader[0], Tallies(reader, from: 1))
        for index in 0..<reader.count {
            let key = QuarterClass(
                quarter: Int32(truncatingIfNeeded: places[index] &+ Int64(index)), class: tallies.class(index))
            body(key, tallies[index])
        }
    }

    static func forEachClass(
        _ bytes: UnsafeRawBufferPointer, _ body: (InsightClass, InsightTally) -> Void
    ) throws(EnergyError) {
        let reader = try PackedColumns.Reader(bytes, columns: tallyColumns + 1)
        let tallies = Tallies(reader, from: 0)
        for index in 0..<reader.count { body(tallies.class(index), tallies[index]) }
    }

    private struct Tallies {
        let classes, energies, runtimes, unweighted, costs, carbon: PackedColumns.Reader.Column

        init(_ reader: PackedColumns.Reader, from first: Int) {
            (classes, energies, runtimes) = (reader[first], reader[first + 1], reader[first + 2])
            (unweighted, costs, carbon) = (reader[first + 3], reader[first + 4], reader[first + 5])
        }

        @inline(__always)
        func `class`(_ index: Int) -> InsightClass { InsightClass(code: Int32(truncatingIfNeeded: classes[index])) }

        @inline(__always)
        subscript(index: Int) -> InsightTally {
            let runtime = runtimes[index]
            return InsightTally(
                amount: InsightAmount(
                    energy: Energy(milliwattHours: energies[index]), runtimeMilliseconds: runtime,
                    weightedRuntimeMilliseconds: runtime &- unweighted[index]),
                costMicros: costs[index], carbonMilligrams: carbon[index])
        }
    }
}
