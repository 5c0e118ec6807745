public import EnergyModel
public import EnergyStore
public import Foundation

/// What a store has of one series, day by day.
public protocol CountedDays {
    /// Of the clocks that its days are on.
    var timeZone: TimeZone { get }

    /// What each of some days adds up to, ascending.
    func forEachSum(in days: ClosedRange<Int64>, _ body: (_ day: Int64, UnpackedTallies) throws -> Void) throws

    /// The buckets of each of some days, ascending.
    func forEachDay(in days: ClosedRange<Int64>, _ body: (UnpackedTallies) throws -> Void) throws
}

extension TotalsCollector {
    /// Adds up the periods of a range: from whole days where the periods are made of such.
    public mutating func add(_ counted: some CountedDays, _ grid: PeriodGrid, _ range: Range<Int>) throws {
        guard !range.isEmpty else { return }
        let offsets = ZoneOffsets.of(counted.timeZone)
        if grid.granularity.isOfWholeDays, counted.timeZone.identifier == grid.timeZone.identifier {
            try addDays(counted, offsets, grid, range)
        } else {
            try addBuckets(counted, offsets, grid, range)
        }
    }

    private mutating func addDays(
        _ counted: some CountedDays, _ offsets: ZoneOffsets, _ grid: PeriodGrid, _ range: Range<Int>
    ) throws {
        // Which days the periods begin with, and the day after the last.
        let firsts = grid.edges[range.lowerBound...range.upperBound].map { offsets.dayNumber(at: $0) }
        guard let first = firsts.first, let end = firsts.last, first < end else { return }
        var period = 0
        try counted.forEachSum(in: first...end - 1) { day, sums in
            while firsts[period + 1] <= day { period += 1 }
            for index in sums.indices { add(sums[index], sums.class(index), to: range.lowerBound + period) }
        }
    }

    private mutating func addBuckets(
        _ counted: some CountedDays, _ offsets: ZoneOffsets, _ grid: PeriodGrid, _ range: Range<Int>
    ) throws {
        let (start, end) = (grid.edges[range.lowerBound], grid.edges[range.upperBound])
        let days = offsets.dayNumber(at: start)...offsets.dayNumber(at: end.advanced(byMilliseconds: -1))
        var period = range.lowerBound
        try counted.forEachDay(in: days) { $0.add(over: grid, range, from: &period, to: &self) }
    }
}

extension Granularity {
    /// Its periods are made of local days.
    fileprivate var isOfWholeDays: Bool {
        switch self {
        case .quarterHourly, .hourly: false
        case .daily, .weekly, .monthly, .yearly: true
        }
    }
}
