internal import EnergyFeeds
internal import EnergyModel
internal import EnergyStore
internal import Foundation

extension InsightProjector {
    /// Counts the sessions anew that touched a day, by what becomes of its terms.
    ///
    /// - Precondition: the lock is held.
    /// - Returns: `false` where nothing becomes of it, or the log no longer has those sessions.
    func revise(
        _ key: FrozenDayKey, _ log: any EventLogReader, _ change: (FrozenDay) -> FrozenDay?
    ) async throws(EnergyError) -> Bool {
        guard let day = try await store.frozenDays([key])[key], let revised = change(day) else { return false }
        return try await revise([key: revised], log)
    }

    /// The same for days of one venue that become others together, in one transaction.
    func revise(
        _ days: [FrozenDayKey: FrozenDay], _ log: any EventLogReader
    ) async throws(EnergyError) -> Bool {
        guard let venueID = days.keys.first?.venueID, let start = days.keys.map(\.start).min(),
            let end = days.values.map(\.interval.end).max(), let span = Interval(start: start, end: end)
        else { return false }
        let sessions = try await store.sessions(venueID: venueID, touching: span)
        do throws(EnergyError) {
            let events = try await SessionEvents.read(sessions, of: venueID, from: log)
            try await recount(sessions, of: venueID, events, days: days)
            return true
        } catch {
            // The log no longer has what would be counted anew: it stays as it was counted.
            guard error.code == .outOfRange else { throw error }
            return false
        }
    }

    /// What a repair changed.
    struct Repaired: Sendable {
        let before: CountedSession
        let after: CountedSession
        /// What the session's next event breaks now.
        let remaining: RuleViolation?
    }

    /// Sets a wrong data point right: counts its session anew, and keeps what was, what became of it, who, when and why.
    /// The same repair again changes nothing.
    ///
    /// - Throws: `.notFound` for a session or event that is not counted, `.invalidInput` for what would not be accepted of
    ///   an event in its place, `.outOfRange` where the log no longer has the session's events, `.conflict` where it has
    ///   others than were counted.
    func repair(_ repair: EventRepair, from log: any EventLogReader) async throws(EnergyError) -> Repaired {
        try await lock.hold { () async throws(EnergyError) in
            let key = SessionKey(venueID: repair.venueID, sessionID: repair.sessionID)
            guard let before = try await self.store.sessions([key])[key] else {
                let id = repair.sessionID.uuidString.lowercased()
                throw EnergyError(.notFound, "no session \(id) of this venue is counted")
            }
            let isKept = try await self.isKept(repair)
            // What was withdrawn is no longer in force: the same call again is no mistake.
            if isKept, repair.action == .asSent { return Repaired(before: before, after: before, remaining: nil) }
            let events = try await SessionEvents.read([before], of: repair.venueID, from: log)
            let verdict = try RepairedSession(events.map(\.event), repairs: try await self.repairs())
                .verdict(on: repair.eventID, repair.action)
            guard !isKept else { return Repaired(before: before, after: before, remaining: verdict.remaining) }
            var kept = repair
            kept.before = verdict.before
            let after = try await self.recount([before], of: repair.venueID, events, repair: kept)
            return Repaired(before: before, after: after[key] ?? before, remaining: verdict.remaining)
        }
    }

    /// A call that is repeated, or a repair that was taken over before.
    private func isKept(_ repair: EventRepair) async throws(EnergyError) -> Bool {
        let others = try await store.repairs().filter { $0.target == repair.target }
        guard repair.takenOverBy == nil else {
            return others.contains { $0.repeats(repair) && $0.made == repair.made }
        }
        return others.last?.repeats(repair) ?? false
    }

    /// Takes away what the sessions added, and adds what they add by other terms or repairs: exactly the buckets change
    /// that they touch.
    ///
    /// - Precondition: the lock is held.
    @discardableResult
    private func recount(
        _ sessions: [CountedSession], of venueID: UUID, _ events: [(event: Event, sequence: UInt64)],
        days: [FrozenDayKey: FrozenDay] = [:], repair: EventRepair? = nil
    ) async throws(EnergyError) -> [SessionKey: CountedSession] {
        let partition = LogPartition.of(venueID: venueID)
        let head = try await store.positions().first { $0.partition == partition }
        let repairs = try await self.repairs()
        var repaired = repairs
        if let repair { repaired[repair.target] = repair.action == .asSent ? nil : repair.action }
        let timeZones = try await timeZones(of: [venueID])
        var old = ProjectionDraft(
            book: TermsBook(store: store, signals: signals, timeZones: timeZones), repairs: repairs)
        var new = ProjectionDraft(
            book: TermsBook(store: store, signals: signals, timeZones: timeZones, days: days),
            repairs: repaired)
        for (event, sequence) in events {
            try await old.count(event, sequence: sequence)
            try await new.count(event, sequence: sequence)
        }
        new.keepPlugIns(of: sessions)
        try await new.settle()
        let sequence = head?.sequence ?? 0
        let before = old.effects(
            partition: partition, after: sequence, through: sequence, checksum: nil, timeZones: [:])
        guard sessions.allSatisfy({ before.sessions[$0.key]?.isCountedAlike($0) == true }) else {
            throw EnergyError(
                .conflict, "the log has other events than were counted: rebuild the insights with 'insights rebuild'")
        }
        var effects = new.effects(
            partition: partition, after: sequence, through: sequence, checksum: head?.checksum,
            timeZones: timeZones)
        effects.tallies = Self.difference(effects.tallies, before.tallies)
        effects.frozenDays.merge(days) { changed, _ in changed }
        effects.repairs = repair.map { [$0.with(before, after: effects)] } ?? []
        forgetCache()
        try await commit(effects)
        return effects.sessions
    }

    private typealias Tallies = [InsightSeries: [QuarterTally]]

    private static func difference(_ new: Tallies, _ old: Tallies) -> Tallies {
        var result = new
        for (series, tallies) in old {
            result[series, default: []] += tallies.map { QuarterTally(key: $0.key, tally: .zero - $0.tally) }
        }
        return result.mapValues { $0.joined().filter { $0.tally != .zero } }.filter { !$0.value.isEmpty }
    }
}

/// The events of some sessions, read from the log again.
private enum SessionEvents {
    static func read(
        _ sessions: [CountedSession], of venueID: UUID, from log: any EventLogReader
    ) async throws(EnergyError) -> [(event: Event, sequence: UInt64)] {
        guard let first = sessions.map(\.sequences.lowerBound).min(), first > 0,
            let last = sessions.map(\.sequences.upperBound).max()
        else { return [] }
        let partition = LogPartition.of(venueID: venueID)
        let removed = try await log.heads().heads.first { $0.partition == partition }?.removedSequence ?? 0
        guard removed < first else {
            throw EnergyError(.outOfRange, "the log no longer has the session's first events")
        }
        let keys = Set(sessions.map(\.key))
        var found: [(event: Event, sequence: UInt64)] = []
        // A log that ends before holds other events than were counted, which who counts them notices.
        _ = try await log.read(
            after: LogHead(partition: partition, sequence: first - 1), through: last, logID: nil
        ) { (records) async throws(EnergyError) in
            for record in records {
                for event in record.events {
                    guard let key = CountedSession.key(of: event), keys.contains(key) else { continue }
                    found.append((event, record.sequence))
                }
            }
        }
        return found
    }
}

extension EventRepair {
    /// With what the session added up to before and after; heating and cooling measure no energy.
    fileprivate func with(_ before: InsightEffects, after: InsightEffects) -> EventRepair {
        let key = SessionKey(venueID: venueID, sessionID: sessionID)
        guard let old = before.sessions[key], let new = after.sessions[key], new.series.kind != .hvac else {
            return self
        }
        var repair = self
        (repair.sessionBefore, repair.sessionAfter) = (old.energy, new.energy)
        return repair
    }
}
