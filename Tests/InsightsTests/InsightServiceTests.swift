import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import Testing

struct InsightServiceTests {
    private let store = InMemoryInsightStore()
    private let venues = ScriptedVenues("America/Los_Angeles")
    private var service: InsightService { InsightService(store: store, venues: venues) }

    @Test func `a session over the hour that repeats is in both of its hours`() async throws {
        var log = SampleLog()
        let range = try Interval("2026-11-01T08:00:00Z", "2026-11-01T10:00:00Z")
        log.append(log.session(device: "car", [(range.start, 0, 0), (range.end, 0, 3_001)]))
        try await InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: ScriptedVenues()).project(
            log.records)
        let hourly = try await service.records(query(log.venueID, range, .hourly))
        #expect(hourly.map { "\($0.interval.start)" } == ["2026-11-01T08:00:00Z", "2026-11-01T09:00:00Z"])
        #expect(hourly.map(\.total).sum.energy.milliwattHours == 3_001)
        #expect(hourly.map(\.total.runtimeMilliseconds) == [.millisecondsPerHour, .millisecondsPerHour])
        let daily = try await service.records(query(log.venueID, range, .daily))
        #expect(daily.map { "\($0.interval)" } == ["2026-11-01T07:00:00Z/2026-11-02T08:00:00Z"])
        #expect(daily[0].byCleanliness == nil && daily[0].byTariff == nil)
    }

    @Test func `a short range is widened, an exact one is not`() async throws {
        var log = SampleLog()
        let monday = try Timestamp("2026-07-13T08:00:00Z")
        for day in Int64(0)..<7 {
            let start = monday.advanced(byMilliseconds: day * .millisecondsPerDay)
            log.append(log.session(device: "car", [(start, 0, 0), (start.advanced(byMilliseconds: 60_000), 0, 5)]))
        }
        try await InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: ScriptedVenues()).project(
            log.records)
        let range = Interval(start: monday.advanced(byMilliseconds: 2 * .millisecondsPerDay), milliseconds: 1)
        #expect(try await service.records(query(log.venueID, range, .hourly)).count == 7)
        var exact = query(log.venueID, range, .hourly)
        exact.exactRange = true
        #expect(try await service.records(exact).map(\.interval.start) == [range.start])
    }

    @Test func `a long answer comes in pages, each with what is counted`() async throws {
        var log = SampleLog()
        let start = try Timestamp("2026-01-01T08:00:00Z")
        let points = (Int64(0)...1_234).map { hour in
            (start.advanced(byMilliseconds: hour * .millisecondsPerHour), Int64(1), hour * 10)
        }
        log.append(log.session(device: "car", points))
        try await InsightProjector(store: store, signals: RandomSignals(seed: 1), venues: ScriptedVenues()).project(
            log.records)
        let range = Interval(start: start, milliseconds: 60 * .millisecondsPerDay)
        let pages = try await service.pages(query(log.venueID, range, .hourly))
        #expect(pages.map(\.records.count) == [500, 500, 234])
        let starts = pages.flatMap(\.records).map(\.interval.start)
        #expect(starts == starts.sorted())
        #expect(pages.flatMap(\.records).map(\.total).sum.energy.milliwattHours == 12_340)
        for page in pages {
            #expect(page.applied.map(\.partition) == Array(0..<LogPartition.count))
            #expect(page.applied[log.partition].sequence == 1)
        }
    }

    @Test func `an empty venue has one page without records`() async throws {
        let pages = try await service.pages(
            query(UUID(), Interval("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"), .daily))
        #expect(pages.map(\.records) == [[]])
        #expect(pages.first?.applied.count == LogPartition.count)
    }

    @Test func `five years and a window may be asked for, more may not`() async throws {
        let start = try Timestamp("2020-01-01T00:00:00Z")
        let most = Interval(start: start, milliseconds: (5 * 366 + 7) * .millisecondsPerDay)
        #expect(try await service.records(query(UUID(), most, .hourly)).isEmpty)
        let more = Interval(start: start, end: most.end.advanced(byMilliseconds: 1))
        await expect(.invalidInput, query(UUID(), try #require(more), .hourly))
    }

    @Test(
        arguments: [(Int64.min, Int64.max), (-1, 5), (0, Int64.max), (253_370_764_800_000, 253_370_764_800_001)]
            as [(Int64, Int64)])
    func `times that no calendar holds are refused`(start: Int64, end: Int64) async throws {
        let range = Interval(start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
        await expect(.invalidInput, query(UUID(), try #require(range), .yearly))
    }

    @Test func `an unknown venue is not found`() async throws {
        venues.answer(.failure(EnergyError(.notFound, "no such venue")))
        await expect(.notFound, query(UUID(), try Interval("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"), .daily))
    }

    @Test func `without the venue's time zone the answer is unavailable, and says when to ask again`() async throws {
        venues.answer(.failure(EnergyError(.unavailable, "away")))
        let error = await #expect(throws: EnergyError.self) {
            _ = try await service.pages(
                query(UUID(), Interval("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"), .daily))
        }
        #expect(error?.code == .unavailable)
        #expect(error?.retryAfterMilliseconds == 1_000)
    }

    private func expect(_ code: EnergyError.Code, _ query: InsightQuery) async {
        let error = await #expect(throws: EnergyError.self) { _ = try await service.pages(query) }
        #expect(error?.code == code)
    }

    private func query(_ venueID: UUID, _ range: Interval, _ granularity: Granularity) -> InsightQuery {
        InsightQuery(venueID: venueID, deviceID: "car", range: range, granularity: granularity)
    }
}
