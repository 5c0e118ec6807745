import EnergyModel
import Foundation
import Testing

private typealias Pricing = RatePlanPricingTests

@Suite struct RatePlanFindingsTests {
    @Test func `exceptions to a wider zone are no findings`() throws {
        #expect(try Pricing.plan(Pricing.timeOfUse).findings() == [])
    }

    @Test func `a time without a price is an error that says when`() throws {
        var summer = Pricing.zone(1, .offPeak)
        summer.season = Season(text: "05-01..10-31")
        let winter = Pricing.zone(2, .onPeak, days: 0b011_1111, months: 0b1100_0000_1111)
        let findings = try Pricing.plan([summer, winter]).findings()
        #expect(
            findings.map(\.description) == [
                "error: zones: no zone gives a price on a Sunday of 01-01 from 00:00 to 24:00, and perhaps at other times"
            ])
    }

    @Test func `a zone that never wins is named`() throws {
        let plan = try Pricing.plan([
            Pricing.zone(1, .offPeak, from: 600, to: 660), Pricing.zone(2, .offPeak),
            Pricing.zone(3, .onPeak, from: 0, to: 720),
        ])
        #expect(plan.findings().map(\.place) == ["zones[0]"])
        var never = Pricing.zone(9, .onPeak, months: 1)
        never.season = Season(text: "05-01..06-01")
        #expect(try Pricing.plan([Pricing.zone(1, .offPeak), never]).findings().map(\.place) == ["zones[1]"])
    }

    @Test func `zones that each cover a part of the other are named, with where`() throws {
        let plan = try Pricing.plan([
            Pricing.zone(1, .offPeak), Pricing.zone(2, .onPeak, from: 960, to: 1260),
            Pricing.zone(3, .superOffPeak, days: 0b110_0000, from: 1200, to: 1320),
        ])
        #expect(
            plan.findings().map(\.description) == [
                "warning: zones[2]: overlaps zones[1] on a Saturday of 01-01 from 20:00 to 21:00: the later wins "
                    + "(0.000003 from 20:00 to 22:00, over 0.000002 from 16:00 to 21:00)"
            ])
    }

    @Test func `dated rates that overlap are named`() throws {
        var plan = try Pricing.plan([Pricing.zone(1, .offPeak)])
        let start = try Pricing.time("2021-07-01T00:00:00Z")
        plan.datedRates = [2, 0, 1].map {
            DatedRate(
                interval: Interval(
                    start: start.advanced(byMilliseconds: $0 * .millisecondsPerHour),
                    milliseconds: $0 == 1 ? 2 * .millisecondsPerHour : .millisecondsPerHour),
                peak: .criticalPeak)
        }
        #expect(plan.findings().map(\.place) == ["dated_rates[0]"])
    }

    @Test func `forty zones of forty seasons are looked at whole`() throws {
        let zones = (0..<40).map { index -> RateZone in
            var zone = Pricing.zone(Int64(index), .unknown, from: index * 30, to: 1440 - index)
            zone.season = Season(text: "\(index % 12 + 1)-\(index % 28 + 1)..\((index + 5) % 12 + 1)-\(index % 28 + 1)")
            return zone
        }
        _ = try Pricing.plan(zones).findings()
        #expect(try Pricing.plan(zones).withDerivedPeaks().zones.count >= 1)
    }
}
