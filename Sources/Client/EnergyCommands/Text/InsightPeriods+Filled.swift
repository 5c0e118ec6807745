internal import EnergyModel
internal import Foundation

extension InsightPeriods {
    /// `records` with those added that the query's range has room for and nothing was in.
    static func filled(_ records: [InsightRecord], for query: InsightQuery, in zone: TimeZone) -> [InsightRecord] {
        let periods = CalendarPeriods(query.granularity, timeZone: zone)
        let known = Dictionary(records.map { ($0.interval.start, $0) }, uniquingKeysWith: { first, _ in first })
        let bounds = CalendarPeriods.supported
        var filled: [InsightRecord] = []
        var point = max(query.range.start, bounds.lowerBound)
        while point < min(query.range.end, bounds.upperBound), filled.count < periodsMax {
            let period = periods.period(containing: point)
            filled.append(
                known[period.start]
                    ?? InsightRecord(
                        interval: period, total: .zero, byCleanliness: query.byCleanliness ? [:] : nil,
                        byTariff: query.byTariff ? [:] : nil))
            point = period.end
        }
        return filled
    }

    /// Five years of quarters of an hour, with a leap year.
    private static let periodsMax = 5 * 366 * 100
}
