import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GuidancePublishing
import Synchronization
import Testing

@Suite struct ForecastTests {
    /// Knows the past only, and writes down what it was asked.
    private final class PastOnly: SignalProvider {
        let name = "past"
        let kind = SignalKind.averageDirect
        private let asked = Mutex<[Interval]>([])
        private let refusesOld: Bool

        init(refusesOld: Bool = false) { self.refusesOld = refusesOld }

        var intervals: [Interval] { asked.withLock { $0 } }

        func signals(region: String, in interval: Interval, now: Timestamp) async throws(EnergyError) -> SignalReport {
            asked.withLock { $0.append(interval) }
            if refusesOld, now.milliseconds(since: interval.start) > 60 * .millisecondsPerDay {
                throw EnergyError(.unavailable, "too long ago")
            }
            let end = min(interval.end, now)
            let points = stride(
                from: interval.start.unixMilliseconds, to: end.unixMilliseconds, by: Int(Int64.millisecondsPerHour)
            ).map { start in
                let hour = start / .millisecondsPerHour
                return SignalPoint(
                    interval: Interval(start: Timestamp(unixMilliseconds: start), milliseconds: .millisecondsPerHour),
                    value: Double(hour % 24) + 1_000, isEstimated: false)
            }
            return SignalReport(
                series: SignalSeries(points), stepMilliseconds: .millisecondsPerHour, newestMeasured: now)
        }
    }

    private static func parts(_ source: PastOnly) throws -> Parts {
        Parts(GuidanceConfiguration(venues: [try Parts.home()], providers: ["X": [source]]))
    }

    @Test func `asks for a year once a day, in parts that a source can answer`() async throws {
        let source = PastOnly()
        let parts = try Self.parts(source)
        try await parts.guidance.start()
        let first = source.intervals
        #expect(first.allSatisfy { $0.milliseconds <= 100 * .millisecondsPerDay })
        let oldest = try #require(first.map(\.start).min())
        #expect(Parts.start.milliseconds(since: oldest) == HistoryForecast.historyMilliseconds)
        parts.advance(minutes: 60)
        await parts.guidance.refresh()
        #expect(source.intervals.count == first.count + 1)
        parts.advance(minutes: 24 * 60)
        await parts.guidance.refresh()
        #expect(source.intervals.count == 2 * first.count + 1)
    }

    @Test func `does with less when a source does not know the year`() async throws {
        let source = PastOnly(refusesOld: true)
        let parts = try Self.parts(source)
        try await parts.guidance.start()
        let guidance = try await parts.get()
        #expect(guidance.values.count == 24 && guidance.basis.isForecast)
        #expect(guidance.values.map(\.rating) == guidance.values.map(\.rating).sorted())
        let count = source.intervals.count
        parts.advance(minutes: 60)
        await parts.guidance.refresh()
        // It is asked for the year again in the next hour.
        #expect(source.intervals.count == 2 * count)
    }

    @Test func `a source whose forecasts come true is trusted on a flat day`() async throws {
        // The day's spread is 2 %: noise, as long as nobody knows better.
        let parts = try Self.parts(PastOnly())
        try await parts.guidance.start()
        #expect(try #require(try await parts.get().values.last).rating < 0.75)
        for _ in 0..<9 {
            parts.advance(minutes: 24 * 60)
            await parts.guidance.refresh()
        }
        #expect(try #require(try await parts.get().values.last).rating > 0.97)
    }
}
