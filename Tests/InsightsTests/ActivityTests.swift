import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import Synchronization
import Testing

struct ActivityTests {
    private let venues = ScriptedVenues("Europe/Berlin")

    private func status(
        _ log: SampleLog, _ time: Timestamp, _ status: VehicleStatus.Status, device: String = "car"
    ) -> Event {
        Event(
            id: UUID(), timestamp: time, venueID: log.venueID,
            device: Device(id: device, name: device, kind: .electricVehicle),
            content: .vehicleStatus(
                VehicleStatus(
                    status: status, stateOfCharge: 41, energyMilliwattHours: 7, estimatedRangeMillimetres: 9,
                    target: ChargingTarget(
                        stateOfCharge: 80, estimatedCompletion: time.advanced(byMilliseconds: 7_200_000),
                        scheduledStart: time.advanced(byMilliseconds: 3_600_000), estimatedRangeMillimetres: 11),
                    sessionID: UUID())))
    }

    private func activities(_ service: InsightService, _ query: ActivityQuery) async throws -> [ActivityPage] {
        var pages: [ActivityPage] = []
        try await service.answer(query) { (page) async throws(EnergyError) in pages.append(page) }
        return pages
    }

    private let start = Timestamp(unixMilliseconds: 1_793_000_000_000)

    private func minutes(_ count: Int64) -> Timestamp {
        start.advanced(byMilliseconds: count * .millisecondsPerMinute)
    }

    private func week(_ log: SampleLog) -> ActivityQuery {
        ActivityQuery(
            venueID: log.venueID,
            range: Interval(start: start, milliseconds: 30 * .millisecondsPerDay))
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `thousands of statuses are counted in parts, and told in the order of the log`(
        kind: InsightStoreKind
    ) async throws {
        let words: [VehicleStatus.Status] = [.pluggedIn, .active(.unknown), .idle(.batteryFull)]
        let kinds: [Activity.Kind] = [.plug, .charging, .waiting]
        var log = SampleLog()
        for minute in Int64(0)..<11 {
            log.append((0..<500).map { status(log, minutes(minute), words[($0 + Int(minute)) % 3]) })
        }
        try await withStore(kind) { store in
            let changes = Box(0)
            let projector = InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: venues) { _ in
                changes.update { $0 += 1 }
            }
            try await projector.project(log.records)
            // 5,000 of them, and the rest: a transaction has seconds only.
            #expect(changes.value == 2)
            let pages = try await activities(InsightService(store: store, venues: venues), week(log))
            let expected = (0..<11).flatMap { minute in (0..<500).map { kinds[($0 + minute) % 3] } }
            #expect(pages.flatMap(\.entries).map(\.activity.kind) == expected)
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `sessions and statuses are told in order, and filtered`(kind: InsightStoreKind) async throws {
        try await withStore(kind) { store in
            var log = SampleLog()
            let waiting = status(log, minutes(0), .idle(.waitingForCleanerEnergy))
            let plugged = status(log, minutes(5), .pluggedIn, device: "other")
            log.append([status(log, minutes(70), .active(.cleanerEnergyAvailable)), waiting])
            log.append(log.session(device: "car", [(minutes(60), 0, 0), (minutes(120), 0, 5_000_000)]))
            log.append([plugged, status(log, minutes(121), .idle(.batteryFull))])
            try await InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: venues).project(
                log.records)
            let service = InsightService(store: store, venues: venues)
            let pages = try await activities(service, week(log))
            let entries = pages.flatMap(\.entries)
            #expect(entries.map(\.activity.kind) == [.waiting, .plug, .charging, .session, .waiting])
            #expect(entries.map(\.activity.time) == [0, 5, 70, 120, 121].map(minutes))
            #expect(entries[0].activity == Activity(waiting))
            #expect(entries[0].text.hasPrefix("Waiting for cleaner energy: starts "))
            #expect(entries[3].text.hasPrefix("Charged 5.0 kWh in 1 h"))
            #expect(pages.last?.applied[log.partition].sequence == 3)
            for (change, expected): ((inout ActivityQuery) -> Void, Int) in [
                ({ $0.deviceID = "other" }, 1), ({ $0.deviceID = "none" }, 0), ({ $0.kinds = [.session] }, 1),
                ({ $0.kinds = [.plug, .waiting] }, 3),
                ({ $0.range = Interval(start: minutes(5), end: minutes(120))! }, 2),
                ({ $0.venueID = UUID() }, 0),
            ] {
                var query = week(log)
                change(&query)
                let found = try await activities(service, query)
                #expect(!found.isEmpty)
                #expect(found.flatMap(\.entries).count == expected)
            }
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `what is of one time comes in the order of the log, on every page and after a rebuild`(
        kind: InsightStoreKind
    ) async throws {
        try await withStore(kind) { store in
            var log = SampleLog()
            var expected: [UUID] = []
            for _ in 0..<150 {
                let events = [status(log, minutes(7), .active(.unknown)), status(log, minutes(7), .idle(.unknown))]
                expected += events.map(\.id)
                log.append(events)
            }
            let over = log.session(device: "car", [(minutes(0), 0, 0), (minutes(7), 0, 5)])
            let begun = log.session(device: "other", [(minutes(7), 0, 0), (minutes(9), 0, 5)])
            log.append(over + begun.prefix(1))
            expected = try [#require(over[0].session?.id)] + expected + [#require(begun[0].session?.id)]
            let projector = InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: venues)
            for record in log.records { try await projector.project([record]) }
            let service = InsightService(store: store, venues: venues)
            #expect(try await activities(service, week(log)).flatMap(\.entries).map(\.activity.id) == expected)
            let rebuilder = InsightRebuilder(projector: projector, log: FixedLog(log: log))
            let isIdentical = try await rebuilder.rebuild(acceptsLoss: false) { _ in }
            #expect(isIdentical)
            #expect(try await activities(service, week(log)).flatMap(\.entries).map(\.activity.id) == expected)
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `a long answer comes in pages, and in order`(kind: InsightStoreKind) async throws {
        try await withStore(kind) { store in
            var log = SampleLog()
            for minute in Int64(0)..<900 {
                let time = minutes((minute * 7_919) % 20_000)
                log.append(
                    minute % 5 == 0
                        ? log.session(device: "car", [(time, 0, 0), (time.advanced(byMilliseconds: 60_000), 0, 5)])
                        : [status(log, time, .pluggedIn)])
            }
            try await InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: venues).project(
                log.records)
            let pages = try await activities(InsightService(store: store, venues: venues), week(log))
            let entries = pages.flatMap(\.entries)
            #expect(entries.count == 900)
            #expect(Set(entries.map(\.activity.id)).count == 900)
            #expect(pages.allSatisfy { $0.entries.count <= 200 })
            #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.activity.time <= $1.activity.time })
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `statuses are kept for 400 days, in whichever order they come`(kind: InsightStoreKind) async throws {
        try await withStore(kind) { store in
            var log = SampleLog()
            let day = Int64.millisecondsPerDay
            for age in [Int64(0), 399, 401, 10] {
                log.append([status(log, start.advanced(byMilliseconds: -age * day), .pluggedIn)])
            }
            try await InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: venues).project(
                log.records)
            var query = week(log)
            query.range = Interval(start: start.advanced(byMilliseconds: -500 * day), milliseconds: 501 * day)
            let found = try await activities(InsightService(store: store, venues: venues), query).flatMap(\.entries)
            #expect(found.map { start.milliseconds(since: $0.activity.time) / day } == [399, 10, 0])
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `a rebuild keeps what happened, and another log forgets it`(kind: InsightStoreKind) async throws {
        try await withStore(kind) { store in
            var log = SampleLog()
            log.append([status(log, minutes(0), .pluggedIn)])
            try await InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: venues).project(
                log.records)
            let rebuilt = try await store.beginRebuild()
            try await InsightProjector(store: rebuilt, signals: RandomSignals(seed: 1), venues: venues).project(
                log.records)
            try await store.finishRebuild()
            let service = InsightService(store: store, venues: venues)
            #expect(try await activities(service, week(log)).flatMap(\.entries).count == 1)
            try await store.adopt(log: UUID(), anew: true)
            #expect(try await activities(service, week(log)).flatMap(\.entries).isEmpty)
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `what is erased is told no more`(kind: InsightStoreKind) async throws {
        try await withStore(kind) { store in
            var log = SampleLog()
            log.append([status(log, minutes(0), .pluggedIn), status(log, minutes(1), .pluggedIn, device: "other")])
            try await InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: venues).project(
                log.records)
            let counts = try await store.erase(venueID: log.venueID) { $0 == "car" }
            #expect(counts.first { $0.kind == "status" }?.count == 1)
            let entries = try await activities(InsightService(store: store, venues: venues), week(log)).flatMap(
                \.entries)
            #expect(entries.map(\.activity.device.id) == ["other"])
        }
    }

    @Test func `a status is announced, and so is a session's end`() async throws {
        let changes = Mutex<[InsightChange]>([])
        let projector = InsightProjector(store: InMemoryInsightStore(), signals: RandomSignals(seed: 1), venues: venues)
        {
            change in changes.withLock { $0.append(change) }
        }
        var log = SampleLog()
        log.append([status(log, minutes(0), .unplugged)])
        try await projector.project(log.records)
        #expect(changes.withLock { $0.map(\.deviceID) } == ["car"])
        #expect(changes.withLock { $0[0].interval.contains(minutes(0)) })
    }

    @Test func `a range beyond the limits is refused`() async throws {
        let service = InsightService(store: InMemoryInsightStore(), venues: venues)
        var query = week(SampleLog())
        query.range = Interval(start: start, milliseconds: 3_000 * .millisecondsPerDay)
        await #expect(throws: EnergyError.self) { try await service.answer(query) { _ in } }
    }
}
