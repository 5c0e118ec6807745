import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@testable import EnergyCommands

struct VenueTimeTests {
    @Test(arguments: UInt64(0)..<20)
    func `readings are those of Foundation's calendar, in any zone and year`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let zones = ["America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"]
        for _ in 0..<50 {
            let zone = try #require(TimeZone(identifier: zones.randomElement(using: &random)!))
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            let time = Timestamp(unixMilliseconds: .random(in: 0..<4_000_000_000_000, using: &random))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekday, .hour, .minute, .second], from: time.date)
            let reading = VenueTime(time, in: zone)
            #expect(reading.date.year == parts.year)
            #expect(reading.date.month == parts.month)
            #expect(reading.date.day == parts.day)
            #expect((reading.date.weekday + 1) % 7 + 1 == parts.weekday)
            #expect(reading.hour == parts.hour)
            #expect(reading.minute == parts.minute)
            #expect(reading.second == parts.second)
            #expect(
                try Date(reading.iso8601, strategy: .iso8601)
                    == Date(timeIntervalSince1970: (time.date.timeIntervalSince1970).rounded(.down))
                    || reading.millisecond != 0)
        }
    }

    @Test func `the hour that clocks repeat is told apart by its offset`() {
        let zone = Samples.losAngeles
        #expect(VenueTime(Samples.time("2026-11-01T07:30:00Z"), in: zone).clock == "00:30")
        #expect(VenueTime(Samples.time("2026-11-01T08:30:00Z"), in: zone).clock == "01:30 (-07:00)")
        #expect(VenueTime(Samples.time("2026-11-01T09:30:00Z"), in: zone).clock == "01:30 (-08:00)")
        #expect(VenueTime(Samples.time("2026-11-01T10:30:00Z"), in: zone).clock == "02:30")
    }

    @Test func `a reading that clocks repeat is its first, and one that they skip is when they jump`() throws {
        let autumn = try #require(CivilDate(year: 2026, month: 11, day: 1))
        let spring = try #require(CivilDate(year: 2026, month: 3, day: 8))
        let zone = Samples.losAngeles
        #expect(VenueTime.timestamp(autumn, hour: 1, minute: 30, in: zone) == Samples.time("2026-11-01T08:30:00Z"))
        #expect(VenueTime.timestamp(spring, hour: 2, minute: 30, in: zone) == Samples.time("2026-03-08T10:00:00Z"))
        #expect(VenueTime.timestamp(spring, hour: 3, minute: 30, in: zone) == Samples.time("2026-03-08T10:30:00Z"))
    }

    @Test func `days have 23, 24 and 25 hours`() throws {
        func hours(_ year: Int, _ month: Int, _ day: Int) throws -> Int64 {
            let date = try #require(CivilDate(year: year, month: month, day: day))
            let start = VenueTime.timestamp(date, in: Samples.berlin)
            return VenueTime.timestamp(date.adding(days: 1), in: Samples.berlin).milliseconds(since: start)
                / .millisecondsPerHour
        }
        #expect(try hours(2026, 3, 29) == 23)
        #expect(try hours(2026, 6, 1) == 24)
        #expect(try hours(2026, 10, 25) == 25)
    }

    @Test func `ISO 8601 carries the offset, and milliseconds when there are some`() {
        let time = Samples.time("2026-11-21T07:20:05Z")
        #expect(VenueTime(time, in: Samples.berlin).iso8601 == "2026-11-21T08:20:05+01:00")
        let fraction = time.advanced(byMilliseconds: 7)
        #expect(VenueTime(fraction, in: Samples.losAngeles).iso8601 == "2026-11-20T23:20:05.007-08:00")
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `any time that a message can hold is shown`(milliseconds: Int64) {
        let time = VenueTime(Timestamp(unixMilliseconds: milliseconds), in: Samples.berlin)
        #expect(time.iso8601.count >= 25)
    }

    @Test func `days that no calendar has are refused`() {
        #expect(CivilDate(year: 2026, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2028, month: 2, day: 29)?.iso8601 == "2028-02-29")
        #expect(CivilDate(year: 2026, month: 13, day: 1) == nil)
        #expect(CivilDate(year: 0, month: 1, day: 1) == nil)
    }
}
