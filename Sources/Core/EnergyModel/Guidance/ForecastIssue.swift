/// What was expected of a signal at one time, kept to be held against what came.
public struct ForecastIssue: Hashable, Sendable {
    /// From when it was issued to the end of what it said.
    public let interval: Interval
    public let stepMilliseconds: Int64
    /// One per step, in the signal's unit.
    public let values: [Double]

    /// - Parameter points: without gaps, of one step each.
    /// - Returns: `nil` when there are none, or they are not of equal steps.
    public init?(_ points: [SignalPoint]) {
        guard let first = points.first?.interval, let last = points.last?.interval,
            points.allSatisfy({ $0.interval.milliseconds == first.milliseconds && $0.value.isFinite }),
            zip(points, points.dropFirst()).allSatisfy({ $0.interval.end == $1.interval.start }),
            let whole = Interval(start: first.start, end: last.end)
        else { return nil }
        interval = whole
        stepMilliseconds = first.milliseconds
        values = points.map(\.value)
    }

    /// - Returns: `nil` when `values` do not fill the interval in equal steps.
    public init?(interval: Interval, values: [Double]) {
        let step = values.isEmpty ? 0 : interval.milliseconds / Int64(values.count)
        guard step > 0, step * Int64(values.count) == interval.milliseconds, values.allSatisfy(\.isFinite) else {
            return nil
        }
        self.interval = interval
        self.values = values
        stepMilliseconds = step
    }
}
