import EnergyModel
import Tariffs
import Testing

@Suite struct URDBTests {
    private static func document(
        structure: String = #"[[{"rate": 0.1}], [{"rate": 0.2, "adj": 0.05, "unit": "kWh"}]]"#,
        hour7: String = "1", months: Int = 12, more: String = ""
    ) -> String {
        let row = "[" + (0..<24).map { $0 == 7 ? hour7 : "0" }.joined(separator: ",") + "]"
        let schedule = "[" + Array(repeating: row, count: months).joined(separator: ",") + "]"
        return """
            {"energyratestructure": \(structure), "energyweekdayschedule": \(schedule),
             "energyweekendschedule": \(schedule)\(more)}
            """
    }

    @Test func `the price is the rate and its adjustment`() throws {
        let plan = try TariffParts.read(Self.document()).plan
        #expect(plan.zones.map(\.price.microsPerKilowattHour) == [100_000, 250_000, 100_000])
        #expect(plan.zones.map(\.startMinute) == [0, 420, 480])
        #expect(plan.zones.allSatisfy { $0.weekdays == 0 && $0.months == 0 })
        #expect(plan.zones.map(\.peak) == [.offPeak, .onPeak, .offPeak])
        #expect(plan.currency == "USD" && plan.name == "plan")
    }

    @Test func `a period without a rate is priced by its adjustment, and that is said`() throws {
        let read = try TariffParts.read(Self.document(structure: #"[[{"rate": 0.1}], [{"adj": 0.05}]]"#))
        #expect(read.plan.zones.map(\.price.microsPerKilowattHour) == [100_000, 50_000, 100_000])
        #expect(read.findings.contains { $0.place == "energyratestructure[1][0].rate" && $0.severity == .warning })
    }

    @Test func `what is sold has zones of its own`() throws {
        let structure = #"[[{"rate": 0.1, "sell": 0.03}], [{"rate": 0.2, "sell": 0.08}]]"#
        let plan = try TariffParts.read(Self.document(structure: structure)).plan
        #expect(plan.exportZones.map(\.price.microsPerKilowattHour) == [30_000, 80_000, 30_000])
    }

    @Test(arguments: [
        (#"[]"#, "1", 12, "energyratestructure", "must be a list of periods"),
        (#"[[]]"#, "0", 12, "energyratestructure[0]", "must be a list of tiers"),
        (#"[[{"rate": "x"}]]"#, "0", 12, "energyratestructure[0][0].rate", "must be a price per kWh"),
        (#"[[{"unit": "kWh"}]]"#, "0", 12, "energyratestructure[0][0].rate", "must be a price per kWh"),
        (#"[[{"rate": 1e300}]]"#, "0", 12, "energyratestructure[0][0].rate", "must be within 10,000"),
        (#"[[{"rate": 1, "unit": "kWh daily"}]]"#, "0", 12, "energyratestructure[0][0].unit", "must be kWh"),
        (
            #"[[{"rate": 1}, {"rate": 2}]]"#, "0", 12, "energyratestructure[0][0].max",
            "must say where the next tier begins"
        ),
        (
            #"[[{"rate": 1, "max": 5}, {"rate": 2, "max": 5}, {"rate": 3}]]"#, "0", 12, "energyratestructure[0][1].max",
            "must be above"
        ),
        (
            #"[[{"rate": 1}]]"#, "1", 12, "energyweekdayschedule[0][7]",
            "must be a period of energyratestructure, 0 to 0"
        ),
        (#"[[{"rate": 1}]]"#, "0.5", 12, "energyweekdayschedule[0][7]", "must be a period"),
        (#"[[{"rate": 1}]]"#, "null", 12, "energyweekdayschedule[0][7]", "must be the number of a period"),
        (#"[[{"rate": 1}]]"#, "0,0", 12, "energyweekdayschedule[0]", "must be 24 hours"),
        (#"[[{"rate": 1}]]"#, "0", 11, "energyweekdayschedule", "must be 12 lists of months"),
    ])
    func `a refusal names the place and the rule`(
        structure: String, hour7: String, months: Int, field: String, rule: String
    ) throws {
        let violation = try TariffParts.refusal(
            Self.document(structure: structure, hour7: hour7, months: months), .urdb)
        #expect(violation.field == field)
        #expect(violation.rule.hasPrefix(rule), "\(violation)")
    }

    @Test func `one of several rates is taken by its label`() throws {
        let first = Self.document(more: #", "label": "a""#)
        let list = #"{"items": ["# + first + "," + Self.document(more: #", "label": "b", "name": "B""#) + "]}"
        #expect(try TariffParts.refusal(list).value == "2 of 2 rates (a, b)")
        var terms = try TariffParts.terms()
        terms.label = "b"
        #expect(try TariffParts.read(list, nil, terms).plan.name == "B")
        terms.label = "c"
        #expect(throws: EnergyError.self) { try TariffParts.read(list, nil, terms) }
    }

    @Test func `what URDB cannot hold is refused by name`() throws {
        var plan = try TariffParts.read(Self.document()).plan
        plan.zones[1].startMinute = 450
        plan.holidays = [Holiday(.easter(days: 1))]
        plan.charges = RateCharges(taxPartsPerMillion: 1)
        let error = #expect(throws: EnergyError.self) { try TariffFormat.urdb.write(plan) }
        #expect(error?.violations.map(\.field) == ["holidays", "charges", "zones[1]"])
        var fridays = try TariffParts.read(Self.document()).plan
        fridays.zones[1].weekdays = 1 << 4
        #expect(throws: EnergyError.self) { try TariffFormat.urdb.write(fridays) }
    }
}
