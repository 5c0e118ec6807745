import CBCSolver
import EnergyPlanning
import Testing

@Suite struct `A home battery` {
    @Test(arguments: ["", #", "initial_soc": 0"#]) func `that nobody says how full it is, is said`(soc: String) throws {
        let load = #"{"name": "cellar", "capacity_kwh": 5, "max_charge_kw": 2\#(soc)}"#
        let notes = try Planning.plan([0.1, 0.2], loads: load).notes
        #expect(notes.contains { $0.contains("cellar") && $0.contains("initial_soc") } == soc.isEmpty)
    }

    @Test func `has its target at its own time, and is free before and after`() throws {
        let plan = try Planning.plan(
            [0.3, 0.1, 0.5, 0.5],
            loads: #"""
                {"capacity_kwh": 10, "initial_soc": 50, "max_charge_kw": 5, "final_soc": 0,
                 "target_soc": 80, "deadline": "\#(Planning.time(120))"}
                """#, more: { _ in #", "base_load_kw": 4"# })
        let battery = plan.batteries[0]
        #expect(battery.storedKwh[1] >= 8 - 1e-6)
        #expect(abs(battery.storedKwh[3]) < 1e-6)
        #expect(battery.missingKwh == 0)
        #expect(battery.shortfall == nil)
    }

    @Test func `has several targets, also between the edges of slots`() throws {
        let plan = try Planning.plan(
            [0.5, 0.5, 0.1, 0.5],
            loads: #"""
                {"capacity_kwh": 10, "initial_soc": 10, "max_charge_kw": 5, "final_soc": 10, "goals": [
                    {"by": "\#(Planning.time(210))", "soc": 60}, {"by": "\#(Planning.time(90))", "soc": 40}]}
                """#, more: { _ in #", "base_load_kw": 1"# })
        let stored = Dictionary(
            zip(plan.slots.map(\.end), plan.batteries[0].storedKwh), uniquingKeysWith: { first, _ in first })
        #expect(try #require(stored[Planning.time(90)]) >= 4 - 1e-6)
        #expect(try #require(stored[Planning.time(210)]) >= 6 - 1e-6)
        #expect(plan.batteries[0].missingKwh == 0)
    }

    /// Nobody can help that it is below its least for a while.
    @Test func `that begins below its least is told what helps with its target`() throws {
        let plan = try Planning.plan(
            [0.4, 0.3, 0.3, 0.2, 0.1],
            loads: #"""
                {"capacity_kwh": 10, "initial_soc": 7, "min_soc": 30, "max_charge_kw": 1, "target_soc": 83,
                 "deadline": "\#(Planning.time(180))"}
                """#, more: { _ in #", "base_load_kw": 0.5"# })
        #expect(
            plan.batteries[0].shortfall?.remedies == [
                "be ready 4 h 36 min later (\(Planning.time(456)))", "ask for 4.6 kWh less",
            ])
    }

    @Test func `that cannot have its target has all it can, and the rest of the home is planned`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2, 0.3],
            loads: #"""
                {"name": "battery", "capacity_kwh": 10, "initial_soc": 0, "max_charge_kw": 2, "final_soc": 40,
                 "target_soc": 90, "deadline": "\#(Planning.time(120))"},
                {"name": "car", "power_kw": 3, "energy_kwh": 3}
                """#)
        #expect(plan.status == "optimal")
        #expect(plan.loads[0].missingKwh == 0)
        let battery = plan.batteries[0]
        #expect(zip(battery.storedKwh, [2, 4, 4]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(abs(battery.missingKwh - 5) < 1e-6)
        #expect(battery.shortfall?.cause == "window")
        #expect(battery.shortfall?.remedies.contains { $0.hasPrefix("be ready 2 h 30 min later (2026-03-") } == true)
    }

    @Test func `that misses several targets is helped by less of each`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2, 0.3],
            loads: #"""
                {"name": "battery", "type": "battery", "capacity_kwh": 20, "max_charge_kw": 4, "initial_soc": 10, "goals": [
                    {"by": "2026-03-02T01:00:00+01:00", "soc": 50}, {"by": "2026-03-02T02:00:00+01:00", "soc": 90}]}
                """#)
        #expect(
            plan.batteries[0].shortfall?.remedies == [
                "ask for 4 kWh less by 2026-03-02T01:00:00+01:00, and ask for 8 kWh less by 2026-03-02T02:00:00+01:00"
            ])
    }

    @Test func `names what is in the way of its target`() throws {
        let battery = #"""
            {"name": "battery", "capacity_kwh": 10, "initial_soc": 0, "max_charge_kw": 8, "final_soc": 0,
             "target_soc": 70, "deadline": "\#(Planning.time(60))"}
            """#
        let narrow = try Planning.plan([0.1, 0.1], loads: battery, limits: #"{"import_kw": 5}"#)
        #expect(narrow.batteries[0].shortfall?.cause == "limit")
        #expect(narrow.batteries[0].shortfall?.who == ["import limit"])
        #expect(abs(narrow.batteries[0].missingKwh - 2) < 1e-6)
        let car =
            #"{"name": "car", "power_kw": 5, "energy_kwh": 5, "priority": 1, "deadline": "\#(Planning.time(60))"}"#
        let crowded = try Planning.plan([0.1, 0.1], loads: battery + "," + car, limits: #"{"import_kw": 10}"#)
        #expect(crowded.loads[0].missingKwh == 0)
        #expect(crowded.batteries[0].shortfall?.cause == "other_loads")
        #expect(crowded.batteries[0].shortfall?.who == ["car"])
        let first = try Planning.plan(
            [0.1, 0.1],
            loads: battery.replacing("\"initial_soc\"", with: "\"priority\": 2, \"initial_soc\"") + "," + car,
            limits: #"{"import_kw": 10}"#)
        #expect(first.batteries[0].missingKwh == 0)
        #expect(first.loads[0].missingKwh == 5)
    }

    @Test func `below its least is charged at once, whatever that costs`() throws {
        let plan = try Planning.plan(
            [0.5, 0.5, 0.1],
            loads: #"{"capacity_kwh": 10, "initial_soc": 0, "min_soc": 30, "max_charge_kw": 2}"#)
        #expect(zip(plan.batteries[0].storedKwh, [2, 3, 3]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(plan.batteries[0].missingKwh == 0)
    }

    @Test func `above its most is not charged, even where that is paid, and not emptied for it`() throws {
        let plan = try Planning.plan(
            [-0.5, 0.5, -0.5, 0],
            loads: #"{"capacity_kwh": 10, "initial_soc": 90, "max_soc": 80, "final_soc": 0, "max_charge_kw": 5}"#,
            more: { _ in #", "base_load_kw": 2"# })
        #expect(plan.status == "optimal")
        #expect(zip(plan.batteries[0].storedKwh, [9, 4, 8, 8]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(plan.batteries[0].missingKwh == 0)
    }

    /// What was 3 mWh above, by the tolerance with which it is looked whether it may rest.
    @Test func `is never fuller than it can be`() throws {
        let exports = [
            0.015, 0.01, 0.097, 0.009, 0.081, 0.034, 0.001, 0.101, 0.004, 0.097, 0.099, 0.044, 0.1, 0.1, 0.112,
        ]
        let base = [
            1.817, 0.161, 0.408, 0.814, 0.889, 0.921, 1.455, 0.889, 0.146, 1.024, 0.365, 2.022, 2.097, 1.91, 0.846,
        ]
        let pv = [0, 0.344, 4.845, 5.904, 0.542, 0, 5.931, 0, 0.51, 6.701, 0, 5.226, 0.193, 0, 0.945]
        let plan = try Planning.plan(
            [
                0.1, 0.0738, 0.4752, 0.2872, 0.0896, 0.1186, 0.0644, 0.1509, 0.4741, 0.4378, 0.5, 0.4102, 0.1, 0.1,
                0.4143,
            ],
            loads: #"""
                {"max_power_kw": 3.7, "energy_kwh": 10.434}, {"max_power_kw": 3.7, "energy_kwh": 6.827},
                {"capacity_kwh": 5, "max_charge_kw": 5, "charge_efficiency": 0.95, "initial_soc": 30,
                 "wear_cost_per_kwh": 0.02, "final_soc": 40}
                """#
        ) { #", "export_price": \#(exports[$0]), "base_load_kw": \#(base[$0]), "pv_kw": \#(pv[$0])"# }
        #expect(plan.batteries[0].storedKwh.allSatisfy { 0...5 ~= $0 }, "\(plan.batteries[0].storedKwh)")
    }

    @Test(arguments: [#", "export_price": 0"#, #", "export_price": 0, "pv_kw": 2"#])
    func `burns nothing to make room for what is paid for later`(slot: String) throws {
        let plan = try Planning.plan(
            [0.2, -0.2],
            loads: #"""
                {"capacity_kwh": 10, "initial_soc": 100, "final_soc": 50, "max_charge_kw": 5,
                 "charge_efficiency": 0.9}
                """#, limits: #"{"export_kw": 0}"#, more: { _ in slot + #", "base_load_kw": 1"# })
        #expect(plan.status == "optimal")
        let battery = plan.batteries[0]
        var stored = 10.0
        for (power, after) in zip(battery.powerKw, battery.storedKwh) {
            stored += power > 0 ? power * 0.9 : power
            #expect(abs(stored - after) < 1e-6)
        }
    }

    /// What moving energy would cost and earn: nothing.
    @Test(arguments: [
        #", "export_price": 0"#, #", "export_price": 0.2, "pv_kw": 2"#, #", "export_price": 0.2, "base_load_kw": 2"#,
    ])
    func `rests where all plans cost the same`(slot: String) throws {
        let loads = #"""
            {"name": "battery", "capacity_kwh": 10, "initial_soc": 50, "max_charge_kw": 5, "min_soc": 10,
             "final_soc": 10, "charge_efficiency": 1, "discharge_efficiency": 1, "end_value_per_kwh": 0.2},
            {"name": "car", "min_power_kw": 2, "max_power_kw": 4, "energy_kwh": 5}
            """#
        let plan = try Planning.plan([0.2, 0.2, 0.2, 0.2], loads: loads, limits: #"{"import_kw": 9}"#) { _ in slot }
        #expect(plan.status == "optimal")
        #expect(plan.batteries[0].powerKw.allSatisfy { $0 == 0 }, "\(plan.batteries[0].powerKw)")
        #expect(plan.loads[0].missingKwh == 0)
    }

    @Test func `gives nothing away for nothing`() throws {
        let plan = try Planning.plan(
            [0.3, 0.1, 0.2],
            loads: #"""
                {"name": "battery", "capacity_kwh": 10, "initial_soc": 80, "max_charge_kw": 5, "final_soc": 0},
                {"name": "car", "power_kw": 3, "energy_kwh": 3, "deadline": "\#(Planning.time(60))"}
                """#, more: { _ in #", "export_price": 0"# })
        #expect(plan.status == "optimal")
        // The car's energy, and nothing more.
        #expect(zip(plan.batteries[0].powerKw, [-3, 0, 0]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(abs(plan.totals.objective) < 1e-9)
    }

    @Test(arguments: [true, false])
    func `excludes a load as loads do each other`(isQuick: Bool) throws {
        let text = #"""
            {"slots": \#(Planning.slots([0.1, 0.3, 0.4])), "limits": {"exclusive": [["car", "battery"]]}, "loads": [
             {"name": "battery", "capacity_kwh": 10, "initial_soc": 0, "max_charge_kw": 5, "target_soc": 40,
              "deadline": "\#(Planning.time(180))"},
             {"name": "car", "power_kw": 3, "energy_kwh": 3}]}
            """#
        let problem = try ProblemReader.read(Array(text.utf8)).problem
        let plan = try HomePlanner(solver: isQuick ? NoSolver() : CBCSolver()).plan(problem)
        #expect(plan.loads[0].missing == 0 && plan.batteries[0].missing < 1e-6)
        #expect(zip(plan.loads[0].energies, plan.batteries[0].power).allSatisfy { $0 == 0 || $1 == 0 })
    }

    @Test func `rests in a quick plan`() throws {
        let text = #"""
            {"slots": \#(Planning.slots([0.3, 0.1, 0.2]) { _ in #", "export_price": 0, "pv_kw": 1"# }), "loads": [
             {"name": "battery", "capacity_kwh": 10, "initial_soc": 80, "max_charge_kw": 5, "final_soc": 0},
             {"name": "car", "power_kw": 3, "energy_kwh": 3}]}
            """#
        let reading = try ProblemReader.read(Array(text.utf8))
        let plan = try HomePlanner(solver: NoSolver()).plan(reading.problem)
        #expect(plan.method == .first)
        #expect(plan.batteries[0].power == [0, 0, 0])
    }

    @Test(arguments: [
        (#""max_charge_kw": 5, "efficiency": 0.9"#, "$.loads[0].efficiency"),
        (#""max_charge_kw": 5, "type": "battery", "power_kw": 3"#, "$.loads[0].power_kw"),
        (#""max_charge_kw": 5, "deadline": "2026-03-02T01:00:00+01:00""#, "$.loads[0].deadline"),
        (#""max_charge_kw": 5, "target_soc": 90, "max_soc": 80"#, "$.loads[0].target_soc"),
        (#""max_charge_kw": 5, "target_soc": 90, "deadline": "2026-03-03T09:00:00+01:00""#, "$.loads[0].deadline"),
        (
            #""max_charge_kw": 5, "goals": [{"by": "2026-03-02T01:00:00+01:00", "energy_kwh": 3}]"#,
            "$.loads[0].goals[0].soc"
        ),
    ])
    func `is refused what says nothing about it`(members: String, path: String) {
        let text = #"{"slots": \#(Planning.slots([0.1])), "loads": [{"capacity_kwh": 10, \#(members)}]}"#
        #expect(Planning.refusal(text)?.path == path)
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
