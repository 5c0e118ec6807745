import EnergyModel
import Foundation
import Testing

@Suite struct HolidayTests {
    /// A plan that costs 1 on Sundays and holidays, and 2 otherwise.
    private static func isHoliday(_ date: String, _ rule: String, _ observance: Holiday.Observance) throws -> Bool {
        var plan = try RatePlanPricingTests.plan(
            [RatePlanPricingTests.zone(2, .onPeak), RatePlanPricingTests.zone(1, .offPeak, days: 0b100_0000)],
            zone: "America/New_York")
        plan.holidays = [Holiday(try #require(Holiday.Rule(text: rule)), observance: observance)]
        let noon = try RatePlanPricingTests.time("\(date)T17:00:00Z")
        return plan.rate(at: noon).peak == .offPeak
    }

    @Test(arguments: [
        ("4 thu nov", "2021-11-25"), ("4 thu nov", "2026-11-26"), ("last mon may", "2021-05-31"),
        ("last mon may", "2026-05-25"), ("1 mon sep", "2025-09-01"), ("last wed dec", "2025-12-31"),
        ("last fri feb", "2024-02-23"), ("5 fri oct", "2021-10-29"), ("12-25", "2024-12-25"), ("2-29", "2024-02-29"),
        ("2026-07-03", "2026-07-03"), ("easter-2", "2024-03-29"), ("easter+1", "2024-04-01"),
        ("easter+1", "2025-04-21"),
        ("easter-2", "2038-04-23"), ("easter+39", "2026-05-14"),
    ])
    func `a rule is on its day, and not on the days around it`(rule: String, date: String) throws {
        #expect(try Self.isHoliday(date, rule, .onTheDay))
        let noon = try RatePlanPricingTests.time("\(date)T17:00:00Z")
        for days in [-1, 1, 7] as [Int64] {
            let other = noon.advanced(byMilliseconds: days * .millisecondsPerDay)
            let text = String("\(other)".prefix(10))
            let isSunday = LocalTime(other, offsetMilliseconds: 0).weekday == 6
            #expect(try Self.isHoliday(text, rule, .onTheDay) == isSunday, "\(text)")
        }
    }

    @Test func `one that falls on a weekend moves as the contract says`() throws {
        // 4 July: 2020 a Saturday, 2021 a Sunday. 1 January 2022 a Saturday.
        #expect(try !Self.isHoliday("2021-07-05", "7-4", .onTheDay))
        #expect(try Self.isHoliday("2021-07-05", "7-4", .mondayAfterSunday))
        #expect(try !Self.isHoliday("2020-07-03", "7-4", .mondayAfterSunday))
        #expect(try Self.isHoliday("2020-07-03", "7-4", .nearestWeekday))
        #expect(try Self.isHoliday("2021-12-31", "1-1", .nearestWeekday), "observed in the year before")
        #expect(try !Self.isHoliday("2022-12-31", "1-1", .nearestWeekday))
    }

    @Test(arguments: ["2026-12-24", "12-25", "02-29", "4 thu nov", "last mon may", "easter", "easter+1", "easter-2"])
    func `a rule's text reads as the rule`(text: String) throws {
        let rule = try #require(Holiday.Rule(text: text))
        #expect(Holiday.Rule(text: rule.text) == rule)
        #expect(rule.text == text)
        #expect(rule.isPossible)
    }

    @Test(arguments: [
        "", "13-01", "02-30", "0 thu nov", "6 thu nov", "4 thx nov", "4 thu", "easter+101", "easterly", "1-2-3-4",
        "26-12-24", "+1-2", "easter 1", "12-", "99999999999999999999-1-1",
    ])
    func `what is no day is no rule`(text: String) { #expect(Holiday.Rule(text: text) == nil) }

    @Test func `a day that a year lacks is refused`() throws {
        var plan = try RatePlanPricingTests.plan([RatePlanPricingTests.zone(1, .offPeak)])
        plan.holidays = [
            Holiday(.nthWeekday(occurrence: 0, weekday: 9, month: 13)),
            Holiday(try #require(Holiday.Rule(text: "2023-02-29"))),
        ]
        #expect(plan.violations.map(\.field) == ["rate_plan.holidays[0]", "rate_plan.holidays[1]"])
    }

    @Test func `a zone over midnight that begins on a holiday is of the holiday`() throws {
        // 22:00 to 06:00 on Sundays; 2021-11-25 is a Thursday.
        var plan = try RatePlanPricingTests.plan([
            RatePlanPricingTests.zone(2, .onPeak),
            RatePlanPricingTests.zone(1, .offPeak, days: 0b100_0000, from: 1320, to: 360),
        ])
        plan.holidays = [Holiday(.nthWeekday(occurrence: 4, weekday: 3, month: 11))]
        let days = try RatePlanPricingTests.interval("2021-11-24T08:00:00Z", "2021-11-27T08:00:00Z")
        let night = plan.priced(days).filter { $0.peak == .offPeak }.map(\.interval)
        #expect(night == [try RatePlanPricingTests.interval("2021-11-26T06:00:00Z", "2021-11-26T14:00:00Z")])
    }
}
