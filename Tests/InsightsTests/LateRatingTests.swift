import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import SQLiteStore
import Synchronization
import Testing

/// A day that was rated by less than is known of it later is rated anew.
struct LateRatingTests {
    enum Quantity: CaseIterable { case price, carbon }

    /// Prices that fall where carbon rises, each known of the time before an instant.
    private final class TwoQuantities: SignalSource {
        private let ends: Mutex<[Quantity: Timestamp]>
        private let shift = Mutex<Double>(0)

        init(_ ends: [Quantity: Timestamp]) { self.ends = Mutex(ends) }

        func know(_ quantity: Quantity, before end: Timestamp) { ends.withLock { $0[quantity] = end } }
        /// From now on other figures are told.
        func correct(by grams: Double) { shift.withLock { $0 = grams } }

        func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
            let (ends, shift) = (ends.withLock { $0 }, shift.withLock { $0 })
            func knows(_ quantity: Quantity, _ time: Timestamp) -> Bool { ends[quantity].map { time < $0 } ?? false }
            return stride(from: interval.start.unixMilliseconds, to: interval.end.unixMilliseconds, by: 1_800_000).map {
                let start = Timestamp(unixMilliseconds: $0)
                let step = $0 / 1_800_000
                let price = knows(.price, start) ? Price(microsPerKilowattHour: step * 7_919 % 400_000) : nil
                let carbon = 100 + (Double(step * 104_729 % 500) + shift).truncatingRemainder(dividingBy: 500)
                return SignalInterval(
                    interval: Interval(start: start, milliseconds: 1_800_000),
                    carbonIntensity: knows(.carbon, start) ? carbon : nil, kind: .averageDirect, price: price,
                    currency: price == nil ? nil : "EUR", cleanliness: .cleaner, peak: .offPeak, isEstimated: false,
                    source: "test")
            }
        }
    }

    /// Another source's, with usual carbon in place of its own until that is known.
    private final class UsualSignals: SignalSource {
        private let source: any SignalSource
        private let isKnown = Mutex(false)

        init(_ source: any SignalSource) { self.source = source }

        func know() { isKnown.withLock { $0 = true } }

        func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
            let known = try await source.history(venueID: venueID, interval: interval)
            guard !isKnown.withLock({ $0 }) else { return known }
            return known.map {
                SignalInterval(
                    interval: $0.interval, carbonIntensity: 900, kind: $0.kind, price: $0.price, currency: $0.currency,
                    cleanliness: .avoid, peak: $0.peak, isEstimated: true, source: "usual", isUsual: true)
            }
        }
    }

    private let start = Timestamp(unixMilliseconds: 1_772_366_400_000)
    private var always: Timestamp { Timestamp(unixMilliseconds: .max) }
    private var now: Timestamp { start.advanced(byMilliseconds: 9 * .millisecondsPerDay) }

    /// A car that charges with 1 kW for three days and a half, and one that does for an hour on each of them.
    private func log() -> SampleLog {
        var log = SampleLog()
        func charge(_ device: String, from hour: Int64, hours: Int64) {
            let (begin, end) = (after(hours: hour), after(hours: hour + hours))
            log.append(
                log.session(
                    device: device,
                    [
                        (begin, 0, 0), (begin, 1_000_000, 0), (end, 1_000_000, hours * 1_000_000),
                        (end, 0, hours * 1_000_000),
                    ]))
        }
        charge("long", from: 5, hours: 84)
        for day in Int64(0)..<4 { charge("short", from: 3 + day * 25, hours: 1) }
        return log
    }

    private func after(hours: Int64) -> Timestamp { start.advanced(byMilliseconds: hours * .millisecondsPerHour) }

    /// Everything known when it was counted.
    private func fresh(_ log: SampleLog, _ zone: String) async throws -> UInt64 {
        let store = InMemoryInsightStore()
        let signals = TwoQuantities([.price: always, .carbon: always])
        try await InsightProjector(store: store, signals: signals, venues: ScriptedVenues(zone)).project(log.records)
        return try await store.digest()
    }

    @Test(arguments: InsightStoreKind.allCases, Quantity.allCases)
    func `what comes late of prices or carbon is rated as if it had been there`(
        kind: InsightStoreKind, late: Quantity
    ) async throws {
        let log = log()
        for zone in ["America/Los_Angeles", "Asia/Kathmandu", "UTC"] {
            try await withStore(kind) { store in
                let signals = TwoQuantities([late == .price ? .carbon : .price: always])
                let projector = InsightProjector(store: store, signals: signals, venues: ScriptedVenues(zone))
                try await projector.project(log.records)
                let reader = FixedLog(log: log)
                #expect(try await projector.fillGaps(from: reader, now: now) == 0)
                // In parts, whose edges are no local days.
                for hours in [Int64(20), 50, 200] {
                    signals.know(late, before: after(hours: hours))
                    #expect(try await projector.fillGaps(from: reader, now: now) > 0)
                }
                #expect(try await store.digest() == fresh(log, zone))
                #expect(try await projector.fillGaps(from: reader, now: now) == 0, "once is enough")
                let rebuilder = InsightRebuilder(projector: projector, log: reader)
                #expect(try await rebuilder.rebuild(acceptsLoss: false) { _ in })
            }
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `usual carbon is unknown, and what is known later fills it in`(
        kind: InsightStoreKind
    ) async throws {
        let log = log()
        let interval = Interval(start: start, milliseconds: 8 * .millisecondsPerDay)
        func total(_ store: any InsightStore) async throws -> InsightRecord {
            let query = InsightQuery(
                venueID: log.venueID, deviceID: nil, range: interval, granularity: .yearly, byCleanliness: true)
            return try #require(try await InsightService(store: store, venues: ScriptedVenues()).records(query).first)
        }
        let known = InMemoryInsightStore()
        let signals = TwoQuantities([.price: always, .carbon: always])
        try await InsightProjector(store: known, signals: signals, venues: ScriptedVenues()).project(log.records)
        try await withStore(kind) { store in
            let late = UsualSignals(TwoQuantities([.price: always, .carbon: always]))
            let projector = InsightProjector(store: store, signals: late, venues: ScriptedVenues())
            try await projector.project(log.records)
            let usual = try await total(store)
            #expect(usual.worth.carbon.isEmpty)
            #expect(usual.byCleanliness == [.unknown: usual.total])
            #expect(try await projector.fillGaps(from: FixedLog(log: log), now: now) == 0)
            late.know()
            #expect(try await projector.fillGaps(from: FixedLog(log: log), now: now) > 0)
            #expect(try await total(store) == total(known))
            let rebuilder = InsightRebuilder(projector: projector, log: FixedLog(log: log))
            #expect(try await rebuilder.rebuild(acceptsLoss: false) { _ in })
        }
    }

    @Test func `what is known by now is filled in at the start, and again every quarter of an hour`() async throws {
        let log = log()
        let signals = TwoQuantities([.price: always])
        let store = InMemoryInsightStore()
        let projector = InsightProjector(store: store, signals: signals, venues: ScriptedVenues("UTC"))
        try await projector.project(log.records)
        let incomplete = try await store.incompleteDays(since: start, limit: 9).count
        signals.know(.carbon, before: after(hours: 40))
        let clock = ManualClock()
        let (reader, time) = (FixedLog(log: log), SteppedWallClock(now))
        let task = Task {
            await projector.fillGaps(from: reader, clock: clock, wallClock: time) { Issue.record("\($0)") }
        }
        await clock.waitForSleepers()
        let left = try await store.incompleteDays(since: start, limit: 9).count
        #expect(left < incomplete)
        signals.know(.carbon, before: always)
        clock.advance(by: .seconds(900))
        await clock.waitForSleepers()
        #expect(try await store.incompleteDays(since: start, limit: 9).isEmpty)
        task.cancel()
        await task.value
    }

    @Test func `what was rated by all that is known keeps its rating, whatever is said later`() async throws {
        let log = log()
        let signals = TwoQuantities([.price: always, .carbon: always])
        let store = InMemoryInsightStore()
        let projector = InsightProjector(store: store, signals: signals, venues: ScriptedVenues("Europe/Berlin"))
        try await projector.project(log.records)
        let digest = try await store.digest()
        signals.correct(by: 250)
        #expect(try await projector.fillGaps(from: FixedLog(log: log), now: now) == 0)
        #expect(try await store.digest() == digest)
    }

    @Test func `where the log has the sessions no longer, their ratings stay`() async throws {
        let log = log()
        let signals = TwoQuantities([.price: always])
        let store = InMemoryInsightStore()
        let projector = InsightProjector(store: store, signals: signals, venues: ScriptedVenues("Europe/Berlin"))
        try await projector.project(log.records)
        let digest = try await store.digest()
        signals.know(.carbon, before: always)
        #expect(try await projector.fillGaps(from: FixedLog(log: log, removed: 1), now: now) == 0)
        #expect(try await store.digest() == digest)
    }
}
