extension SignalSeries {
    /// The series in equal steps of UTC time.
    ///
    /// Each value is the mean of what holds during its step, weighted by time. A gap is bridged with the mean of its two
    /// neighbours, and the step marked as estimated, if it is no longer than twice the step of the source; a step that
    /// touches a longer gap, or reaches beyond the data, is unknown.
    ///
    /// - Parameters:
    ///   - interval: its start is a multiple of the step since 1970; the last step may be shorter.
    ///   - stepMilliseconds: positive.
    /// - Returns: one element per step; `nil` is unknown.
    /// - Source: reference method, signals.md 6.1.
    public func resampled(over interval: Interval, stepMilliseconds: Int64) -> [SignalPoint?] {
        let filled = bridged(around: interval)
        var result: [SignalPoint?] = []
        var index = filled.startIndex
        var start = interval.start
        while start < interval.end {
            let step = Interval(
                start: start, milliseconds: min(stepMilliseconds, interval.end.milliseconds(since: start)))
            while index < filled.endIndex, filled[index].interval.end <= step.start { index += 1 }
            result.append(Self.mean(of: filled[index...], during: step))
            start = step.end
        }
        return result
    }

    private static func mean(of points: ArraySlice<SignalPoint>, during step: Interval) -> SignalPoint? {
        var (sum, covered, isEstimated): (Double, Int64, Bool) = (0, 0, false)
        for point in points {
            guard let part = point.interval.intersection(step) else { break }
            sum += point.value * Double(part.milliseconds)
            covered += part.milliseconds
            isEstimated = isEstimated || point.isEstimated
        }
        guard covered == step.milliseconds else { return nil }
        return SignalPoint(interval: step, value: sum / Double(covered), isEstimated: isEstimated)
    }

    /// The points that matter inside `interval`, with short gaps filled.
    private func bridged(around interval: Interval) -> [SignalPoint] {
        // A neighbour just outside is needed to bridge a gap that crosses the edge.
        let reach = points.map(\.interval.milliseconds).max().map { min($0, .millisecondsPerDay) * 3 } ?? 0
        guard
            let wide = Interval(
                start: interval.start.advanced(byMilliseconds: -reach),
                end: interval.end.advanced(byMilliseconds: reach))
        else { return [] }
        var result: [SignalPoint] = []
        for point in overlapping(wide) {
            if let last = result.last, let gap = Interval(start: last.interval.end, end: point.interval.start),
                gap.milliseconds <= 2 * last.interval.milliseconds
            {
                result.append(
                    SignalPoint(
                        interval: gap, value: (last.value + point.value) / 2,
                        isEstimated: true))
            }
            result.append(point)
        }
        return result
    }
}
