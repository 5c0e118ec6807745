import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

struct CalendarPeriodsTests {
    /// Both ways of daylight saving, half hours, half-hour changes, midnights that are skipped or repeated.
    static let zones = [
        "UTC", "America/Los_Angeles", "Asia/Kolkata", "Australia/Lord_Howe", "Europe/London", "America/Havana",
        "America/Santiago", "Africa/Cairo", "Asia/Kathmandu", "Pacific/Apia",
    ]

    @Test(arguments: zones, [Granularity.daily, .weekly, .monthly, .yearly])
    func `periods of days are Foundation's`(zone: String, granularity: Granularity) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = 2
        let component: Calendar.Component =
            switch granularity {
            case .daily: .day
            case .weekly: .weekOfYear
            case .monthly: .month
            default: .year
            }
        let periods = CalendarPeriods(granularity, timeZone: timeZone)
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            let instant = Timestamp(unixMilliseconds: .random(in: 946_684_800_000..<1_900_000_000_000, using: &random))
            let expected = try #require(calendar.dateInterval(of: component, for: instant.date))
            let period = periods.period(containing: instant)
            #expect(period.start == Timestamp(expected.start), "\(instant)")
            #expect(period.end == Timestamp(expected.end), "\(instant)")
        }
    }

    @Test(arguments: zones, Granularity.allCases)
    func `periods cover time without gaps or overlaps`(zone: String, granularity: Granularity) throws {
        let periods = CalendarPeriods(granularity, timeZone: try #require(TimeZone(identifier: zone)))
        let end = try timestamp("2027-01-20T00:00:00Z")
        var period = periods.period(containing: try timestamp("2025-12-25T00:00:00Z"))
        while period.start < end {
            #expect(periods.period(containing: period.start) == period)
            #expect(periods.period(containing: period.end.advanced(byMilliseconds: -1)) == period)
            #expect(period.start.unixMilliseconds % InsightBucket.milliseconds == 0)
            let next = periods.period(containing: period.end)
            #expect(next.start == period.end)
            period = next
        }
    }

    @Test(arguments: zones, Granularity.allCases)
    func `a grid has the periods that come one after the other`(zone: String, granularity: Granularity) throws {
        let periods = CalendarPeriods(granularity, timeZone: try #require(TimeZone(identifier: zone)))
        // Apia skipped a day at the end of 2011.
        for (start, end) in [
            ("2025-12-25T07:10:00Z", "2027-01-20T00:00:00Z"), ("2011-09-01T00:00:00Z", "2012-05-01T00:00:00Z"),
        ] {
            let range = try #require(Interval(start: timestamp(start), end: timestamp(end)))
            var edges = [periods.period(containing: range.start).start]
            while let last = edges.last, last < range.end { edges.append(periods.period(containing: last).end) }
            #expect(PeriodGrid(periods, touching: range).edges == edges)
        }
    }

    @Test(arguments: [
        // Zone, a time of the day, length of the day in minutes, its hours in minutes where they are not 60.
        ("America/Los_Angeles", "2026-03-08T20:00:00Z", 23 * 60, [Int]()),
        ("America/Los_Angeles", "2026-11-01T20:00:00Z", 25 * 60, []),
        ("Europe/London", "2026-03-29T12:00:00Z", 23 * 60, []),
        ("Europe/London", "2026-10-25T12:00:00Z", 25 * 60, []),
        ("Asia/Kolkata", "2026-03-29T12:00:00Z", 24 * 60, []),
        // The clocks go from 2:00 back to 1:30, or on to 2:30: a half hour stands alone.
        ("Australia/Lord_Howe", "2026-04-05T02:00:00Z", 24 * 60 + 30, [30]),
        ("Australia/Lord_Howe", "2026-10-04T02:00:00Z", 24 * 60 - 30, [30]),
    ])
    func `days have the hours that their clocks had`(
        zone: String, instant: String, minutes: Int, odd: [Int]
    ) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        let day = CalendarPeriods(.daily, timeZone: timeZone).period(containing: try timestamp(instant))
        #expect(day.milliseconds == Int64(minutes) * .millisecondsPerMinute)
        let hours = CalendarPeriods(.hourly, timeZone: timeZone)
        var lengths: [Int] = []
        var start = day.start
        while start < day.end {
            let hour = hours.period(containing: start)
            lengths.append(Int(hour.milliseconds / .millisecondsPerMinute))
            start = hour.end
        }
        #expect(lengths.reduce(0, +) == minutes)
        #expect(lengths.filter { $0 != 60 } == odd)
    }

    @Test func `the hour that repeats is two periods`() throws {
        let hours = CalendarPeriods(.hourly, timeZone: try #require(TimeZone(identifier: "America/Los_Angeles")))
        let first = hours.period(containing: try timestamp("2026-11-01T08:30:00Z"))
        let second = hours.period(containing: try timestamp("2026-11-01T09:30:00Z"))
        #expect("\(first)" == "2026-11-01T08:00:00Z/2026-11-01T09:00:00Z")
        #expect("\(second)" == "2026-11-01T09:00:00Z/2026-11-01T10:00:00Z")
    }

    @Test(arguments: [
        // A single day and a few hours, on the clocks of Los Angeles (UTC-7 in summer, UTC-8 in winter).
        (
            Granularity.hourly, "2026-07-15T10:00:00Z", "2026-07-15T12:00:00Z",
            "2026-07-13T07:00:00Z/2026-07-20T07:00:00Z"
        ),
        (.hourly, "2026-07-19T10:00:00Z", "2026-07-21T12:00:00Z", "2026-07-13T07:00:00Z/2026-07-27T07:00:00Z"),
        (.daily, "2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z", "2026-03-01T08:00:00Z/2026-04-01T07:00:00Z"),
        (.daily, "2026-01-20T08:00:00Z", "2026-02-19T08:00:00Z", "2026-01-01T08:00:00Z/2026-03-01T08:00:00Z"),
        // The first Mondays: 2025-07-07, 2026-01-05, 2026-07-06, 2027-01-04.
        (.weekly, "2026-07-15T10:00:00Z", "2026-07-16T10:00:00Z", "2026-07-06T07:00:00Z/2027-01-04T08:00:00Z"),
        (.weekly, "2026-01-02T10:00:00Z", "2026-01-03T10:00:00Z", "2025-07-07T07:00:00Z/2026-01-05T08:00:00Z"),
        (.weekly, "2026-01-02T10:00:00Z", "2026-01-05T08:00:01Z", "2025-07-07T07:00:00Z/2026-07-06T07:00:00Z"),
        (.monthly, "2026-07-15T10:00:00Z", "2026-07-16T10:00:00Z", "2026-01-01T08:00:00Z/2027-01-01T08:00:00Z"),
        (.yearly, "2025-12-31T10:00:00Z", "2026-01-01T08:00:00Z", "2025-01-01T08:00:00Z/2026-01-01T08:00:00Z"),
        (.yearly, "2025-12-31T10:00:00Z", "2026-01-01T08:01:00Z", "2025-01-01T08:00:00Z/2027-01-01T08:00:00Z"),
    ])
    func `short ranges are widened as EnergyKit documents`(
        granularity: Granularity, start: String, end: String, window: String
    ) throws {
        let periods = CalendarPeriods(granularity, timeZone: try #require(TimeZone(identifier: "America/Los_Angeles")))
        let range = try #require(Interval(start: timestamp(start), end: timestamp(end)))
        #expect("\(periods.window(of: range))" == window)
    }

    @Test(arguments: Granularity.allCases)
    func `a window holds its range, is made of whole periods, and widens to itself`(granularity: Granularity) throws {
        var random = SplitMix64(seed: 11)
        for zone in Self.zones {
            let periods = CalendarPeriods(granularity, timeZone: try #require(TimeZone(identifier: zone)))
            for _ in 0..<100 {
                let start = Timestamp(unixMilliseconds: .random(in: 0..<1_900_000_000_000, using: &random))
                let range = Interval(start: start, milliseconds: .random(in: 1...86_400_000_000, using: &random))
                for window in [periods.window(of: range), periods.exactWindow(of: range)] {
                    #expect(window.intersection(range) == range)
                    #expect(periods.exactWindow(of: window) == window)
                }
                #expect(periods.window(of: periods.window(of: range)) == periods.window(of: range))
            }
        }
    }

    @Test func `the exact window is the periods that the range touches`() throws {
        let periods = CalendarPeriods(.daily, timeZone: try #require(TimeZone(identifier: "Asia/Kolkata")))
        let range = try #require(
            Interval(start: timestamp("2026-05-04T18:29:59Z"), end: timestamp("2026-05-05T18:30:00Z")))
        #expect("\(periods.exactWindow(of: range))" == "2026-05-03T18:30:00Z/2026-05-05T18:30:00Z")
    }

    private func timestamp(_ text: String) throws -> Timestamp { Timestamp(try Date(text, strategy: .iso8601)) }
}
