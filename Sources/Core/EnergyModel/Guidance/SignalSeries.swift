/// The values of one signal in order of time.
public struct SignalSeries: Hashable, Sendable {
    /// Sorted, without overlaps; there may be gaps.
    public let points: [SignalPoint]

    public static let empty = SignalSeries([])

    /// Takes the points in any order. Where two overlap, the one given later wins, as a correction follows what it
    /// corrects: it replaces a value of the same start and cuts one that begins earlier.
    public init(_ points: [SignalPoint]) {
        if zip(points, points.dropFirst()).allSatisfy({ $0.interval.end <= $1.interval.start }) {
            self.points = points
            return
        }
        let sorted = points.enumerated().sorted {
            ($0.element.interval.start, $0.offset) < ($1.element.interval.start, $1.offset)
        }
        var result: [SignalPoint] = []
        for (_, point) in sorted {
            while let last = result.last, last.interval.end > point.interval.start {
                result.removeLast()
                guard let kept = Interval(start: last.interval.start, end: point.interval.start) else { continue }
                result.append(
                    SignalPoint(
                        interval: kept, value: last.value, isEstimated: last.isEstimated))
            }
            result.append(point)
        }
        self.points = result
    }

    /// The points that touch `interval`, whole.
    public func overlapping(_ interval: Interval) -> ArraySlice<SignalPoint> {
        let first = firstIndex { $0.interval.end > interval.start }
        let end = firstIndex { $0.interval.start >= interval.end }
        return first < end ? points[first..<end] : []
    }

    /// This series with newer values in place of its own: an old value that touches a newer one goes.
    ///
    /// Unlike cutting, this leaves no remains when a source changes the length of its steps.
    public func corrected(by newer: SignalSeries) -> SignalSeries {
        var (kept, rest): ([SignalPoint], ArraySlice<SignalPoint>) = ([], newer.points[...])
        for point in points {
            while let first = rest.first, first.interval.end <= point.interval.start { rest.removeFirst() }
            if let first = rest.first, first.interval.overlaps(point.interval) { continue }
            kept.append(point)
        }
        return SignalSeries((kept + newer.points).sorted { $0.interval.start < $1.interval.start })
    }

    /// What was not over at `instant`.
    public func ending(after instant: Timestamp) -> SignalSeries {
        SignalSeries(Array(points[firstIndex { $0.interval.end > instant }...]))
    }

    /// What was over before `instant`.
    public func ended(by instant: Timestamp) -> SignalSeries {
        SignalSeries(Array(points[..<firstIndex { $0.interval.end > instant }]))
    }

    /// Binary search; `isAtOrAfter` is false for a prefix of the points and true for the rest.
    private func firstIndex(_ isAtOrAfter: (SignalPoint) -> Bool) -> Int {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if isAtOrAfter(points[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
