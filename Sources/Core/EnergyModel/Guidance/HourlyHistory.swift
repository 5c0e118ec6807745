/// The past of one signal in whole hours of UTC: what a year of it costs 70 KB.
public struct HourlyHistory: Hashable, Sendable {
    public static let empty = HourlyHistory(start: Timestamp(unixMilliseconds: 0), values: [])
    /// More than this is not kept: the oldest goes first.
    public static let hoursMax = 400 * 24

    /// A multiple of an hour since 1970.
    public let start: Timestamp
    /// One per hour from ``start``; not a number where nothing is known.
    public let values: [Double]

    public var end: Timestamp { start.advanced(byMilliseconds: Int64(values.count) * .millisecondsPerHour) }
    public var isEmpty: Bool { values.isEmpty }

    private init(start: Timestamp, values: [Double]) {
        let excess = max(0, values.count - Self.hoursMax)
        self.start = start.advanced(byMilliseconds: Int64(excess) * .millisecondsPerHour)
        self.values = excess == 0 ? values : Array(values.dropFirst(excess))
    }

    /// The means of the hours of which `series` knows the whole, from the first to the last such hour.
    ///
    /// Short gaps are bridged as ``SignalSeries/resampled(over:stepMilliseconds:)`` does.
    public init(_ series: SignalSeries) {
        guard let first = series.points.first?.interval.start, let last = series.points.last?.interval.end else {
            self = .empty
            return
        }
        let end = last.floored(toMilliseconds: .millisecondsPerHour)
        let start = max(
            first.floored(toMilliseconds: .millisecondsPerHour),
            end.advanced(byMilliseconds: -Int64(Self.hoursMax) * .millisecondsPerHour))
        guard let known = Interval(start: start, end: end) else {
            self = .empty
            return
        }
        let steps = series.resampled(over: known, stepMilliseconds: .millisecondsPerHour)
            .map { $0.flatMap { $0.value.isFinite ? $0.value : nil } }
        guard let from = steps.firstIndex(where: { $0 != nil }), let to = steps.lastIndex(where: { $0 != nil }) else {
            self = .empty
            return
        }
        self.init(
            start: known.start.advanced(byMilliseconds: Int64(from) * .millisecondsPerHour),
            values: steps[from...to].map { $0 ?? .nan })
    }

    /// The same hours with other values, as many.
    func replacing(_ values: [Double]) -> HourlyHistory { HourlyHistory(start: start, values: values) }

    /// This history followed by `next`, which wins from its first hour on.
    public func continued(by next: HourlyHistory) -> HourlyHistory {
        if isEmpty { return next }
        if next.isEmpty { return self }
        let hours = next.start.milliseconds(since: start) / .millisecondsPerHour
        // A gap longer than all that is kept makes the older part worthless.
        guard 0...Int64(Self.hoursMax) ~= hours else { return next }
        let kept = values.prefix(Int(hours))
        let gap = Array(repeating: Double.nan, count: Int(hours) - kept.count)
        return HourlyHistory(start: start, values: kept + gap + next.values)
    }
}
