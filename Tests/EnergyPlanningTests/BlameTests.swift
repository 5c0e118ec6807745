import EnergyTestSupport
import Testing

@testable import EnergyPlanning

@Suite struct `Who is to blame, and what helps` {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var loads: String
        var limits = "{}"
        var slot = ""
        var prices = [0.3, 0.1, 0.2]
        var cause: Shortfall.Cause
        var who: [String] = []
        var also: [Shortfall.Part] = []
        var remedies: [String]
    }

    private static let lessOfBoth =
        "ask for 4 kWh less by \(Planning.time(60)), and ask for 3 kWh less by \(Planning.time(180))"

    private static let cases = [
        Case(
            testDescription: "a base load above the fuse", loads: #"{"max_power_kw": 7, "energy_kwh": 7, "phases": 1}"#,
            limits: #"{"fuse": {"current_a": 20}}"#, slot: #", "base_load_kw": 20"#, cause: .baseLoad,
            who: ["base load", "circuit main fuse, phase 1"],
            remedies: [
                "raise circuit main fuse by 20 A", "have 13.2 kW less base load meanwhile",
            ]),
        Case(
            testDescription: "a base load that leaves too little",
            loads: #"{"max_power_kw": 7, "energy_kwh": 7, "phases": 1}"#, limits: #"{"fuse": {"current_a": 20}}"#,
            slot: #", "base_load_kw": 12"#, cause: .baseLoad, who: ["base load", "circuit main fuse, phase 1"],
            remedies: [
                "raise circuit main fuse by 8 A", "have 5.2 kW less base load meanwhile",
                "ask for 5.2 kWh less",
            ]),
        Case(
            testDescription: "the first of two goals",
            loads: #"""
                {"max_power_kw": 5, "goals": [{"by": "2026-03-02T01:00:00+01:00", "energy_kwh": 9},
                                              {"by": "2026-03-02T03:00:00+01:00", "energy_kwh": 10}]}
                """#, cause: .window,
            remedies: [
                "be ready 48 min later than \(Planning.time(60)) (\(Planning.time(108)))",
                "ask for 4 kWh less by \(Planning.time(60))",
                "use a connection of at least 9 kW",
            ]),
        Case(
            testDescription: "the second of two goals",
            loads: #"""
                {"max_power_kw": 5, "goals": [{"by": "2026-03-02T01:00:00+01:00", "energy_kwh": 4},
                                              {"by": "2026-03-02T03:00:00+01:00", "energy_kwh": 18}]}
                """#, cause: .window,
            remedies: [
                "be ready 36 min later than \(Planning.time(180)) (\(Planning.time(216)))",
                "ask for 3 kWh less by \(Planning.time(180))",
                "use a connection of at least 6 kW",
            ]),
        Case(
            testDescription: "both goals",
            loads: #"""
                {"max_power_kw": 5, "goals": [{"by": "2026-03-02T01:00:00+01:00", "energy_kwh": 9},
                                              {"by": "2026-03-02T03:00:00+01:00", "energy_kwh": 18}]}
                """#, cause: .window,
            remedies: [
                "be ready 48 min later than \(Planning.time(60)) (\(Planning.time(108))), "
                    + "and be ready 36 min later than \(Planning.time(180)) (\(Planning.time(216)))",
                lessOfBoth, "use a connection of at least 9 kW",
            ]),
        Case(
            testDescription: "both goals, behind a limit",
            loads: #"""
                {"max_power_kw": 20, "goals": [{"by": "2026-03-02T01:00:00+01:00", "energy_kwh": 9},
                                              {"by": "2026-03-02T03:00:00+01:00", "energy_kwh": 18}]}
                """#, limits: #"{"import_kw": 5}"#, cause: .limit, who: ["import limit"],
            remedies: ["raise import limit by 4 kW", lessOfBoth]),
        Case(
            testDescription: "a load that must not run beside another",
            loads: #"""
                {"power_kw": 2, "energy_kwh": 6}, {"name": "other", "power_kw": 2, "energy_kwh": 2, "priority": 5}
                """#, limits: #"{"exclusive": [["load-1", "other"]]}"#, cause: .exclusion, who: ["other"],
            remedies: ["let it run beside other", "ask for 2 kWh less", "be ready 1 h later (\(Planning.time(240)))"]),
        Case(
            testDescription: "an appliance whose course is longer than its time",
            loads: #"""
                {"profile_kw": [2, 1], "profile_step_minutes": 60, "deadline": "2026-03-02T01:30:00+01:00"}
                """#, cause: .window, remedies: ["be ready 30 min later (\(Planning.time(120)))"]),
        Case(
            testDescription: "an appliance whose window begins too late",
            loads: #"""
                {"profile_kw": [2, 1], "profile_step_minutes": 60, "earliest_start": "2026-03-02T01:30:00+01:00"}
                """#, cause: .window,
            remedies: [
                "be ready 30 min later (\(Planning.time(210)))", "start 30 min earlier (\(Planning.time(60)))",
            ]),
        Case(
            testDescription: "an appliance that is too strong for its limit",
            loads: #"{"profile_kw": [2, 1], "profile_step_minutes": 60}"#, limits: #"{"import_kw": 1.5}"#,
            cause: .limit, who: ["import limit"], remedies: ["raise import limit by 0.5 kW"]),
        Case(
            testDescription: "one power on a small circuit",
            loads: #"{"name": "car", "power_kw": 7, "energy_kwh": 7, "phases": 1}"#,
            limits: #"{"circuits": [{"name": "garage", "current_a": 20, "loads": ["car"]}]}"#, cause: .limit,
            who: ["circuit garage, phase 1"],
            remedies: ["raise circuit garage by 11 A", "run it with at most 4.6 kW"]),
        Case(
            testDescription: "two loads on one limit",
            loads: #"{"power_kw": 2, "energy_kwh": 6}, {"power_kw": 2, "energy_kwh": 6, "priority": 1}"#,
            limits: #"{"import_kw": 3}"#, cause: .limit, who: ["import limit", "load-2"],
            remedies: ["raise import limit by 1 kW", "be ready 3 h later (\(Planning.time(360)))"]),
        Case(
            testDescription: "a minimum run longer than its time",
            loads: #"{"min_power_kw": 2, "max_power_kw": 4, "energy_kwh": 8, "min_run_minutes": 240}"#, cause: .shape,
            remedies: [
                "leave out its minimum run", "leave out its rules for runs and pauses, and allow slots used in part",
            ]),
        Case(
            testDescription: "a price ceiling", loads: #"{"power_kw": 2, "energy_kwh": 6, "max_price": 0.2}"#,
            cause: .priceCeiling,
            remedies: ["raise the price ceiling to 0.3", "ask for 2 kWh less"]),
        Case(
            testDescription: "too little time behind a limit",
            loads: #"{"max_power_kw": 7, "energy_kwh": 16, "deadline": "2026-03-02T02:00:00+01:00"}"#,
            limits: #"{"import_kw": 4}"#, cause: .window, also: [.init(cause: .limit, who: ["import limit"])],
            remedies: ["be ready 2 h later (\(Planning.time(240)))", "ask for 8 kWh less"]),
        Case(
            testDescription: "two limits that need different amounts",
            loads: #"{"name": "a", "max_power_kw": 11, "energy_kwh": 18}"#,
            limits: #"{"import_kw": 5, "circuits": [{"name": "garage", "loads": ["a"], "power_kw": 3}]}"#,
            cause: .limit, who: ["import limit", "circuit garage"],
            remedies: ["raise import limit by 1 kW, and circuit garage by 3 kW", "ask for 9 kWh less"]),
        Case(
            testDescription: "too little time, and a limit that leaves less than it runs with",
            loads: #"""
                {"min_power_kw": 6, "max_power_kw": 7, "energy_kwh": 16, "partial_slots": "any",
                 "deadline": "2026-03-02T02:00:00+01:00"}
                """#, limits: #"{"import_kw": 4}"#, cause: .limit, who: ["import limit"],
            also: [.init(cause: .window, who: [])],
            remedies: ["be ready 18 min later (\(Planning.time(138))), and raise import limit by 3 kW"]),
        Case(
            testDescription: "a price ceiling and a limit, of which the limit takes more",
            loads: #"{"max_power_kw": 4, "energy_kwh": 6, "max_price": 0.15}"#, limits: #"{"import_kw": 1}"#,
            cause: .limit, who: ["import limit"], also: [.init(cause: .priceCeiling, who: [])],
            remedies: ["ask for 5 kWh less", "raise the price ceiling to 0.2, and raise import limit by 2 kW"]),
    ]

    private static func problem(_ given: Case) throws -> PlanProblem {
        let slots = Planning.slots(given.prices) { _ in given.slot }
        let text = #"{"slots": \#(slots), "loads": [\#(given.loads)], "limits": \#(given.limits)}"#
        return try ProblemReader.read(Array(text.utf8)).problem
    }

    @Test func `slots that are too long for two runs are named`() throws {
        // Twice an hour and a half, in two hours each.
        let plan = try Planning.plan(
            [0.1, 0.1, 2, 0.1, 0.1],
            loads: #"{"power_kw": 10, "energy_kwh": 30, "min_run_minutes": 90, "max_price": 1}"#)
        let shortfall = try #require(plan.loads[0].shortfall)
        #expect(([shortfall.cause] + shortfall.also.map(\.cause)).contains("shape"))
        #expect(shortfall.remedies.contains("plan with slots of 30 min"), "\(shortfall.remedies)")
    }

    @Test(arguments: cases) func `is told, and each remedy helps`(_ given: Case) throws {
        let problem = try Self.problem(given)
        let planner = HomePlanner.patient
        let shortfall = try #require(try planner.plan(problem).loads.compactMap(\.shortfall).first)
        #expect(shortfall.cause == given.cause)
        #expect(shortfall.who == given.who)
        #expect(shortfall.also == given.also)
        #expect(shortfall.remedies == given.remedies)
        for change in shortfall.changes {
            var changed = problem
            change.apply(to: &changed)
            let after = try planner.plan(changed)
            #expect(after.loads.allSatisfy { $0.missing == 0 }, "\(change)")
        }
    }

    private static let building = #"""
        "resistance_k_per_kw": 5, "capacity_kwh_per_k": 0.5, "cop": 1, "comfort_max_c": 40
        """#

    @Test(arguments: [(false, "20"), (true, "0")])
    func `a building that cannot be as warm as asked is asked for what it can be`(isCooling: Bool, band: String) throws
    {
        let mode =
            isCooling
            ? #""mode": "cool", "outdoor_c": 30, "initial_c": 25, "final_c": 10"#
            : #""outdoor_c": 0, "initial_c": 20, "final_c": 26"#
        let load = #"{"max_power_kw": 5, "thermal": {\#(Self.building), "comfort_min_c": \#(band), \#(mode)}}"#
        let text = #"{"slots": \#(Planning.slots([0.1, 0.2])), "loads": [\#(load)]}"#
        let problem = try ProblemReader.read(Array(text.utf8)).problem
        let plan = try HomePlanner.patient.plan(problem)
        let lacking = try #require(plan.loads[0].finalMissing)
        #expect(lacking > 0)
        let shortfall = try #require(plan.loads[0].shortfall)
        #expect(shortfall.cause == .power)
        #expect(shortfall.remedies.first?.hasPrefix("have it run with up to ") == true)
        #expect(shortfall.remedies.contains { $0.hasPrefix("ask for ") && $0.hasSuffix(" °C at the end") })
        for change in shortfall.changes {
            var changed = problem
            change.apply(to: &changed)
            #expect(try HomePlanner.patient.plan(changed).loads[0].missing < 1e-5, "\(change)")
        }
    }

    @Test func `a heater that is too weak is to blame, and more power helps`() throws {
        let load = #"""
            {"max_power_kw": 1, "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 2, "initial_c": 18,
             "outdoor_c": -5, "comfort_min_c": 20, "comfort_max_c": 22}}
            """#
        let shortfall = try #require(try Planning.plan([0.2, 0.4, 0.2, 0.4], loads: load).loads[0].shortfall)
        #expect(shortfall.cause == "power" && shortfall.also.isEmpty)
        #expect(shortfall.remedies.first?.hasPrefix("have it run with up to 8.") == true)
    }

    @Test(arguments: [
        (#""max_power_kw": 4, "max_price": 0.25"#, "price_ceiling", "raise the price ceiling to 0.4"),
        (#""max_power_kw": 4, "max_carbon": 300"#, "carbon_ceiling", "raise the carbon ceiling to 600"),
        (#""power_kw": 4, "min_pause_minutes": 180"#, "shape", "allow a comfort band that is "),
    ])
    func `what keeps a building from its band is named, and so is why it waits then`(
        rule: String, cause: String, remedy: String
    ) throws {
        let pump = #"""
            {"name": "hp", \#(rule), "thermal": {"resistance_k_per_kw": 4, "capacity_kwh_per_k": 0.3, "cop": 3,
             "initial_c": 20, "outdoor_c": 0, "comfort_min_c": 20, "comfort_max_c": 22}}
            """#
        let prices = [0.3, 0.2, 0.1, 0.2, 0.4, 0.2]
        let load = try Planning.plan(prices, loads: pump) { #", "carbon": \#([100, 200, 100, 600, 200, 100][$0])"# }
            .loads[0]
        #expect(load.shortfall?.cause == cause)
        #expect(load.shortfall?.remedies.contains { $0.hasPrefix(remedy) } == true, "\(load.shortfall?.remedies ?? [])")
        let waits = ["price_ceiling": "price_above_ceiling", "carbon_ceiling": "carbon_above_ceiling"]
        #expect(load.waits.contains { $0.reason == waits[cause] ?? "keeping_runs_long" }, "\(load.waits)")
    }

    @Test func `a building beside which only one may run says who keeps it`() throws {
        let plan = try Planning.plan(
            [0.3, 0.2, 0.1, 0.2],
            loads: #"""
                {"name": "hp", "max_power_kw": 4, "thermal": {"resistance_k_per_kw": 4, "capacity_kwh_per_k": 0.5, "cop": 3,
                 "initial_c": 20, "outdoor_c": 0, "comfort_min_c": 20, "comfort_max_c": 22}},
                {"name": "ev", "power_kw": 7, "energy_kwh": 14, "priority": 1}
                """#, limits: #"{"exclusive": [["hp", "ev"]]}"#)
        let pump = try #require(plan.loads.first { $0.name == "hp" })
        #expect(pump.shortfall?.cause == "exclusion" && pump.shortfall?.who == ["ev"])
        #expect(pump.waits.contains { $0.reason == "load_balancing" && $0.limit == "one at a time: hp, ev" })
    }

    @Test func `the limit that keeps a battery from its target is to be raised by what that takes`() throws {
        let plan = { (limit: Double) in
            try Planning.plan(
                [0.1, 0.1],
                loads: #"""
                    {"name": "battery", "capacity_kwh": 10, "initial_soc": 0, "max_charge_kw": 8, "final_soc": 0,
                     "target_soc": 70, "deadline": "\#(Planning.time(60))"}
                    """#, limits: #"{"import_kw": \#(limit)}"#, more: { _ in #", "base_load_kw": 1"# }
            ).batteries[0]
        }
        let shortfall = try plan(5).shortfall
        #expect(shortfall?.cause == "limit" && shortfall?.who == ["import limit"])
        let efficiency = 7 / (try plan(20).powerKw[0])
        let raise = (7 / efficiency - 4).plainText
        #expect(shortfall?.remedies.first == "raise import limit by \(raise) kW")
        #expect(try plan(5 + (7 / efficiency - 4).roundedUp).missingKwh == 0)
    }

    @Test func `two ceilings of which neither is to blame alone are both named`() throws {
        let slots = Planning.slots([0.3, 0.1, 0.2]) { _ in #", "carbon": 100"# }
        let text =
            #"{"slots": \#(slots), "loads": [{"power_kw": 4, "energy_kwh": 12, "max_price": 0.25, "max_carbon": 50}]}"#
        let problem = try ProblemReader.read(Array(text.utf8)).problem
        let shortfall = try #require(try HomePlanner.patient.plan(problem).loads[0].shortfall)
        #expect(shortfall.cause == .carbonCeiling)
        #expect(shortfall.also == [.init(cause: .priceCeiling, who: [])])
        #expect(shortfall.remedies == ["leave out the price and the carbon ceiling"])
    }

    @Test func `a remedy that a person follows by the words helps`() throws {
        let plan = { (current: Int, power: Double) in
            try Planning.plan(
                [0.1, 0.2], loads: #"{"name": "car", "power_kw": \#(power), "energy_kwh": 7, "phases": 1}"#,
                limits: #"{"circuits": [{"name": "garage", "current_a": \#(current), "loads": ["car"]}]}"#)
        }
        #expect(try plan(20, 7).loads[0].missingKwh == 7)
        // 2.4 kW are 10.4 A.
        #expect(try plan(31, 7).loads[0].missingKwh == 0)
        #expect(try plan(20, 4.6).loads[0].missingKwh == 0)
    }

    @Test func `what nothing helps has no remedy`() throws {
        let plan = try Planning.plan(
            [0.1], loads: #"{"power_kw": 2, "energy_kwh": 2}, {"power_kw": 2, "energy_kwh": 9, "priority": 1}"#,
            limits: #"{"import_kw": 2}"#)
        // More room on the limit leaves the other one short, and the other way round.
        #expect(plan.loads[1].shortfall?.cause == "window")
        for load in plan.loads { #expect(load.shortfall?.remedies.contains("allow more time") == false) }
    }

    @Test func `who comes after a load is not in its way, and a limit is raised by no more than the home needs`() throws
    {
        let end = { (hour: Int) in #""deadline": "\#(Planning.time(hour * 60))""# }
        let plan = try Planning.plan(
            [0.1, 0.2, 0.3, 0.05, 0.4, 0.2],
            loads: #"""
                {"name": "a", "power_kw": 3, "energy_kwh": 9, \#(end(3)), "priority": 1},
                {"name": "b", "max_power_kw": 3, "energy_kwh": 9, \#(end(4)), "priority": 2},
                {"name": "c", "max_power_kw": 2, "energy_kwh": 8}
                """#, limits: #"{"import_kw": 3.5}"#)
        let shortfall = try #require(plan.loads[0].shortfall)
        #expect(shortfall.who == ["import limit", "b"])
        #expect(shortfall.remedies.contains("raise import limit by 1.5 kW"), "\(shortfall.remedies)")
    }

    @Test func `a battery that never gets full is not told to wait for it`() throws {
        let plan = try Planning.plan(
            [0.3, 0.1],
            loads: #"""
                {"max_power_kw": 7, "capacity_kwh": 10, "initial_soc": 30, "target_soc": 100,
                 "taper": {"from_soc": 80, "power_at_full_kw": 0}}
                """#)
        let shortfall = try #require(plan.loads[0].shortfall)
        #expect(!shortfall.remedies.contains { $0.contains("later") }, "\(shortfall.remedies)")
    }

    @Test func `a ceiling is raised by no more than all of several goals need`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2, 0.25, 0.45],
            loads: #"""
                {"max_power_kw": 4, "max_price": 0.15, "goals": [
                 {"by": "\#(Planning.time(120))", "energy_kwh": 6}, {"by": "\#(Planning.time(240))", "energy_kwh": 10}]}
                """#)
        #expect(plan.loads[0].shortfall?.remedies.contains("raise the price ceiling to 0.25") == true)
    }
}
