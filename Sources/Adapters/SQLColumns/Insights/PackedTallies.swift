internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// Buckets of a day, or what a day or a session adds up to, as they stand in a column.
enum PackedTallies {
    /// A class and what its tally has.
    static let columnCount = 6

    static func pack(_ tallies: [QuarterTally]) -> Data {
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
}
