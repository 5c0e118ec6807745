import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

/// What guidance says of how it was made.
@Suite struct BasisTests {
    /// Its terms forbid to pass on what it says.
    private struct Licensed: SignalProvider {
        let base: FakeProvider
        var name: String { base.name }
        var kind: SignalKind { base.kind }
        var isTimeless: Bool { true }
        var isRepublishable: Bool { false }
        func signals(region: String, in interval: Interval, now: Timestamp) async throws(EnergyError) -> SignalReport {
            try await base.signals(region: region, in: interval, now: now)
        }
    }

    private static func parts(
        _ provider: any SignalProvider, lookAhead: Int64 = .millisecondsPerDay,
        store: any GuidanceStore = InMemoryGuidanceStore(), now: Timestamp = Parts.start, plan: RatePlan? = nil
    ) throws -> Parts {
        Parts(
            GuidanceConfiguration(
                ratePlans: [try plan ?? Parts.plan()], venues: [try Parts.home(plan: "A")], commonProviders: [provider],
                lookAheadMilliseconds: lookAhead), store: store, now: now)
    }

    @Test func `it has certainty, noise, spreads, and each hour's peak`() async throws {
        let parts = try Self.parts(FakeProvider("a", isTimeless: true, answer: Parts.byHour))
        try await parts.guidance.start()
        let guidance = try await parts.get()
        // 100 to 330 g: the mean is 215, and 5 % of it noise.
        #expect(guidance.basis.certainty == 1 && abs(guidance.basis.carbonNoise - 10.75) < 1e-9)
        #expect(guidance.basis.priceRelativeSpread > 0.5)
        #expect(guidance.basis.forecastMethod == nil && guidance.basis.forecastSkill == nil)
        #expect(Set(guidance.values.map(\.peak)) == [.offPeak, .onPeak])
    }

    @Test func `guidance and history have the export price, and say which peaks the contract does not name`()
        async throws
    {
        var plan = try Parts.plan(peak: .unknown)
        for index in plan.zones.indices { plan.zones[index].peak = .unknown }
        plan = plan.withDerivedPeaks()
        plan.exportZones = [
            RateZone(price: Price(microsPerKilowattHour: 50_000), peak: .unknown),
            RateZone(price: Price(microsPerKilowattHour: 80_000), peak: .unknown, startMinute: 720, endMinute: 780),
        ]
        let parts = try Self.parts(FakeProvider("a", isTimeless: true, answer: Parts.byHour), plan: plan)
        try await parts.guidance.start()
        let guidance = try await parts.get()
        #expect(guidance.values.allSatisfy { $0.isPeakDerived && $0.exportPrice != nil })
        #expect(Set(guidance.values.map(\.peak)) == [.offPeak, .onPeak])
        #expect(guidance.values.filter { $0.exportPrice?.microsPerKilowattHour == 80_000 }.count == 1)
        #expect(guidance.basis.tiers == nil)
        let history = try await parts.guidance.history(
            SignalHistoryRequest(venueID: guidance.venueID, interval: guidance.interval)
        ).intervals
        let values = guidance.values.map { [$0.interval, $0.exportPrice, $0.isPeakDerived] as [AnyHashable] }
        #expect(history.map { [$0.interval, $0.exportPrice, $0.isPeakDerived] as [AnyHashable] } == values)
    }

    @Test func `a contract with tiers is priced by what it expects, and by its first tier without that`() async throws {
        var plan = try Parts.plan()
        for index in plan.zones.indices {
            plan.zones[index].tiers = [
                RateTier(above: Energy(milliwattHours: 1_000), price: Price(microsPerKilowattHour: 900_000))
            ]
        }
        for (expected, isFirst) in [(Energy?.none, true), (Energy(milliwattHours: 310_000_000), false)] {
            plan.monthlyEnergy = expected
            let parts = try Self.parts(FakeProvider("a", isTimeless: true, answer: Parts.byHour), plan: plan)
            try await parts.guidance.start()
            let guidance = try await parts.get()
            let energy = plan.expectedEnergy(at: guidance.interval.start)
            #expect(guidance.basis.tiers == energy.map(TierBasis.monthToDate) ?? .first)
            #expect(guidance.values.contains { $0.price?.microsPerKilowattHour == 900_000 } == !isFirst)
            let history = try await parts.guidance.history(
                SignalHistoryRequest(venueID: guidance.venueID, interval: guidance.interval)
            ).intervals
            #expect(history.map(\.price) == guidance.values.map(\.price))
        }
    }

    @Test func `a source that forbids it has its values withheld, not its ratings`() async throws {
        let parts = try Self.parts(
            Licensed(base: FakeProvider("licensed", isTimeless: true, answer: Parts.byHour)))
        try await parts.guidance.start()
        let guidance = try await parts.get()
        #expect(guidance.basis.withholdsValues)
        #expect(guidance.values.allSatisfy { $0.carbonIntensity == nil && $0.price != nil })
        #expect(Set(guidance.values.map(\.rating)).count > 10)
    }

    @Test func `guidance looks as far ahead as it is told, where the data reach`() async throws {
        let parts = try Self.parts(
            FakeProvider("a", isTimeless: true, answer: Parts.byHour), lookAhead: 2 * .millisecondsPerDay)
        try await parts.guidance.start()
        #expect(try await parts.get().interval.milliseconds == 2 * .millisecondsPerDay)
        let short = try Self.parts(
            FakeProvider("b", isTimeless: true) { start throws(EnergyError) in
                start < Parts.at(hours: 30) ? try Parts.byHour(start) : nil
            }, lookAhead: 2 * .millisecondsPerDay)
        try await short.guidance.start()
        #expect(try await short.get().interval.milliseconds == 30 * .millisecondsPerHour)
    }

    @Test func `the skill of forecasts is known after a week, and after a restart`() async throws {
        let (store, clock) = (InMemoryGuidanceStore(), Box(Parts.start))
        let provider = FakeProvider("past", newest: nil) { start throws(EnergyError) in
            start < clock.value ? try Parts.byHour(start) : nil
        }
        let parts = try Self.parts(provider, store: store)
        try await parts.guidance.start()
        #expect(try await parts.get().basis.forecastMethod == HistoryForecast.name)
        for day in 1...8 as ClosedRange<Int64> {
            #expect(try await parts.get().basis.forecastSkill == nil || day == 8)
            parts.advance(minutes: 24 * 60)
            clock.set(parts.wallClock.now)
            await parts.guidance.refresh()
        }
        let skill = try #require(try await parts.get().basis.forecastSkill)
        #expect(skill.issues >= ForecastSkill.issuesMin && skill.capturedShare > 0.99)
        let again = try Self.parts(provider, store: store, now: parts.wallClock.now)
        try await again.guidance.start()
        #expect(try #require(try await again.get().basis.forecastSkill).issues >= ForecastSkill.issuesMin)
    }

    @Test func `an event is told with who declared it and why, to its venue alone`() async throws {
        let parts = try Self.parts(FakeProvider("a", isTimeless: true, answer: Parts.byHour))
        try await parts.guidance.start()
        let barn = try await parts.guidance.put(try Parts.home("Barn", plan: "A"))
        let home = try #require(try await parts.guidance.listVenues().venues.first { $0.name == "Home" })
        let event = DemandResponseEvent(
            id: UUID(), kind: .reduce, scope: .venue(home.id),
            interval: Interval(start: Parts.at(hours: 2), milliseconds: .millisecondsPerHour), reason: "Flex Alert")
        _ = try await parts.guidance.declare(event, source: "utility")
        func guidance(_ venue: Venue) async throws -> Guidance {
            try await parts.guidance.guidance(
                GuidanceRequest(venueID: venue.id, action: .shift), principal: "car")
        }
        let told = try await guidance(home)
        #expect(told.basis.events.map(\.reason) == ["Flex Alert"] && told.basis.events.first?.source == "utility")
        #expect(told.values[2].rating == 1 && told.values[2].peak == .criticalPeak)
        let other = try await guidance(barn)
        #expect(other.basis.events.isEmpty && other.values[2].rating < 1)
        // At the next refresh, too.
        parts.advance(minutes: 60)
        await parts.guidance.refresh()
        #expect(try await guidance(home).basis.events.count == 1)
        #expect(try await guidance(barn).basis.events.isEmpty)
    }

    @Test(arguments: [("2026-03-08T08:00:00Z", 23), ("2026-11-01T07:00:00Z", 25)])
    func `days of 23 and 25 hours are rated hour by hour, and cut at the contract's edges`(
        midnight: String, hours: Int64
    ) async throws {
        let start = Timestamp(try Date(midnight, strategy: .iso8601))
        let parts = try Self.parts(FakeProvider("a", isTimeless: true, answer: Parts.byHour), now: start)
        try await parts.guidance.start()
        let values = try await parts.get().values
        // On-peak from 16:00 to 21:00 on the clock on the wall, however long the night was.
        let onPeak = values.filter { $0.peak == .onPeak }
        let first = try #require(onPeak.first?.interval.start)
        #expect(first.milliseconds(since: start) == (hours - 8) * .millisecondsPerHour)
        #expect(onPeak.reduce(0) { $0 + $1.interval.milliseconds } == 5 * .millisecondsPerHour)
        #expect(values.allSatisfy { 0...1 ~= $0.rating })
    }
}
