import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

struct FormatsTests {
    private func formats(_ language: Language, _ zone: String) throws -> Formats {
        Formats(language: language, timeZone: try #require(TimeZone(identifier: zone)))
    }

    @Test func `money is written as people of the venue's country write it`() throws {
        let (berlin, home) = (try formats(.german, "Europe/Berlin"), try formats(.english, "America/Los_Angeles"))
        let text = berlin.money(micros: 1_234_500_000, "EUR").replacing("\u{A0}", with: " ")
        #expect(text == "1.234,50 €")
        #expect(home.money(micros: -2_500_000, "USD") == "-$2.50")
        #expect(home.price(Price(microsPerKilowattHour: 310_000), "USD") == "$0.310")
        #expect(berlin.energy(Energy(milliwattHours: 12_345_678)) == "12,3 kWh")
    }

    @Test func `times are those of the venue's clocks, also in the hour that repeats`() throws {
        let berlin = try formats(.english, "Europe/Berlin")
        // 2026-10-25T00:30Z is 02:30 in summer time, an hour later 02:30 again.
        let first = Timestamp(unixMilliseconds: 1_792_888_200_000)
        let second = first.advanced(byMilliseconds: .millisecondsPerHour)
        #expect(berlin.clock(first) == "02:30 (+02:00)")
        #expect(berlin.clock(second) == "02:30 (+01:00)")
        let before = first.advanced(byMilliseconds: -.millisecondsPerHour)
        let hour = Interval(start: before, milliseconds: .millisecondsPerHour)
        #expect(berlin.span(hour, seen: before) == "01:30–02:30 (+02:00)")
        #expect(berlin.isoDate(second) == "2026-10-25")
        #expect(first.iso8601(in: berlin.timeZone) == "2026-10-25T02:30:00+02:00")
        #expect(second.iso8601(in: berlin.timeZone) == "2026-10-25T02:30:00+01:00")
    }

    @Test func `what is ahead has one minute wherever it is told`() throws {
        let berlin = try formats(.english, "Europe/Berlin")
        let now = Timestamp(unixMilliseconds: 1_782_864_000_000)  // 2026-07-01T02:00
        let start = now.advanced(byMilliseconds: 8 * .millisecondsPerHour + 20 * .millisecondsPerMinute + 40_000)
        #expect(berlin.moment(start, seen: now) == "10:21")
        let span = Interval(start: start, milliseconds: .millisecondsPerHour)
        #expect(berlin.span(span, seen: now) == "10:21–11:21")
        let target = ChargingTarget(stateOfCharge: 80, estimatedCompletion: span.end, scheduledStart: start)
        let waiting = Activity(
            id: UUID(), venueID: UUID(), device: Device(id: "car", name: "Car", kind: .electricVehicle), time: now,
            content: .status(
                VehicleStatus(
                    status: .idle(.scheduledPause), stateOfCharge: 40, energyMilliwattHours: 0, target: target)))
        #expect(berlin.teller.text(waiting).contains("starts 10:21"))
        // What happened has the minute that the clocks showed.
        #expect(berlin.moment(start, seen: span.end) == "10:20")
    }

    @Test func `a span that ends on another day says which, and what is years ahead says the year`() throws {
        let berlin = try formats(.english, "Europe/Berlin")
        let now = Timestamp(unixMilliseconds: 1_782_864_000_000)  // Wednesday 2026-07-01T02:00
        let hour = Int64.millisecondsPerHour
        func span(_ from: Int64, _ hours: Int64) -> String {
            berlin.span(
                Interval(start: now.advanced(byMilliseconds: from * hour), milliseconds: hours * hour), seen: now)
        }
        #expect(span(12, 22) == "14:00–Thu 12:00")
        #expect(span(36, 87) == "Thu 14:00–Mon 05:00")
        // Midnight is the end of its day.
        #expect(span(12, 10) == "14:00–00:00")
        let years = now.advanced(byMilliseconds: 3 * 365 * 24 * hour)
        #expect(berlin.moment(years, seen: now).contains("2029"))
        #expect(!berlin.moment(now.advanced(byMilliseconds: 30 * 24 * hour), seen: now).contains("2026"))
    }

    @Test func `clocks and weeks are as in the country, in the language's way`() throws {
        let instant = Timestamp(unixMilliseconds: 1_782_864_000_000)  // 2026-06-30T17:00 in Los Angeles
        let (english, german) = (
            try formats(.english, "America/Los_Angeles"), try formats(.german, "America/Los_Angeles")
        )
        #expect(english.clock(instant) == "5:00\u{A0}PM" && german.clock(instant) == "17:00")
        #expect(english.isoClock(instant) == "17:00")
        #expect(
            english.told("Waits: starts 17:05, ready by 00:30") == "Waits: starts 5:05\u{A0}PM, ready by 12:30\u{A0}AM")
        #expect(german.told("starts 17:05") == "starts 17:05")
        #expect(english.week == [6, 0, 1, 2, 3, 4, 5] && german.week == english.week)
        let london = try formats(.english, "Europe/London")
        #expect(london.clock(instant) == "01:00" && london.week == Array(0..<7))
        #expect(try formats(.english, "UTC").clock(instant) == "00:00")
    }

    @Test func `units and money have one form on a page`() throws {
        let german = try formats(.german, "America/Los_Angeles")
        let price = german.price(Price(microsPerKilowattHour: 310_000), "USD")
        #expect(price.replacing("\u{A0}", with: " ") == "0,310 $")
        #expect(german.length(milliseconds: 145 * .millisecondsPerHour) == "145 Std.")
        #expect(german.length(milliseconds: 16 * .millisecondsPerHour + 1_260_000) == "16 Std. 21 Min.")
        let home = try formats(.english, "America/Los_Angeles")
        #expect(home.money(Money(micros: 1_460_000, currency: "USD")) == "$1.46" && home.percent(80) == "80%")
        let day = Timestamp(unixMilliseconds: 1_635_775_200_000)  // 2021-11-01
        let week = home.dates(day, day.advanced(byMilliseconds: 5 * .millisecondsPerDay))
        #expect(week.filter { $0.isLetter || $0.isNumber } == "Nov162021", "\(week)")
    }

    @Test func `what a form sends is read on the venue's clocks`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let instant = LocalInput.instant("2026-07-01", "06:30", in: zone)
        #expect(instant == Timestamp(unixMilliseconds: 1_782_880_200_000))
        for (day, clock) in [
            ("2026-02-30", "06:30"), ("2026-13-01", "06:30"), ("1-1", "06:30"), ("2026-07-01", "24:00"),
            ("2026-07-01", "6"), ("2026-07-01", "-1:00"), ("99999999999999999999-01-01", "06:30"), ("", ""),
        ] {
            #expect(LocalInput.instant(day, clock, in: zone) == nil)
        }
    }
}
