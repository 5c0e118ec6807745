public import EnergyModel
internal import EnergyStore
internal import Foundation

extension InsightService {
    private static let activitiesMax = 200
    /// Sessions are looked up by when they went on, so many days at a time.
    private static let windowMilliseconds = 7 * Int64.millisecondsPerDay

    /// Writes what happened in the query's range, in words: at least one page, each of at most 200 entries, sorted as
    /// ``ActivityPage`` says.
    ///
    /// - Throws: as ``answer(_:write:)-(InsightQuery,_)``.
    public func answer(
        _ query: ActivityQuery, write: (ActivityPage) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        try Self.check(query.range, windowDaysMax: Granularity.yearly.windowDaysMax)
        let teller = ActivityTeller(in: try await timeZone(of: query.venueID))
        var (start, position): (Timestamp, [LogHead]?) = (query.range.start, nil)
        while let window = Interval(
            start: start, end: min(query.range.end, start.advanced(byMilliseconds: Self.windowMilliseconds)))
        {
            start = window.end
            try await answer(query, in: window, isLast: start == query.range.end) {
                (activities, applied) async throws(EnergyError) in
                let entries = activities.map { ToldActivity(activity: $0, text: teller.text($0)) }
                let first = position ?? Self.allPartitions(applied)
                position = first
                try await write(ActivityPage(entries: entries, applied: first))
            }
        }
    }

    /// - Parameter isLast: writes a page also where nothing is left to be in it: it says what the answer is true of.
    private func answer(
        _ query: ActivityQuery, in window: Interval, isLast: Bool,
        write: ([Activity], [LogHead]) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        var part = query
        part.range = window
        var sessions = try await endedSessions(part)[...]
        var last: ActivityCursor?
        repeat {
            let found = try await store.statuses(part, after: last, limit: Self.activitiesMax)
            last = found.statuses.count < Self.activitiesMax ? nil : found.last
            // Sessions before the last status; all that are left when no status follows.
            let before = sessions.prefix { session in
                last.map { (session.time, session.rank) < ($0.time, Activity.statusRank) } ?? true
            }
            sessions = sessions.dropFirst(before.count)
            var rest = Self.sorted(found.statuses + before)[...]
            while !rest.isEmpty || (isLast && last == nil) {
                try await write(Array(rest.prefix(Self.activitiesMax)), found.applied)
                rest = rest.dropFirst(Self.activitiesMax)
                if rest.isEmpty { break }
            }
        } while last != nil
    }

    /// Those whose newest event is in the range.
    private func endedSessions(_ query: ActivityQuery) async throws(EnergyError) -> [Activity] {
        guard query.wants(.session) else { return [] }
        return try await store.sessions(venueID: query.venueID, touching: query.range)
            .filter {
                query.range.contains($0.timestamp) && (query.deviceID ?? $0.series.deviceID) == $0.series.deviceID
            }
            .map { Activity(SessionInsight($0)) }
            .sorted { ($0.time, $0.rank, $0.id.uuidString) < ($1.time, $1.rank, $1.id.uuidString) }
    }

    /// By time, and as they were where that is the same: an end comes before what it led to, a begin after what led to it.
    private static func sorted(_ activities: [Activity]) -> [Activity] {
        activities.enumerated().sorted {
            ($0.element.time, $0.element.rank, $0.offset) < ($1.element.time, $1.element.rank, $1.offset)
        }.map(\.element)
    }
}

extension Activity {
    fileprivate static let statusRank = 1

    /// Among what is of one time.
    fileprivate var rank: Int {
        switch content {
        case .session(let session): session.isOver ? 0 : 2
        case .status: Self.statusRank
        }
    }
}
