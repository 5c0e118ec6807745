import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

private typealias Pricing = RatePlanPricingTests

@Suite struct RatePlanPeaksTests {
    @Test(
        arguments: [
            ([1], [.unknown]), ([1, 2], [.offPeak, .onPeak]), ([1, 2, 3], [.offPeak, .partialPeak, .onPeak]),
            ([1, 2, 3, 4], [.superOffPeak, .offPeak, .partialPeak, .onPeak]),
            ([1, 2, 3, 4, 5], [.superOffPeak, .offPeak, .partialPeak, .partialPeak, .onPeak]),
        ] as [([Int64], [TariffPeak])])
    func `peaks follow the order of the prices`(prices: [Int64], peaks: [TariffPeak]) throws {
        let zones = prices.enumerated().map { Pricing.zone($1, .unknown, from: $0 * 60, to: 1440) }
        let plan = try Pricing.plan(zones).withDerivedPeaks()
        #expect(plan.zones.map(\.peak) == peaks)
        #expect(plan.zones.map(\.isPeakDerived) == peaks.map { $0 != .unknown })
    }

    @Test func `a zone whose place differs by season becomes one for each`() throws {
        // 0.30 always; in summer 0.50 from 16:00 to 21:00, in January 0.10 over night.
        var summer = Pricing.zone(50, .unknown, from: 960, to: 1260)
        summer.season = Season(text: "06-15..09-14")
        let plan = try Pricing.plan([
            Pricing.zone(30, .unknown), summer, Pricing.zone(10, .unknown, months: 1, from: 1320, to: 360),
        ])
        let derived = plan.withDerivedPeaks()
        func peaks(_ date: String) throws -> Set<TariffPeak> {
            let noon = try Pricing.time("\(date)T20:00:00Z")
            return Set(derived.priced(Interval(start: noon, milliseconds: .millisecondsPerDay / 2)).map(\.peak))
        }
        #expect(try peaks("2021-04-10") == [.unknown])
        #expect(try peaks("2021-06-15") == [.offPeak, .onPeak])
        #expect(try peaks("2021-01-10") == [.onPeak, .offPeak])
        #expect(Set(derived.zones.map(\.price)) == Set(plan.zones.map(\.price)))
        try Self.expectSamePrices(plan, derived)
    }

    @Test func `what the contract names stays`() throws {
        let plan = try Pricing.plan([
            Pricing.zone(10, .onPeak), Pricing.zone(20, .unknown, from: 60, to: 120),
        ])
        #expect(plan.withDerivedPeaks().zones.map(\.peak) == [.onPeak, .onPeak])
        #expect(plan.withDerivedPeaks().zones.map(\.isPeakDerived) == [false, true])
    }

    @Test(arguments: UInt64(0)..<50)
    func `deriving peaks changes no price, and doing it again changes nothing`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
        let zones = (0..<number(1...6)).map { _ in
            var zone = Pricing.zone(
                number(1...5), .unknown, days: UInt32(number(0...127)), months: UInt32(number(0...4095)),
                from: Int(number(0...23)) * 60, to: Int(number(1...24)) * 60)
            if number(0...2) == 0 { zone.season = Season(text: "\(number(1...12))-15..\(number(1...12))-20") }
            return zone
        }
        let plan = try Pricing.plan(zones, zone: "UTC")
        let derived = plan.withDerivedPeaks()
        try Self.expectSamePrices(plan, derived)
        let year = try Pricing.interval("2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z")
        #expect(derived.withDerivedPeaks().priced(year).map(\.peak) == derived.priced(year).map(\.peak))
    }

    private static func expectSamePrices(_ plan: RatePlan, _ derived: RatePlan) throws {
        let year = try Pricing.interval("2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z")
        for part in derived.priced(year) {
            #expect(plan.rate(at: part.interval.start).price == part.price, "\(part.interval)")
        }
    }
}
