import EnergyModel
import Foundation
import Testing

private typealias Pricing = RatePlanPricingTests

@Suite struct DynamicPriceTests {
    private static let start = Timestamp(unixMilliseconds: 1_625_097_600_000)  // 2021-07-01T00:00Z

    /// One price an hour from 28 days before the start; `nil` leaves a gap.
    private static func prices(_ price: (Int) -> Int64?) -> [RateConditions.SourcePrice] {
        (-28 * 24..<24).compactMap { hour in
            price(hour).map {
                RateConditions.SourcePrice(
                    interval: Interval(
                        start: start.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour),
                        milliseconds: .millisecondsPerHour),
                    price: Price(microsPerKilowattHour: $0))
            }
        }
    }
    private static func plan(_ zones: [RateZone] = []) throws -> RatePlan {
        var plan = try Pricing.plan(zones, zone: "UTC")
        plan.priceSource = "DK1"
        plan.charges = RateCharges(
            perKilowattHour: Price(microsPerKilowattHour: 100_000), taxPartsPerMillion: 250_000)
        return plan
    }
    private static let day = Interval(start: start, milliseconds: .millisecondsPerDay)

    @Test func `the source's price bears charges, and a missing one is unknown`() throws {
        let conditions = RateConditions(sourcePrices: Self.prices { $0 == 3 ? nil : $0 == 4 ? -200_000 : 40_000 })
        let priced = try Self.plan().priced(Self.day, conditions)
        #expect(priced.map(\.price?.microsPerKilowattHour) == [175_000, nil, -125_000, 175_000])
        #expect(priced.map { $0.interval.milliseconds / .millisecondsPerHour } == [3, 1, 1, 19])
        #expect(
            try Self.plan().priced(Self.day).map(\.price) == [nil],
            "without a source nothing is known, and nothing is 0")
        #expect(try Self.plan().violations == [])
    }

    @Test func `a zone of such a plan is added to the source's price`() throws {
        let plan = try Self.plan([Pricing.zone(60_000, .onPeak, from: 1020, to: 1260)])
        let priced = plan.priced(Self.day, RateConditions(sourcePrices: Self.prices { _ in 40_000 }))
        #expect(priced.map(\.price?.microsPerKilowattHour) == [175_000, 250_000, 175_000])
        #expect(priced.map(\.peak) == [.unknown, .onPeak, .unknown])
        #expect(!priced[1].isPeakDerived)
    }

    @Test func `peaks are the quarters of the 28 days before, and marked as derived`() throws {
        let conditions = RateConditions(sourcePrices: Self.prices { Int64(($0 + 28 * 24) % 24) * 1000 })
        let priced = try Self.plan().priced(Self.day, conditions)
        let peaks = priced.map(\.peak)
        #expect(peaks == [.superOffPeak, .offPeak, .partialPeak, .onPeak].flatMap { Array(repeating: $0, count: 6) })
        #expect(priced.allSatisfy { $0.isPeakDerived })
    }

    @Test func `a flat month, or less than a week of it, has no peaks`() throws {
        let flat = RateConditions(sourcePrices: Self.prices { _ in 5 })
        #expect(try Self.plan().priced(Self.day, flat).map(\.peak) == [.unknown])
        let short = RateConditions(sourcePrices: Self.prices { $0 < -6 * 24 ? nil : Int64($0) })
        #expect(try Self.plan().priced(Self.day, short).allSatisfy { $0.peak == .unknown })
    }

    @Test func `a day's own prices do not move its peaks`() throws {
        let before = Self.prices { Int64(($0 + 28 * 24) % 24) * 1000 }
        let spiked = Self.prices { $0 == 23 ? 9_000_000_000 : Int64(($0 + 28 * 24) % 24) * 1000 }
        let plan = try Self.plan()
        let hour = Interval(start: Self.start, milliseconds: 22 * .millisecondsPerHour)
        #expect(
            plan.priced(hour, RateConditions(sourcePrices: before))
                == plan.priced(hour, RateConditions(sourcePrices: spiked)))
    }
}
