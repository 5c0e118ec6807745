import EnergyModel
import Foundation
import Tariffs
import Testing

@Suite struct OpenADRTests {
    /// Three hours, as in the OpenADR 3 user guide's day-ahead prices.
    private static func dayAhead(_ more: String = "", payloads: String = #"[{"type": "PRICE", "values": [0.17]}]"#)
        -> String
    {
        """
        {"programID": "p", "eventName": "day ahead"\(more),
         "payloadDescriptors": [{"payloadType": "PRICE", "units": "KWH", "currency": "USD"}],
         "intervalPeriod": {"start": "2025-07-16T07:00:00Z", "duration": "PT1H"},
         "intervals": [{"id": 0, "payloads": \(payloads)},
                       {"id": 1, "payloads": [{"type": "PRICE", "values": [-0.02]}, {"type": "EXPORT_PRICE", "values": [0.05]}]},
                       {"id": 2, "payloads": [{"type": "PRICE", "values": [0.3]}]}]}
        """
    }

    @Test func `intervals follow each other from the event's start`() throws {
        let tariff = try TariffParts.read(Self.dayAhead())
        #expect(tariff.format == .openadr)
        let rates = tariff.plan.datedRates
        #expect(
            rates.map(\.interval.start) == [
                try TariffParts.time("2025-07-16T07:00:00Z"), try TariffParts.time("2025-07-16T08:00:00Z"),
                try TariffParts.time("2025-07-16T09:00:00Z"),
            ])
        #expect(try TariffParts.micros(tariff.plan, "2025-07-16T08:59:59Z") == -20_000)
        #expect(try TariffParts.micros(tariff.plan, "2025-07-16T10:00:00Z") == nil, "not 0")
        #expect(rates.map(\.exportPrice?.microsPerKilowattHour) == [nil, 50_000, nil])
    }

    @Test func `an endless event of a day is zones on the clock on the wall`() throws {
        let hours = (0..<24).map { hour in
            #"{"id": \#(hour), "payloads": [{"type": "PRICE", "values": [\#(hour < 16 ? 0.2 : 0.4)]}]}"#
        }
        let text = """
            [{"intervalPeriod": {"start": "2025-01-01T08:00:00Z", "duration": "P9999Y"}, "intervals": [
              {"id": 0, "intervalPeriod": {"start": "2025-01-01T08:00:00Z", "duration": "PT16H"}, "payloads": [{"type": "PRICE", "values": [0.2]}]},
              {"id": 1, "intervalPeriod": {"start": "2025-01-02T00:00:00Z", "duration": "PT8H"}, "payloads": [{"type": "PRICE", "values": ["0.4"]}]}]}]
            """
        let plan = try TariffParts.read(text).plan
        #expect(plan.zones.map(\.startMinute) == [0, 960] && plan.zones.map(\.endMinute) == [960, 1440])
        #expect(try TariffParts.micros(plan, "2025-07-16T16:00:00-07:00") == 400_000, "in summer time too")
        #expect(plan.zones.map(\.peak) == [.offPeak, .onPeak])
        #expect(hours.count == 24)
    }

    @Test func `an endless interval is one price`() throws {
        let text = """
            {"intervalPeriod": {"start": "2025-01-01T08:00:00Z", "duration": "P9999Y"},
             "intervals": [{"payloads": [{"type": "PRICE", "values": [0.25]}]}]}
            """
        #expect(try TariffParts.read(text).plan.zones.map(\.price.microsPerKilowattHour) == [250_000])
    }

    @Test func `the event with the lowest priority number wins`() throws {
        let important = Self.dayAhead(#", "priority": 0"#, payloads: #"[{"type": "PRICE", "values": [9]}]"#)
        let plan = try TariffParts.read("[\(important), \(Self.dayAhead(#", "priority": 5"#)), \(Self.dayAhead())]")
            .plan
        #expect(try TariffParts.micros(plan, "2025-07-16T07:30:00Z") == 9_000_000)
    }

    @Test(arguments: [
        (#""PT1H""#, #""an hour""#, "intervalPeriod.duration", "must be a duration like"),
        (#""PT1H""#, #""P9999Y""#, "intervals[0]", ""),
        (#""2025-07-16T07:00:00Z""#, #""0000-00-00""#, "intervalPeriod.start", "must be a time like"),
        (#""2025-07-16T07:00:00Z""#, #""0001-01-01T00:00:00Z""#, "intervalPeriod.start", "must be a time like"),
        (#""KWH""#, #""KW""#, "payloadDescriptors[0].units", "must be KWH"),
        ("[0.3]", "[]", "intervals[2].payloads[0].values", "must be a list with a value"),
        ("[0.3]", "[null]", "intervals[2].payloads[0].values[0]", "must be a price"),
        (#""start": "2025-07-16T07:00:00Z", "#, "", "intervals[0].intervalPeriod.start", "must say when"),
        (#", "duration": "PT1H""#, "", "intervals[0].intervalPeriod.duration", "must say how long"),
    ])
    func `a refusal names the place and the rule`(old: String, new: String, field: String, rule: String) throws {
        let text = Self.dayAhead().replacingOccurrences(of: old, with: new)
        if rule.isEmpty {
            #expect(throws: EnergyError.self) { try TariffParts.read(text) }
        } else {
            let violation = try TariffParts.refusal(text, .openadr)
            #expect(violation.field == field)
            #expect(violation.rule.hasPrefix(rule), "\(violation)")
        }
    }

    @Test func `two currencies, or another than asked for, are refused`() throws {
        let other = Self.dayAhead().replacingOccurrences(of: "USD", with: "EUR")
        #expect(try TariffParts.refusal("[\(Self.dayAhead()), \(other)]").field == "[1].payloadDescriptors[0].currency")
        var terms = try TariffParts.terms()
        terms.currency = "GBP"
        #expect(throws: EnergyError.self) { try TariffParts.read(other, nil, terms) }
    }

    @Test func `zones, feed-in and dated prices survive the trip`() throws {
        var plan = try TariffParts.read(Self.dayAhead()).plan
        plan.zones = [
            RateZone(price: Price(microsPerKilowattHour: 200_000), peak: .unknown),
            RateZone(
                price: Price(microsPerKilowattHour: 400_001), peak: .unknown, weekdays: 0b1_1111, startMinute: 990,
                endMinute: 1260),
            RateZone(price: Price(microsPerKilowattHour: 100_000), peak: .unknown, startMinute: 1380, endMinute: 300),
        ]
        plan.exportZones = [RateZone(price: Price(microsPerKilowattHour: 80_000), peak: .unknown)]
        let again = try TariffFormat.read(TariffFormat.openadr.write(plan), try TariffParts.terms())
        #expect(again.plan.datedRates == plan.datedRates)
        try TariffParts.expectSamePrices(plan, again.plan, year: 2025)
        #expect(Set(again.plan.exportZones.map(\.price)) == Set(plan.exportZones.map(\.price)))
        plan.zones[0].months = 1
        plan.datedRates[0].change = .multiplier(permille: 2000)
        let error = #expect(throws: EnergyError.self) { try TariffFormat.openadr.write(plan) }
        #expect(error?.violations.map(\.field) == ["zones[0]", "dated_rates[0].multiplier_permille"])
    }
}
