import EnergyModel
import EnergyStore
import EnergyTestSupport
import GridSignals
import Testing

/// When a source is asked, and what is made of its answers and failures.
@Suite struct PolledProviderTests {
    static let start = Timestamp(unixMilliseconds: 1_800_000_000_000)
    static let ok = HTTPResponse(status: 0, body: [])

    struct Parts {
        let clock = ManualClock()
        let http: FakeHTTP
        let provider: PolledProvider
        let wallClock: ManualWallClock

        init(
            _ source: FakeSource = FakeSource(), seed: UInt64 = 1, start: Timestamp = PolledProviderTests.start,
            store: (any GuidanceStore)? = nil, _ answer: @escaping FakeHTTP.Answer = { _ in ok }
        ) {
            http = FakeHTTP(answer)
            wallClock = ManualWallClock(start: start, clock: clock)
            provider = PolledProvider(
                source, http: http, store: store, wallClock: wallClock, clock: clock, seed: seed)
        }

        func advance(minutes: Double) { clock.advance(by: .seconds(minutes * 60)) }

        func report(days: Int64 = 40) async throws(EnergyError) -> SignalReport {
            try await provider.signals(
                region: "X",
                in: Interval(
                    start: wallClock.now.advanced(byMilliseconds: -days * .millisecondsPerDay),
                    milliseconds: (days + 3) * .millisecondsPerDay), now: wallClock.now)
        }

        func wait() async -> Int64 {
            await (provider.status().nextAttempt ?? start).milliseconds(since: wallClock.now)
        }
    }

    @Test func `history is fetched once, then only what is new`() async throws {
        let parts = Parts()
        await parts.provider.poll()
        let spans = parts.http.requests.map { request in
            let edges = request.url.split(separator: "/").compactMap { Int64($0) }
            return (edges[1] - edges[0]) / .millisecondsPerHour
        }
        // The newest first: two hours back, a day ahead; then backwards, ten days at most at once, 35 in all.
        #expect(spans.first == 26)
        #expect(spans.dropFirst().allSatisfy { $0 <= 241 })
        let points = try await parts.report().series.points
        #expect(points.count >= 35 * 24 && points.count <= 37 * 24)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start })
        let asked = parts.http.requests.count
        for _ in 0..<3 {
            parts.advance(minutes: 15)
            await parts.provider.poll()
        }
        #expect(parts.http.requests.count == asked + 3)
    }

    @Test func `a source is asked no more often than it allows`() async throws {
        var source = FakeSource()
        source.polling.pause = 60_000
        let parts = Parts(source)
        for _ in 0..<20 { await parts.provider.poll() }
        #expect(parts.http.requests.count == 1)
        parts.advance(minutes: 0.9)
        for _ in 0..<20 { _ = try await parts.report() }
        #expect(parts.http.requests.count == 1)
        parts.advance(minutes: 0.2)
        await parts.provider.poll()
        #expect(parts.http.requests.count == 2)
    }

    @Test func `a look asks out of turn, but no sooner than the source allows`() async throws {
        var source = FakeSource()
        source.polling.pause = 60_000
        let parts = Parts(source)
        #expect(await parts.provider.look() == SourceLook(isAsked: true))
        #expect(parts.http.requests.count == 1)
        parts.advance(minutes: 0.9)
        #expect(await parts.provider.look() == SourceLook(isAsked: false))
        #expect(parts.http.requests.count == 1)
        parts.advance(minutes: 0.2)
        #expect(await parts.provider.look() == SourceLook(isAsked: true))
        #expect(parts.http.requests.count == 2)
    }

    @Test func `a look says why it failed, and is tried again before the source's turn`() async throws {
        let parts = Parts { _ throws(EnergyError) in throw EnergyError(.denied, "401") }
        #expect(await parts.provider.look() == SourceLook(isAsked: true, failure: EnergyError(.denied, "401")))
        #expect(await parts.provider.look() == SourceLook(isAsked: false, failure: EnergyError(.denied, "401")))
        parts.http.say { _ in Self.ok }
        parts.advance(minutes: 0.6)
        #expect(await parts.provider.look() == SourceLook(isAsked: true))
        let limited = Parts { _ throws(EnergyError) in
            throw EnergyError(.rateLimited, "429", retryAfterMilliseconds: 7_200_000)
        }
        _ = await limited.provider.look()
        limited.advance(minutes: 60)
        #expect(await limited.provider.look().isAsked == false)
    }

    @Test func `corrections replace what was said before`() async throws {
        let parts = Parts { _ in HTTPResponse(status: 0, body: []) }
        await parts.provider.poll()
        parts.http.say { _ in HTTPResponse(status: 7, body: []) }
        parts.advance(minutes: 15)
        await parts.provider.poll()
        let points = try await parts.report().series.points
        let known = parts.wallClock.now.advanced(byMilliseconds: -3 * .millisecondsPerHour)
        #expect(points.filter { $0.interval.end <= known }.allSatisfy { $0.value == 100 })
        #expect(
            points.filter { $0.interval.start > known.advanced(byMilliseconds: .millisecondsPerHour) }
                .allSatisfy { $0.value == 107 })
    }

    @Test func `while the source fails, what it said serves on, with its age`() async throws {
        let parts = Parts()
        await parts.provider.poll()
        parts.http.say { _ throws(EnergyError) in throw EnergyError(.unavailable, "api.example answered 503") }
        for _ in 0..<8 {
            parts.advance(minutes: 60)
            await parts.provider.poll()
        }
        let report = try await parts.report()
        #expect(!report.series.points.isEmpty)
        let measured = try #require(report.newestMeasured)
        #expect(parts.wallClock.now.milliseconds(since: measured) >= 8 * .millisecondsPerHour)
        let status = await parts.provider.status()
        #expect(status.lastError == "api.example answered 503")
        #expect(status.lastSuccess == Self.start)
        // After the gap all of it is fetched.
        parts.http.say { _ in Self.ok }
        parts.advance(minutes: 90)
        await parts.provider.poll()
        let points = try await parts.report().series.points
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start })
        #expect(points.filter { $0.interval.end <= parts.wallClock.now }.allSatisfy { !$0.isEstimated })
        #expect(await parts.provider.status().lastError == nil)
    }

    @Test(arguments: UInt64(0)..<20)
    func `waits double after failures up to an hour, with jitter`(seed: UInt64) async throws {
        let parts = Parts(seed: seed) { _ throws(EnergyError) in throw EnergyError(.unavailable, "no") }
        var base: Int64 = 30_000
        for _ in 0..<12 {
            await parts.provider.poll()
            let wait = await parts.wait()
            #expect(base...base * 5 / 4 ~= wait)
            base = min(base * 2, .millisecondsPerHour)
            parts.clock.advance(by: .milliseconds(wait))
        }
        #expect(parts.http.requests.count == 12)
    }

    @Test func `Retry-After is waited for`() async throws {
        let parts = Parts { _ throws(EnergyError) in
            throw EnergyError(.rateLimited, "429", retryAfterMilliseconds: 7_200_000)
        }
        await parts.provider.poll()
        #expect(await parts.wait() == 7_200_000)
    }

    @Test func `a wrong key is not tried again for an hour`() async throws {
        let parts = Parts { _ throws(EnergyError) in throw EnergyError(.denied, "401") }
        await parts.provider.poll()
        #expect(await parts.wait() >= .millisecondsPerHour)
        let error = await #expect(throws: EnergyError.self) { try await parts.report() }
        #expect(error?.code == .denied)
    }

    @Test func `a source without a past is used for what it has`() async throws {
        let parts = Parts()
        parts.http.say { request throws(EnergyError) in
            let edges = request.url.split(separator: "/").compactMap { Int64($0) }
            if edges[1] < Self.start.unixMilliseconds { throw EnergyError(.notFound, "404") }
            return Self.ok
        }
        await parts.provider.poll()
        #expect(parts.http.requests.count == 2)
        #expect(await parts.provider.status().lastError == nil)
        #expect(try await parts.report().series.points.count == 26)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 100_001])
    func `values that make no sense are no signal`(value: Double) async throws {
        var source = FakeSource()
        source.value = { _ in value }
        let parts = Parts(source)
        await parts.provider.poll()
        let error = await #expect(throws: EnergyError.self) { try await parts.report() }
        #expect(error?.code == .invalidInput)
        // A price may be negative.
        source.kind = .price
        let prices = Parts(source)
        await prices.provider.poll()
        #expect(await (prices.provider.status().lastError == nil) == value.isFinite)
    }

    @Test func `a clock that is wrong is told`() async throws {
        let parts = Parts { _ in
            HTTPResponse(status: 0, body: [], date: Self.start.advanced(byMilliseconds: -5 * .millisecondsPerMinute))
        }
        await parts.provider.poll()
        #expect(await parts.provider.status().clockSkewMilliseconds == -300_000)
        let right = Parts { _ in HTTPResponse(status: 0, body: [], date: Self.start) }
        await right.provider.poll()
        #expect(await right.provider.status().clockSkewMilliseconds == nil)
    }

    @Test func `it asks by itself when it is time`() async throws {
        let parts = Parts()
        let task = Task { await parts.provider.run() }
        await parts.clock.waitForSleepers()
        let asked = parts.http.requests.count
        #expect(asked > 1)
        parts.advance(minutes: 15)
        await parts.clock.waitForSleepers()
        #expect(parts.http.requests.count == asked + 1)
        task.cancel()
        await task.value
    }
}
