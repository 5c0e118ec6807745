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
        #expect(berlin.clock(first) == "02:30")
        #expect(berlin.clock(second) == "02:30")
        #expect(berlin.isoDate(second) == "2026-10-25")
        #expect(first.iso8601(in: berlin.timeZone) == "2026-10-25T02:30:00+02:00")
        #expect(second.iso8601(in: berlin.timeZone) == "2026-10-25T02:30:00+01:00")
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
