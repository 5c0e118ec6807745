import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import SQLiteStore
import Testing

/// Times are rated among the day that the venue's clocks show.
struct LocalDayRatingTests {
    /// Cleaner in the first hour of a local day, dirtier with each, and every other day dirtier throughout: who rates
    /// among the day of UTC finds parts of two days in one.
    private struct DailySignals: SignalSource {
        let days: CalendarPeriods
        var micros: Int64 = 250_000

        func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
            stride(from: interval.start.unixMilliseconds, to: interval.end.unixMilliseconds, by: 1_800_000).map {
                time in
                let start = Timestamp(unixMilliseconds: time)
                let day = days.period(containing: start)
                let hour = start.milliseconds(since: day.start) / .millisecondsPerHour
                let isDirty = (day.end.unixMilliseconds / .millisecondsPerDay).isMultiple(of: 2)
                return SignalInterval(
                    interval: Interval(start: start, milliseconds: 1_800_000),
                    carbonIntensity: Double(100 + hour * 20 + (isDirty ? 1_000 : 0)), kind: .averageDirect,
                    price: Price(microsPerKilowattHour: micros), currency: "EUR", cleanliness: .cleaner, peak: .offPeak,
                    isEstimated: false, source: "test")
            }
        }
    }

    /// - Returns: a car that charges with 1 kW from local midnight for three days.
    private func threeDays(from midnight: String, _ zone: String) throws -> (SampleLog, Interval, DailySignals) {
        let days = CalendarPeriods(.daily, timeZone: try #require(TimeZone(identifier: zone)))
        var end = try Timestamp(midnight)
        let start = end
        for _ in 0..<3 { end = days.period(containing: end).end }
        let energy = end.milliseconds(since: start) * 10 / 36
        var log = SampleLog()
        log.append(
            log.session(
                device: "car", [(start, 0, 0), (start, 1_000_000, 0), (end, 1_000_000, energy), (end, 0, energy)]))
        let interval = Interval(start: start, milliseconds: end.milliseconds(since: start))
        return (log, interval, DailySignals(days: days))
    }

    @Test(arguments: [
        ("America/Los_Angeles", "2026-10-31T07:00:00Z", [7, 8, 7]),
        ("America/Los_Angeles", "2026-03-07T08:00:00Z", [7, 7, 7]),
        ("Europe/Berlin", "2026-10-23T22:00:00Z", [7, 8, 7]),
        ("Europe/Berlin", "2026-03-27T23:00:00Z", [7, 7, 7]),
        ("Asia/Kolkata", "2026-11-01T18:30:00Z", [7, 7, 7]),
        ("Pacific/Auckland", "2026-09-25T12:00:00Z", [7, 7, 7]),
        ("UTC", "2026-11-01T00:00:00Z", [7, 7, 7]),
    ])
    func `the best times of a local day are good, however long it is`(
        zone: String, midnight: String, good: [Int]
    ) async throws {
        let (log, range, signals) = try threeDays(from: midnight, zone)
        let store = InMemoryInsightStore()
        let flat = FlatPrices(signals)
        try await InsightProjector(store: store, signals: flat, venues: ScriptedVenues(zone)).project(log.records)
        let service = InsightService(store: store, venues: ScriptedVenues(zone))
        let query = InsightQuery(
            venueID: log.venueID, deviceID: nil, range: range, granularity: .hourly, byBand: true, exactRange: true)
        let hours = try await service.records(query)
        #expect(Int64(hours.count) == range.milliseconds / .millisecondsPerHour)
        let byDay = Dictionary(grouping: hours) { signals.days.period(containing: $0.interval.start).start }
        for (count, day) in zip(good, byDay.sorted(by: { $0.key < $1.key })) {
            let isGood = day.value.map { $0.byBand?[.good] == $0.total }
            #expect(isGood == isGood.indices.map { $0 < count }, "the first \(count) hours of \(day.key)")
        }
    }

    /// Without prices, so that carbon alone rates.
    private struct FlatPrices: SignalSource {
        let source: DailySignals
        init(_ source: DailySignals) { self.source = source }
        func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
            try await source.history(venueID: venueID, interval: interval).map { signal in
                SignalInterval(
                    interval: signal.interval, carbonIntensity: signal.carbonIntensity, kind: signal.kind, price: nil,
                    currency: nil, cleanliness: .cleaner, peak: .unknown, isEstimated: false, source: "test")
            }
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `what was rated by the day of UTC is rated anew, and nothing else changes`(
        kind: InsightStoreKind
    ) async throws {
        let zone = "America/Los_Angeles"
        let (log, range, signals) = try threeDays(from: "2026-10-31T07:00:00Z", zone)
        let fresh = InMemoryInsightStore()
        try await InsightProjector(store: fresh, signals: signals, venues: ScriptedVenues(zone)).project(log.records)
        try await withStore(kind) { store in
            try await projectByUTC(log, signals, store, range)
            #expect(try await store.digest() != fresh.digest())
            // By now another price is known, which changes nothing.
            let projector = InsightProjector(
                store: store, signals: DailySignals(days: signals.days, micros: 1), venues: ScriptedVenues(zone))
            try await projector.rateAnew(from: FixedLog(log: log))
            #expect(try await store.digest() == fresh.digest())
            #expect(try await store.daysToRate(limit: 100).isEmpty)
            let rebuilder = InsightRebuilder(projector: projector, log: FixedLog(log: log))
            #expect(try await rebuilder.rebuild(acceptsLoss: false) { _ in })
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `where the log has the sessions no longer their ratings stay`(kind: InsightStoreKind) async throws {
        let zone = "America/Los_Angeles"
        let (log, range, signals) = try threeDays(from: "2026-10-31T07:00:00Z", zone)
        try await withStore(kind) { store in
            try await projectByUTC(log, signals, store, range)
            let digest = try await store.digest()
            let projector = InsightProjector(store: store, signals: signals, venues: ScriptedVenues(zone))
            try await projector.rateAnew(from: FixedLog(log: log, removed: 1))
            #expect(try await store.digest() == digest)
            #expect(try await store.daysToRate(limit: 100).isEmpty)
        }
    }

    /// As it was done once.
    private func projectByUTC(
        _ log: SampleLog, _ signals: DailySignals, _ store: any InsightStore, _ range: Interval
    ) async throws {
        try await InsightProjector(store: store, signals: signals, venues: ScriptedVenues()).project(log.records)
        let first = range.start.floored(toMilliseconds: .millisecondsPerDay)
        let keys = (0..<4).map { day in
            FrozenDayKey(venueID: log.venueID, start: first.advanced(byMilliseconds: day * .millisecondsPerDay))
        }
        let days = try await store.frozenDays(Set(keys)).mapValues { day in
            FrozenDay(start: day.start, isFrozen: day.isFrozen, terms: day.terms, needsRating: true)
        }
        #expect(try await store.apply(InsightEffects(partition: log.partition, after: 1, through: 1, frozenDays: days)))
        #expect(try await store.daysToRate(limit: 100) == keys.reversed())
    }
}
