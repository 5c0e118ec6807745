internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import Synchronization

/// Means of months that are over: asked for once in hours, for a year is more than a page should wait for each time.
final class PastMonths: Sendable {
    /// Measured values still come for some days after a month is over.
    private static let memoryMilliseconds = 6 * Int64.millisecondsPerHour
    private static let monthsMax = 1_000

    private struct Key: Hashable {
        let venueID: UUID
        let currency: String
        let start: Timestamp
    }
    private let kept = Mutex<[Key: (means: HourMeans, at: Timestamp)]>([:])

    /// - Returns: the answer of `ask`, or the one that it gave lately.
    func means(
        _ venue: Venue, _ currency: String, from start: Timestamp, now: Timestamp,
        _ ask: () async throws(EnergyError) -> HourMeans
    ) async throws(EnergyError) -> HourMeans {
        let key = Key(venueID: venue.id, currency: currency, start: start)
        if let known = kept.withLock({ $0[key] }), now.milliseconds(since: known.at) < Self.memoryMilliseconds {
            return known.means
        }
        let means = try await ask()
        kept.withLock { kept in
            if kept.count >= Self.monthsMax { kept.removeAll() }
            kept[key] = (means, now)
        }
        return means
    }
}

extension HomeReader {
    /// Of the present month until `now` and those before it, on the venue's clocks; without those that nobody told.
    func months(_ venue: Venue, _ currency: String, now: Timestamp) async -> [MonthlyPrices.Month] {
        let calendar = CalendarPeriods(.monthly, timeZone: venue.timeZone)
        var spans = [calendar.period(containing: now)]
        while spans.count <= MonthlyPrices.monthsBefore, let first = spans.last {
            spans.append(calendar.period(containing: first.start.advanced(byMilliseconds: -1)))
        }
        return await withTaskGroup(of: MonthlyPrices.Month?.self) { group in
            for span in spans {
                group.addTask {
                    let ask = { () async throws(EnergyError) in try await self.means(venue, currency, span, now) }
                    let means =
                        span.end > now
                        ? try? await ask()
                        : try? await self.pastMonths.means(venue, currency, from: span.start, now: now, ask)
                    return means.map { MonthlyPrices.Month(start: span.start, means: $0) }
                }
            }
            return await group.reduce(into: []) { months, month in if let month { months.append(month) } }
        }
    }

    private func means(
        _ venue: Venue, _ currency: String, _ month: Interval, _ now: Timestamp
    ) async throws(EnergyError) -> HourMeans {
        let offsets = ZoneOffsets.of(venue.timeZone)
        func local(_ time: Timestamp) -> LocalTime {
            LocalTime(time, offsetMilliseconds: offsets.offsetMilliseconds(at: time))
        }
        var (means, start) = (HourMeans(), month.start)
        let end = min(month.end, now.floored(toMilliseconds: .millisecondsPerHour))
        // In halves: a month of 31 days has an hour more in autumn than can be asked for at once.
        while start < end,
            let half = Interval(
                start: start, end: min(end, start.advanced(byMilliseconds: 16 * .millisecondsPerDay)))
        {
            let prices = try await came(venue, half).compactMap { $0.paid(currency) }
            for part in HourMeans.means(prices, by: \.month, local).values { means.add(part) }
            start = half.end
        }
        return means
    }
}
