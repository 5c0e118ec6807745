import EnergyModel
import Foundation
import Testing

@Suite struct VenueRulesTests {
    @Test(arguments: [
        "a", "EV-1", "Bob's car", "7", "7CC68F21-8E5C-4A5F-A90F-D4A7E5C8A2B1", String(repeating: "x", count: 64),
    ])
    func `good device ids are taken`(id: String) throws {
        #expect(try Device(id: id, name: "n", kind: .hvac).validated().id == id)
    }

    @Test(arguments: [
        "", " a", "a ", "-a", "a'", "a/b", "ä", "a_b", "a\u{0}b", String(repeating: "x", count: 65), "a\n",
    ])
    func `bad device ids are refused, naming the field`(id: String) {
        let error = #expect(throws: EnergyError.self) { try Device(id: id, name: "n", kind: .hvac).validated() }
        #expect(error?.violations.map(\.field) == ["device.id"])
    }

    @Test func `names are sanitised, not refused`() throws {
        func name(_ text: String) throws -> String { try Device(id: "a", name: text, kind: .hvac).validated().name }
        #expect(try name("Jürgens Auto №1 🚗 (alt)") == "Jürgens Auto №1 🚗 (alt)")
        #expect(try name("a\u{0}b\u{1B}[31mc\n\u{202E}") == "ab[31mc")
        #expect(try name(String(repeating: "🚗", count: 200)).utf16.count == 250)
        #expect(try name(String(repeating: "x", count: 249) + "🚗") == String(repeating: "x", count: 249))
        for bad in ["", "  ", "\u{0}\n"] { #expect(throws: EnergyError.self) { try name(bad) } }
    }

    @Test func `every broken rule of a venue is named`() throws {
        let home = UUID()
        let venue = Venue(
            id: UUID(), name: "", timeZone: try #require(TimeZone(secondsFromGMT: 3600)), region: "a b",
            ratePlanID: "/", homeIDs: [home, home], changed: Timestamp(unixMilliseconds: 0))
        #expect(
            venue.violations.map(\.field) == [
                "venue.name", "venue.time_zone", "venue.region", "venue.rate_plan_id", "venue.home_ids",
            ])
        #expect(throws: EnergyError.self) { try venue.validated() }
    }

    @Test func `every broken rule of a rate plan is named`() throws {
        let bad = RateZone(
            price: Price(microsPerKilowattHour: .min), peak: .onPeak, weekdays: 128, months: 4096, startMinute: 1440,
            endMinute: 0)
        let plan = RatePlan(
            id: "", name: "\n", currency: "usd", timeZone: try #require(TimeZone(identifier: "America/Chicago")),
            zones: [bad], changed: Timestamp(unixMilliseconds: 0))
        #expect(
            plan.violations.map(\.field) == [
                "rate_plan.id", "rate_plan.name", "rate_plan.currency", "rate_plan.zones[0].price_micros_per_kwh",
                "rate_plan.zones[0].weekdays", "rate_plan.zones[0].months", "rate_plan.zones[0].start_minute",
                "rate_plan.zones[0].end_minute",
            ])
        var empty = plan
        empty.zones = []
        #expect(empty.violations.contains { $0.field == "rate_plan.zones" })
    }
}
