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

    @Test func `an unknown price is not free: the hours that have one are rated by it, the others by carbon`()
        async throws
    {
        let cleanAtMidnight = FakeProvider("carbon", isTimeless: true, answer: Parts.byHour)
        let market = Self.market { start throws(EnergyError) in try Self.only(0, 6)(start).map { 1_000_000 - $0 } }
        let parts = try await parts(market, carbon: cleanAtMidnight)
        let guidance = try await parts.get()
        #expect(guidance.incorporatesRatePlan && guidance.locationHasRatePlan)
        #expect(guidance.values.map { $0.price == nil } == (0..<24).map { $0 >= 6 })
        let unpriced = try #require(Interval(start: Parts.at(hours: 6), end: Parts.at(hours: 24)))
        #expect(guidance.basis.unpriced == [unpriced])
        let ratings = guidance.values.map(\.rating)
        // The cleanest hours are the dearest of those with a price: no hour is as good as the clean ones were.
        #expect(ratings[5] < ratings[0] + 0.4 && ratings[6...].elementsEqual(ratings[6...].sorted()))
        _ = try await parts.guidance.put(
            VenueDraft(
                id: guidance.venueID, name: "Home", timeZone: .gmt, region: "X", ratePlanID: "D", priceWeight: 0))
        let carbonOnly = try await parts.get()
        #expect(!carbonOnly.incorporatesRatePlan && carbonOnly.basis.unpriced == [unpriced])
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

    @Test func `other prices are published although no rating moves, and the same ones are not`() async throws {
        let market = Self.market(Self.cents)
        let parts = try await parts(market)
        _ = parts.published.take()
        await parts.guidance.refresh()
        #expect(parts.published.take().isEmpty)
        let before = try await parts.get()
        market.say { start throws(EnergyError) in try Self.cents(start).map { $0 * 3 } }
        await parts.guidance.refresh()
        #expect(parts.published.take().count == 2, "for both actions")
        let after = try await parts.get()
        #expect(after.values.map(\.rating) == before.values.map(\.rating) && after.token != before.token)
        #expect(after.values.map(\.price?.microsPerKilowattHour) == (1...24).map { $0 * 30_000 })
    }

    @Test func `other carbon and other reasons are published although no rating moves`() async throws {
        let better = FakeProvider("better") { _ throws(EnergyError) in throw EnergyError(.unavailable, "answered 503") }
        let carbon = FakeProvider("carbon", isTimeless: true, answer: Parts.byHour)
        let parts = Parts(
            GuidanceConfiguration(venues: [try Parts.home()], providers: ["X": [better, carbon]]))
        try await parts.guidance.start()
        carbon.say { start throws(EnergyError) in try Parts.byHour(start).map { $0 * 2 } }
        await parts.guidance.refresh()
        #expect(try await parts.get().values.first?.carbonIntensity == 200)
        better.say { _ throws(EnergyError) in throw EnergyError(.unavailable, "answered 429") }
        await parts.guidance.refresh()
        #expect(try await parts.get().basis.skippedSources == ["better: answered 429"])
        // What nobody sees is not worth a publication.
        carbon.say { start throws(EnergyError) in try Parts.byHour(start).map { $0 * 2 + 0.1 } }
        _ = parts.published.take()
        await parts.guidance.refresh()
        #expect(parts.published.take().isEmpty)
    }

    @Test func `a restart in the middle of an hour keeps the price, and so does a price that is known from now on`()
        async throws
    {
        let (store, now) = (InMemoryGuidanceStore(), Parts.at(hours: 0.75))
        func started() async throws -> Parts {
            let pushed = PushedProvider(
                source: "meter", region: "exchange", kind: .price, currency: "EUR", store: store,
                wallClock: SettableClock(now))
            let parts = Parts(
                GuidanceConfiguration(
                    ratePlans: [try Self.plan(source: "push:meter")], venues: [try Parts.home(plan: "D")],
                    providers: ["exchange": [pushed]], commonProviders: [carbon]), store: store, now: now)
            try await parts.guidance.start()
            return parts
        }
        let parts = try await started()
        let hours = SignalSourceTests.values(0..<25, kind: .price, value: 70_000, currency: "EUR")
        _ = try await parts.guidance.put(SignalSourceTests.push(hours, region: "exchange"))
        let guidance = try await started().get()
        #expect(guidance.incorporatesRatePlan && guidance.basis.unpriced.isEmpty)
        #expect(try await guidance.values == parts.get().values)
        // The first quarters of the hour are not known any more, and are not needed.
        let other = InMemoryGuidanceStore()
        let late = PushedProvider(
            source: "meter", region: "exchange", kind: .price, currency: "EUR", store: other,
            wallClock: SettableClock(now))
        let rest = SignalPoint(
            interval: try #require(Interval(start: Parts.at(hours: 0.7), end: Parts.at(hours: 1))), value: 80_000,
            isEstimated: true)
        let cut = Parts(
            GuidanceConfiguration(
                ratePlans: [try Self.plan(source: "push:meter")], venues: [try Parts.home(plan: "D")],
                providers: ["exchange": [late]], commonProviders: [carbon]), store: other, now: now)
        try await cut.guidance.start()
        let values = SignalValues(kind: .price, currency: "EUR", points: [rest] + hours.points.dropFirst())
        _ = try await cut.guidance.put(SignalSourceTests.push(values, region: "exchange"))
        let rated = try await cut.get()
        #expect(rated.incorporatesRatePlan && rated.basis.unpriced.isEmpty)
        #expect(rated.values.first?.price == nil, "nobody has said it")
    }

    @Test(arguments: [0.5, 1])
    func `a window is cut to what is priced, and never to less than a day`(weight: Double) async throws {
        let market = Self.market(Self.only(0, 43))
        let parts = Parts(
            GuidanceConfiguration(
                ratePlans: [try Self.plan()], venues: [try Parts.home(plan: "D")],
                providers: ["exchange": [market]], commonProviders: [carbon], priceWeight: weight,
                lookAheadMilliseconds: 2 * .millisecondsPerDay))
        try await parts.guidance.start()
        let guidance = try await parts.get()
        #expect(guidance.incorporatesRatePlan && guidance.basis.priceWeight == weight)
        #expect(guidance.interval.end == Parts.at(hours: 43) && guidance.basis.unpriced.isEmpty)
        market.say(Self.only(0, 20))
        await parts.guidance.refresh()
        let short = try await parts.get()
        #expect(short.interval.end == Parts.at(hours: 24) && short.incorporatesRatePlan)
        #expect(short.basis.unpriced == [Interval(start: Parts.at(hours: 20), milliseconds: 4 * .millisecondsPerHour)])
    }

    @Test(arguments: [
        ("nobody", "EUR", "must name a price source of the guidance-publisher: market (EUR)"),
        // Carbon is no price.
        ("carbon", "EUR", "must name a price source of the guidance-publisher: market (EUR)"),
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
