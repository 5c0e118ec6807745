internal import Foundation

/// A span of time during which one rate holds.
public struct PricedInterval: Hashable, Sendable {
    public let interval: Interval
    /// `nil` when the plan names no price for this time.
    public let price: Price?
    public let peak: TariffPeak

    public init(interval: Interval, price: Price?, peak: TariffPeak) {
        self.interval = interval
        self.price = price
        self.peak = peak
    }
}

extension RatePlan {
    /// The rate at an instant.
    public func rate(at instant: Timestamp) -> (price: Price?, peak: TariffPeak) {
        let zone = zone(at: LocalTime(instant, offsetMilliseconds: timeZone.offsetMilliseconds(at: instant)))
        return (zone?.price, zone?.peak ?? .unknown)
    }

    /// `interval` cut at every instant where the price or the peak changes: sorted, without gaps, neighbours differ.
    ///
    /// The zones are read on the clock on the wall: an hour that repeats is priced twice alike, one that is skipped is
    /// not priced, and a zone that crosses midnight belongs to the weekday and month it starts in.
    ///
    /// - Parameter interval: at most a few years.
    public func priced(_ interval: Interval) -> [PricedInterval] {
        let minutes = Set(zones.flatMap { [$0.startMinute, $0.endMinute % 1440] } + [0]).sorted()
        var result: [PricedInterval] = []
        for span in timeZone.offsetSpans(in: interval) {
            var start = span.interval.start
            while start < span.interval.end {
                let local = LocalTime(start, offsetMilliseconds: span.offsetMilliseconds)
                let nextMinute = minutes.first { $0 > local.minuteOfDay } ?? 1440
                // From the local minute's own start: `start` may lie inside it.
                let minuteStart = start.floored(toMilliseconds: .millisecondsPerMinute)
                let edge = minuteStart.advanced(
                    byMilliseconds: Int64(nextMinute - local.minuteOfDay) * .millisecondsPerMinute)
                let end = min(edge, span.interval.end)
                append(zone(at: local), from: start, to: end, to: &result)
                start = end
            }
        }
        return result
    }

    private func append(_ zone: RateZone?, from start: Timestamp, to end: Timestamp, to result: inout [PricedInterval])
    {
        let (price, peak) = (zone?.price, zone?.peak ?? .unknown)
        let joins = result.last.map { $0.price == price && $0.peak == peak } ?? false
        let begin = joins ? result.removeLast().interval.start : start
        guard let interval = Interval(start: begin, end: end) else { return }
        result.append(PricedInterval(interval: interval, price: price, peak: peak))
    }

    private func zone(at local: LocalTime) -> RateZone? { zones.last { $0.matches(local) } }
}

extension RateZone {
    func matches(_ local: LocalTime) -> Bool {
        let minute = local.minuteOfDay
        if startMinute < endMinute { return startMinute <= minute && minute < endMinute && isOn(day: local.day) }
        // Over midnight: the evening of this day, or the morning after the day before.
        if minute >= startMinute { return isOn(day: local.day) }
        return minute < endMinute && isOn(day: local.day - 1)
    }

    private func isOn(day: Int64) -> Bool {
        (weekdays == 0 || weekdays >> UInt32(LocalTime.weekday(ofDay: day)) & 1 == 1)
            && (months == 0 || months >> UInt32(LocalTime.month(ofDay: day) - 1) & 1 == 1)
    }
}
