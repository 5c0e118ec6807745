public import EnergyFeeds
public import EnergyModel
internal import EnergyStore

extension InsightProjector {
    private static let daysToRateMax = 4_096

    /// Rates the days anew that were rated among their UTC day, as was done once, and counts the sessions that touched
    /// them again. Prices, carbon and classes stay as they were frozen; so do ratings whose sessions the log no longer has
    /// as they were counted.
    ///
    /// - Throws: `.unavailable` when signals, store or log cannot be had now; days rated before stay.
    public func rateAnew(from log: any EventLogReader) async throws(EnergyError) {
        for key in try await store.daysToRate(limit: Self.daysToRateMax) {
            let known = try await terms(of: key)
            try await lock.hold { () async throws(EnergyError) in try await self.rate(key, as: known, log) }
        }
    }

    private func rate(
        _ key: FrozenDayKey, as known: TermsTimeline, _ log: any EventLogReader
    ) async throws(EnergyError) {
        do throws(EnergyError) {
            let isChanged = try await revise(key, log) { day in
                let rated = day.rated(as: known)
                return rated.terms == day.terms ? nil : rated
            }
            if isChanged { return }
        } catch {
            guard error.code == .conflict else { throw error }
        }
        guard let day = try await store.frozenDays([key])[key] else { return }
        let partition = LogPartition.of(venueID: key.venueID)
        let sequence = try await store.positions().first { $0.partition == partition }?.sequence ?? 0
        let kept = FrozenDay(start: day.start, isFrozen: day.isFrozen, terms: day.terms)
        forgetCache()
        try await commit(
            InsightEffects(partition: partition, after: sequence, through: sequence, frozenDays: [key: kept]))
    }
}
