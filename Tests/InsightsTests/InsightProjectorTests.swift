import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import Synchronization
import Testing

struct InsightProjectorTests {
    private let store = InMemoryInsightStore()
    private let signals = ScriptedSignals()
    private let start = Timestamp(unixMilliseconds: 1_800_000_000_000)

    @Test func `records that are gone before they were counted are passed over, and told of`() async throws {
        var log = SampleLog()
        let start = Timestamp(unixMilliseconds: 1_772_366_400_000)
        for hour in Int64(0)..<4 {
            let begin = start.advanced(byMilliseconds: hour * .millisecondsPerHour)
            log.append(
                log.session(
                    device: "car",
                    [(begin, 0, 0), (begin.advanced(byMilliseconds: .millisecondsPerMinute), 0, 1_000)]))
        }
        let store = InMemoryInsightStore()
        let projector = InsightProjector(store: store, signals: ScriptedSignals(), venues: ScriptedVenues())
        try await projector.project(Array(log.records.prefix(1)))
        let missed = Box<[ClosedRange<UInt64>]>([])
        let (caughtUp, catchUp) = AsyncStream<Void>.makeStream()
        let follower = LogFollower(
            log: FixedLog(log: log, removed: 3), subscriber: HandSubscriber(), clock: ManualClock())
        let run = Task {
            try await projector.run(
                following: follower, whenMissed: { _, records in missed.update { $0.append(records) } },
                whenCaughtUp: { catchUp.yield() })
        }
        var waits = caughtUp.makeAsyncIterator()
        await waits.next()
        run.cancel()
        try await run.value
        #expect(missed.value == [2...3])
        #expect(try await store.positions().map(\.sequence) == [4])
    }

    @Test func `while signals are away nothing is counted, and then all of it`() async throws {
        let (log, clock) = (oneSession(), ManualClock())
        signals.answer(.failure(EnergyError(.unavailable, "away")))
        let (said, say) = AsyncStream<String>.makeStream()
        let follower = LogFollower(log: FixedLog(log: log), subscriber: HandSubscriber(), clock: clock) { error, _ in
            say.yield("\(error.code)")
        }
        let projector = InsightProjector(store: store, signals: signals, venues: ScriptedVenues()) { _ in
            say.yield("changed")
        }
        let task = Task {
            try await projector.run(
                following: follower, whenCounted: { say.yield("counted") }, whenCaughtUp: { say.yield("caught up") })
        }
        #expect(await said.next() == "unavailable")
        #expect(try await store.positions().isEmpty)
        signals.answer(.success([]))
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        for word in ["changed", "counted", "caught up"] { #expect(await said.next() == word) }
        #expect(try await store.positions() == [LogHead(partition: log.partition, sequence: 1)])
        task.cancel()
        try await task.value
    }

    @Test(arguments: [EnergyError.Code.notFound, .outOfRange, .invalidInput])
    func `where there is no signal the class is unknown`(code: EnergyError.Code) async throws {
        let log = oneSession()
        signals.answer(.failure(EnergyError(code, "none")))
        try await InsightProjector(store: store, signals: signals, venues: ScriptedVenues()).project(log.records)
        #expect(try await classes(log) == [.unknown])
    }

    @Test func `a quarter's class is the one known when something was first counted in it`() async throws {
        var log = oneSession()
        let (projector, day) = (
            InsightProjector(store: store, signals: signals, venues: ScriptedVenues()),
            Interval(start: start, milliseconds: .millisecondsPerDay)
        )
        signals.answer(.success([.sample(day, .cleaner, .offPeak)]))
        try await projector.project(log.records)
        signals.answer(.success([.sample(day, .avoid, .onPeak)]))
        log.append(log.session(device: "car", [(start, 0, 0), (start.advanced(byMilliseconds: 1_000), 0, 3)]))
        try await projector.project(log.records)
        #expect(try await classes(log) == [InsightClass(cleanliness: .cleaner, peak: .offPeak)])
        let later = start.advanced(byMilliseconds: InsightBucket.milliseconds)
        log.append(log.session(device: "car", [(later, 0, 0), (later.advanced(byMilliseconds: 1_000), 0, 3)]))
        try await projector.project(log.records)
        #expect(
            try await classes(log) == [
                InsightClass(cleanliness: .cleaner, peak: .offPeak), InsightClass(cleanliness: .avoid, peak: .onPeak),
            ])
    }

    @Test func `changes name each device and what was touched`() async throws {
        var log = oneSession()
        let end = start.advanced(byMilliseconds: 40 * .millisecondsPerMinute)
        log.append(log.heating(device: "heat pump", [(start, 0), (start, 50), (end, 0)]))
        let changes = Mutex<[InsightChange]>([])
        let projector = InsightProjector(store: store, signals: signals, venues: ScriptedVenues()) { change in
            changes.withLock { $0.append(change) }
        }
        try await projector.project(log.records)
        try await projector.project(log.records)
        let found = changes.withLock { $0 }.sorted { $0.deviceID < $1.deviceID }
        #expect(found.map(\.deviceID) == ["car", "heat pump"])
        #expect(found.map(\.interval.milliseconds) == [InsightBucket.milliseconds, 3 * InsightBucket.milliseconds])
        #expect(found.allSatisfy { $0.interval.start == start && $0.venueID == log.venueID })
    }

    @Test func `records that are missing are a conflict`() async throws {
        var log = oneSession()
        log.append(log.session(device: "car", [(start, 0, 0), (start.advanced(byMilliseconds: 1_000), 0, 3)]))
        let error = await #expect(throws: EnergyError.self) {
            try await InsightProjector(store: store, signals: signals, venues: ScriptedVenues()).project([
                log.records[1]
            ])
        }
        #expect(error?.code == .conflict)
    }

    @Test func `days that are over are asked for once, with gaps again after a minute, and today each time`()
        async throws
    {
        let clock = SteppedWallClock(start)
        let cache = CachedSignalSource(signals, clock: clock, daysMax: 2)
        let today = Interval(
            start: start.floored(toMilliseconds: .millisecondsPerDay), milliseconds: .millisecondsPerDay)
        let yesterday = Interval(
            start: today.start.advanced(byMilliseconds: -.millisecondsPerDay), milliseconds: .millisecondsPerDay)
        let venueID = UUID()
        for (day, isKnown, minutesLater, calls) in [
            (today, true, Int64(0), 1), (today, true, 0, 2), (yesterday, false, 0, 3), (yesterday, false, 0, 3),
            (yesterday, true, 1, 4), (yesterday, true, 60, 4), (today, true, 0, 5),
        ] {
            clock.advance(byMilliseconds: minutesLater * .millisecondsPerMinute)
            signals.answer(.success(isKnown ? [.sample(day, .cleaner, .unknown)] : []))
            _ = try await cache.history(venueID: venueID, interval: day)
            #expect(signals.calls == calls)
        }
        // Two days of other venues push it out.
        for _ in 0..<2 { _ = try await cache.history(venueID: UUID(), interval: yesterday) }
        _ = try await cache.history(venueID: venueID, interval: yesterday)
        #expect(signals.calls == 8)
    }

    @Test func `a contract that changes counts for the next quarter of an hour that is frozen, at once`() async throws {
        let clock = SteppedWallClock(start)
        let cache = CachedSignalSource(signals, clock: clock)
        let projector = InsightProjector(store: store, signals: cache, venues: ScriptedVenues())
        var log = SampleLog()
        let events = log.session(
            device: "car",
            (0...3).map {
                (start.advanced(byMilliseconds: $0 * 15 * .millisecondsPerMinute), 4_000_000, $0 * 1_000_000)
            })
        let today = Interval(
            start: start.floored(toMilliseconds: .millisecondsPerDay), milliseconds: .millisecondsPerDay)
        for (event, price) in zip(events, [Int64(100_000), 100_000, 900_000, 900_000]) {
            // Within the same minute: many are told late.
            clock.advance(byMilliseconds: 1_000)
            signals.answer(.success([.sample(today, .cleaner, .unknown).with(priceMicros: price)]))
            log.append([event])
            try await projector.project([#require(log.records.last)])
        }
        let key = try #require(CountedSession.key(of: events[0]))
        let session = try #require(try await store.sessions([key])[key])
        #expect(SessionInsight(session).worth.costs == [Money(micros: 1_900_000, currency: "EUR")])
    }

    @Test func `a venue is remembered while its source is away, and forgotten when it is gone`() async throws {
        let (clock, venues) = (SteppedWallClock(start), ScriptedVenues("Asia/Kolkata"))
        let cache = CachedVenueSource(venues, clock: clock)
        let id = UUID()
        _ = try await cache.venue(id: id)
        _ = try await cache.venue(id: id)
        #expect(venues.calls == 1)
        clock.advance(byMilliseconds: .millisecondsPerHour)
        venues.answer(.failure(EnergyError(.unavailable, "away")))
        #expect(try await cache.venue(id: id).timeZone.identifier == "Asia/Kolkata")
        venues.answer(.failure(EnergyError(.notFound, "gone")))
        await #expect(throws: EnergyError.self) { try await cache.venue(id: id) }
        venues.answer(.failure(EnergyError(.unavailable, "away")))
        await #expect(throws: EnergyError.self) { try await cache.venue(id: id) }
    }

    private func oneSession() -> SampleLog {
        var log = SampleLog()
        log.append(log.session(device: "car", [(start, 0, 0), (start.advanced(byMilliseconds: 60_000), 0, 100)]))
        return log
    }

    private func classes(_ log: SampleLog) async throws -> Set<InsightClass> {
        let day = CalendarPeriods(.daily, timeZone: .gmt)
        let totals = try await store.totals(
            of: InsightScope(venueID: log.venueID, deviceID: nil, direction: .imported),
            over: PeriodGrid(day, touching: day.period(containing: start)), from: 0, limit: 1)
        return Set(
            totals.entries.map {
                InsightClass(cleanliness: $0.class.cleanliness, peak: $0.class.peak)
            })
    }
}
