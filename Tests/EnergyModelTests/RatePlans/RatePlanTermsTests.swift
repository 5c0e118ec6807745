import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

private typealias Pricing = RatePlanPricingTests

@Suite struct RatePlanTermsTests {
    private static func micros(_ value: Int64) -> Price { Price(microsPerKilowattHour: value) }

    @Test func `a season by date includes both its ends, and may cross New Year`() throws {
        let season = try #require(Season(text: "10-15..03-31"))
        var winter = Pricing.zone(2, .onPeak)
        winter.season = season
        let plan = try Pricing.plan([Pricing.zone(1, .offPeak), winter], zone: "Europe/Paris")
        let year = try Pricing.interval("2023-12-31T23:00:00Z", "2024-12-31T23:00:00Z")
        #expect(
            plan.priced(year).map(\.interval.start) == [
                year.start, try Pricing.time("2024-03-31T22:00:00Z"), try Pricing.time("2024-10-14T22:00:00Z"),
            ])
        #expect(season.description == "10-15..03-31")
        for bad in ["10-15", "10-15..", "2-30..3-1", "1-1...2-2", ""] { #expect(Season(text: bad) == nil) }
    }

    @Test(
        arguments: [
            // (0.10 + 0.05) * 1.19 = 0.1785; rounding half away from zero on both sides.
            (100_000, 50_000, 190_000, 178_500), (1, 0, 500_000, 2), (-1, 0, 500_000, -2), (3, 0, 166_666, 3),
            (-100_000, 20_000, 250_000, -100_000), (0, 0, 190_000, 0),
        ] as [(Int64, Int64, Int64, Int64)])
    func `charges come first, tax on the sum, rounded once`(price: Int64, fixed: Int64, tax: Int64, paid: Int64) throws
    {
        var plan = try Pricing.plan([Pricing.zone(price, .offPeak)])
        plan.charges = RateCharges(perKilowattHour: Self.micros(fixed), taxPartsPerMillion: tax)
        #expect(plan.rate(at: try Pricing.time("2021-07-01T07:00:00Z")).price == Self.micros(paid))
    }

    @Test func `the price of the next kilowatt-hour is that of the tier that the month has reached`() throws {
        var zone = Pricing.zone(100, .offPeak)
        zone.tiers = [
            RateTier(above: Energy(milliwattHours: 300_000_000), price: Self.micros(200)),
            RateTier(above: Energy(milliwattHours: 600_000_000), price: Self.micros(300)),
        ]
        var plan = try Pricing.plan([zone])
        plan.billingDay = 15
        let now = try Pricing.time("2021-07-20T12:00:00Z")
        func price(_ used: Int64, at instant: String = "2021-07-20T13:00:00Z") throws -> Int64? {
            let conditions = RateConditions(monthToDate: Energy(milliwattHours: used), asOf: now)
            return plan.rate(at: try Pricing.time(instant), conditions).price?.microsPerKilowattHour
        }
        #expect(try price(0) == 100)
        #expect(try price(299_999_999) == 100)
        #expect(try price(300_000_000) == 200)
        #expect(try price(900_000_000) == 300)
        // 15 August 00:00 in Los Angeles is 07:00Z: there the count begins anew.
        #expect(try price(900_000_000, at: "2021-08-15T06:59:59Z") == 300)
        #expect(try price(900_000_000, at: "2021-08-15T07:00:00Z") == 100)
        #expect(try price(900_000_000, at: "2021-07-10T07:00:00Z") == 100)
    }

    @Test func `the energy expected in a month says the tier, day by day, the same for guidance and history`() throws {
        var zone = Pricing.zone(100, .offPeak)
        zone.tiers = [RateTier(above: Energy(milliwattHours: 300_000_000), price: Self.micros(200))]
        var plan = try Pricing.plan([zone])
        #expect(plan.isTiered)
        #expect(plan.expectedEnergy(at: try Pricing.time("2021-07-20T12:00:00Z")) == nil)
        // 31 days: 10 kWh a day. The tier is reached after 30 of them, at midnight in Los Angeles.
        (plan.billingDay, plan.monthlyEnergy) = (15, Energy(milliwattHours: 310_000_000))
        let month = try #require(
            Interval(start: try Pricing.time("2021-07-15T07:00:00Z"), end: try Pricing.time("2021-08-15T07:00:00Z")))
        #expect(plan.expectedEnergy(at: month.start) == .zero)
        #expect(plan.expectedEnergy(at: month.end.advanced(byMilliseconds: -1))?.milliwattHours == 300_000_000)
        #expect(plan.expectedEnergy(at: month.end) == .zero)
        let priced = plan.priced(month)
        #expect(priced.map(\.price) == [Self.micros(100), Self.micros(200)])
        #expect(priced.last?.interval.start == (try Pricing.time("2021-08-14T07:00:00Z")))
        // Any part of it is priced alike; a month over a leap day, and one over New Year, too.
        #expect(plan.rate(at: try Pricing.time("2021-08-14T08:00:00Z")).price == Self.micros(200))
        let leap = try Pricing.time("2024-03-10T20:00:00Z")
        let share: Int64 = 310_000_000 * 24 / 29
        #expect(plan.expectedEnergy(at: leap)?.milliwattHours == share)
        let newYear = try Pricing.time("2025-01-14T20:00:00Z")
        #expect(plan.expectedEnergy(at: newYear)?.milliwattHours == 300_000_000)
        // What a meter says counts before what is expected.
        let metered = RateConditions(monthToDate: Energy(milliwattHours: 400_000_000), asOf: month.start)
        #expect(plan.rate(at: month.start, metered).price == Self.micros(200))
        plan.monthlyEnergy = Energy(milliwattHours: .max)
        #expect(plan.rate(at: month.start).price == Self.micros(100))
    }

    @Test func `a dated rate cuts at its own edges, and a later one wins`() throws {
        var plan = try Pricing.plan([Pricing.zone(100_000, .offPeak)])
        let first = try Pricing.interval("2021-07-01T16:10:00Z", "2021-07-01T20:00:30Z")
        let second = try Pricing.interval("2021-07-01T19:00:00Z", "2021-07-01T21:00:00Z")
        plan.datedRates = [
            DatedRate(interval: first, change: .multiplier(permille: 3_500), peak: .criticalPeak),
            DatedRate(interval: second, change: .price(Self.micros(7)), exportPrice: Self.micros(9)),
        ]
        let priced = plan.priced(try Pricing.interval("2021-07-01T07:00:00Z", "2021-07-02T07:00:00Z"))
        #expect(priced.map(\.price?.microsPerKilowattHour) == [100_000, 350_000, 7, 7, 100_000])
        #expect(priced.map(\.peak) == [.offPeak, .criticalPeak, .criticalPeak, .offPeak, .offPeak])
        #expect(priced.map(\.exportPrice?.microsPerKilowattHour) == [nil, nil, 9, 9, nil])
        #expect(priced.dropFirst().map(\.interval.start) == [first.start, second.start, first.end, second.end])
        // The same, declared from outside the contract.
        var bare = plan
        bare.datedRates = []
        let conditions = RateConditions(datedRates: plan.datedRates)
        #expect(bare.priced(try Pricing.interval("2021-07-01T07:00:00Z", "2021-07-02T07:00:00Z"), conditions) == priced)
    }

    @Test func `energy that is fed in has zones of its own, without charges`() throws {
        var plan = try Pricing.plan([Pricing.zone(100_000, .offPeak)])
        plan.charges = RateCharges(taxPartsPerMillion: 500_000)
        plan.exportZones = [Pricing.zone(50_000, .unknown), Pricing.zone(80_000, .unknown, from: 960, to: 1260)]
        let priced = plan.priced(try Pricing.interval("2021-07-01T07:00:00Z", "2021-07-02T07:00:00Z"))
        #expect(priced.map(\.exportPrice?.microsPerKilowattHour) == [50_000, 80_000, 50_000])
        #expect(Set(priced.map(\.price)) == [Self.micros(150_000)])
    }

    @Test func `every broken rule of the terms is named`() throws {
        var zone = Pricing.zone(1, .offPeak)
        zone.tiers = [2, 2].map { RateTier(above: Energy(milliwattHours: $0), price: Self.micros(.max)) }
        var plan = try Pricing.plan([zone])
        plan.exportZones = [zone]
        plan.billingDay = 29
        plan.monthlyEnergy = Energy(milliwattHours: -1)
        plan.charges = RateCharges(perKilowattHour: Self.micros(.min), taxPartsPerMillion: -1)
        plan.priceSource = "a b"
        let instant = Interval(start: Timestamp(unixMilliseconds: 0), milliseconds: 1)
        plan.datedRates = [
            DatedRate(interval: instant, change: .multiplier(permille: -1), exportPrice: Self.micros(.min))
        ]
        #expect(
            plan.violations.map(\.field) == [
                "rate_plan.zones[0].tiers", "rate_plan.zones[0].tiers", "rate_plan.charge_micros_per_kwh",
                "rate_plan.tax_ppm", "rate_plan.billing_day", "rate_plan.monthly_mwh", "rate_plan.price_source",
                "rate_plan.export_zones[0].tiers", "rate_plan.export_zones[0].tiers",
                "rate_plan.export_zones[0].tiers", "rate_plan.dated_rates[0].multiplier_permille",
                "rate_plan.dated_rates[0].price_micros_per_kwh",
            ])
        // Not even a plan that was never checked traps.
        #expect(
            plan.priced(instant, RateConditions(sourcePrices: [.init(interval: instant, price: Self.micros(.max))]))
                .count == 1)
    }

    @Test(arguments: UInt64(0)..<50)
    func `whatever the terms, a cut has no gaps, neighbours differ, and agrees with the rate at both ends`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let zones = ["America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu", "Europe/London"]
        let span = try Pricing.interval("2021-10-25T00:00:00Z", "2021-11-15T00:00:00Z")
        func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
        func part() -> Interval {
            Interval(
                start: span.start.advanced(byMilliseconds: number(-86_400_000...1_800_000_000)),
                milliseconds: number(1...200_000_000))
        }
        var plan = try Pricing.plan([], zone: zones[Int(number(0...3))])
        plan.zones = (0..<number(0...6)).map { _ in
            var zone = Pricing.zone(
                number(-2...2), TariffPeak.allCases[Int(number(0...5))], days: UInt32(number(0...127)),
                months: UInt32(number(0...4095)), from: Int(number(0...1439)), to: Int(number(1...1440)))
            if number(0...1) == 0 { zone.season = Season(text: "11-0\(number(1...9))..10-28") }
            return zone
        }
        plan.holidays = [Holiday(.date(year: 2021, try #require(Season.Day(month: 11, day: 3))))]
        plan.datedRates = (0..<number(0...3)).map { _ in
            DatedRate(interval: part(), change: .multiplier(permille: number(0...3000)), peak: .onPeak)
        }
        if number(0...1) == 0 { plan.priceSource = "x" }
        let conditions = RateConditions(
            sourcePrices: (0..<number(0...40)).map { _ in .init(interval: part(), price: Self.micros(number(-3...3))) })
        let priced = plan.priced(span, conditions)
        #expect(priced.first?.interval.start == span.start && priced.last?.interval.end == span.end)
        for (before, after) in zip(priced, priced.dropFirst()) {
            #expect(before.interval.end == after.interval.start)
            #expect(
                (before.price, before.peak, before.isPeakDerived) != (after.price, after.peak, after.isPeakDerived))
        }
        for part in priced {
            for instant in [part.interval.start, part.interval.end.advanced(byMilliseconds: -1)] {
                let rate = plan.rate(at: instant, conditions)
                #expect(rate.price == part.price && rate.peak == part.peak, "\(instant)")
            }
        }
    }
}
