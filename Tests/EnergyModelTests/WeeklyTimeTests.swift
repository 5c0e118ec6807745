import EnergyModel
import Foundation
import Testing

struct WeeklyTimeTests {
    private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func time(_ text: String) throws -> Timestamp {
        Timestamp(try Date(text, strategy: .iso8601))
    }

    private func interval(_ start: String, _ end: String) throws -> Interval {
        try #require(Interval(start: time(start), end: time(end)))
    }

    @Test func `it comes on its weekdays, and not on the days left out`() throws {
        // 2026-11-23 is a Monday; days since 1970 of the 24th: 20,781.
        let workdays = WeeklyTime(weekdays: Weekdays(rawValue: 0b001_1111), minuteOfDay: 7 * 60, exceptions: [20_781])
        var now = try time("2026-11-20T06:00:00Z")
        var found: [String] = []
        for _ in 0..<4 {
            now = try #require(workdays.next(after: now, in: berlin))
            found.append(now.description)
        }
        #expect(
            found == [
                "2026-11-23T06:00:00Z", "2026-11-25T06:00:00Z", "2026-11-26T06:00:00Z", "2026-11-27T06:00:00Z",
            ])
        let without = workdays.skipping(try time("2026-11-25T06:00:00Z"), in: berlin)
        #expect(without.exceptions == [20_781, 20_782])
        #expect(
            try without.next(after: time("2026-11-23T06:00:00Z"), in: berlin)?.description == "2026-11-26T06:00:00Z")
    }

    @Test func `on days of 23 and 25 hours it is still that time on the clock`() throws {
        let daily = WeeklyTime(weekdays: .every, minuteOfDay: 7 * 60)
        // Clocks go forward on 2026-03-29 and back on 2026-10-25.
        #expect(try daily.next(after: time("2026-03-28T12:00:00Z"), in: berlin)?.description == "2026-03-29T05:00:00Z")
        #expect(try daily.next(after: time("2026-10-24T12:00:00Z"), in: berlin)?.description == "2026-10-25T06:00:00Z")
        let night = WeeklyTime(weekdays: .every, minuteOfDay: 2 * 60 + 30)
        // 02:30 is skipped: the clocks jump at 02:00. And comes twice: the first counts, and only that.
        #expect(try night.next(after: time("2026-03-28T12:00:00Z"), in: berlin)?.description == "2026-03-29T01:00:00Z")
        let first = try #require(try night.next(after: time("2026-10-24T12:00:00Z"), in: berlin))
        #expect(first.description == "2026-10-25T00:30:00Z")
        #expect(night.next(after: first, in: berlin)?.description == "2026-10-26T01:30:00Z")
        // Lord Howe Island moves by half an hour, at 02:00.
        let howe = try #require(TimeZone(identifier: "Australia/Lord_Howe"))
        let odd = WeeklyTime(weekdays: .every, minuteOfDay: 2 * 60 + 15)
        #expect(try odd.next(after: time("2026-10-03T12:00:00Z"), in: howe)?.description == "2026-10-03T15:30:00Z")
    }

    @Test func `one whose days are all left out has no next time`() throws {
        let friday = WeeklyTime(
            weekdays: Weekdays(rawValue: 1 << 4), minuteOfDay: 0, exceptions: (20_700...20_900).map { $0 })
        #expect(try friday.next(after: time("2026-11-20T06:00:00Z"), in: berlin) == nil)
    }

    @Test func `absences are cut to the window, run over midnight, and know clock changes`() throws {
        let work = Absence.weekly(Weekdays(rawValue: 0b001_1111), startMinute: 8 * 60, endMinute: 17 * 60 + 30)
        let week = try work.intervals(in: interval("2026-11-23T10:00:00Z", "2026-11-24T12:00:00Z"), berlin)
        #expect(
            week == [
                try interval("2026-11-23T10:00:00Z", "2026-11-23T16:30:00Z"),
                try interval("2026-11-24T07:00:00Z", "2026-11-24T12:00:00Z"),
            ])
        let night = Absence.weekly(Weekdays(rawValue: 1 << 5), startMinute: 22 * 60, endMinute: 6 * 60)
        let spring = try night.intervals(in: interval("2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z"), berlin)
        #expect(spring == [try interval("2026-03-29T00:00:00Z", "2026-03-29T04:00:00Z")])
        let autumn = try night.intervals(in: interval("2026-10-24T12:00:00Z", "2026-10-26T00:00:00Z"), berlin)
        #expect(autumn.map(\.milliseconds) == [9 * .millisecondsPerHour])
        let holiday = Absence.once(try interval("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"))
        let window = try interval("2026-11-23T10:00:00Z", "2026-11-24T12:00:00Z")
        #expect(holiday.intervals(in: window, berlin) == [window])
    }
}
