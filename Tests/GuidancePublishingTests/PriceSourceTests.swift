import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

/// Contracts that pass on the prices of a source.
@Suite struct PriceSourceTests {
    /// The same carbon at every hour: what differs is the price.
    let carbon = FakeProvider("carbon", isTimeless: true) { _ throws(EnergyError) in 50 }

    static func market(_ answer: @escaping @Sendable (Timestamp) throws(EnergyError) -> Double?) -> FakeProvider {
        FakeProvider("market", kind: .price, currency: "EUR", answer: answer)
    }

    static func plan(
        _ id: String = "D", source: String = "market", currency: String = "EUR", zones: [RateZone] = []
    ) throws -> RatePlan {
        RatePlan(
            id: id, name: "Dynamic", currency: currency,
            timeZone: try #require(TimeZone(identifier: "Europe/Berlin")), zones: zones, priceSource: source,
            changed: Parts.start)
    }

    /// Cents by the hour of the day, UTC: midnight is the cheapest.
    static let cents: @Sendable (Timestamp) throws(EnergyError) -> Double? = { start in
        Double(start.unixMilliseconds / .millisecondsPerHour % 24) * 10_000 + 10_000
    }

    /// `answer` from `first` hours after the start until `last`; nothing else is known.
    static func only(_ first: Int64, _ last: Int64) -> @Sendable (Timestamp) throws(EnergyError) -> Double? {
        { start throws(EnergyError) in
            let hour = start.milliseconds(since: Parts.start) / .millisecondsPerHour
            return first..<last ~= hour ? try cents(start) : nil
        }
    }

    func parts(
        _ market: FakeProvider, carbon: FakeProvider? = nil, plans: [RatePlan]? = nil
    ) async throws -> Parts {
        let parts = Parts(
            GuidanceConfiguration(
                ratePlans: try plans ?? [Self.plan()], venues: [try Parts.home(plan: "D")],
                // Of another region than the venue: a contract is of no region.
                providers: ["exchange": [market]], commonProviders: [carbon ?? self.carbon]))
        try await parts.guidance.start()
        return parts
    }

    @Test func `cheap hours get better ratings, and the source is asked once a refresh`() async throws {
        let market = Self.market(Self.cents)
        let parts = try await parts(
            market, plans: [try Self.plan(), try Self.plan("E")])
        let guidance = try await parts.get()
        #expect(guidance.incorporatesRatePlan && !guidance.basis.isForecast && guidance.basis.skippedSources.isEmpty)
        #expect(guidance.basis.currency == "EUR")
        #expect(guidance.values.map(\.price?.microsPerKilowattHour) == (1...24).map { $0 * 10_000 })
        #expect(guidance.values.map(\.rating) == guidance.values.map(\.rating).sorted())
        #expect(guidance.values[0].rating < guidance.values[23].rating)
        _ = try await parts.guidance.put(try Parts.home("Barn", region: "Y", plan: "E"))
        let before = market.timesAsked
        await parts.guidance.refresh()
        #expect(market.timesAsked == before + 1)
        #expect(
            try await parts.guidance.listSources().sources.filter(\.status.isInUse).map(\.status.name).contains(
                "market"))
    }

    @Test func `an unknown price is not free: without history carbon alone counts`() async throws {
        let cleanAtMidnight = FakeProvider("carbon", isTimeless: true, answer: Parts.byHour)
        let market = Self.market { start throws(EnergyError) in try Self.only(0, 6)(start).map { 1_000_000 - $0 } }
        let parts = try await parts(market, carbon: cleanAtMidnight)
        let guidance = try await parts.get()
        #expect(!guidance.incorporatesRatePlan && guidance.locationHasRatePlan)
        #expect(guidance.values.map { $0.price == nil } == (0..<24).map { $0 >= 6 })
        #expect(guidance.values.map(\.rating) == guidance.values.map(\.rating).sorted())
    }

    @Test func `hours that the market has not said yet are rated by the last weeks, and show no price`() async throws {
        let parts = try await parts(Self.market(Self.only(-28 * 24, 20)))
        let guidance = try await parts.get()
        #expect(guidance.incorporatesRatePlan && guidance.basis.isForecast)
        #expect(guidance.values.map { $0.price == nil } == (0..<24).map { $0 >= 20 })
        #expect(guidance.values.map(\.rating) == guidance.values.map(\.rating).sorted())
        let ahead = try await SignalHistoryTests.history(parts, from: 0, to: 24)
        #expect(ahead.filter { $0.price != nil }.count == 20)
    }

    @Test func `the zones of the contract are added`() async throws {
        let grid = RateZone(price: Price(microsPerKilowattHour: 5), peak: .unknown)
        let parts = try await parts(Self.market(Self.cents), plans: [try Self.plan(zones: [grid])])
        #expect(try await parts.get().values.first?.price?.microsPerKilowattHour == 10_005)
    }

    @Test func `a source that fails leaves carbon alone, and guidance says why until it is well again`() async throws {
        let market = Self.market { _ throws(EnergyError) in throw EnergyError(.unavailable, "answered 503") }
        let parts = try await parts(market)
        let guidance = try await parts.get()
        #expect(!guidance.incorporatesRatePlan && guidance.values.allSatisfy { $0.price == nil })
        #expect(guidance.basis.skippedSources == ["market: answered 503"])
        let listed = try await parts.guidance.listSources().sources.map(\.status)
        let status = try #require(listed.first { $0.name == "market" })
        #expect(!status.isInUse && status.lastError == "answered 503")
        market.say(Self.cents)
        await parts.guidance.refresh()
        let next = try await parts.get()
        #expect(next.incorporatesRatePlan && next.basis.skippedSources.isEmpty)
    }

    @Test func `a price that is corrected later stays in history as it was known first`() async throws {
        let market = Self.market(Self.cents)
        let parts = try await parts(market)
        parts.advance(minutes: 90)
        await parts.guidance.refresh()
        let before = try await SignalHistoryTests.history(parts, from: 0, to: 1.5)
        #expect(before.map(\.price?.microsPerKilowattHour) == [10_000, 20_000])
        #expect(before.allSatisfy { $0.currency == "EUR" })
        market.say { _ throws(EnergyError) in 990_000 }
        await parts.guidance.refresh()
        parts.advance(minutes: 600)
        await parts.guidance.refresh()
        #expect(try await SignalHistoryTests.history(parts, from: 0, to: 1.5) == before)
        let after = try await SignalHistoryTests.history(parts, from: 1, to: 3)
        #expect(after.map(\.price?.microsPerKilowattHour) == [20_000, 990_000, 990_000])
    }

    @Test func `history has no price of a time in which the source was not heard`() async throws {
        let parts = try await parts(Self.market(Self.cents))
        #expect(try await SignalHistoryTests.history(parts, from: -2, to: 0).allSatisfy { $0.price == nil })
    }

    @Test func `pushed prices count at once`() async throws {
        let store = InMemoryGuidanceStore()
        let pushed = PushedProvider(
            source: "meter", region: "exchange", kind: .price, currency: "EUR", store: store,
            wallClock: SettableClock(Parts.start))
        let parts = Parts(
            GuidanceConfiguration(
                ratePlans: [try Self.plan(source: "push:meter")], venues: [try Parts.home(plan: "D")],
                providers: ["exchange": [pushed]], commonProviders: [carbon]), store: store)
        try await parts.guidance.start()
        #expect(try await parts.get().basis.skippedSources == ["push:meter: nothing has been pushed yet"])
        let values = SignalSourceTests.values(0..<25, kind: .price, value: 70_000, currency: "EUR")
        _ = try await parts.guidance.put(SignalSourceTests.push(values, region: "exchange"))
        let guidance = try await parts.get()
        #expect(guidance.incorporatesRatePlan)
        #expect(guidance.values.allSatisfy { $0.price?.microsPerKilowattHour == 70_000 })
    }

    @Test(arguments: [
        ("nobody", "EUR", "must name a price source of the guidance-publisher's setting 'sources': market (EUR)"),
        // Carbon is no price.
        ("carbon", "EUR", "must name a price source of the guidance-publisher's setting 'sources': market (EUR)"),
        ("market", "USD", "must name a source with prices in USD; this one has them in EUR"),
    ])
    func `a plan whose source is not there, or in another currency, is refused`(
        source: String, currency: String, rule: String
    ) async throws {
        let parts = try await parts(Self.market(Self.cents))
        let error = await #expect(throws: EnergyError.self) {
            try await parts.guidance.put(try Self.plan("F", source: source, currency: currency))
        }
        #expect(error?.code == .invalidInput)
        #expect(error?.violations.map(\.field) == ["rate_plan.price_source"])
        #expect(error?.violations.map(\.rule) == [rule])
        #expect(try await parts.guidance.listRatePlans().ratePlans.map(\.id) == ["D"])
    }

    @Test func `a name that two sources share names none of them`() throws {
        let twins = [PriceSource(name: "market", currency: "EUR"), PriceSource(name: "market", currency: "EUR")]
        let violation = try #require(try Self.plan().violation(amongPriceSources: twins))
        #expect(violation.rule == "must name one price source; the setting 'sources' has 2 of this name")
        #expect(try Self.plan().violation(amongPriceSources: [twins[0]]) == nil)
    }

    @Test func `a plan that was stored before its source was taken away has no price, and says so`() async throws {
        let store = InMemoryGuidanceStore()
        try await store.putRatePlan(try Self.plan())
        let parts = Parts(
            GuidanceConfiguration(venues: [try Parts.home(plan: "D")], commonProviders: [carbon]), store: store)
        try await parts.guidance.start()
        #expect(
            try await parts.get().basis.skippedSources == [
                "market: the setting 'sources' has 0 price sources of this name"
            ])
    }
}
