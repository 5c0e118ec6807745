import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Insights
import SQLiteStore
import Testing

/// Where the baseline of a session begins, and which power it has.
struct PlugInTests {
    /// 2026-03-01T17:00:00Z
    let evening = Timestamp(unixMilliseconds: 1_772_384_400_000)
    /// When charging from 01:10 to 03:10 begins and ends.
    let night = (begin: Int64(490), end: Int64(610))

    @Test(arguments: InsightStoreKind.allCases)
    func `a car that waited from plug-in at 17 saves against 17, whenever the signals come`(kind: InsightStoreKind)
        async throws
    {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        log.append([status(log, 5, .idle(.unknown))])
        log.append(charge(log, night.begin, night.end))
        let late = LateSignals(EveningIsDear(), known: false)
        try await withStore(kind) { store in
            let projector = InsightProjector(store: store, signals: late, venues: ScriptedVenues())
            for record in log.records { try await projector.project([record]) }
            #expect(try await sessions(store, log).first?.baseline?.interval == interval(0, 120))
            late.know()
            let now = evening.advanced(byMilliseconds: .millisecondsPerDay)
            #expect(try await projector.fillGaps(from: FixedLog(log: log), now: now) == 2)
            let session = try #require(try await sessions(store, log).first)
            #expect(session.baseline?.interval == interval(0, 120))
            #expect(session.baseline?.power == (try Power(milliwatts: 7_200_000)))
            #expect(session.savedMoney == Money(micros: 14_400 * 250, currency: "EUR"))
            #expect(try await isRebuiltAlike(projector, log))
        }
    }

    /// Statuses in minutes after 17:00; the session begins at 01:10.
    static let stories: [(story: String, before: [(Int64, VehicleStatus.Status)], start: Int64)] = [
        ("nothing is known", [], 490),
        ("unplugged since", [(0, .pluggedIn), (60, .unplugged)], 490),
        ("unplugged between", [(0, .pluggedIn), (60, .unplugged), (90, .idle(.unknown))], 90),
        ("unplugged between, and told late", [(90, .pluggedIn), (60, .unplugged)], 90),
        ("a status that comes late", [(90, .idle(.unknown)), (0, .pluggedIn)], 0),
        ("no word of plugging in", [(30, .active(.unknown))], 30),
        ("too long ago", [(490 - 7 * 1_440 - 1, .pluggedIn)], 490),
        ("as long ago as is believed", [(490 - 7 * 1_440, .pluggedIn)], 490 - 7 * 1_440),
        ("at the same time", [(490, .pluggedIn)], 490),
        ("in the future", [(500, .pluggedIn)], 490),
    ]

    @Test(arguments: stories)
    func `a baseline begins where the last stay began, if the log says so`(
        story: String, before: [(Int64, VehicleStatus.Status)], start: Int64
    ) async throws {
        var log = SampleLog()
        // Another car's status says nothing.
        log.append([log.status(device: "other", at: minute(1), .pluggedIn)])
        log.append(before.map { status(log, $0, $1) })
        log.append(charge(log, night.begin, night.end))
        let store = InMemoryInsightStore()
        _ = try await project(log, into: store)
        #expect(
            try await sessions(store, log).map(\.baseline?.interval) == [interval(start, start + 120)], "\(story)")
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `a session of an earlier version is counted anew by its events`(
        kind: InsightStoreKind
    ) async throws {
        var log = SampleLog()
        let events = charge(log, night.begin, night.end)
        log.append(events)
        try await withStore(kind) { store in
            let projector = try await project(log, into: store)
            var old = try #require(try await counted(store, log).first)
            // As it was worked out from a meter that jumped.
            old.baseline = SessionBaseline(
                interval: interval(490, 491), power: try Power(milliwatts: 200_000_000), worth: .none)
            let effects = InsightEffects(partition: log.partition, after: 1, through: 1, sessions: [old.key: old])
            #expect(try await store.apply(effects))
            let handler = Handler(store: store, projector: projector, log: FixedLog(log: log))
            let repaired = try await handler.repair(
                log.venueID, old.key.sessionID, [events[1].id, events[2].id], 7_200_000)
            #expect(repaired?.after.baseline?.interval == interval(490, 550))
        }
    }

    @Test(arguments: InsightStoreKind.allCases, UInt64(40)..<48)
    func `whatever the statuses say, a rebuild finds the same plug-ins, and baselines are over with the session`(
        kind: InsightStoreKind, seed: UInt64
    ) async throws {
        let log = SampleLog.random(seed: seed, around: evening)
        try await withStore(kind) { store in
            let signals = RandomSignals(seed: seed)
            let projector = InsightProjector(store: store, signals: signals, venues: ScriptedVenues())
            for record in log.records { try await projector.project([record]) }
            #expect(try await isRebuiltAlike(projector, log))
            let counted = try await self.counted(store, log)
            #expect(counted.contains { $0.pluggedIn != nil })
            for session in counted {
                if let pluggedIn = session.pluggedIn {
                    #expect(pluggedIn < session.began)
                    #expect(session.began.milliseconds(since: pluggedIn) <= PlugHistory.waitMillisecondsMax)
                }
                guard let baseline = session.baseline else { continue }
                #expect(baseline.interval.start == session.pluggedIn ?? session.began)
                #expect(baseline.interval.end <= session.timestamp)
            }
        }
    }

    /// Reported mW, and mWh after 15 minutes and, at the end, after two hours.
    @Test(arguments: [
        (Int64(7_000_000), Int64(1_750_000), Int64(14_000_000), Int64?.some(7_000_000)),
        // A meter that counts in steps of 0.1 kWh may have been nearly one further on before.
        (7_000_000, 1_800_000, 14_000_000, 7_000_000),
        (7_000_000, 1_800_001, 14_000_000, 7_200_000),
        // A device that rounds its power.
        (7_000_000, 1_900_000, 14_000_000, 7_200_000),
        (7_000_000, 1_925_001, 14_000_000, 7_700_000),
        (7_000_000, 1_925_002, 14_000_000, nil),
        // At full power all the time, and a step more.
        (7_000_000, 1_800_000, 14_100_000, 7_000_000),
        (7_000_000, 1_800_000, 14_100_001, nil),
        // A meter that jumps: "200 kW".
        (7_000_000, 50_000_000, 50_000_000, nil),
        (0, 1_750_000, 14_000_000, nil),
    ])
    func `full power is what the device reported, and energy that came faster has no baseline`(
        power: Int64, first: Int64, last: Int64, expected: Int64?
    ) async throws {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        log.append(
            log.session(
                device: "car",
                [
                    (minute(490), 0, 0), (minute(505), power, first), (minute(610), power, last),
                    (minute(610), 0, last),
                ]))
        let store = InMemoryInsightStore()
        _ = try await project(log, into: store)
        #expect(try await sessions(store, log).map(\.baseline?.power.milliwatts) == [expected])
    }

    @Test func `energy that came in less than its time at full power has no baseline, however long the car waited`()
        async throws
    {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        log.append(
            log.session(
                device: "car",
                [(minute(490), 0, 0), (minute(494), 7_000_000, 50_000_000), (minute(494), 0, 50_000_000)]))
        let store = InMemoryInsightStore()
        _ = try await project(log, into: store)
        #expect(try await sessions(store, log).map(\.baseline) == [nil])
    }

    // MARK: Helpers

    /// 0.40 EUR/kWh from noon to midnight UTC, else 0.15.
    struct EveningIsDear: SignalSource {
        func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
            let day = interval.start.floored(toMilliseconds: .millisecondsPerDay)
            return stride(from: Int64(0), to: 2, by: 1).compactMap { half in
                let start = day.advanced(byMilliseconds: half * 12 * .millisecondsPerHour)
                let part = Interval(start: start, milliseconds: 12 * .millisecondsPerHour).intersection(interval)
                return part.map {
                    SignalInterval(
                        interval: $0, carbonIntensity: 300, kind: .marginal,
                        price: Price(microsPerKilowattHour: half == 0 ? 150_000 : 400_000), currency: "EUR",
                        cleanliness: .cleaner, peak: .offPeak, isEstimated: false, source: "test")
                }
            }
        }
    }

    func minute(_ minute: Int64) -> Timestamp {
        evening.advanced(byMilliseconds: minute * .millisecondsPerMinute)
    }

    func interval(_ start: Int64, _ end: Int64) -> Interval {
        Interval(start: minute(start), milliseconds: (end - start) * .millisecondsPerMinute)
    }

    func status(_ log: SampleLog, _ at: Int64, _ status: VehicleStatus.Status) -> Event {
        log.status(device: "car", at: minute(at), status)
    }

    /// At 7.2 kW throughout.
    func charge(_ log: SampleLog, _ begin: Int64, _ end: Int64) -> [Event] {
        let energy = 120_000 * (end - begin)
        return log.session(
            device: "car",
            [(minute(begin), 7_200_000, 0), (minute(end), 7_200_000, energy), (minute(end), 0, energy)])
    }

    func project(_ log: SampleLog, into store: any InsightStore) async throws -> InsightProjector {
        let projector = InsightProjector(store: store, signals: EveningIsDear(), venues: ScriptedVenues())
        for record in log.records { try await projector.project([record]) }
        return projector
    }

    func isRebuiltAlike(_ projector: InsightProjector, _ log: SampleLog) async throws -> Bool {
        try await InsightRebuilder(projector: projector, log: FixedLog(log: log)).rebuild(acceptsLoss: false) { _ in }
    }

    func counted(_ store: any InsightStore, _ log: SampleLog) async throws -> [CountedSession] {
        let range = Interval(
            start: evening.advanced(byMilliseconds: -30 * .millisecondsPerDay),
            milliseconds: 60 * .millisecondsPerDay)
        let query = SessionQuery(venueID: log.venueID, range: range)
        return try await store.sessions(query, after: nil, limit: 100).sessions
    }

    func sessions(_ store: any InsightStore, _ log: SampleLog) async throws -> [SessionInsight] {
        try await counted(store, log).map { SessionInsight($0) }
    }
}
