import EnergyModel
import Tariffs
import Testing

@Suite struct EvccTests {
    /// As in evcc's documentation, with all that a zone can have.
    private static let yaml = """
        tariffs:
          currency: EUR
          grid:
            type: fixed
            price: 0.294
            charges: 0.02
            tax: 0.19
            zones:
              - days: Mon-Fri
                hours: 2-5,22:30-0
                price: 0.2
              - months: nov-feb
                hours: 17-20
                price: 0.41
          feedin:
            type: fixed
            price: 0.0811
        """

    @Test func `zones follow days, hours and months, and the last that matches wins`() throws {
        let tariff = try TariffParts.read(Self.yaml, nil, try TariffParts.terms("Europe/Berlin"))
        #expect(tariff.format == .evcc)
        let plan = tariff.plan
        #expect(plan.currency == "EUR")
        // (0.294 + 0.02) * 1.19 = 0.37366; (0.2 + 0.02) * 1.19 = 0.2618; (0.41 + 0.02) * 1.19 = 0.5117.
        #expect(try TariffParts.micros(plan, "2025-07-16T12:00:00+02:00") == 373_660)
        #expect(try TariffParts.micros(plan, "2025-07-16T02:00:00+02:00") == 261_800)
        #expect(try TariffParts.micros(plan, "2025-07-16T22:29:00+02:00") == 373_660)
        #expect(try TariffParts.micros(plan, "2025-07-16T23:59:00+02:00") == 261_800)
        #expect(try TariffParts.micros(plan, "2025-07-19T02:00:00+02:00") == 373_660, "a Saturday")
        #expect(try TariffParts.micros(plan, "2025-01-18T19:59:00+01:00") == 511_700)
        #expect(plan.exportZones.map(\.price.microsPerKilowattHour) == [81_100])
        func peak(_ time: String) throws -> TariffPeak { plan.rate(at: try TariffParts.time(time)).peak }
        #expect(try peak("2025-07-16T12:00:00+02:00") == .onPeak)
        #expect(try peak("2025-01-15T12:00:00+01:00") == .partialPeak)
        #expect(try peak("2025-01-15T18:00:00+01:00") == .onPeak)
        #expect(tariff.findings == [])
    }

    @Test func `one tariff alone, as JSON`() throws {
        let tariff = try TariffParts.read(#"{"price": 0.3, "zones": [{"hours": "0-6", "price": 0.1}]}"#)
        #expect(tariff.format == .evcc)
        #expect(tariff.plan.zones.map(\.price.microsPerKilowattHour) == [300_000, 100_000])
    }

    @Test(
        arguments: [
            ("mon-fri", 0b001_1111), ("Sat,Sun", 0b110_0000), ("fri-mon", 0b111_0001), ("Wednesday", 0b100),
            ("mon, wed - thu", 0b1101), ("mo-fr", nil), ("", nil), ("mon-", nil), ("monster", nil),
            ("mon-tue-wed", nil),
        ] as [(String, UInt32?)])
    func `days`(text: String, bits: UInt32?) { #expect(ZoneRanges.days(text) == bits) }

    @Test(
        arguments: [
            ("jan-mar", 0b111), ("nov-feb", 0b1100_0000_0011), ("June", 0b10_0000), ("13", nil), ("jan/feb", nil),
        ] as [(String, UInt32?)])
    func `months`(text: String, bits: UInt32?) { #expect(ZoneRanges.months(text) == bits) }

    @Test(
        arguments: [
            ("0-5,23-0", [0..<300, 1380..<1440]), ("7:30-16", [450..<960]), ("0-24", [0..<1440]), ("22-6", nil),
            ("5-5", nil), ("25-26", nil), ("7:60-8", nil), ("-5", nil), ("0-5,", nil), ("24-0", nil),
            ("0-0", [0..<1440]),
        ] as [(String, [Range<Int>]?)])
    func `hours`(text: String, ranges: [Range<Int>]?) { #expect(ZoneRanges.hours(text) == ranges) }

    @Test(arguments: [
        (#"{"grid": {"type": "tibber"}}"#, "grid.type", "must be fixed"),
        (#"{"grid": {"price": 1, "formula": "price*2"}}"#, "grid.formula", "must be absent"),
        (#"{"grid": {}}"#, "grid.price", "must be a price per kWh, if"),
        (#"{"grid": {"price": "cheap"}}"#, "grid.price", "must be a price per kWh"),
        (#"{"grid": {"price": 1, "tax": 19}}"#, "grid.tax", "must be a share from 0 to 1"),
        (#"{"zones": [{"price": 1}, {"price": 1, "hours": "22-6"}]}"#, "zones[1].hours", "must be hours like"),
        (#"{"zones": [{"price": 1, "days": "someday"}]}"#, "zones[0].days", "must be days like"),
        (#"{"zones": [{"price": 1, "months": 5}]}"#, "zones[0].months", "must be months like"),
        (#"{"zones": [{"hours": "0-6"}]}"#, "zones[0].price", "must be a price per kWh"),
        (#"{"zones": {}}"#, "zones", "must be a list of zones"),
    ])
    func `a refusal names the place and the rule`(text: String, field: String, rule: String) throws {
        let violation = try TariffParts.refusal(text, .evcc)
        #expect(violation.field == field)
        #expect(violation.rule.hasPrefix(rule), "\(violation)")
    }

    @Test func `a time without a price is an error among the findings`() throws {
        let tariff = try TariffParts.read(#"{"zones": [{"hours": "0-6", "price": 1}]}"#)
        #expect(tariff.findings.map(\.severity) == [.error])
        #expect(tariff.findings[0].message.contains("06:00 to 24:00"))
    }

    @Test func `what is written reads as the same prices, charges and feed-in`() throws {
        let terms = try TariffParts.terms("Europe/Berlin")
        let plan = try TariffParts.read(Self.yaml, nil, terms).plan
        let again = try TariffFormat.read(TariffFormat.evcc.write(plan), terms).plan
        try TariffParts.expectSamePrices(plan, again)
        #expect(again.charges == plan.charges && again.exportZones == plan.exportZones)
        var night = plan
        night.zones.append(
            RateZone(
                price: Price(microsPerKilowattHour: 7), peak: .unknown, weekdays: 1 << 6, startMinute: 1320,
                endMinute: 360))
        try TariffParts.expectSamePrices(night, TariffFormat.read(TariffFormat.evcc.write(night), terms).plan)
        night.zones[night.zones.count - 1].months = 1
        #expect(throws: EnergyError.self) { try TariffFormat.evcc.write(night) }
    }
}
