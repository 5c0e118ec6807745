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
            guard let price = item.price, item.currency == currency else { return nil }
            let end = start.map { min($0, item.interval.end) } ?? item.interval.end
            return Interval(start: item.interval.start, end: end).map { ($0, price) }
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
        var days: [Int64: (start: Timestamp, hours: [Int: Mean])] = [:]
        for (interval, price) in prices {
            for part in Self.quarters(of: interval) {
                let local = formats.local(part.start)
                days[local.day, default: (part.start, [:])]
                    .hours[local.minuteOfDay / 60, default: Mean()].add(price, part.milliseconds)
            }
        }
        let range = HeatTable.range(days.values.flatMap { $0.hours.values.compactMap(\.price) })
        return days.sorted { $0.key > $1.key }.map { _, day in
            let cells = (0..<24).map { hour -> HeatTable.Cell in
                guard let price = day.hours[hour]?.price else { return .none }
                return HeatTable.Cell(text: formats.bare(price), shade: HeatTable.shade(price, in: range))
            }
            return ("\(formats.weekday(day.start)) \(formats.shortDate(day.start))", cells)
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

    /// Clocks of all zones begin their hours with a quarter of an hour.
    private static func quarters(of interval: Interval) -> [Interval] {
        var (parts, start) = ([Interval](), interval.start)
        while start < interval.end {
            let next = start.floored(toMilliseconds: quarter).advanced(byMilliseconds: quarter)
            if let part = Interval(start: start, end: min(next, interval.end)) { parts.append(part) }
            start = next
        }
        return parts
    }

    private static let quarter = 15 * Int64.millisecondsPerMinute

    /// Of the prices in an hour, by how long they held.
    private struct Mean {
        private var (sum, milliseconds) = (0.0, 0.0)

        mutating func add(_ price: Price, _ length: Int64) {
            sum += Double(price.microsPerKilowattHour) * Double(length)
            milliseconds += Double(length)
        }

        var price: Price? {
            Int64(exactly: (sum / milliseconds).rounded()).map(Price.init(microsPerKilowattHour:))
        }
    }
}
