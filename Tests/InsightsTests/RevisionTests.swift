import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Insights
import SQLiteStore
import Testing

/// What was counted is set right: by signals that come late, by hand, by counting again.
struct RevisionTests {
    enum Kind: CaseIterable { case inMemory, sqlite }

    private let start = Timestamp(unixMilliseconds: 1_772_366_400_000)

    @Test(arguments: Kind.allCases, UInt64(0)..<6)
    func `signals that come late fill in what was unknown, as if they had been there`(
        kind: Kind, seed: UInt64
    ) async throws {
        let log = SampleLog.random(seed: seed, around: start)
        let late = LateSignals(RandomSignals(seed: seed), known: false)
        try await withStore(kind) { store in
            let projector = InsightProjector(store: store, signals: late, venues: ScriptedVenues("Europe/London"))
            try await projector.project(log.records)
            let reader = FixedLog(log: log)
            let now = start.advanced(byMilliseconds: 5 * .millisecondsPerDay)
            #expect(try await projector.fillGaps(from: reader, now: now) == 0)
            late.know()
            #expect(try await projector.fillGaps(from: reader, now: now) > 0)
            let other = InMemoryInsightStore()
            try await InsightProjector(
                store: other, signals: RandomSignals(seed: seed), venues: ScriptedVenues("Europe/London")
            ).project(log.records)
            #expect(try await store.digest() == other.digest())
            #expect(try await projector.fillGaps(from: reader, now: now) == 0, "once is enough")
        }
    }

    @Test(arguments: Kind.allCases)
    func `signals that come after 35 days change nothing`(kind: Kind) async throws {
        let log = SampleLog.random(seed: 3, around: start)
        let late = LateSignals(RandomSignals(seed: 3), known: false)
        try await withStore(kind) { store in
            let projector = InsightProjector(store: store, signals: late, venues: ScriptedVenues())
            try await projector.project(log.records)
            late.know()
            let now = start.advanced(byMilliseconds: 80 * .millisecondsPerDay)
            #expect(try await projector.fillGaps(from: FixedLog(log: log), now: now) == 0)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a repair changes its session and its buckets only, leaves a trace, and outlives a rebuild`(
        kind: Kind
    ) async throws {
        var log = SampleLog.random(seed: 8, around: start)
        let spike = log.session(
            device: "spike",
            [
                (start, 0, 0), (after(minutes: 20), 7_200_000, 2_400_000), (after(minutes: 40), 7_200_000, 900_000_000),
                (after(minutes: 41), 0, 900_000_000),
            ])
        log.append(spike)
        let session = try #require(spike[0].session?.id)
        let reader = FixedLog(log: log)
        try await withStore(kind) { store in
            let projector = InsightProjector(
                store: store, signals: RandomSignals(seed: 8), venues: ScriptedVenues("Asia/Kolkata"))
            try await projector.project(log.records)
            let service = InsightService(store: store, venues: ScriptedVenues("Asia/Kolkata"))
            let before = try await energy(service, log)
            let handler = Handler(store: store, projector: projector, log: reader)
            let energies = [Int64?.none, 4_800_000, 4_900_000]
            for energy in energies {
                let result = try await handler.repair(log.venueID, session, [spike[2].id, spike[3].id], energy)
                #expect(result?.after.amount.energy.milliwattHours == energy ?? 2_400_000)
                #expect(result?.after.isRepaired == true)
            }
            #expect(try await store.repairs().count == 2)
            #expect(try await energy(service, log) == before - 900_000_000 + 4_900_000)
            let repaired = try await store.digest()
            let rebuilder = InsightRebuilder(projector: projector, log: reader)
            #expect(try await rebuilder.rebuild(acceptsLoss: false) { _ in })
            #expect(try await store.digest() == repaired)
        }
    }

    @Test(arguments: Kind.allCases, UInt64(20)..<24)
    func `a rebuild is the same, answers as before meanwhile, and counting goes on after it`(
        kind: Kind, seed: UInt64
    ) async throws {
        let log = SampleLog.random(seed: seed, around: start)
        try await withStore(kind) { store in
            let signals = LateSignals(RandomSignals(seed: seed), known: true)
            let projector = InsightProjector(
                store: store, signals: signals, venues: ScriptedVenues("Australia/Lord_Howe"))
            let half = log.records.count / 2
            for record in log.records.prefix(half) { try await projector.project([record]) }
            let digest = try await store.digest()
            // Nothing of what was frozen is asked for again.
            signals.answer(.failure(EnergyError(.unavailable, "away")))
            let rebuilder = InsightRebuilder(projector: projector, log: FixedLog(log: log))
            let isIdentical = try await rebuilder.rebuild(acceptsLoss: false) { progress throws(EnergyError) in
                #expect(progress.records == UInt64(half))
                #expect(try await store.digest() == digest)
            }
            #expect(isIdentical)
            #expect(try await store.digest() == digest)
            signals.answer(nil)
            try await projector.project(log.records)
            let other = InMemoryInsightStore()
            try await InsightProjector(
                store: other, signals: RandomSignals(seed: seed), venues: ScriptedVenues("UTC")
            ).project(log.records)
            #expect(try await store.digest() == other.digest())
        }
    }

    @Test func `a rebuild that would lose what the log no longer has is refused`() async throws {
        let log = SampleLog.random(seed: 1, around: start)
        let store = InMemoryInsightStore()
        let projector = InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: ScriptedVenues())
        try await projector.project(log.records)
        let rebuilder = InsightRebuilder(projector: projector, log: FixedLog(log: log, removed: 2))
        let error = await #expect(throws: EnergyError.self) { try await rebuilder.rebuild(acceptsLoss: false) { _ in } }
        #expect(error?.code == .outOfRange)
        #expect(try await !rebuilder.rebuild(acceptsLoss: true) { _ in })
        #expect(try await store.positions().map(\.sequence) == [UInt64(log.records.count)])
    }

    @Test func `savings are those against full power from plug-in on, at the terms of the time`() async throws {
        var log = SampleLog()
        let hour = Int64.millisecondsPerHour
        // Plugged in for four hours; charges in the last, which is cheap and clean.
        let points: [(Timestamp, Int64, Int64)] = [
            (start, 0, 0), (start.advanced(byMilliseconds: 3 * hour), 0, 0),
            (start.advanced(byMilliseconds: 3 * hour), 10_000_000, 0),
            (start.advanced(byMilliseconds: 4 * hour), 10_000_000, 10_000_000),
            (start.advanced(byMilliseconds: 4 * hour), 0, 10_000_000),
        ]
        log.append(log.session(device: "car", points))
        let signals = ScriptedSignals()
        func interval(_ hours: Int64, _ length: Int64, carbon: Double, price: Int64) -> SignalInterval {
            SignalInterval(
                interval: Interval(start: start.advanced(byMilliseconds: hours * hour), milliseconds: length * hour),
                carbonIntensity: carbon, kind: .marginal, price: Price(microsPerKilowattHour: price), currency: "EUR",
                cleanliness: .cleaner, peak: .offPeak, isEstimated: false, source: "test")
        }
        signals.answer(
            .success([
                interval(0, 3, carbon: 500, price: 400_000), interval(3, 1, carbon: 100, price: 150_000),
                interval(4, 20, carbon: 500, price: 400_000),
            ]))
        let store = InMemoryInsightStore()
        try await InsightProjector(store: store, signals: signals, venues: ScriptedVenues()).project(log.records)
        let query = SessionQuery(
            venueID: log.venueID, range: Interval(start: start, milliseconds: .millisecondsPerDay))
        let sessions = try await store.sessions(query, after: nil, limit: 10).sessions.map { SessionInsight($0) }
        let session = try #require(sessions.first)
        #expect(session.worth.costs == [Money(micros: 1_500_000, currency: "EUR")])
        #expect(session.baseline?.interval == Interval(start: start, milliseconds: hour))
        #expect(session.baseline?.worth.costs == [Money(micros: 4_000_000, currency: "EUR")])
        #expect(session.savedMoney == Money(micros: 2_500_000, currency: "EUR"))
        let energy = Energy(milliwattHours: 10_000_000)
        #expect(session.savedCarbon == CarbonMass(milligrams: 4_000_000, kind: .marginal, energy: energy))
        #expect(session.byBand == [.good: session.amount])
    }

    private func after(minutes: Int64) -> Timestamp {
        start.advanced(byMilliseconds: minutes * .millisecondsPerMinute)
    }

    private func energy(_ service: InsightService, _ log: SampleLog) async throws -> Int64 {
        let query = InsightQuery(
            venueID: log.venueID, deviceID: nil,
            range: Interval(
                start: start.advanced(byMilliseconds: -10 * .millisecondsPerDay), milliseconds: 40 * .millisecondsPerDay
            ), granularity: .daily)
        return try await service.records(query).map(\.total).sum.energy.milliwattHours
    }

    private func withStore(_ kind: Kind, _ body: (any InsightStore) async throws -> Void) async throws {
        guard kind == .sqlite else { return try await body(InMemoryInsightStore()) }
        let folder = try TemporaryFolder()
        let store = try SQLiteInsightStore(path: folder.path("insights.sqlite"))
        try await body(store)
        try store.close()
    }
}
