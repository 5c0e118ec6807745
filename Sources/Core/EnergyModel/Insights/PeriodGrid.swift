public import Foundation

/// Consecutive calendar periods, worked out.
public struct PeriodGrid: Hashable, Sendable {
    public let granularity: Granularity
    public let timeZone: TimeZone
    /// Where periods begin, ascending, and where the last ends: one more than there are periods.
    public let edges: [Timestamp]

    /// The periods that touch `range`.
    ///
    /// - Parameter range: within ``CalendarPeriods/supported``.
    public init(_ periods: CalendarPeriods, touching range: Interval) {
        granularity = periods.granularity
        timeZone = periods.timeZone
        let offsets = ZoneOffsets.of(periods.timeZone)
        var edges = [periods.period(containing: range.start).start]
        while let start = edges.last, start < range.end {
            // Where the clocks do not change, periods follow by arithmetic.
            let step: Int64? =
                switch granularity {
                case .quarterHourly: InsightBucket.milliseconds
                case .hourly: .millisecondsPerHour
                case .daily: .millisecondsPerDay
                case .weekly, .monthly, .yearly: nil
                }
            let plainEnd: Timestamp? =
                switch granularity {
                case .quarterHourly: range.end
                case .hourly: offsets.fullHoursEnd(at: start)
                case .daily, .weekly, .monthly, .yearly: offsets.plainEnd(at: start)
                }
            guard let step, let plainEnd, start.advanced(byMilliseconds: step) < plainEnd else {
                edges.append(periods.period(containing: start).end)
                continue
            }
            var next = start
            edges.reserveCapacity(edges.count + Int(min(range.end, plainEnd).milliseconds(since: start) / step) + 1)
            while next < range.end, next.advanced(byMilliseconds: step) < plainEnd {
                next = next.advanced(byMilliseconds: step)
                edges.append(next)
            }
        }
        self.edges = edges
    }

    public var count: Int { edges.count - 1 }

    /// - Parameter index: `0..<count`.
    @inlinable public func period(_ index: Int) -> Interval {
        Interval(start: edges[index], milliseconds: max(1, edges[index + 1].milliseconds(since: edges[index])))
    }

    /// The period that holds the instant; `nil` if none does.
    public func index(of instant: Timestamp) -> Int? {
        guard let first = edges.first, let last = edges.last, first <= instant, instant < last else { return nil }
        var (low, high) = (0, edges.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if edges[middle] <= instant { low = middle } else { high = middle }
        }
        return low
    }
}
