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
    private let start = Timestamp(unixMilliseconds: 1_772_366_400_000)

    @Test(arguments: InsightStoreKind.allCases, UInt64(0)..<6)
    func `signals that come late fill in what was unknown, as if they had been there`(
        kind: InsightStoreKind, seed: UInt64
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

    @Test(arguments: InsightStoreKind.allCases)
    func `signals that come after 65 days change nothing, and those of the month before are in time`(
        kind: InsightStoreKind
    ) async throws {
        let log = SampleLog.random(seed: 3, around: start)
        let late = LateSignals(RandomSignals(seed: 3), known: false)
        try await withStore(kind) { store in
            let projector = InsightProjector(store: store, signals: late, venues: ScriptedVenues())
            try await projector.project(log.records)
            late.know()
            func filled(afterDays days: Int64) async throws -> Int {
                let now = start.advanced(byMilliseconds: days * .millisecondsPerDay)
                return try await projector.fillGaps(from: FixedLog(log: log), now: now)
            }
            #expect(try await filled(afterDays: 80) == 0)
            #expect(try await filled(afterDays: 62) > 0)
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `a repair changes its session and its buckets only, leaves a trace, and outlives a rebuild`(
        kind: InsightStoreKind
    ) async throws {
        var log = SampleLog.random(seed: 8, around: start)
        let spike = log.session(
            device: "spike",
            [
                (start, 0, 0), (after(minutes: 20), 7_200_000, 2_400_000), (after(minutes: 40), 7_200_000, 300_000_000),
                (after(minutes: 41), 0, 300_000_000),
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
            let (last, end) = (spike[2].id, spike[3].id)
            let steps: [(events: [UUID], energy: Int64?)] = [
                ([last, end], nil), ([last, end], 4_800_000), ([end, last], 4_900_000),
            ]
            for (events, energy) in steps {
                let result = try await handler.repair(log.venueID, session, events, energy)
                #expect(result?.after.amount.energy.milliwattHours == energy ?? 2_400_000)
                #expect(result?.after.isRepaired == true)
            }
            let repairs = try await store.repairs()
            #expect(repairs.map(\.eventID) == steps.flatMap(\.events), "each is kept, in order")
            #expect(
                repairs.map(\.before) == [
                    .energy(Energy(milliwattHours: 300_000_000)), .energy(Energy(milliwattHours: 300_000_000)), .ignore,
                    .ignore, .energy(Energy(milliwattHours: 4_800_000)), .energy(Energy(milliwattHours: 4_800_000)),
                ])
            #expect(
                repairs.map(\.sessionBefore?.milliwattHours) == [
                    300_000_000, 300_000_000, 2_400_000, 4_800_000, 4_800_000, 4_900_000,
                ])
            #expect(repairs.last?.sessionAfter == Energy(milliwattHours: 4_900_000))
            _ = try await handler.repair(log.venueID, session, [last], 4_900_000)
            #expect(try await store.repairs() == repairs, "a call that is repeated is one repair")
            #expect(try await energy(service, log) == before - 300_000_000 + 4_900_000)
            let repaired = try await store.digest()
            let rebuilder = InsightRebuilder(projector: projector, log: reader)
            #expect(try await rebuilder.rebuild(acceptsLoss: false) { _ in })
            #expect(try await store.digest() == repaired)
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `a repair that is withdrawn leaves a trace, and what was counted before`(kind: InsightStoreKind) async throws {
        var log = SampleLog()
        let events = log.session(
            device: "car",
            [(start, 0, 0), (after(minutes: 20), 7_200_000, 2_400_000), (after(minutes: 41), 0, 4_900_000)])
        log.append(events)
        let session = try #require(events[0].session?.id)
        try await withStore(kind) { store in
            let projector = InsightProjector(
                store: store, signals: RandomSignals(seed: 4), venues: ScriptedVenues("Asia/Kolkata"))
            try await projector.project(log.records)
            let digest = try await store.digest()
            let handler = Handler(store: store, projector: projector, log: FixedLog(log: log))
            let error = await #expect(throws: EnergyError.self) {
                _ = try await handler.withdraw(log.venueID, session, events[1].id)
            }
            #expect(error?.code == .notFound)
            _ = try await handler.repair(log.venueID, session, [events[1].id], 1_000_000)
            #expect(try await store.digest() != digest)
            for _ in 0..<2 {
                let result = try await handler.withdraw(log.venueID, session, events[1].id)
                #expect(result.after.isRepaired == false)
            }
            #expect(try await store.digest() == digest)
            #expect(
                try await store.repairs().map(\.action) == [.energy(Energy(milliwattHours: 1_000_000)), .asSent])
            let rebuilder = InsightRebuilder(projector: projector, log: FixedLog(log: log))
            #expect(try await rebuilder.rebuild(acceptsLoss: false) { _ in })
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `a repair that an event in its place could not be is refused, and leaves nothing`(kind: InsightStoreKind)
        async throws
    {
        var log = SampleLog()
        let events = log.session(
            device: "car",
            [
                (start, 0, 0), (after(minutes: 20), 7_200_000, 2_400_000), (after(minutes: 40), 7_200_000, 4_800_000),
                (after(minutes: 41), 0, 4_900_000),
            ])
        log.append(events)
        let heating = log.heating(device: "heat pump", [(start, 0), (after(minutes: 9), 50), (after(minutes: 20), 0)])
        log.append(heating)
        let reader = FixedLog(log: log)
        try await withStore(kind) { store in
            let projector = InsightProjector(
                store: store, signals: RandomSignals(seed: 1), venues: ScriptedVenues("UTC"))
            try await projector.project(log.records)
            let digest = try await store.digest()
            let handler = Handler(store: store, projector: projector, log: reader)
            let refused: [(event: Event, energy: Int64?, rule: String)] = [
                (events[2], 1_000_000_000_000, "must not rise by more than 1 MW"),
                (events[2], 2_000_000, "must not fall within a session"),
                (events[2], 5_000_000, "must not be more than in the session's next event"),
                (events[0], 1, "must be 0 at begin"),
                (events[0], nil, "must not be the session's begin"),
                (heating[1], 1, "must not be said of an event that measures no energy"),
            ]
            for (event, energy, rule) in refused {
                let error = await #expect(throws: EnergyError.self) {
                    let session = try #require(event.session?.id)
                    _ = try await handler.repair(log.venueID, session, [event.id], energy)
                }
                #expect(error?.code == .invalidInput)
                #expect(error?.violations.first?.rule.hasPrefix(rule) == true, "\(error?.message ?? "")")
            }
            #expect(try await store.repairs().isEmpty)
            #expect(try await store.digest() == digest)
        }
    }

    @Test func `a repair says what the session's next event breaks then`() async throws {
        var log = SampleLog()
        let events = log.session(
            device: "car", [(start, 0, 0), (after(minutes: 40), 0, 300_000_000), (after(minutes: 41), 0, 300_000_000)])
        log.append(events)
        let store = InMemoryInsightStore()
        let projector = InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: ScriptedVenues("UTC"))
        try await projector.project(log.records)
        let handler = Handler(store: store, projector: projector, log: FixedLog(log: log))
        let session = try #require(events[0].session?.id)
        let first = try await handler.repair(log.venueID, session, [events[1].id], 4_800_000)
        #expect(first?.remaining?.field == "vehicle_load.energy_mwh")
        #expect(try await handler.repair(log.venueID, session, [events[2].id], 4_900_000)?.remaining == nil)
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `repairs that were lost with the state are taken over, each once, with who made them and when`(
        kind: InsightStoreKind
    ) async throws {
        var log = SampleLog()
        let events = log.session(
            device: "car", [(start, 0, 0), (after(minutes: 40), 0, 9_000_000), (after(minutes: 41), 0, 9_000_000)])
        log.append(events)
        let session = try #require(events[0].session?.id)
        let origin = RepairOrigin(principal: "anna", made: start)
        func lost(_ body: (any InsightStore, Handler) async throws -> Void) async throws {
            try await withStore(kind) { store in
                let projector = InsightProjector(
                    store: store, signals: RandomSignals(seed: 1), venues: ScriptedVenues("UTC"))
                try await projector.project(log.records)
                try await body(store, Handler(store: store, projector: projector, log: FixedLog(log: log)))
            }
        }
        var digest: UInt64?
        try await lost { store, handler in
            _ = try await handler.repair(log.venueID, session, [events[2].id, events[1].id], nil)
            digest = try await store.digest()
        }
        try await lost { store, handler in
            for _ in 0..<2 {
                _ = try await handler.repair(log.venueID, session, [events[2].id, events[1].id], nil, origin)
            }
            #expect(try await store.digest() == digest)
            let repairs = try await store.repairs()
            #expect(repairs.count == 2)
            #expect(repairs.allSatisfy { $0.principal == "anna" && $0.made == start && $0.takenOverBy != nil })
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `what vehicles reported of their status is a part of what a rebuild proves`(kind: InsightStoreKind)
        async throws
    {
        var log = SampleLog()
        log.append([EventSamples.status(venueID: log.venueID, .idle(.batteryFull))])
        try await withStore(kind) { store in
            let projector = InsightProjector(
                store: store, signals: RandomSignals(seed: 1), venues: ScriptedVenues("UTC"))
            let empty = try await store.digest()
            try await projector.project(log.records)
            #expect(try await store.digest() != empty)
            let rebuilder = InsightRebuilder(projector: projector, log: FixedLog(log: log))
            #expect(try await rebuilder.rebuild(acceptsLoss: false) { _ in })
            // Something that the log does not have.
            let status = try #require(Activity(EventSamples.status(at: start, venueID: log.venueID, .pluggedIn)))
            let effects = InsightEffects(partition: log.partition, after: 1, through: 1, statuses: [status])
            #expect(try await store.apply(effects))
            #expect(try await !rebuilder.rebuild(acceptsLoss: false) { _ in })
            #expect(try await rebuilder.rebuild(acceptsLoss: false) { _ in })
        }
    }

    @Test func `a state of charge that is not known is absent, not 0`() async throws {
        let events = [
            EventSamples.vehicle(.begin, stateOfCharge: 0, knowsStateOfCharge: false),
            EventSamples.vehicle(
                at: EventSamples.now.advanced(byMilliseconds: 60_000), .end, stateOfCharge: 0, energy: 100_000,
                knowsStateOfCharge: false),
        ]
        var session: CountedSession?
        for event in events { session = CountedSession.following(session, event)?.progress }
        let insight = SessionInsight(try #require(session))
        #expect(insight.stateOfChargeAtBegin == nil && insight.stateOfChargeAtLast == nil)
    }

    @Test(arguments: InsightStoreKind.allCases, UInt64(20)..<24)
    func `a rebuild is the same, answers as before meanwhile, and counting goes on after it`(
        kind: InsightStoreKind, seed: UInt64
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
                store: other, signals: RandomSignals(seed: seed), venues: ScriptedVenues("Australia/Lord_Howe")
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
}
