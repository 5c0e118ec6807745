public import EnergyModel
public import EnergyStore
internal import Foundation

/// Answers questions about past energy and run time from what is projected.
///
/// It answers at any time, also while the projection is behind: every page says up to where the log is counted, so a
/// caller who needs more compares that with the heads of the log. Only the venue's time zone must be known: without it, and
/// its source away, the answer is `unavailable`.
public struct InsightService: Sendable {
    public static let pageRecordsMax = 500

    private let store: any InsightStore
    private let venues: any VenueSource

    public init(store: any InsightStore, venues: any VenueSource) {
        self.store = store
        self.venues = venues
    }

    /// Writes the answer: at least one page, each of at most ``pageRecordsMax`` records, sorted. Periods in which nothing
    /// was used have no record.
    ///
    /// - Throws: `.invalidInput` for a range outside the limits, `.notFound` for an unknown venue, `.unavailable`, and
    ///   what `write` throws.
    public func answer(
        _ query: InsightQuery, write: (InsightPage) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        try Self.check(query)
        let timeZone = try await timeZone(of: query.venueID)
        let periods = CalendarPeriods(query.granularity, timeZone: timeZone)
        let window = query.exactRange ? periods.exactWindow(of: query.range) : periods.window(of: query.range)
        let scope = InsightScope(venueID: query.venueID, deviceID: query.deviceID, direction: query.direction)
        var rest: Interval? = window
        while let range = rest {
            let totals = try await store.totals(of: scope, in: range, by: periods, limit: Self.pageRecordsMax)
            let records = totals.periods.map { InsightRecord($0, for: query) }
            try await write(InsightPage(records: records, applied: Self.allPartitions(totals.applied)))
            rest = totals.next.flatMap { Interval(start: $0, end: window.end) }
        }
    }

    private func timeZone(of venueID: UUID) async throws(EnergyError) -> TimeZone {
        do throws(EnergyError) { return try await venues.venue(id: venueID).timeZone } catch {
            guard error.code == .unavailable, error.retryAfterMilliseconds == nil else { throw error }
            throw EnergyError(.unavailable, error.message, retryAfterMilliseconds: 1_000)
        }
    }

    private static func check(_ query: InsightQuery) throws(EnergyError) {
        let supported = CalendarPeriods.supported
        guard supported.contains(query.range.start), supported.contains(query.range.end) else {
            throw .invalidInput(
                RuleViolation(field: "range", rule: "must lie between 1970 and 9998", value: "\(query.range)"))
        }
        let daysMax = 5 * 366 + query.granularity.windowDaysMax
        guard query.range.milliseconds <= daysMax * .millisecondsPerDay else {
            throw .invalidInput(
                RuleViolation(field: "range", rule: "must be at most \(daysMax) days", value: "\(query.range)"))
        }
    }

    private static func allPartitions(_ applied: [LogHead]) -> [LogHead] {
        var heads = (0..<LogPartition.count).map { LogHead(partition: $0, sequence: 0) }
        for head in applied where heads.indices.contains(head.partition) { heads[head.partition] = head }
        return heads
    }
}

extension Granularity {
    /// The longest window that an answer is widened to.
    fileprivate var windowDaysMax: Int64 {
        switch self {
        case .hourly: 7
        case .daily: 31
        case .weekly: 189
        case .monthly, .yearly: 366
        }
    }
}

extension InsightRecord {
    fileprivate init(_ period: InsightTotals.Period, for query: InsightQuery) {
        self.init(
            interval: period.interval, total: period.amounts.values.reduce(.zero, +),
            byCleanliness: query.byCleanliness ? period.amounts.summed(by: \.cleanliness) : nil,
            byTariff: query.byTariff ? period.amounts.summed(by: \.peak) : nil)
    }
}

extension [InsightClass: InsightAmount] {
    fileprivate func summed<Part: Hashable>(by part: KeyPath<InsightClass, Part>) -> [Part: InsightAmount] {
        reduce(into: [:]) { sums, entry in sums[entry.key[keyPath: part], default: .zero] += entry.value }
    }
}
