import EnergyPlanning
import Foundation
import Testing

@Suite struct `The schema` {
    private func schema() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(ProblemSchema.text.utf8)) as? [String: Any])
    }

    @Test func `is JSON Schema 2020-12 and requires slots and loads only`() throws {
        let schema = try schema()
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        let problem = try #require(definitions["problem"])
        #expect(problem["required"] as? [String] == ["slots", "loads"])
        #expect(problem["additionalProperties"] as? Bool == false)
    }

    @Test func `describes every member, and every reference leads somewhere`() throws {
        let schema = try schema()
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        for (name, definition) in definitions {
            let members = try #require(definition["properties"] as? [String: [String: Any]])
            for (member, rule) in members {
                #expect((rule["description"] as? String)?.isEmpty == false, "\(name).\(member)")
            }
        }
        for reference in ProblemSchema.text.matches(of: #/#\/\$defs\/(\w+)/#) {
            #expect(definitions[String(reference.output.1)] != nil)
        }
    }

    @Test func `quantities say their unit, and what may be left out its default`() {
        #expect(ProblemSchema.text.contains("Unit: currency/kWh."))
        #expect(ProblemSchema.text.contains(#""default": "money""#))
    }

    @Test func `a list for phases is as long as there are phases`() throws {
        let definitions = try #require(try schema()["$defs"] as? [String: [String: Any]])
        for (object, member, least) in [("load", "phases", 1), ("slot", "base_load_kw", 3)] {
            let members = try #require(definitions[object]?["properties"] as? [String: [String: Any]])
            let kinds = try #require(members[member]?["anyOf"] as? [[String: Any]])
            let list = try #require(kinds.first { $0["type"] as? String == "array" })
            #expect(list["minItems"] as? Int == least && list["maxItems"] as? Int == 3)
        }
    }
}
