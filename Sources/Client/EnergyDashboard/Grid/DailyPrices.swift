internal import EnergyModel
internal import Foundation

/// What a contract that passes a market's prices on charged in each hour of the last days, and charges as far as that is
/// known: with the market's part, which the contract alone does not say.
struct DailyPrices {
    private static let daysBefore: Int64 = 7

    private let prices: [(interval: Interval, price: Price)]
    private let currency: String
    private let formats: Formats

    private var language: Language { formats.language }

    /// - Parameters:
    ///   - past: what is known of it by now.
    ///   - ahead: counts where both say a price.
    init(past: [SignalInterval], ahead: [GuidanceValue], currency: String, formats: Formats) {
        (self.currency, self.formats) = (currency, formats)
        let known = ahead.compactMap { value in value.price.map { (value.interval, $0) } }
        let start = known.first?.0.start
        let before = past.compactMap { item -> (Interval, Price)? in
            guard let (interval, price) = item.paid(currency) else { return nil }
            let end = start.map { min($0, interval.end) } ?? interval.end
            return Interval(start: interval.start, end: end).map { ($0, price) }
        }
        prices = before + known
    }

    /// The days before, and today until now.
    static func interval(at now: Timestamp, in zone: TimeZone) -> Interval {
        let today = CalendarPeriods(.daily, timeZone: zone).period(containing: now).start
        let start = today.advanced(byMilliseconds: -daysBefore * .millisecondsPerDay)
        let end = now.floored(toMilliseconds: .millisecondsPerHour)
        return Interval(start: start, end: max(end, today)) ?? Interval(start: start, milliseconds: .millisecondsPerDay)
    }

    /// The newest day first: people look at what is ahead.
    var rows: [(name: String, cells: [HeatTable.Cell])] {
        let days = HourMeans.means(prices, by: \.day, formats.local)
        let range = HeatTable.range(days.values.flatMap(\.prices))
        return days.sorted { $0.key > $1.key }.map { day, means in
            // Noon, so that it is that day in every zone's clocks.
            let noon = Timestamp(unixMilliseconds: day * .millisecondsPerDay + .millisecondsPerDay / 2)
            let start = noon.advanced(byMilliseconds: -formats.timeZone.offsetMilliseconds(at: noon))
            return (formats.dayAndDate(start), means.cells(formats, in: range))
        }
    }

    func html() -> HTML {
        let rows = rows
        guard !rows.isEmpty else { return HTML() }
        return .element("div") {
            HeatTable(title: language(.dailyPrices), head: language(.formDay), rows: rows).html()
            HTML.element("p", [.class("note")]) { language(.dailyPricesHint, currency) }
        }
    }
}
