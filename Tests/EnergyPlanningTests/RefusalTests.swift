import EnergyPlanning
import Testing

@Suite struct `A problem that is wrong` {
    struct Case: Sendable, CustomTestStringConvertible {
        var problem: String
        var path: String
        var words: [String]
        var testDescription: String { "\(path) \(words)" }
    }

    private static let slot =
        #"{"start": "2026-03-02T00:00:00+01:00", "end": "2026-03-02T01:00:00+01:00", "price": 0.2}"#
    private static func load(_ members: String, slot: String = slot) -> String {
        #"{"slots": [\#(slot)], "loads": [{\#(members)}]}"#
    }
    private static func circuits(_ circuits: String) -> String {
        #"{"slots": [\#(slot)], "loads": [], "limits": {"fuse": {"current_a": 16}, "circuits": [\#(circuits)]}}"#
    }

    static let cases: [Case] = [
        Case(problem: "", path: "line 1, column 1", words: ["no JSON"]),
        Case(problem: "{\n  \"slots\": [,]}", path: "line 2, column 13", words: ["no JSON"]),
        Case(problem: "[]", path: "$", words: ["must be an object", "a list"]),
        Case(problem: #"{"loads": []}"#, path: "$.slots", words: ["missing"]),
        Case(problem: #"{"slots": [], "loads": []}"#, path: "$.slots", words: ["at least 1"]),
        Case(problem: #"{"slots": [\#(slot)]}"#, path: "$.loads", words: ["missing"]),
        Case(
            problem: #"{"slots": [\#(slot)], "laods": []}"#, path: "$.laods",
            words: ["no member", "Did you mean \"loads\""]),
        Case(
            problem: load(#""power_kw": "7", "energy_kwh": 3"#), path: "$.loads[0].power_kw",
            words: ["number", "kW", "\"7\""]),
        Case(problem: load(#""power_kw": -7, "energy_kwh": 3"#), path: "$.loads[0].power_kw", words: ["from 0", "-7"]),
        Case(problem: load(#""power_kw": 7"#), path: "$.loads[0].energy_kwh", words: ["missing", "target_soc"]),
        Case(problem: load(#""energy_kwh": 7"#), path: "$.loads[0].max_power_kw", words: ["missing", "power_kw"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 3, "target_soc": 80"#), path: "$.loads[0].energy_kwh",
            words: ["only one"]),
        Case(
            problem: load(#""power_kw": 7, "target_soc": 80"#), path: "$.loads[0].target_soc", words: ["capacity_kwh"]),
        Case(
            problem: load(#""min_power_kw": 8, "max_power_kw": 7, "energy_kwh": 3"#), path: "$.loads[0].min_power_kw",
            words: ["above", "7", "8"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 3, "one_block": true, "max_runs": 2"#),
            path: "$.loads[0].max_runs", words: ["one_block", "2"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 8, "max_energy_kwh": 5"#),
            path: "$.loads[0].max_energy_kwh", words: ["below energy_kwh", "8", "5"]),
        Case(
            problem: load(#""power_kw": 4, "energy_kwh": 3, "current_step_a": 1"#), path: "$.loads[0].power_kw",
            words: ["multiple of current_step_a", "0.69", "4 kW"]),
        Case(
            problem: load(#""max_power_kw": 7, "energy_kwh": 3, "current_step_a": 1, "power_step_kw": 1"#),
            path: "$.loads[0].power_step_kw", words: ["current_step_a"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 3, "phases": [1, 1]"#), path: "$.loads[0].phases",
            words: ["once", "[1, 1]"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 3, "deadline": "07:00""#), path: "$.loads[0].deadline",
            words: ["ISO 8601", "offset", "07:00"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 3, "deadline": "2026-03-02T07:00:00+01:00""#),
            path: "$.loads[0].deadline", words: ["after the last slot", "forecast_price"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 3, "deadline": "2026-03-01T07:00:00+01:00""#),
            path: "$.loads[0].deadline", words: ["no time"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 3, "profile_kw": [1]"#), path: "$.loads[0].energy_kwh",
            words: ["appliance"]),
        Case(
            problem: load(#""type": "appliance", "power_kw": 2, "energy_kwh": 3"#), path: "$.loads[0].profile_kw",
            words: ["is missing", "fixed course", "energy_kwh", "type load"]),
        Case(
            problem: load(#""type": "hvac", "power_kw": 2, "energy_kwh": 3"#), path: "$.loads[0].thermal",
            words: ["is missing", "building", "type load"]),
        Case(
            problem: load(#""type": "battery", "capacity_kwh": 5, "power_kw": 3"#), path: "$.loads[0].max_charge_kw",
            words: ["is missing"]),
        Case(
            problem: load(#""max_charge_kw": 2, "capacity_kwh": 5, "final_soc": 10, "min_soc": 20"#),
            path: "$.loads[0].final_soc", words: ["min_soc (20)", "at the end", "10"]),
        Case(
            problem: load(
                #""power_kw": 7, "energy_kwh": 3"#,
                slot: #"{"start": "2026-03-02T00:00:00+01:00", "end": "2026-03-02T01:00:00+01:00", "price": null}"#),
            path: "$.slots[0].price", words: ["not known", "free", "forecast_price"]),
        Case(
            problem: #"{"slots": [\#(slot)], "loads": [], "objective": "carbon"}"#, path: "$.slots[0].carbon",
            words: ["not known", "forecast_carbon"]),
        Case(
            problem: #"{"slots": [\#(slot)], "loads": [], "objective": "cheap"}"#, path: "$.objective",
            words: ["\"money\", \"carbon\", \"rating\"", "cheap"]),
        Case(
            problem: #"{"slots": [\#(slot), \#(slot)], "loads": []}"#, path: "$.slots[1].start",
            words: ["slot 0 ends"]),
        Case(
            problem: load(
                "", slot: #"{"start": "2026-03-02T01:00:00+01:00", "end": "2026-03-02T01:00:00+01:00", "price": 1}"#),
            path: "$.slots[0].end", words: ["after start"]),
        Case(
            problem: #"{"slots": [\#(slot)], "loads": [], "base_load_kw": [1, 2]}"#, path: "$.base_load_kw",
            words: ["each of 1 slot,", "2"]),
        Case(
            problem: load(
                #""name": "a", "power_kw": 1, "energy_kwh": 1}, {"name": "a", "power_kw": 1, "energy_kwh": 1"#),
            path: "$.loads", words: ["twice"]),
        Case(
            problem: load(#""power_kw": 1e400, "energy_kwh": 3"#), path: "$.loads[0].power_kw",
            words: ["from 0 to 1000000, in kW", "too large"]),
        Case(
            problem: load(#""power_kw": 1e300, "energy_kwh": 3"#), path: "$.loads[0].power_kw",
            words: ["from 0 to 1000000, in kW", "1e+300"]),
        Case(problem: load(#""power_kw": 007"#), path: "line 1, column 126", words: ["zeros"]),
        Case(problem: load(#""power_kw": .5"#), path: "line 1, column 126", words: ["begins with a digit"]),
        Case(problem: load(#""power_kw": 1,5"#), path: "line 1, column 128", words: ["a point"]),
        Case(problem: "// mine\n{}", path: "line 1, column 1", words: ["no comments"]),
        Case(
            problem: load(#""max_current_a": 16, "min_current_a": 20, "phases": 1, "energy_kwh": 2"#),
            path: "$.loads[0].min_current_a", words: ["max_current_a, 16 A", "20 A"]),
        Case(
            problem: load(#""max_power_kw": 3, "min_current_a": 20, "phases": 1, "energy_kwh": 2"#),
            path: "$.loads[0].min_current_a", words: ["max_power_kw, 3 kW", "20 A (4.6 kW)"]),
        Case(
            problem: load(#""max_current_a": 16, "current_step_a": 100, "energy_kwh": 2"#),
            path: "$.loads[0].current_step_a", words: ["up to 16 A", "100 A"]),
        Case(
            problem: load(#""power_kw": 2, "goals": [{"by": "2026-03-02T05:00:00+01:00", "energy_kwh": 1}]"#),
            path: "$.loads[0].goals[0].by", words: ["after the last slot ends (2026-03-02T01:00:00+01:00)"]),
        Case(
            problem: load(#""power_kw": 2, "goals": [{"by": "2026-03-02T01:00:00+01:00", "soc": 50}]"#),
            path: "$.loads[0].goals[0].soc", words: ["capacity_kwh and initial_soc, which are missing"]),
        Case(
            problem: load(#""power_kw": 7, "energy_kwh": 3, "earliest_start": "2026-03-02T05:00:00+01:00""#),
            path: "$.loads[0].earliest_start", words: ["no time", "+01:00"]),
        Case(
            problem: load(#""power_kw": 7, "capacity_kwh": 3, "initial_soc": 90, "efficiency": 0.9, "energy_kwh": 2"#),
            path: "$.loads[0].energy_kwh", words: ["takes 0.333333 kWh more, but needs 2"]),
        Case(
            problem: load(#""max_charge_kw": 2, "capacity_kwh": 3, "min_soc": 50, "max_soc": 40"#),
            path: "$.loads[0].min_soc", words: ["max_soc (40), but is 50"]),
        Case(
            problem: load(
                #""max_power_kw": 3, "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 4, "initial_c": 20, "outdoor_c": 5, "comfort_min_c": 22, "comfort_max_c": 20}"#
            ), path: "$.loads[0].thermal.comfort_min_c", words: ["comfort_max_c (20), but is 22"]),
        Case(
            problem: #"{"slots": [\#(slot)], "loads": [], "objective": {"money": 0}}"#, path: "$.objective",
            words: ["more than 0"]),
        Case(
            problem: #"{"slots": [\#(slot)], "loads": [{"name": "", "power_kw": 1, "energy_kwh": 1}]}"#,
            path: "$.loads[0].name", words: ["empty"]),
        Case(
            problem: circuits(#"{"name": "a", "loads": []}, {"name": "a", "loads": []}"#),
            path: "$.limits.circuits[1].name", words: ["\"a\" comes twice"]),
        Case(
            problem: circuits(#"{"name": "a", "parent": "b", "loads": []}, {"name": "b", "parent": "a", "loads": []}"#),
            path: "$.limits.circuits[0].parent", words: ["back to itself"]),
        Case(
            problem: circuits(#"{"name": "a", "parent": "main fuse", "loads": []}"#),
            path: "$.limits.circuits[0].parent", words: ["left out"]),
        Case(
            problem: circuits(#"{"name": "main fuse", "loads": []}"#), path: "$.limits.circuits[0].name",
            words: ["limits.fuse"]),
        Case(
            problem:
                #"{"slots": [\#(slot)], "loads": [], "limits": {"circuits": [{"name": "main fuse", "loads": []}]}}"#,
            path: "$.limits.circuits[0].name", words: ["limits.fuse"]),
        Case(
            problem: #"{"slots": [\#(slot.dropLast()), "base_load_kw": [1, 2]}], "loads": []}"#,
            path: "$.slots[0].base_load_kw", words: ["a list of 3, each"]),
        Case(
            problem: #"{"slots": [\#(slot)], "loads": [], "limits": {"demand_charge": {}}}"#,
            path: "$.limits.demand_charge.price_per_kw", words: ["is missing. It is: What a kW costs."]),
        Case(
            problem: #"{"slots": [\#(slot)], "loads": [], "limits": {"exclusive": [["a"]]}}"#,
            path: "$.limits.exclusive[0][0]", words: ["load's name", "\"a\""]),
        Case(
            problem: #"""
                {"slots": [\#(slot)], "loads": [{"power_kw": 1, "energy_kwh": 1, "max_carbon": 100}]}
                """#, path: "$.slots[0].carbon", words: ["a ceiling needs it"]),
        Case(
            problem: #"""
                {"slots": [\#(slot)], "loads": [{"name": "a", "power_kw": 1, "energy_kwh": 1}],
                 "limits": {"exclusive": [["a", "a"]]}}
                """#, path: "$.limits.exclusive[0][1]", words: ["once", "\"a\""]),
        Case(
            problem: #"{"slots": [\#(slot)], "loads": [], "limits": {"circuits": [{"name": "g", "loads": ["car"]}]}}"#,
            path: "$.limits.circuits[0].loads[0]", words: ["load's name"]),
        Case(
            problem: #"""
                {"slots": [\#(slot)], "loads": [{"name": "car", "power_kw": 1, "energy_kwh": 1}],
                 "limits": {"circuits": [{"name": "house", "loads": ["car"]}, {"name": "garage", "loads": ["car"]}]}}
                """#, path: "$.limits.circuits[1].loads[0]", words: ["\"car\" is on \"house\" too", "one circuit"]),
        Case(
            problem: load(#""power_kw": 3, "min_power_kw": 5, "energy_kwh": 3"#), path: "$.loads[0].min_power_kw",
            words: ["above power_kw", "3 kW", "5 kW"]),
        Case(
            problem: load(#""power_kw": 3, "max_current_a": 2, "energy_kwh": 3"#), path: "$.loads[0].max_current_a",
            words: ["another than power_kw", "3 kW", "2 A (1.38 kW)"]),
        Case(
            problem: load(#""power_kw": 3, "max_power_kw": 7, "energy_kwh": 3"#), path: "$.loads[0].max_power_kw",
            words: ["another than power_kw", "3 kW", "7 kW"]),
        Case(
            problem: load(#""power_kw": 3, "min_power_kw": 1, "energy_kwh": 3"#), path: "$.loads[0].min_power_kw",
            words: ["another than power_kw", "3 kW", "1 kW"]),
        Case(
            problem: load(#""max_power_kw": 7, "max_current_a": 16, "energy_kwh": 3"#),
            path: "$.loads[0].max_power_kw", words: ["another than max_current_a", "7 kW", "16 A (11.04 kW)"]),
        Case(
            problem: load(
                #""power_kw": 2, "deadline": "2026-03-02T00:30:00+01:00", "goals": [{"by": "2026-03-02T00:45:00+01:00", "energy_kwh": 1}]"#
            ), path: "$.loads[0].goals[0].by",
            words: ["after deadline (2026-03-02T00:30:00+01:00)", "2026-03-02T00:45:00+01:00"]),
        Case(
            problem: load(
                #""max_power_kw": 7, "energy_kwh": 2, "capacity_kwh": 10, "initial_soc": 50, "taper": {"from_soc": 80, "power_at_full_kw": 9}"#
            ), path: "$.loads[0].taper.power_at_full_kw", words: ["above max_power_kw", "7 kW", "9 kW"]),
        Case(
            problem: load(#""max_charge_kw": 2, "capacity_kwh": 3, "final_soc": 95, "max_soc": 90"#),
            path: "$.loads[0].final_soc", words: ["max_soc (90), but is 95"]),
        Case(
            problem: circuits(#"{"name": "a", "loads": []}"#), path: "$.limits.circuits[0].power_kw",
            words: ["power_kw, current_a"]),
        Case(
            problem: #"""
                {"slots": [\#(slot)], "loads": [{"name": "car", "power_kw": 1, "energy_kwh": 1, "phases": [3]}],
                 "limits": {"fuse": {"current_a": 16, "phases": 2}}}
                """#, path: "$.loads[0].phases", words: ["2 of $.limits.fuse.phases", "has 3"]),
    ]

    @Test func `a power said twice may differ by a rounding, and a home on one phase needs no phases`() throws {
        let twice = #""max_power_kw": 11, "max_current_a": 16, "energy_kwh": 3"#
        #expect(Planning.refusal(Self.load(twice)) == nil)
        let single =
            #"{"slots": [\#(Self.slot)], "loads": [{\#(twice)}], "limits": {"fuse": {"current_a": 63, "phases": 1}}}"#
        #expect(Planning.refusal(single) == nil)
    }

    @Test func `a load may be on a circuit and on the one that feeds it`() throws {
        let text = #"""
            {"slots": [\#(Self.slot)], "loads": [{"name": "car", "power_kw": 4, "energy_kwh": 2}],
             "limits": {"circuits": [{"name": "house", "power_kw": 4, "loads": ["car"]},
                                     {"name": "garage", "parent": "house", "power_kw": 4, "loads": ["car"]}]}}
            """#
        #expect(try Planning.plan(text).loads[0].missingKwh == 0)
    }

    @Test(arguments: cases)
    func `is refused by path, with what is wrong and what is right`(_ given: Case) throws {
        let error = try #require(Planning.refusal(given.problem))
        #expect(error.path == given.path)
        for word in given.words { #expect(error.message.contains(word), "\(error)") }
    }

    @Test(arguments: [
        #""power_kw": 1e-300, "energy_kwh": 1e6"#, #""power_kw": 1e-300, "energy_kwh": 1e6, "one_block": true"#,
        #""power_kw": 1e-300, "energy_kwh": 1e6, "min_run_minutes": 1e6, "max_runs": 100000"#,
        #""profile_kw": [1e-300, 1e6], "profile_step_minutes": 0.001"#, #""profile_kw": [0, 0]"#,
        #""power_kw": 0, "energy_kwh": 0"#, #""power_kw": 0, "energy_kwh": 1, "one_block": true"#,
        #""max_power_kw": 1e6, "power_step_kw": 1e-6, "energy_kwh": 1"#,
        #""max_power_kw": 3, "thermal": {"resistance_k_per_kw": 1e-6, "capacity_kwh_per_k": 1e-6, "initial_c": 20, "outdoor_c": 5}"#,
        #""capacity_kwh": 1e-6, "max_charge_kw": 0"#, #""power_kw": 1, "energy_kwh": 1, "prefer": null"#,
    ])
    func `strange numbers are planned or refused, never a crash`(_ load: String) throws {
        let pv = #"{"start": "2026-03-02T00:00:00Z", "end": "2026-03-02T01:00:00Z", "price": 0.2, "pv_kw": 3}"#
        do {
            let plan = try Planning.plan(Self.load(load, slot: pv))
            #expect(plan.objective.isFinite)
        } catch { #expect(!"\(error)".isEmpty) }
    }

    @Test func `a byte order mark before it is no mistake`() throws {
        let text = Self.load(#""power_kw": 7, "energy_kwh": 3"#)
        #expect(try ProblemReader.read([0xEF, 0xBB, 0xBF] + Array(text.utf8)).problem.loads.count == 1)
        #expect(Planning.refusal("\u{FEFF}")?.message.contains("it is empty") == true)
    }

    @Test func `any bytes are read or refused`() {
        let whole = Array(Self.load(#""power_kw": 7, "energy_kwh": 3, "name": "\u00e4\n""#).utf8)
        for end in whole.indices { #expect(Planning.refusal(String(decoding: whole[..<end], as: UTF8.self)) != nil) }
        for byte in [UInt8(0), 0x7F, 0x80, 0xFF] {
            for index in whole.indices {
                var bytes = whole
                bytes[index] = byte
                do throws(ProblemError) { _ = try ProblemReader.read(bytes) } catch { #expect(!error.path.isEmpty) }
            }
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(Planning.refusal(deep)?.message.contains("levels deep") == true)
    }
}
