internal import EnergyModel

/// Where times are on a drawing, in percent of its width, so that it fits any screen without its text growing or shrinking.
struct TimeAxis: Sendable {
    struct Tick: Hashable, Sendable {
        let instant: Timestamp
        let label: String
        /// Midnight: the day's name stands there.
        let isDay: Bool
        /// Left out where there is little room.
        let isMinor: Bool
    }

    let interval: Interval

    /// `0...100`.
    func percent(_ instant: Timestamp) -> Double {
        let share = Double(instant.milliseconds(since: interval.start)) / Double(interval.milliseconds)
        return min(max(share, 0), 1) * 100
    }

    /// Left edge and width of the part of `span` that is seen; `nil` if none is.
    func extent(_ span: Interval) -> (left: Double, width: Double)? {
        guard let seen = span.intersection(interval) else { return nil }
        let left = percent(seen.start)
        return (left, percent(seen.end) - left)
    }

    /// Of more than that a narrow screen has room for noon and midnight only.
    private static let shortMilliseconds = 36 * Int64.millisecondsPerHour

    /// Every third hour of the venue's clocks; each sixth, or twelfth, is there on a narrow screen too.
    func ticks(_ formats: Formats) -> [Tick] {
        let first = interval.start.floored(toMilliseconds: .millisecondsPerHour)
        let major = interval.milliseconds > Self.shortMilliseconds ? 12 : 6
        // Some zones' hours begin at a half, or a quarter, of an hour.
        let quarter = Int64.millisecondsPerHour / 4
        let quarters = min(interval.milliseconds / quarter + 4, 24 * 14 * 4)
        return (0...max(0, quarters)).compactMap { index in
            let instant = first.advanced(byMilliseconds: index * quarter)
            let local = formats.local(instant)
            guard interval.start <= instant, instant < interval.end, local.hour % 3 == 0, local.minuteOfDay % 60 == 0
            else { return nil }
            let isDay = local.hour == 0
            return Tick(
                instant: instant, label: isDay ? formats.weekday(instant) : label(instant, formats), isDay: isDay,
                isMinor: local.hour % major != 0)
        }
    }

    private func label(_ instant: Timestamp, _ formats: Formats) -> String {
        formats.hasHalfDays ? formats.hour(instant) : formats.clock(instant)
    }
}

/// Where quantities are on a drawing, from its bottom up.
struct QuantityAxis: Sendable {
    /// `> 0`.
    let max: Double
    let step: Double
    let height: Double

    /// - Parameter largest: what has to be on it; the axis ends at a round number above.
    init(largest: Double, height: Double, steps: Int = 4) {
        let wanted = largest.isFinite && largest > 0 ? largest / Double(steps) : 0.25
        var step = 1.0
        while step < wanted { step *= 10 }
        while step / 10 >= wanted { step /= 10 }
        // Of 1, 2 and 5 times a power of ten the least that is enough.
        step = [0.1, 0.2, 0.5, 1].map { $0 * step }.first { $0 >= wanted } ?? step
        self.step = step
        max = (largest.isFinite && largest > 0 ? (largest / step - 1e-9).rounded(.up) : 4) * step
        self.height = height
    }

    /// From the top.
    func y(_ value: Double) -> Double { height - Swift.min(Swift.max(value / max, 0), 1) * height }

    var ticks: [Double] { (0...Int((max / step).rounded())).map { Double($0) * step } }

    /// That its numbers need.
    var decimals: Int { step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3 }
}
