import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Insights
import Testing

/// Several sessions of one stay at the plug.
extension PlugInTests {
    @Test(arguments: InsightStoreKind.allCases)
    func `sessions of one stay are measured back to back from plug-in on, whatever is said between`(
        kind: InsightStoreKind
    ) async throws {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        log.append(charge(log, night.begin, night.end))
        log.append([status(log, 620, .idle(.unknown))])
        // Nothing was taken, which takes no time.
        log.append(log.session(device: "car", [(minute(630), 0, 0), (minute(640), 0, 0)]))
        log.append(charge(log, 700, 730))
        log.append([status(log, 735, .active(.unknown))])
        log.append(charge(log, 800, 860))
        try await withStore(kind) { store in
            let projector = try await project(log, into: store)
            let expected = [interval(0, 120), nil, interval(120, 150), interval(150, 210)]
            let sessions = try await sessions(store, log)
            #expect(sessions.map(\.baseline?.interval) == expected)
            #expect(sessions.last?.savedMoney == Money(micros: 7_200 * 250, currency: "EUR"))
            #expect(try await isRebuiltAlike(projector, log))
        }
    }

    /// What is said between two sessions, the first from 490 to 610, and where the baseline of the second begins.
    static let pauses: [(story: String, between: [(Int64, VehicleStatus.Status)], start: Int64)] = [
        ("nothing is said", [], 120),
        ("unplugged", [(620, .unplugged)], 700),
        ("unplugged and plugged in", [(620, .unplugged), (650, .pluggedIn)], 650),
        ("plugged in, and nobody said unplugged", [(650, .pluggedIn)], 650),
        ("told late that it was plugged in", [(300, .pluggedIn)], 120),
        ("told late that it was unplugged before the first", [(300, .unplugged)], 700),
    ]

    @Test(arguments: pauses)
    func `a session that follows another begins with what was said between`(
        story: String, between: [(Int64, VehicleStatus.Status)], start: Int64
    ) async throws {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        log.append(charge(log, night.begin, night.end))
        if !between.isEmpty { log.append(between.map { status(log, $0, $1) }) }
        log.append(charge(log, 700, 730))
        let store = InMemoryInsightStore()
        _ = try await project(log, into: store)
        #expect(try await sessions(store, log).last?.baseline?.interval == interval(start, start + 30), "\(story)")
    }

    /// What is said after the session from 490 to 610 has begun, or is over, and from where it is measured.
    static let lateWords: [(story: String, words: [(Int64, VehicleStatus.Status)], start: Int64)] = [
        ("plugged in", [(100, .pluggedIn)], 100),
        ("plugged in, in other words", [(100, .idle(.waitingForCleanerEnergy)), (200, .pluggedIn)], 100),
        ("plugged in, told backwards", [(200, .pluggedIn), (100, .pluggedIn)], 100),
        ("plugged in, unplugged and plugged in", [(100, .pluggedIn), (200, .unplugged), (300, .pluggedIn)], 300),
        ("plugged in, and unplugged", [(100, .pluggedIn), (200, .unplugged)], 490),
        ("plugged in after it began", [(500, .pluggedIn)], 490),
    ]

    @Test(arguments: lateWords, [true, false])
    func `a plug-in that is told late counts for the session that began last`(
        late: (story: String, words: [(Int64, VehicleStatus.Status)], start: Int64), isOver: Bool
    ) async throws {
        for kind in InsightStoreKind.allCases {
            var log = SampleLog()
            let session = charge(log, night.begin, night.end)
            log.append(isOver ? session : Array(session.dropLast()))
            log.append(late.words.map { status(log, $0.0, $0.1) })
            if !isOver { log.append(Array(session.suffix(1))) }
            log.append(charge(log, 700, 730))
            try await withStore(kind) { store in
                let projector = try await project(log, into: store)
                let baselines = try await sessions(store, log).map(\.baseline?.interval)
                #expect(baselines.first == interval(late.start, late.start + 120), "\(late.story)")
                #expect(try await isRebuiltAlike(projector, log))
            }
        }
    }

    @Test func `an end that comes after the next session's begin moves that one's baseline`() async throws {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        let (first, second) = (charge(log, night.begin, night.end), charge(log, 700, 730))
        log.append(Array(first.dropLast()))
        log.append(Array(second.dropLast()))
        log.append(Array(first.suffix(1)))
        log.append(Array(second.suffix(1)))
        for kind in InsightStoreKind.allCases {
            try await withStore(kind) { store in
                let projector = try await project(log, into: store)
                let baselines = try await sessions(store, log).map(\.baseline?.interval)
                #expect(baselines == [interval(0, 120), interval(120, 150)])
                #expect(try await isRebuiltAlike(projector, log))
            }
        }
    }

    @Test
    func `a session without a baseline is followed after as long as it lasted, an open one from its last event`()
        async throws
    {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        // Without a power.
        log.append(
            log.session(device: "car", [(minute(490), 0, 0), (minute(600), 0, 9_000_000), (minute(610), 0, 9_000_000)]))
        log.append(charge(log, 700, 730).dropLast())
        log.append(charge(log, 800, 830))
        let store = InMemoryInsightStore()
        let projector = try await project(log, into: store)
        #expect(try await sessions(store, log).map(\.baseline?.interval) == [nil, nil, interval(730, 760)])
        #expect(try await counted(store, log).map(\.pluggedIn) == [minute(0), minute(120), minute(730)])
        #expect(try await isRebuiltAlike(projector, log))
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `a repair keeps the plug-in and moves the sessions behind, counted and to come, as a rebuild does`(
        kind: InsightStoreKind
    ) async throws {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        let first = charge(log, night.begin, night.end)
        log.append(first)
        log.append(charge(log, 700, 730))
        log.append(charge(log, 740, 750))
        try await withStore(kind) { store in
            let projector = try await project(log, into: store)
            let handler = Handler(store: store, projector: projector, log: FixedLog(log: log))
            let session = try #require(first[0].session?.id)
            let amounts = try await sessions(store, log).map(\.amount)
            let repaired = try await handler.repair(log.venueID, session, [first[1].id, first[2].id], 7_200_000)
            #expect(repaired?.after.baseline?.interval == interval(0, 60))
            log.append(charge(log, 800, 830))
            try await projector.project([#require(log.records.last)])
            let sessions = try await sessions(store, log)
            let expected = [interval(0, 60), interval(60, 90), interval(90, 100), interval(100, 130)]
            #expect(sessions.map(\.baseline?.interval) == expected)
            #expect(sessions.map(\.amount)[1...2] == amounts[1...2])
            #expect(try await isRebuiltAlike(projector, log))
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `signals that come late price the baselines of a whole stay`(kind: InsightStoreKind) async throws {
        var log = SampleLog()
        log.append([status(log, 0, .pluggedIn)])
        log.append(charge(log, night.begin, night.end))
        log.append(charge(log, 700, 730))
        let late = LateSignals(EveningIsDear(), known: false)
        try await withStore(kind) { store in
            let projector = InsightProjector(store: store, signals: late, venues: ScriptedVenues())
            for record in log.records { try await projector.project([record]) }
            late.know()
            let now = evening.advanced(byMilliseconds: .millisecondsPerDay)
            try await projector.fillGaps(from: FixedLog(log: log), now: now)
            #expect(
                try await sessions(store, log).map(\.savedMoney?.micros) == [14_400 * 250, 3_600 * 250])
            #expect(try await isRebuiltAlike(projector, log))
        }
    }

    @Test(arguments: InsightStoreKind.allCases, UInt64(60)..<72)
    func `whatever is repaired when, the sessions of a stay are measured one behind the other, as a rebuild does`(
        kind: InsightStoreKind, seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        var (log, charges, time): (SampleLog, [(events: [Event], energy: Int64)], Int64) = (SampleLog(), [], 0)
        try await withStore(kind) { store in
            let projector = InsightProjector(
                store: store, signals: RandomSignals(seed: seed), venues: ScriptedVenues())
            for _ in 0..<25 {
                time += .random(in: 1...240, using: &random)
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let statuses: [VehicleStatus.Status] = [.pluggedIn, .idle(.unknown), .idle(.unknown), .unplugged]
                    let late = Bool.random(using: &random) ? 0 : Int64.random(in: 0...300, using: &random)
                    log.append([status(log, time - late, statuses.randomElement(using: &random) ?? .unplugged)])
                } else {
                    let end = time + .random(in: 5...90, using: &random)
                    charges.append((charge(log, time, end), 120_000 * (end - time)))
                    log.append(charges.last?.events ?? [])
                    time = end
                }
                try await projector.project([#require(log.records.last)])
                guard let index = charges.indices.randomElement(using: &random), Bool.random(using: &random) else {
                    continue
                }
                charges[index].energy = .random(in: 0...charges[index].energy, using: &random)
                let (events, energy) = charges[index]
                let handler = Handler(store: store, projector: projector, log: FixedLog(log: log))
                _ = try await handler.repair(
                    log.venueID, #require(events[0].session?.id), [events[1].id, events[2].id], energy)
            }
            #expect(try await isRebuiltAlike(projector, log))
            let counted = try await self.counted(store, log)
            let followed = zip(counted, counted.dropFirst()).filter { $1.pluggedIn == $0.resumes }
            #expect(!followed.isEmpty)
            for (previous, session) in zip(counted, counted.dropFirst()) {
                guard let baseline = session.baseline, let before = previous.baseline else { continue }
                #expect(baseline.interval.start >= before.interval.end, "no two are compared with the same time")
            }
        }
    }
}
