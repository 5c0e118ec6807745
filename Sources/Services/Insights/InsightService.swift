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
    private static let pageSessionsMax = 200
    /// Periods that are added up at once: a year of quarters of an hour.
    private static let periodsMax = 36_000

    let store: any InsightStore
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
        try Self.check(query.range, windowDaysMax: query.granularity.windowDaysMax)
        let timeZone = try await timeZone(of: query.venueID)
        let periods = CalendarPeriods(query.granularity, timeZone: timeZone)
        let window = query.exactRange ? periods.exactWindow(of: query.range) : periods.window(of: query.range)
        let grid = PeriodGrid(periods, touching: window)
        var isFirst = true
        // Of a long answer's pages the first says up to where all of it is true: more is counted while it is written.
        var applied = query.grouping == .venue ? nil : Self.allPartitions(try await store.positions())
        for group in try await groups(of: query) {
            let scope = InsightScope(
                venueID: query.venueID, deviceID: group.deviceID ?? query.deviceID,
                kind: group.kind ?? query.deviceKind, direction: query.direction)
            let empty = InsightRecord(
                interval: window, deviceID: group.deviceID, deviceKind: group.kind, total: .zero,
                byCleanliness: query.byCleanliness ? [:] : nil, byTariff: query.byTariff ? [:] : nil,
                byBand: query.byBand ? [:] : nil)
            var page = RecordPage(like: empty, countMax: Self.pageRecordsMax)
            var next: Int? = 0
            while let first = next {
                let totals = try await store.totals(of: scope, over: grid, from: first, limit: Self.periodsMax)
                next = totals.next
                let position = applied ?? Self.allPartitions(totals.applied)
                applied = position
                var rest = totals.entries[...]
                while isFirst || !rest.isEmpty {
                    page.fill(from: &rest, grid)
                    isFirst = false
                    try await write(InsightPage(records: page.records, applied: position))
                }
            }
        }
        if isFirst {
            try await write(InsightPage(records: [], applied: Self.allPartitions(try await store.positions())))
        }
    }

    /// Writes the sessions that begin in the query's range: at least one page.
    ///
    /// - Throws: as ``answer(_:write:)``; an unknown venue has no sessions.
    public func answer(
        _ query: SessionQuery, write: (SessionInsightPage) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        try Self.check(query.range, windowDaysMax: Granularity.yearly.windowDaysMax)
        var (last, applied): (SessionCursor?, [LogHead]?) = (nil, nil)
        repeat {
            let found = try await store.sessions(query, after: last, limit: Self.pageSessionsMax)
            let position = applied ?? Self.allPartitions(found.applied)
            applied = position
            last = found.sessions.count < Self.pageSessionsMax ? nil : found.sessions.last.map(SessionCursor.init)
            try await write(
                SessionInsightPage(
                    sessions: found.sessions.map { SessionInsight($0) }, applied: position))
        } while last != nil
    }

    /// What the sessions saved that begin in the query's range.
    ///
    /// - Throws: as ``answer(_:write:)``; an unknown venue has no sessions.
    public func answer(_ query: SavingsQuery) async throws(EnergyError) -> SavingsAnswer {
        try Self.check(query.sessions.range, windowDaysMax: Granularity.yearly.windowDaysMax)
        var answer = try await store.savings(query)
        answer.applied = Self.allPartitions(answer.applied)
        return answer
    }

    /// What one record is about, beside what the query says.
    struct Group: Hashable {
        var deviceID: String?
        var kind: Device.Kind?
    }

    private func groups(of query: InsightQuery) async throws(EnergyError) -> [Group] {
        guard query.grouping != .venue else { return [Group()] }
        let scope = InsightScope(
            venueID: query.venueID, deviceID: query.deviceID, kind: query.deviceKind, direction: query.direction)
        var groups: [Group] = []
        for series in try await store.series(venueID: query.venueID) where scope.contains(series) {
            let group = Group(deviceID: query.grouping == .device ? series.deviceID : nil, kind: series.kind)
            if !groups.contains(group) { groups.append(group) }
        }
        return groups.sorted {
            ($0.deviceID ?? "", $0.kind?.rawValue ?? "") < ($1.deviceID ?? "", $1.kind?.rawValue ?? "")
        }
    }

    func timeZone(of venueID: UUID) async throws(EnergyError) -> TimeZone {
        do throws(EnergyError) { return try await venues.venue(id: venueID).timeZone } catch {
            guard error.code == .unavailable, error.retryAfterMilliseconds == nil else { throw error }
            throw EnergyError(.unavailable, error.message, retryAfterMilliseconds: 1_000)
        }
    }

    static func check(_ range: Interval, windowDaysMax: Int64) throws(EnergyError) {
        let supported = CalendarPeriods.supported
        guard supported.contains(range.start), supported.contains(range.end) else {
            throw .invalidInput(
                RuleViolation(field: "range", rule: "must lie between 1970 and 9998", value: "\(range)"))
        }
        let daysMax = Granularity.rangeDaysMax + windowDaysMax
        guard range.milliseconds <= daysMax * .millisecondsPerDay else {
            throw .invalidInput(
                RuleViolation(field: "range", rule: "must be at most \(daysMax) days", value: "\(range)"))
        }
    }

    static func allPartitions(_ applied: [LogHead]) -> [LogHead] {
        var heads = (0..<LogPartition.count).map { LogHead(partition: $0, sequence: 0) }
        for head in applied where heads.indices.contains(head.partition) { heads[head.partition] = head }
        return heads
    }
}
