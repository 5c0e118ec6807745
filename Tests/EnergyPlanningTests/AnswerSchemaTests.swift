import Foundation
import Testing

@testable import EnergyPlanning

@Suite struct `The schema of answers` {
    private static let problems = [
        // All kinds of load, and two that lack something.
        #"""
        {"slots": \#(Planning.slots([0.3, 0.1, 0.2]) { _ in #", "carbon": 300, "pv_kw": 1, "base_load_kw": 0.5"# }),
         "currency": "EUR", "limits": {"fuse": {"current_a": 16}, "export_kw": 0, "demand_charge": {"price_per_kw": 1}},
         "loads": [
            {"name": "car", "power_kw": 3, "energy_kwh": 40, "max_price": 0.2},
            {"profile_kw": [2, 0.1], "earliest_start": "\#(Planning.time(60))"},
            {"name": "house", "max_power_kw": 3, "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 1,
             "initial_c": 20, "outdoor_c": -5, "comfort_min_c": 20, "final_c": 25, "setback_k": 1,
             "setback_minutes": 60}},
            {"name": "battery", "capacity_kwh": 10, "max_charge_kw": 2, "target_soc": 90}]}
        """#,
        // A limit that keeps one waiting, and nothing but that.
        #"""
        {"slots": \#(Planning.slots([0.1, 0.1])), "limits": {"import_kw": 2}, "loads": [
            {"name": "a", "power_kw": 2, "energy_kwh": 2, "priority": 1}, {"name": "b", "power_kw": 2, "energy_kwh": 2}]}
        """#,
        #"{"slots": \#(Planning.slots([-0.1])), "loads": []}"#,
    ]

    /// As it is printed.
    private static func answer(_ problem: String) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return [UInt8](try encoder.encode(try Planning.plan(problem)))
    }

    @Test(arguments: problems)
    func `names all that an answer has, and what it may be`(problem: String) throws {
        try AnswerRules.answer.check(try JSONValue.parse(try Self.answer(problem)), at: "$")
    }

    @Test func `names nothing that no answer has`() throws {
        let answers = try Self.problems.map { try JSONValue.parse(try Self.answer($0)) }
        func absent(_ rule: ObjectRule, in values: [JSONValue]) -> [String] {
            rule.fields.flatMap { field -> [String] in
                let found = values.compactMap { value -> JSONValue? in
                    guard case .object(let members) = value else { return nil }
                    return members.first { $0.name == field.name }?.value
                }
                guard !found.isEmpty else { return ["\(rule.name).\(field.name)"] }
                switch field.kind {
                case .object(let rule): return absent(rule, in: found)
                case .list(.object(let rule), _, _):
                    let items = found.flatMap { value -> [JSONValue] in
                        if case .list(let items) = value { items } else { [] }
                    }
                    return items.isEmpty ? [] : absent(rule, in: items)
                default: return []
                }
            }
        }
        #expect(absent(AnswerRules.answer, in: answers) == [])
    }

    @Test func `is JSON Schema 2020-12, and lets more members come`() throws {
        let schema = try #require(
            try JSONSerialization.jsonObject(with: Data(PlanDocument.schema.utf8)) as? [String: Any])
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$id"] as? String != nil && !PlanDocument.schema.contains("additionalProperties"))
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        for reference in PlanDocument.schema.matches(of: #/#\/\$defs\/(\w+)/#) {
            #expect(definitions[String(reference.output.1)] != nil)
        }
        let required = try #require(definitions["answer"]?["required"] as? [String])
        #expect(required.contains("status") && !required.contains("currency"))
        #expect(!PlanDocument.schema.contains("too large") && !PlanDocument.schema.contains("\(Int.max)"))
    }
}
