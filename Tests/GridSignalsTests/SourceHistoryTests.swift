import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GridSignals
import HTTPFetcher
import Synchronization
import Testing

/// What a source on the web said outlives the process, with every correction.
@Suite struct SourceHistoryTests {
    typealias Parts = PolledProviderTests.Parts
    static let stored = "web:fake:place averageDirect"

    static func spans(_ http: FakeHTTP) -> [Int64] {
        http.requests.map { request in
            let edges = request.url.split(separator: "/").compactMap { Int64($0) }
            return (edges[1] - edges[0]) / .millisecondsPerHour
        }
    }

    @Test func `after a restart only what is new, or may be corrected, is asked for`() async throws {
        let store = InMemoryGuidanceStore()
        let first = Parts(store: store)
        await first.provider.poll()
        #expect(first.http.requests.count > 3)
        let before = try await first.report().series
        // Six hours later, in another process.
        let later = PolledProviderTests.start.advanced(byMilliseconds: 6 * .millisecondsPerHour)
        let second = Parts(start: later, store: store)
        await second.provider.poll()
        // Six hours, two in which values may be corrected, and the day ahead.
        #expect(Self.spans(second.http) == [32])
        let points = try await second.report().series.points
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start })
        #expect(points.count >= before.points.count)
        #expect(points.filter { $0.interval.end <= later }.allSatisfy { !$0.isEstimated })
    }

    @Test func `history that was not all fetched is fetched on`() async throws {
        let store = InMemoryGuidanceStore()
        let first = Parts(store: store)
        let asked = Mutex(0)
        first.http.say { _ throws(EnergyError) in
            guard
                asked.withLock({
                    $0 += 1
                    return $0 <= 2
                })
            else { throw EnergyError(.unavailable, "503") }
            return PolledProviderTests.ok
        }
        await first.provider.poll()
        let second = Parts(store: store)
        await second.provider.poll()
        let points = try await second.report().series.points
        #expect(points.count >= 35 * 24 && points.count <= 37 * 24)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start })
        // The newest again, then only the rest of the history.
        let hours = Self.spans(second.http).reduce(0, +)
        #expect(hours < 28 * 24)
    }

    @Test func `a source that is down after a restart is used for what is stored`() async throws {
        let store = InMemoryGuidanceStore()
        await Parts(store: store).provider.poll()
        let second = Parts(store: store) { _ throws(EnergyError) in throw EnergyError(.unavailable, "503") }
        #expect(try await second.report().series.points.count > 35 * 24)
        #expect(await second.provider.status().lastError == "503")
    }

    @Test func `what is older than memory is read from the store`() async throws {
        let store = InMemoryGuidanceStore()
        await Parts(store: store).provider.poll()
        let later = PolledProviderTests.start.advanced(byMilliseconds: 30 * .millisecondsPerDay)
        let second = Parts(start: later, store: store)
        await second.provider.poll()
        let points = try await second.report(days: 64).series.points
        #expect(points.count > 60 * 24)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start })
    }

    @Test func `prices and carbon of one name are kept apart`() async throws {
        var source = FakeSource()
        source.kind = .price
        let store = InMemoryGuidanceStore()
        let parts = Parts(source, store: store)
        await parts.provider.poll()
        let interval = Interval(start: PolledProviderTests.start, milliseconds: .millisecondsPerHour)
        #expect(
            try await !store.signals(.price, region: "web:fake:place price", in: interval, revision: .newest).isEmpty)
        #expect(try await store.signals(region: Self.stored, in: interval, revision: .newest).isEmpty)
    }

    @Test func `a corrected value is a revision, and survives a restart`() async throws {
        let corrected = Mutex(false)
        let server = try ReplayServer { request in
            .json(Self.body(request.path, value: corrected.withLock { $0 } ? 250 : 200))
        }
        let now = try Replay.instant("2024-01-12T06:10:00Z")
        let store = InMemoryGuidanceStore()
        func polled(_ now: Timestamp) async throws -> SignalReport {
            let fetcher = try AsyncHTTPFetcher(wallClock: FixedWallClock(now))
            let provider = PolledProvider(
                try GBCarbonIntensity(.national, endpoint: server.url), http: fetcher, store: store,
                wallClock: FixedWallClock(now), seed: 1)
            await provider.poll()
            let report = try await provider.signals(
                region: "GB", in: Interval(start: now, milliseconds: 1).hoursAround, now: now)
            await fetcher.close()
            return report
        }
        let measured = try Replay.interval("2024-01-12T05:00:00Z", "2024-01-12T05:30:00Z")
        #expect(try await polled(now).series.points.first { $0.interval == measured }?.value == 200)
        let asked = server.requests.count
        corrected.withLock { $0 = true }
        let later = now.advanced(byMilliseconds: 30 * .millisecondsPerMinute)
        #expect(try await polled(later).series.points.first { $0.interval == measured }?.value == 250)
        // From a day before it was last asked, in which values may be corrected; not the weeks before.
        let first = try #require(server.requests.dropFirst(asked).first)
        #expect(first.path.hasPrefix("/intensity/2024-01-11T06:00Z/"))
        let name = "web:gb-carbon-intensity:national averageDirect"
        let newest = try await store.signals(region: name, in: measured, revision: .newest)
        #expect(newest.map(\.value) == [250])
        let revisions = try await store.signals(region: name, in: measured, revision: .whenItHappened)
        // It was over when it was first heard of: what was known when it happened is nothing.
        #expect(revisions.isEmpty)
        let ahead = try Replay.interval("2024-01-12T06:10:00Z", "2024-01-12T06:30:00Z")
        let known = try await store.signals(region: name, in: ahead, revision: .whenItHappened)
        #expect(known.map(\.value) == [200])
        #expect(try await store.signals(region: name, in: ahead, revision: .newest).map(\.value) == [250])
    }

    /// Half hours of the time that is asked for.
    private static func body(_ path: String, value: Int) -> String {
        // Their times have no seconds.
        let words = path.split(separator: "/").suffix(2).map { String($0.dropLast()) + ":00Z" }
        guard words.count == 2, let start = try? Replay.instant(words[0]), let end = try? Replay.instant(words[1])
        else { return "{}" }
        let rows = stride(from: start.unixMilliseconds, to: end.unixMilliseconds, by: 1_800_000).map { time in
            let (from, to) = (Self.minute(time), Self.minute(time + 1_800_000))
            return #"{"from":"\#(from)","to":"\#(to)","intensity":{"forecast":\#(value),"actual":\#(value)}}"#
        }
        return #"{"data":[\#(rows.joined(separator: ","))]}"#
    }

    private static func minute(_ milliseconds: Int64) -> String {
        String(Timestamp(unixMilliseconds: milliseconds).description.prefix(16)) + "Z"
    }
}

extension Interval {
    /// Three hours before it to three hours after it.
    fileprivate var hoursAround: Interval {
        Interval(
            start: start.advanced(byMilliseconds: -3 * .millisecondsPerHour), milliseconds: 6 * .millisecondsPerHour)
    }
}
