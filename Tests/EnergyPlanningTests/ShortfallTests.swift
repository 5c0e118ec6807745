import EnergyPlanning
import Testing

@Suite struct `What cannot be done` {
    @Test func `too little time: the best that can be had, and what would help`() throws {
        let plan = try Planning.plan([0.1, 0.2], loads: #"{"name": "car", "power_kw": 5, "energy_kwh": 15}"#)
        let car = plan.loads[0]
        #expect(car.plannedKwh == 10)
        #expect(car.missingKwh == 5)
        #expect(car.shortfall?.cause == "window")
        #expect(car.shortfall?.remedies.contains { $0.hasPrefix("be ready 1 h later (2026-03-") } == true)
        #expect(car.shortfall?.remedies.contains { $0.contains("7.5 kW") } == true)
        #expect(car.runs.allSatisfy { $0.reason == "deadline" })
    }

    @Test func `of several goals that are missed, what helps says each`() throws {
        let plan = try Planning.plan(
            [0.3, 0.3, 0.2, 0.1, 0.1, 0.1],
            loads: #"""
                {"name": "car", "max_power_kw": 10, "goals": [{"by": "2026-03-02T01:00:00+01:00", "energy_kwh": 15},
                                                              {"by": "2026-03-02T02:00:00+01:00", "energy_kwh": 28},
                                                              {"by": "2026-03-02T06:00:00+01:00", "energy_kwh": 40}]}
                """#)
        let remedies = plan.loads[0].shortfall?.remedies ?? []
        #expect(remedies.count == 3, "\(remedies)")
        #expect(remedies[0].hasPrefix("be ready 30 min later than 2026-03-02T01:00"))
        #expect(remedies[0].contains("(2026-03-02T01:30:00+01:00), and be ready 48 min later than 2026-03-02T02:00"))
        #expect(
            remedies[1] == "ask for 5 kWh less by 2026-03-02T01:00:00+01:00, and ask for 8 kWh less by "
                + "2026-03-02T02:00:00+01:00")
        #expect(remedies[2] == "use a connection of at least 15 kW")
    }

    @Test func `the limit to blame is named`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2], loads: #"{"name": "car", "max_power_kw": 10, "energy_kwh": 15}"#,
            limits: #"{"circuits": [{"name": "garage", "power_kw": 6, "loads": ["car"]}]}"#)
        #expect(plan.loads[0].missingKwh == 3)
        #expect(plan.loads[0].shortfall?.cause == "limit")
        #expect(plan.loads[0].shortfall?.who == ["circuit garage"])
        #expect(plan.loads[0].shortfall?.remedies.first == "raise circuit garage by 1.5 kW")
    }

    @Test(arguments: [
        (#"{"import_kw": 1}"#, "", "limit", ["import limit"], "raise import limit by 8 kW"),
        (
            #"{"import_kw": 9.5}"#, #", {"name": "car", "power_kw": 9, "energy_kwh": 18, "priority": 5}"#,
            "other_loads",
            ["car"], "raise import limit by 3.5 kW"
        ),
        (
            #"{"exclusive": [["heat", "car"]]}"#,
            #", {"name": "car", "power_kw": 3, "energy_kwh": 6, "priority": 5}"#, "exclusion", ["car"],
            "let it run beside car"
        ), ("{}", "", "", [], ""),
    ])
    func `a building that gets cold says why`(
        limits: String, others: String, cause: String, who: [String], remedy: String
    ) throws {
        let heat = #"""
            {"name": "heat", "max_power_kw": 9, "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 0.5,
             "cop": 1, "outdoor_c": 0, "initial_c": 20, "comfort_min_c": 20, "comfort_max_c": 24}}
            """#
        let plan = try Planning.plan([0.1, 0.2], loads: heat + others, limits: limits)
        let shortfall = plan.loads[0].shortfall
        #expect((shortfall?.cause ?? "") == cause && (shortfall?.who ?? []) == who)
        #expect(remedy.isEmpty || shortfall?.remedies.contains(remedy) == true, "\(shortfall as Any)")
    }

    @Test func `a goal before the plan begins has its time to blame`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2],
            loads: #"""
                {"name": "car", "max_power_kw": 5, "goals": [{"by": "2026-03-01T23:00:00+01:00", "energy_kwh": 3},
                                                             {"by": "2026-03-02T02:00:00+01:00", "energy_kwh": 5}]}
                """#)
        #expect(plan.loads[0].shortfall?.cause == "window")
    }

    @Test func `of what exclude each other the more important has all, and the rest is at its best`() throws {
        let plan = try Planning.plan(
            [0.4, 0.1, 0.3, 0.2],
            loads: #"""
                {"name": "car", "max_power_kw": 7.4, "energy_kwh": 25},
                {"name": "washer", "profile_kw": [2, 0.5], "profile_step_minutes": 60, "priority": 1}
                """#, limits: #"{"exclusive": [["car", "washer"]]}"#)
        #expect(plan.status == "optimal")
        #expect(abs(plan.totals.objective - 4.4) < 1e-6)
        #expect(abs((plan.loads[0].missingKwh ?? 0) - 10.2) < 1e-6 && plan.loads[1].missingKwh == 0)
    }

    @Test func `a price ceiling is kept and named`() throws {
        let plan = try Planning.plan(
            [0.1, 0.5], loads: #"{"name": "car", "power_kw": 5, "energy_kwh": 10, "max_price": 0.3}"#)
        #expect(plan.loads[0].energyKwh == [5, 0])
        #expect(plan.loads[0].shortfall?.cause == "price_ceiling")
        #expect(plan.loads[0].waits.map(\.reason) == ["price_above_ceiling"])
    }

    @Test func `higher priority first, whatever it costs`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2],
            loads: #"""
                {"name": "a", "power_kw": 5, "energy_kwh": 10, "priority": 0},
                {"name": "b", "power_kw": 5, "energy_kwh": 5, "priority": 9}
                """#, limits: #"{"import_kw": 5}"#)
        #expect(plan.loads.map(\.plannedKwh) == [5, 5])
        #expect(plan.loads[1].shortfall == nil)
        #expect(plan.loads[0].shortfall?.who.contains("b") == true)
    }

    @Test func `a block that fits nowhere is had in part`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2], loads: #"{"power_kw": 5, "energy_kwh": 20, "one_block": true}"#)
        #expect(plan.loads[0].plannedKwh == 10)
        #expect(plan.loads[0].missingKwh == 10)
    }

    @Test func `a part of a block leaves room where the whole would cost others more`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2],
            loads: #"""
                {"name": "block", "power_kw": 5, "energy_kwh": 10, "one_block": true, "start_anywhere": false},
                {"name": "car", "power_kw": 9, "energy_kwh": 9}
                """#, limits: #"{"import_kw": 9}"#)
        #expect(plan.loads.map(\.missingKwh) == [5, 0])
    }

    @Test func `a part of a block that may begin at any time leaves room too`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2],
            loads: #"""
                {"name": "block", "power_kw": 5, "energy_kwh": 10, "one_block": true},
                {"name": "car", "power_kw": 9, "energy_kwh": 9}
                """#, limits: #"{"import_kw": 9}"#)
        #expect(plan.status == "optimal")
        #expect(plan.loads.map(\.missingKwh) == [5, 0])
        #expect(plan.loads[0].shortfall?.who == ["import limit", "car"])
    }

    @Test func `limits that nothing can keep are refused with what to look at`() throws {
        #expect {
            try Planning.plan(
                #"""
                {"slots": \#(Planning.slots([0.1])), "loads": [], "pv_kw": 5, "pv_curtailable": false,
                 "limits": {"export_kw": 1}}
                """#)
        } throws: { error in
            ["export limit of 1 kW", Planning.time(0), "4 kW too much", "pv_curtailable"].allSatisfy(
                "\(error)".contains)
        }
    }

    @Test func `to be ready later is no help where nobody knows whether what follows is below a ceiling`() throws {
        let car = #""name": "car", "power_kw": 2, "energy_kwh": 6"#
        let load = try Planning.plan([0.3, 0.1, 0.2, 0.15], loads: #"{\#(car), "max_price": 0.16}"#).loads[0]
        let remedies = load.shortfall?.remedies
        #expect(remedies == ["raise the price ceiling to 0.2", "ask for 2 kWh less"])
    }

    @Test func `a number of runs is named beside the limit, and to allow more of them is told`() throws {
        let plan = try Planning.plan(
            [Double](repeating: 0.1, count: 6), loads: #"{"power_kw": 4, "energy_kwh": 16, "max_runs": 1}"#,
            limits: #"{"import_kw": 5}"#
        ) { #", "base_load_kw": \#($0 % 3 == 2 ? 4 : 0)"# }
        let shortfall = try #require(plan.loads[0].shortfall)
        #expect(shortfall.cause == "base_load")
        #expect(shortfall.also.map(\.cause) == ["shape"])
        #expect(shortfall.remedies.contains("allow any number of runs"))
        #expect(shortfall.remedies.contains("raise import limit by 3 kW"))
    }

    @Test func `other loads are named beside too little time`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.1, 0.1],
            loads: #"""
                {"name": "a", "max_power_kw": 4, "energy_kwh": 20},
                {"name": "b", "max_power_kw": 4, "energy_kwh": 10, "priority": 1}
                """#, limits: #"{"import_kw": 5}"#)
        let shortfall = try #require(plan.loads[0].shortfall)
        #expect(shortfall.cause == "window")
        #expect(shortfall.also.map(\.who) == [["import limit", "b"]])
    }

    @Test func `what runs anyway and breaks a limit by itself is noted`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2], loads: #"{"power_kw": 4, "energy_kwh": 4}"#, limits: #"{"import_kw": 5}"#
        ) { #", "base_load_kw": \#($0 == 0 ? 6.5 : 0)"# }
        #expect(plan.notes == ["What runs anyway draws up to 1.5 kW more than the import limit carries."])
        #expect(plan.loads[0].energyKwh == [0, 4])
        let kept = try Planning.plan([0.1, 0.2], loads: "", limits: #"{"import_kw": 5}"#)
        #expect(kept.notes == [])
    }

    @Test(arguments: [#"{"exclusive": [["a", "b"]]}"#, #"{"import_kw": 5}"#])
    func `slots are named where blocks fit only between their edges`(limits: String) throws {
        let plan = try Planning.plan(
            [0.1, 0.1],
            loads: #"""
                {"name": "a", "power_kw": 4, "energy_kwh": 6, "one_block": true},
                {"name": "b", "power_kw": 4, "energy_kwh": 2, "one_block": true}
                """#, limits: limits)
        let shortfall = try #require(plan.loads.compactMap(\.shortfall).first)
        #expect(shortfall.remedies.contains("plan with slots of 30 min"), "\(shortfall.remedies)")
        #expect(shortfall.cause == "shape" || shortfall.also.contains { $0.cause == "shape" })
    }

    @Test func `what helps only together is told together`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.3, 0.3],
            loads: #"{"power_kw": 4, "energy_kwh": 20, "max_price": 0.2, "min_run_minutes": 60}"#,
            limits: #"{"import_kw": 4}"#)
        let shortfall = try #require(plan.loads[0].shortfall)
        #expect(
            shortfall.remedies.contains(
                "be ready 1 h later (\(Planning.time(300))), and raise the price ceiling to 0.3"),
            "\(shortfall.remedies)")
    }

    @Test func `a stronger connection is one that the load's steps have`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1], loads: #"{"max_power_kw": 2, "power_step_kw": 0.5, "energy_kwh": 4.6}"#)
        let shortfall = try #require(plan.loads[0].shortfall)
        #expect(shortfall.remedies.contains("use a connection of at least 2.5 kW"), "\(shortfall.remedies)")
    }
}
