import EnergyModel
import Foundation
import Testing

@Suite struct RatePlanPricingTests {
    static func plan(_ zones: [RateZone], zone: String = "America/Los_Angeles") throws -> RatePlan {
        RatePlan(
            id: "A", name: "A", currency: "USD", timeZone: try #require(TimeZone(identifier: zone)), zones: zones,
            changed: Timestamp(unixMilliseconds: 0))
    }
    static func zone(
        _ micros: Int64, _ peak: TariffPeak, days: UInt32 = 0, months: UInt32 = 0, from: Int = 0, to: Int = 1440
    ) -> RateZone {
        RateZone(
            price: Price(microsPerKilowattHour: micros), peak: peak, weekdays: days, months: months, startMinute: from,
            endMinute: to)
    }
    static func time(_ text: String) throws -> Timestamp {
        Timestamp(try #require(ISO8601DateFormatter().date(from: text), "\(text)"))
    }
    static func interval(_ start: String, _ end: String) throws -> Interval {
        try #require(Interval(start: try time(start), end: try time(end)))
    }

    /// Off-peak always, on-peak from 16:30 to 21:00 on weekdays, super off-peak from 23:00 to 05:00.
    static let timeOfUse = [
        zone(300_000, .offPeak), zone(600_000, .onPeak, days: 0b001_1111, from: 990, to: 1260),
        zone(200_000, .superOffPeak, from: 1380, to: 300),
    ]

    @Test func `a day is cut at every edge, half hours too`() throws {
        let day = try Self.interval("2021-07-01T07:00:00Z", "2021-07-02T07:00:00Z")  // a Thursday in Los Angeles
        let priced = try Self.plan(Self.timeOfUse).priced(day)
        #expect(priced.map(\.peak) == [.superOffPeak, .offPeak, .onPeak, .offPeak, .superOffPeak])
        #expect(priced.map { $0.interval.milliseconds / 60_000 } == [300, 690, 270, 120, 60])
        #expect(priced.map(\.price?.microsPerKilowattHour) == [200_000, 300_000, 600_000, 300_000, 200_000])
        try Self.covers(priced, day)
    }

    @Test func `a zone over midnight belongs to the day and month it starts in`() throws {
        // Fridays of July, 22:00 to 06:00.
        let plan = try Self.plan([
            Self.zone(1, .offPeak),
            Self.zone(2, .superOffPeak, days: 0b001_0000, months: 1 << 6, from: 1320, to: 360),
        ])
        func peak(_ text: String) throws -> TariffPeak { plan.rate(at: try Self.time(text)).peak }
        #expect(try peak("2021-07-31T04:59:59Z") == .offPeak)  // Friday 21:59
        #expect(try peak("2021-07-31T05:00:00Z") == .superOffPeak)
        #expect(try peak("2021-07-31T12:59:00Z") == .superOffPeak)  // Saturday 05:59
        #expect(try peak("2021-07-31T13:00:00Z") == .offPeak)
        #expect(try peak("2021-08-01T05:30:00Z") == .offPeak)  // Saturday night
        #expect(try peak("2021-07-03T12:00:00Z") == .superOffPeak)  // Saturday 05:00 after Friday 2 July
        #expect(try peak("2021-07-02T12:00:00Z") == .offPeak)  // Friday 05:00 after a Thursday
    }

    @Test(arguments: [
        ("2021-03-14T08:00:00Z", "2021-03-15T07:00:00Z", 23, 4),
        ("2021-11-07T07:00:00Z", "2021-11-08T08:00:00Z", 25, 6),
    ])
    func `on days of 23 and 25 hours zones follow the clock on the wall`(
        start: String, end: String, hours: Int64, nightHours: Int64
    ) throws {
        let day = try Self.interval(start, end)
        #expect(day.milliseconds == hours * .millisecondsPerHour)
        let priced = try Self.plan([Self.zone(1, .offPeak), Self.zone(2, .superOffPeak, from: 0, to: 300)]).priced(day)
        #expect(priced.map(\.peak) == [.superOffPeak, .offPeak])
        #expect(priced.map { $0.interval.milliseconds / .millisecondsPerHour } == [nightHours, 19])
        try Self.covers(priced, day)
    }

    @Test func `an edge inside the hour that is skipped or repeated`() throws {
        let half = try Self.plan([Self.zone(1, .offPeak), Self.zone(2, .onPeak, from: 90, to: 150)])
        // 01:30 to 02:30: in spring 02:00 is 03:00, so half an hour is left.
        let spring = half.priced(try Self.interval("2021-03-14T08:00:00Z", "2021-03-14T14:00:00Z"))
        #expect(spring.filter { $0.peak == .onPeak }.map { $0.interval.milliseconds / 60_000 } == [30])
        // In autumn 01:30 comes twice: half an hour, half an hour of 01:00 again, one more hour.
        let autumn = half.priced(try Self.interval("2021-11-07T07:00:00Z", "2021-11-07T14:00:00Z"))
        #expect(autumn.map { $0.interval.milliseconds / 60_000 } == [90, 30, 30, 60, 210])
        #expect(autumn.map(\.peak) == [.offPeak, .onPeak, .offPeak, .onPeak, .offPeak])
    }

    @Test(arguments: ["America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu", "Europe/London", "UTC"])
    func `the cut of a year agrees with the rate at both ends of every part`(zone: String) throws {
        let plan = try Self.plan(
            Self.timeOfUse + [Self.zone(-4, .criticalPeak, months: 0b1000, from: 601, to: 602)], zone: zone)
        let year = try Self.interval("2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z")
        let priced = plan.priced(year)
        try Self.covers(priced, year)
        for part in priced {
            for instant in [part.interval.start, part.interval.end.advanced(byMilliseconds: -1)] {
                #expect(plan.rate(at: instant).peak == part.peak, "\(instant)")
                #expect(plan.rate(at: instant).price == part.price)
            }
        }
        for (a, b) in zip(priced, priced.dropFirst()) { #expect((a.price, a.peak) != (b.price, b.peak)) }
    }

    @Test func `a time that no zone matches has no price`() throws {
        let plan = try Self.plan([Self.zone(1, .onPeak, from: 600, to: 660)])
        #expect(plan.rate(at: try Self.time("2021-07-01T07:00:00Z")).price == nil)
        #expect(plan.rate(at: try Self.time("2021-07-01T07:00:00Z")).peak == .unknown)
    }

    @Test func `local arithmetic agrees with the calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: Int64(-200_000), through: 200_000, by: 97) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3_660)
            let local = LocalTime(Timestamp(date), offsetMilliseconds: 0)
            // The Gregorian calendar of Foundation is Julian before 1582.
            if day > -140_000 { #expect(local.month == calendar.component(.month, from: date), "day \(day)") }
            #expect(local.weekday == (calendar.component(.weekday, from: date) + 5) % 7, "day \(day)")
            #expect(local.minuteOfDay == 61)
        }
    }

    private static func covers(_ priced: [PricedInterval], _ interval: Interval) throws {
        #expect(priced.first?.interval.start == interval.start)
        #expect(priced.last?.interval.end == interval.end)
        #expect(zip(priced, priced.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start })
    }
}
