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
            switch granularity {
            case .quarterHourly: edges.append(start.advanced(byMilliseconds: InsightBucket.milliseconds))
            case .hourly where offsets.plainDay(at: start) != nil:
                edges.append(start.advanced(byMilliseconds: .millisecondsPerHour))
            case .daily:
                let next = offsets.plainDay(at: start).flatMap { offsets.plainStart(ofDay: $0 + 1) }
                edges.append(next ?? periods.period(containing: start).end)
            default: edges.append(periods.period(containing: start).end)
            }
        }
        self.edges = edges
    }

    public var count: Int { edges.count - 1 }

    /// - Parameter index: `0..<count`.
    public func period(_ index: Int) -> Interval {
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
