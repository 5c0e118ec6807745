import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

/// What is pushed, or read from a file, long after its time.
@Suite struct LateSignalTests {
    let store = InMemoryGuidanceStore()

    @Test(arguments: [false, true])
    func `carbon of two months ago is known by now, not then, with the class of its own month`(
        isRestarted: Bool
    ) async throws {
        var parts = try await started()
        // 300 g once, then 100 g, and 200 g in the evenings: dirty days of long ago say nothing of a day.
        let values = (-62 * 24 ..< -60).map { hour in
            (hour, hour < -59 * 24 ? 300.0 : (hour + 62 * 24) % 24 < 16 ? 100 : 200)
        }
        try await push(values, to: parts)
        if isRestarted {
            parts = try await started()
            // One value of that time is in memory now, and the others are not.
            try await push([(-61 * 24, 301)], to: parts)
        }
        #expect(try await history(parts, from: -30 * 24, to: -29 * 24).isEmpty)
        let known = try await history(parts, from: -30 * 24, to: -29 * 24, isCorrected: true)
        #expect(known.map(\.carbonIntensity) == (0..<24).map { $0 < 16 ? 100 : 200 })
        #expect(known.allSatisfy { $0.source == "push:meter" && !$0.isEstimated })
        #expect(known.map(\.cleanliness) == (0..<24).map { $0 < 16 ? .cleaner : .lessClean })
        // Of less than a week before it nothing is known that it could be clean by.
        let first = try await history(parts, from: -61 * 24, to: -60 * 24, isCorrected: true)
        #expect(first.count == 24)
        #expect(first.allSatisfy { $0.cleanliness == .unknown })
        #expect(try await history(parts, from: -80 * 24, to: -79 * 24, isCorrected: true).isEmpty)
        #expect(try await history(parts, from: -62 * 24, to: -31 * 24, isCorrected: true).count == 31 * 24)
    }

    @Test func `a day half an hour from GMT is judged by the 28 days before it, not by its own`() async throws {
        let parts = try await started(in: "Asia/Kolkata")
        // A week but for half an hour, and the first half hour of the day that begins then.
        let midnight = -10 * 24 + 18.5
        let week = Int(midnight - 167.5)..<Int(midnight + 0.5)
        try await push(week.map { ($0, 100) } + [(week.upperBound + 5, 90)], to: parts)
        let later = (Double(week.upperBound + 5), Double(week.upperBound + 6))
        let known = try await history(parts, from: later.0, to: later.1, isCorrected: true)
        #expect(known.map(\.carbonIntensity) == [90] && known.map(\.cleanliness) == [.unknown])
        // With half an hour more it is a week.
        try await push([(week.lowerBound - 1, 100)], to: parts)
        let longer = try await history(parts, from: later.0, to: later.1, isCorrected: true)
        #expect(longer.map(\.cleanliness) == [.cleaner])
    }

    @Test func `what was expected of a time is no knowledge of it`() async throws {
        let parts = try await started()
        try await push((-40 * 24 ..< -60).map { ($0, 100) }, isEstimated: true, to: parts)
        #expect(try await history(parts, from: -5 * 24, to: -4 * 24, isCorrected: true).isEmpty)
    }

    @Test func `what was recorded stays, and gets its class when the month before it is known`() async throws {
        let parts = try await started()
        try await push((-3..<24).map { ($0, 100) }, to: parts)
        let then = try await history(parts, from: 0, to: 3)
        #expect(then.map(\.carbonIntensity) == [100, 100, 100])
        #expect(then.allSatisfy { $0.cleanliness == .unknown })
        parts.advance(minutes: 5 * 24 * 60)
        try await push((-28 * 24 ..< -3).map { ($0, 150) } + [(1, 999)], to: parts)
        #expect(try await history(parts, from: 0, to: 3) == then)
        let now = try await history(parts, from: 0, to: 3, isCorrected: true)
        #expect(now.map(\.carbonIntensity) == [100, 100, 100])
        #expect(now.allSatisfy { $0.cleanliness == .cleaner })
    }

    @Test func `prices that the market's source heard of long after are known by now, not then`() async throws {
        let market = PriceSourceTests.market(PriceSourceTests.only(0, 48))
        let parts = Parts(
            GuidanceConfiguration(
                ratePlans: [try PriceSourceTests.plan()], venues: [try Parts.home(plan: "D")],
                providers: ["exchange": [market]],
                commonProviders: [FakeProvider("carbon", isTimeless: true) { _ throws(EnergyError) in 50 }]))
        try await parts.guidance.start()
        market.say(PriceSourceTests.only(-50 * 24, 48))
        for (isCorrected, prices) in [(false, [nil, nil]), (true, [10_000, 20_000] as [Int64?])] {
            let hours = try await history(parts, from: -20 * 24, to: -20 * 24 + 2, isCorrected: isCorrected)
            #expect(hours.map(\.price?.microsPerKilowattHour) == prices)
        }
        #expect(
            try await history(parts, from: -20 * 24, to: -19 * 24, isCorrected: true).allSatisfy {
                $0.peak != .unknown && $0.isPeakDerived
            })
    }

    @Test(arguments: [Int64(5), 15, 30])
    func `what is pushed of the last two days is known in its own steps, whatever comes after it`(
        minutes: Int64
    ) async throws {
        let parts = try await started()
        // Half an hour beside the hours of UTC.
        let start = Parts.at(hours: -5.5)
        let points = (0..<(330 / minutes)).map { index in
            SignalPoint(
                interval: Interval(
                    start: start.advanced(byMilliseconds: index * minutes * .millisecondsPerMinute),
                    milliseconds: minutes * .millisecondsPerMinute),
                value: Double(100 + index), isEstimated: false)
        }
        let ahead = (0..<24).map { hour in
            SignalPoint(
                interval: Interval(start: Parts.at(hours: Double(hour)), milliseconds: .millisecondsPerHour),
                value: 500,
                isEstimated: true)
        }
        _ = try await parts.guidance.put(
            SignalSourceTests.push(SignalValues(kind: .averageDirect, points: points + ahead)))
        let known = try await history(parts, from: -5.5, to: 0, isCorrected: true)
        #expect(known.map(\.interval) == points.map(\.interval))
        #expect(known.map(\.carbonIntensity) == points.map(\.value))
    }

    // MARK: Helpers

    private func started(in zone: String = "America/Los_Angeles") async throws -> Parts {
        let pushed = PushedProvider(
            source: "meter", region: "X", kind: .averageDirect, store: store, wallClock: SettableClock(Parts.start))
        let home = VenueDraft(
            id: nil, name: "Home", timeZone: try #require(TimeZone(identifier: zone)), region: "X", ratePlanID: nil,
            homeIDs: [])
        let parts = Parts(GuidanceConfiguration(venues: [home], providers: ["X": [pushed]]), store: store)
        try await parts.guidance.start()
        return parts
    }

    private func push(_ values: [(hour: Int, value: Double)], isEstimated: Bool = false, to parts: Parts) async throws {
        let points = values.map { hour, value in
            SignalPoint(
                interval: Interval(start: Parts.at(hours: Double(hour)), milliseconds: .millisecondsPerHour),
                value: value, isEstimated: isEstimated)
        }
        _ = try await parts.guidance.put(SignalSourceTests.push(SignalValues(kind: .averageDirect, points: points)))
    }

    private func history(
        _ parts: Parts, from: Double, to: Double, isCorrected: Bool = false
    ) async throws -> [SignalInterval] {
        let interval = try #require(Interval(start: Parts.at(hours: from), end: Parts.at(hours: to)))
        let request = SignalHistoryRequest(
            venueID: try await parts.onlyVenue().id, interval: interval, isCorrected: isCorrected)
        return try await parts.guidance.history(request).intervals
    }
}
