public import EnergyFeeds
public import EnergyModel
internal import EnergyStore
internal import Foundation

extension InsightProjector {
    /// Days older than this are not asked about again: what is unknown of them stays so. A file of last month is in time on
    /// the last day of this one, 62 days after the first of its own.
    public static let lateSignalMilliseconds: Int64 = 65 * .millisecondsPerDay
    private static let lateDaysMax = 4_096

    /// Asks again about the days of which something was unknown when it was counted, and counts anew the sessions that
    /// touched what is known by now. What was known once never changes, but for ratings: where a price, carbon or peak
    /// comes late, the whole local day is rated anew, so that it does not matter which of them came first.
    ///
    /// A day that cannot be counted anew, because the log has other events than were counted, stands in no other's way.
    ///
    /// - Parameter onConflict: told of such a day.
    /// - Returns: how many days were filled in.
    /// - Throws: `.unavailable` when signals, store or log cannot be had now; days filled in before stay.
    @discardableResult
    public func fillGaps(
        from log: any EventLogReader, now: Timestamp, onConflict: (EnergyError) -> Void = { _ in }
    ) async throws(EnergyError) -> Int {
        let oldest = now.advanced(byMilliseconds: -Self.lateSignalMilliseconds)
        var filled = 0
        for key in try await store.incompleteDays(since: oldest, limit: Self.lateDaysMax) {
            let late = try await lateTerms(of: key)
            do throws(EnergyError) {
                let isFilled = try await lock.hold { () async throws(EnergyError) in try await self.fill(late, log) }
                if isFilled { filled += 1 }
            } catch {
                guard error.code == .conflict else { throw error }
                onConflict(error)
            }
        }
        return filled
    }

    /// Fills in what is known later, now and every quarter of an hour, until the task is cancelled; after a minute where
    /// something that is needed is away.
    public func fillGaps(
        from log: any EventLogReader, clock: any Clock<Duration>, wallClock: any WallClock,
        onFailure: (EnergyError) -> Void
    ) async {
        while !Task.isCancelled {
            var wait = Duration.seconds(900)
            do throws(EnergyError) {
                try await rateAnew(from: log)
                try await fillGaps(from: log, now: wallClock.now, onConflict: onFailure)
            } catch {
                onFailure(error)
                wait = .seconds(60)
            }
            do { try await clock.sleep(for: wait) } catch { return }
        }
    }

    /// What is known of a day by now.
    func terms(of key: FrozenDayKey) async throws(EnergyError) -> TermsTimeline {
        try await signals.terms(of: key, in: try await zone(of: key))
    }

    private func zone(of key: FrozenDayKey) async throws(EnergyError) -> TimeZone {
        try await timeZones(of: [key.venueID])[key.venueID] ?? .gmt
    }

    /// What is known by now of a day, and of those beside it that share local days with it which are to be rated anew.
    private struct LateTerms {
        let key: FrozenDayKey
        let localDays: CalendarPeriods
        var known: [FrozenDayKey: TermsTimeline]

        /// The local days to rate anew. A day has few.
        func rated(_ day: FrozenDay) -> [Interval] {
            var result: [Interval] = []
            for span in known[key].map(day.newlyRatable) ?? [] {
                var start = span.start
                while start < span.end {
                    let period = localDays.period(containing: start)
                    if result.last != period { result.append(period) }
                    start = period.end
                }
            }
            return result
        }
    }

    /// Asked for before the lock is taken: nobody waits for the guidance-publisher meanwhile.
    private func lateTerms(of key: FrozenDayKey) async throws(EnergyError) -> LateTerms {
        let zone = try await zone(of: key)
        var late = LateTerms(
            key: key, localDays: CalendarPeriods(.daily, timeZone: zone),
            known: [key: try await signals.terms(of: key, in: zone)])
        let beside = [-1, 1].map { shift in
            FrozenDayKey(
                venueID: key.venueID, start: key.start.advanced(byMilliseconds: shift * .millisecondsPerDay))
        }
        let days = try await store.frozenDays(Set(beside + [key]))
        guard let rated = days[key].map(late.rated), !rated.isEmpty else { return late }
        for key in beside {
            guard let day = days[key], rated.contains(where: { $0.intersection(day.interval) != nil }) else { continue }
            late.known[key] = try await signals.terms(of: key, in: zone)
        }
        return late
    }

    /// - Precondition: the lock is held.
    private func fill(_ late: LateTerms, _ log: any EventLogReader) async throws(EnergyError) -> Bool {
        let days = try await store.frozenDays(Set(late.known.keys))
        guard let day = days[late.key], let known = late.known[late.key], let filled = day.filled(from: known) else {
            return false
        }
        let localDays = late.rated(day)
        var revised = [late.key: filled.rated(as: known, in: localDays)]
        let own = revised
        for (key, known) in late.known where key != late.key {
            guard let day = days[key] else { continue }
            let rated = day.rated(as: known, in: localDays)
            revised[key] = rated == day ? nil : rated
        }
        if try await revise(revised, log) { return true }
        // Of the days beside it the log may have less.
        guard revised.count > own.count else { return false }
        return try await revise(own, log)
    }
}
