import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

@Suite struct SignalHistoryTests {
    static func history(_ parts: Parts, from: Double, to: Double) async throws -> [SignalInterval] {
        let interval = try #require(Interval(start: Parts.at(hours: from), end: Parts.at(hours: to)))
        return try await parts.guidance.history(
            SignalHistoryRequest(venueID: try await parts.onlyVenue().id, interval: interval)
        ).intervals
    }

    static func started(
        _ providers: [any SignalProvider], plan: RatePlan? = nil, now: Timestamp = Parts.start
    ) async throws -> Parts {
        let parts = Parts(
            GuidanceConfiguration(
                ratePlans: plan.map { [$0] } ?? [], venues: [try Parts.home(plan: plan?.id)],
                commonProviders: providers), now: now)
        try await parts.guidance.start()
        return parts
    }

    @Test func `a past that nobody recorded is the climatology's, and usual`() async throws {
        let parts = try await Self.started([
            FakeProvider("a", answer: { _ throws(EnergyError) in 50 }),
            FakeProvider("climatology", isTimeless: true, answer: Parts.byHour),
        ])
        let past = try await Self.history(parts, from: -26, to: 0)
        #expect(past.count == 26)
        #expect(past.allSatisfy { $0.source == "climatology" && $0.isEstimated && $0.isUsual && $0.price == nil })
        // The month's median is in the middle of each day, the 90th percentile two hours before its end.
        let day = past.suffix(24)
        #expect(day.map(\.cleanliness).prefix(12).allSatisfy { $0 == .cleaner })
        #expect(day.map(\.cleanliness)[12..<22].allSatisfy { $0 == .lessClean })
        #expect(day.map(\.cleanliness).suffix(2).allSatisfy { $0 == .avoid })
        // From the start on, what was published.
        let ahead = try await Self.history(parts, from: 0, to: 24)
        #expect(ahead.allSatisfy { $0.source == "a" && $0.carbonIntensity == 50 && $0.cleanliness == .cleaner })
        #expect(ahead.allSatisfy { !$0.isUsual })
    }

    @Test func `an hour around midnight has one class, wherever one asks from`() async throws {
        let zone = try #require(TimeZone(identifier: "Asia/Kolkata"))
        let days = CalendarPeriods(.daily, timeZone: zone)
        let midnight = days.period(containing: Parts.at(hours: -48)).start
        let around = midnight.advanced(byMilliseconds: -.millisecondsPerHour / 2)
        @Sendable func day(_ time: Timestamp) -> Double {
            (Double(days.period(containing: time).start.milliseconds(since: midnight)) / 86_400_000).rounded()
        }
        // Each day is a little dirtier than the one before: so is the median of the month before it.
        let source = FakeProvider("a", answer: { $0 == around ? 985 : 1_000 + day($0) })
        let venue = VenueDraft(id: nil, name: "Home", timeZone: zone, region: "X", ratePlanID: nil, homeIDs: [])
        let parts = Parts(GuidanceConfiguration(venues: [venue], commonProviders: [source]))
        try await parts.guidance.start()
        let id = try await parts.onlyVenue().id
        for start in [around.advanced(byMilliseconds: -.millisecondsPerHour), around, midnight] {
            let interval = try #require(Interval(start: start, end: midnight.advanced(byMilliseconds: 1_800_000)))
            let history = try await parts.guidance.history(
                SignalHistoryRequest(venueID: id, interval: interval, isCorrected: true))
            let last = try #require(history.intervals.last)
            #expect(last.carbonIntensity == 985 && last.cleanliness == .lessClean)
        }
    }

    @Test func `guidance was made of usual values, and a source that knows by now corrects them`() async throws {
        let late = FakeProvider("a", answer: { _ throws(EnergyError) in throw EnergyError(.unavailable, "not yet") })
        let parts = try await Self.started([late, FakeProvider("climatology", isTimeless: true, answer: Parts.byHour)])
        parts.advance(minutes: 26 * 60)
        await parts.guidance.refresh()
        let before = try await Self.history(parts, from: 0, to: 24)
        #expect(before.allSatisfy { $0.isUsual && $0.source == "climatology" })
        late.say { _ throws(EnergyError) in 50 }
        #expect(try await Self.history(parts, from: 0, to: 24) == before)
        let venue = try await parts.onlyVenue()
        let day = try #require(Interval(start: Parts.start, end: Parts.at(hours: 24)))
        let corrected = try await parts.guidance.history(
            SignalHistoryRequest(venueID: venue.id, interval: day, isCorrected: true)
        ).intervals
        #expect(corrected.allSatisfy { $0.source == "a" && $0.carbonIntensity == 50 && !$0.isUsual })
        #expect(before.filled(from: corrected) == corrected, "whoever asks for both takes what is known")
    }

    @Test(arguments: ["America/Los_Angeles", "Pacific/Auckland", "UTC"], [20, 52, 60])
    func `what is clean is judged by the 28 days before the venue's own day`(zone: String, day: Int64) async throws {
        let days = CalendarPeriods(.daily, timeZone: try #require(TimeZone(identifier: zone)))
        // The clocks changed in the 28 days before some of these.
        let today = days.period(containing: Parts.start.advanced(byMilliseconds: day * .millisecondsPerDay))
        let half = today.start.advanced(byMilliseconds: -330 * .millisecondsPerHour)
        let evening = today.start.advanced(byMilliseconds: 16 * .millisecondsPerHour)
        let provider = FakeProvider("climatology", isTimeless: true) { start throws(EnergyError) in
            start < half ? 300 : start < evening ? 100 : 200
        }
        var home = try Parts.home()
        home.timeZone = days.timeZone
        let parts = Parts(
            GuidanceConfiguration(venues: [home], commonProviders: [provider]),
            now: today.end.advanced(byMilliseconds: .millisecondsPerDay))
        try await parts.guidance.start()
        let history = try await parts.guidance.history(
            SignalHistoryRequest(venueID: try await parts.onlyVenue().id, interval: today)
        ).intervals
        // By the 28 days before the day that UTC is in by the evening, 200 would be more than most.
        #expect(history.map(\.carbonIntensity).suffix(6).allSatisfy { $0 == 200 })
        #expect(history.allSatisfy { $0.cleanliness == .cleaner })
    }

    @Test func `what was known then is the answer, whatever is said later`() async throws {
        let provider = FakeProvider("a", isTimeless: true, answer: Parts.byHour)
        let parts = try await Self.started([provider])
        parts.advance(minutes: 90)
        await parts.guidance.refresh()
        let before = try await Self.history(parts, from: 0, to: 1.5)
        provider.say { _ throws(EnergyError) in 999 }
        await parts.guidance.refresh()
        parts.advance(minutes: 600)
        await parts.guidance.refresh()
        #expect(try await Self.history(parts, from: 0, to: 1.5) == before)
        let after = try await Self.history(parts, from: 1, to: 3)
        #expect(after.map(\.carbonIntensity) == [110, 999, 999])
        #expect(after.map { $0.interval.milliseconds / 60_000 } == [30, 30, 60])
    }

    @Test func `what is known by now stands beside what was known then, each correction after the other`() async throws
    {
        let provider = FakeProvider("a", newest: Parts.at(hours: 12), answer: Parts.byHour)
        let parts = try await Self.started([provider])
        func history(isCorrected: Bool) async throws -> [Double?] {
            let venue = try await parts.onlyVenue()
            let hours = try #require(Interval(start: Parts.start, end: Parts.at(hours: 3)))
            return try await parts.guidance.history(
                SignalHistoryRequest(venueID: venue.id, interval: hours, isCorrected: isCorrected)
            ).intervals.map(\.carbonIntensity)
        }
        let known: [Double?] = [100, 110, 120]
        #expect(try await history(isCorrected: false) == known)
        for (value, hours) in [(55.0, 4.0), (66, 1)] {
            parts.advance(minutes: Int64(hours * 60))
            provider.say { _ throws(EnergyError) in value }
            await parts.guidance.refresh()
            #expect(try await history(isCorrected: false) == known)
            #expect(try await history(isCorrected: true) == [value, value, value])
        }
        // Days later nobody corrects it any more, and it stays what it was.
        parts.advance(minutes: 5 * 24 * 60)
        provider.say { _ throws(EnergyError) in 77 }
        await parts.guidance.refresh()
        #expect(try await history(isCorrected: true) == [66, 66, 66])
    }

    @Test func `intervals are cut at tariff edges, and old hours keep their price`() async throws {
        let parts = try await Self.started(
            [FakeProvider("climatology", isTimeless: true, answer: Parts.byHour)], plan: try Parts.plan(from: 990))
        let before = try await Self.history(parts, from: -24, to: 0)
        // 16:30 in Los Angeles is half past midnight before, in winter; in September it is 23:30 UTC.
        #expect(before.count == 25)
        #expect(before.filter { $0.peak == .onPeak }.allSatisfy { $0.price?.microsPerKilowattHour == 600_000 })
        #expect(before.last?.interval.start == Parts.at(hours: -0.5))
        #expect(before.allSatisfy { $0.currency == "USD" })
        parts.advance(minutes: 60)
        _ = try await parts.guidance.put(try Parts.plan(onPeak: 900_000, from: 990))
        #expect(try await Self.history(parts, from: -24, to: 0) == before)
        let now = try await Self.history(parts, from: 0, to: 2)
        #expect(now.map(\.price?.microsPerKilowattHour) == [600_000, 900_000])
    }

    @Test func `a critical peak is to be avoided, and without a signal the price is still known`() async throws {
        let provider = FakeProvider("none") { _ throws(EnergyError) in throw EnergyError(.unavailable, "down") }
        let parts = try await Self.started([provider], plan: try Parts.plan(peak: .criticalPeak))
        let past = try await Self.history(parts, from: -24, to: 0)
        #expect(past.allSatisfy { $0.carbonIntensity == nil && $0.source.isEmpty })
        #expect(past.map(\.peak) == [.criticalPeak, .offPeak, .criticalPeak])
        #expect(past.map(\.cleanliness) == [.avoid, .unknown, .avoid])
        #expect(past.map(\.currency) == ["USD", "USD", "USD"])
    }

    @Test func `nothing known is a gap`() async throws {
        let provider = FakeProvider("none") { _ throws(EnergyError) in throw EnergyError(.unavailable, "down") }
        #expect(try await Self.history(try await Self.started([provider]), from: -24, to: 0).isEmpty)
    }

    @Test func `at most 31 days, within what calendars know`() async throws {
        let parts = try await Self.started([FakeProvider("a", isTimeless: true, answer: Parts.byHour)])
        #expect(try await Self.history(parts, from: -31 * 24, to: 0).count == 31 * 24)
        let venue = try await parts.onlyVenue()
        for (start, end) in [
            (Parts.at(hours: -31 * 24 - 1), Parts.start),
            (.init(unixMilliseconds: .min), .init(unixMilliseconds: .max)),
        ] {
            let interval = try #require(Interval(start: start, end: end))
            let error = await #expect(throws: EnergyError.self) {
                try await parts.guidance.history(SignalHistoryRequest(venueID: venue.id, interval: interval))
            }
            #expect(error?.violations.map(\.field) == ["interval"])
        }
        let unknown = await #expect(throws: EnergyError.self) {
            try await parts.guidance.history(
                SignalHistoryRequest(venueID: UUID(), interval: Interval(start: Parts.start, milliseconds: 1)))
        }
        #expect(unknown?.code == .notFound)
    }
}
