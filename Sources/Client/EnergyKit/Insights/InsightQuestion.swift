internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// One question, asked in parts that the service accepts.
struct InsightQuestion: Sendable {
    let deviceID: String
    let venueID: UUID
    let query: ElectricityInsightQuery

    /// Shorter than the service's longest range, which is five years and a window.
    private static let partMillisecondsMax = 4 * 366 * Int64.millisecondsPerDay
    /// Years of hourly records take this long over a slow line.
    private static let timeout: Duration = .seconds(120)

    /// All records, sorted by start.
    func answer(_ services: EnergyServices) async throws(EnergyError) -> [InsightRecord] {
        // Parts are widened to windows that overlap: a record that both contain is the same record.
        var records: [Timestamp: InsightRecord] = [:]
        let client = try services.client(.insights)
        for part in Self.parts(of: query.range, now: Timestamp(Date())) {
            let question = InsightQuery(
                venueID: venueID, deviceID: deviceID, range: part, granularity: query.granularity.model,
                direction: query.flowDirection.model, byCleanliness: query.options.contains(.cleanliness),
                byTariff: query.options.contains(.tariff))
            try await client.stream(Methods.queryInsights, question, timeout: Self.timeout) { page in
                for record in page.records { records[record.interval.start] = record }
            }
        }
        return records.values.sorted { $0.interval.start < $1.interval.start }
    }

    /// The range, cut to where records can be (1970 to five years ahead) and into parts; never none, so that an unknown
    /// venue is refused whatever the range.
    static func parts(of range: DateInterval, now: Timestamp) -> [Interval] {
        let latest = now.advanced(byMilliseconds: 5 * 366 * .millisecondsPerDay)
        func kept(_ date: Date) -> Timestamp {
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
            // Not a number: the comparison below would let it through.
            guard !milliseconds.isNaN else { return now }
            return Timestamp(
                unixMilliseconds: Int64(min(max(milliseconds, 0), Double(latest.unixMilliseconds))))
        }
        var start = kept(range.start)
        let end = max(kept(range.end), start.advanced(byMilliseconds: 1))
        var parts: [Interval] = []
        while start < end {
            let partEnd = min(end, start.advanced(byMilliseconds: partMillisecondsMax))
            parts.append(Interval(start: start, milliseconds: partEnd.milliseconds(since: start)))
            start = partEnd
        }
        return parts
    }
}

extension ElectricityInsightQuery.Granularity {
    fileprivate var model: EnergyModel.Granularity {
        switch self {
        case .hourly: .hourly
        case .daily: .daily
        case .weekly: .weekly
        case .monthly: .monthly
        case .yearly: .yearly
        }
    }
}

extension DateInterval {
    /// As a client sees it: Foundation's interval includes its end, a record's end is the next record's start.
    init(_ interval: Interval) { self.init(start: interval.start.date, end: interval.end.date) }
}
