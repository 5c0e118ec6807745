internal import Foundation

/// A span of time during which one rate holds.
public struct PricedInterval: Hashable, Sendable {
    public let interval: Interval
    /// With charges; `nil` when the plan names no price for this time, or its source's is missing.
    public let price: Price?
    public let peak: TariffPeak
    /// The peak was found by comparing prices: the contract does not name it.
    public let isPeakDerived: Bool
    /// What is paid for energy that is fed in; `nil` when unknown.
    public let exportPrice: Price?

    public init(
        interval: Interval, price: Price?, peak: TariffPeak, isPeakDerived: Bool = false, exportPrice: Price? = nil
    ) {
        self.interval = interval
        self.price = price
        self.peak = peak
        self.isPeakDerived = isPeakDerived
        self.exportPrice = exportPrice
    }

    /// - Returns: both as one, `nil` unless `next` follows at once and says the same.
    func joined(with next: PricedInterval) -> PricedInterval? {
        guard interval.end == next.interval.start,
            let whole = Interval(start: interval.start, end: next.interval.end)
        else { return nil }
        let joined = PricedInterval(
            interval: whole, price: price, peak: peak, isPeakDerived: isPeakDerived, exportPrice: exportPrice)
        return joined.moved(to: next.interval) == next ? joined : nil
    }

    private func moved(to interval: Interval) -> PricedInterval {
        PricedInterval(
            interval: interval, price: price, peak: peak, isPeakDerived: isPeakDerived, exportPrice: exportPrice)
    }
}

extension RatePlan {
    /// The rate at an instant.
    public func rate(
        at instant: Timestamp, _ conditions: RateConditions = RateConditions()
    ) -> (price: Price?, peak: TariffPeak) {
        let rate = priced(Interval(start: instant, milliseconds: 1), conditions).first
        return (rate?.price, rate?.peak ?? .unknown)
    }

    /// `interval` cut at every instant where the rate changes: sorted, without gaps, neighbours differ.
    ///
    /// The zones are read on the clock on the wall: an hour that repeats is priced twice alike, one that is skipped is
    /// not priced, and a zone that crosses midnight belongs to the weekday, month and season it starts in.
    ///
    /// - Parameter interval: at most a few years.
    public func priced(_ interval: Interval, _ conditions: RateConditions = RateConditions()) -> [PricedInterval] {
        var reader = RateReader(self, conditions, in: interval)
        let minutes = Set((zones + exportZones).flatMap { [$0.startMinute, $0.endMinute % 1440] } + [0]).sorted()
        var edges = reader.edges[...]
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
                while let first = edges.first, first <= start { edges.removeFirst() }
                let end = min(edge, span.interval.end, edges.first ?? edge)
                // `start` is before each of them.
                let part = Interval(start: start, milliseconds: end.milliseconds(since: start))
                let rate = reader.rate(during: part, local, offsetMilliseconds: span.offsetMilliseconds)
                if let joined = result.last?.joined(with: rate) {
                    result[result.count - 1] = joined
                } else {
                    result.append(rate)
                }
                start = end
            }
        }
        return result
    }
}
