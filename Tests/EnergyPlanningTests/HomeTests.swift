import Testing

@testable import EnergyPlanning

@Suite struct `Loads together` {
    @Test func `share one fuse`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2, 0.3],
            loads: #"{"name": "a", "power_kw": 7, "energy_kwh": 7}, {"name": "b", "power_kw": 7, "energy_kwh": 7}"#,
            limits: #"{"import_kw": 10}"#)
        #expect(plan.status == "optimal")
        #expect(abs(plan.objective - 2.1) < 1e-6)
        #expect(plan.slots.allSatisfy { $0.importKw <= 10 + 1e-9 })
        let waiting = plan.loads.flatMap(\.waits).filter { $0.reason == "load_balancing" }
        #expect(waiting.map(\.limit) == ["import limit"])
    }

    @Test func `each phase carries its own loads`() throws {
        let car = { (name: String, phase: Int) in
            #"{"name": "\#(name)", "power_kw": 3.68, "phases": [\#(phase)], "energy_kwh": 3.68}"#
        }
        let limits = #"{"fuse": {"current_a": 16}}"#
        let apart = try Planning.plan([0.1, 0.2], loads: car("a", 1) + "," + car("b", 2), limits: limits)
        #expect(abs(apart.objective - 0.736) < 1e-9)
        let same = try Planning.plan([0.1, 0.2], loads: car("a", 1) + "," + car("b", 1), limits: limits)
        #expect(abs(same.objective - 1.104) < 1e-6)
    }

    @Test func `a circuit counts for those that feed it`() throws {
        let limits = #"""
            {"circuits": [{"name": "house", "power_kw": 10, "loads": ["c"]},
                          {"name": "garage", "parent": "house", "power_kw": 8, "loads": ["a", "b"]}]}
            """#
        let loads = ["a", "b", "c"].map { #"{"name": "\#($0)", "max_power_kw": 6, "energy_kwh": 6}"# }
        let plan = try Planning.plan([0.1, 0.2, 0.3], loads: loads.joined(separator: ","), limits: limits)
        // 10 kWh in the first hour, of which 8 in the garage, the rest in the second.
        #expect(abs(plan.objective - (1 + 1.6)) < 1e-6)
    }

    @Test func `exclusive loads never run at once`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2, 0.3],
            loads: #"{"name": "a", "power_kw": 1, "energy_kwh": 1}, {"name": "b", "power_kw": 1, "energy_kwh": 1}"#,
            limits: #"{"exclusive": [["a", "b"]]}"#)
        #expect(abs(plan.objective - 0.3) < 1e-6)
        #expect(zip(plan.loads[0].energyKwh, plan.loads[1].energyKwh).allSatisfy { $0 == 0 || $1 == 0 })
    }

    @Test func `a demand charge spreads the load`() throws {
        let load = #"{"max_power_kw": 10, "energy_kwh": 10}"#
        let plan = try Planning.plan(
            [0.10, 0.11, 0.12, 0.13], loads: load, limits: #"{"demand_charge": {"price_per_kw": 1}}"#)
        #expect(plan.loads[0].energyKwh.allSatisfy { abs($0 - 2.5) < 1e-6 })
        let paid = try Planning.plan(
            [0.10, 0.11, 0.12, 0.13], loads: load,
            limits: #"{"demand_charge": {"price_per_kw": 1, "peak_so_far_kw": 10}}"#)
        #expect(abs(paid.objective - 1) < 1e-6)
    }

    @Test func `solar power is used where exporting it brings less`() throws {
        let plan = try Planning.plan([0.1, 0.3], loads: #"{"max_power_kw": 4, "energy_kwh": 4}"#) {
            #", "pv_kw": \#($0 == 1 ? 4 : 0), "export_price": 0.05"#
        }
        #expect(plan.loads[0].energyKwh == [0, 4])
        #expect(plan.loads[0].runs.map(\.reason) == ["own_solar"])
    }

    @Test func `an export limit is kept by throwing away, and loads take that first`() throws {
        let plan = try Planning.plan(
            [0.3, 0.3], loads: #"{"max_power_kw": 3, "energy_kwh": 3}"#, limits: #"{"export_kw": 2}"#
        ) { #", "pv_kw": \#($0 == 1 ? 5 : 2), "export_price": 0.1"# }
        #expect(plan.slots.allSatisfy { $0.exportKw <= 2 + 1e-9 })
        #expect(abs(plan.loads[0].energyKwh[1] - 3) < 1e-6)
    }

    @Test func `a home battery moves energy from cheap to dear`() throws {
        let plan = try Planning.plan(
            [0.1, 0.5],
            loads: #"""
                {"name": "battery", "capacity_kwh": 10, "max_charge_kw": 5, "charge_efficiency": 0.9,
                 "discharge_efficiency": 0.9}
                """#
        ) { _ in #", "base_load_kw": 2"# }
        #expect(abs(plan.batteries[0].powerKw[1] + 2) < 1e-6)
        #expect(abs(plan.batteries[0].powerKw[0] - 2 / 0.81) < 1e-6)
    }

    @Test func `what a home battery gives makes room for loads under a limit`() throws {
        let plan = try Planning.plan(
            [0.3, 0.3, 0.5],
            loads: #"""
                {"name": "a", "power_kw": 2.2, "energy_kwh": 4.4}, {"name": "b", "power_kw": 2, "energy_kwh": 4},
                {"name": "battery", "capacity_kwh": 10, "max_charge_kw": 3, "initial_soc": 90, "final_soc": 0}
                """#,
            limits: #"{"import_kw": 2.4}"#)
        #expect(plan.status == "optimal")
        #expect(plan.loads.allSatisfy { ($0.missingKwh ?? 1) < 1e-6 })
        #expect(plan.slots.allSatisfy { $0.importKw <= 2.4 + 1e-9 })
    }

    @Test func `what is planned is the same every time`() throws {
        let loads = (0..<4).map {
            #"{"name": "\#($0)", "power_kw": \#(3 + $0), "energy_kwh": \#(3 * (3 + $0)), "min_run_minutes": 120}"#
        }
        let prices = (0..<24).map { 0.2 + 0.01 * Double($0 * 7 % 13) }
        let plans = try (0..<3).map { _ in
            try Planning.plan(prices, loads: loads.joined(separator: ","), limits: #"{"import_kw": 9}"#)
        }
        #expect(Set(plans.map { $0.loads.map(\.energyKwh) }).count == 1)
    }

    @Test func `warm before the dear hours, and never outside the comfort band`() throws {
        let prices = [0.1, 0.1, 0.9, 0.9, 0.1, 0.1]
        let plan = try Planning.plan(
            prices,
            loads: #"""
                {"name": "heat pump", "max_power_kw": 3, "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 3,
                 "cop": 3, "initial_c": 20.5, "outdoor_c": 0, "comfort_min_c": 20, "comfort_max_c": 23}}
                """#)
        let temperatures = try #require(plan.loads[0].temperaturesC)
        #expect(temperatures.allSatisfy { 20 - 1e-6...23 + 1e-6 ~= $0 })
        #expect(temperatures[1] > 21)
        #expect(plan.loads[0].energyKwh[2] + plan.loads[0].energyKwh[3] < plan.loads[0].energyKwh[1])
    }

    @Test(arguments: [(300.0, 15), (1500, 60), (25, 1)])
    func `what a large building needs comes first, whatever it costs`(capacity: Double, minutes: Int) throws {
        let pool = #"""
            {"max_power_kw": 60, "thermal": {"resistance_k_per_kw": 1, "capacity_kwh_per_k": \#(capacity), "cop": 1,
             "initial_c": 20, "outdoor_c": 15, "comfort_min_c": 18, "final_c": 20.1}}
            """#
        let plan = try Planning.plan(Array(repeating: 0.3, count: 24), minutes: minutes, loads: pool)
        #expect(plan.status == "optimal" && (plan.loads[0].finalMissingK ?? 0) == 0)
        #expect(plan.objective > 0.3 * 0.1 * capacity - 1e-6)
    }

    @Test func `the last bit that is missing is worth another start`() throws {
        let plan = try Planning.plan(
            [0.1, 0.3, 0.1, 0.3],
            loads: #"""
                {"name": "ev", "min_power_kw": 2, "max_power_kw": 10, "energy_kwh": 10.0005, "start_cost": 1, "max_price": 0.2,
                 "min_pause_minutes": 60, "partial_slots": "last"},
                {"name": "other", "power_kw": 2, "energy_kwh": 2, "deadline": "\#(Planning.time(120))"},
                {"name": "battery", "capacity_kwh": 2, "max_charge_kw": 1}
                """#, limits: #"{"import_kw": 11}"#)
        #expect(plan.status == "optimal")
        #expect(plan.loads.allSatisfy { ($0.missingKwh ?? 0) < 1e-6 })
    }

    @Test func `a battery is planned anew beside loads of which one runs at a time, unless it is one of them`() throws {
        func share(_ group: String) throws -> Double? {
            let text = #"""
                {"slots": \#(Planning.slots([0.1, 0.2])), "limits": {"exclusive": [\#(group)]}, "loads": [
                 {"name": "a", "power_kw": 1, "energy_kwh": 1}, {"name": "b", "power_kw": 1, "energy_kwh": 1},
                 {"name": "battery", "capacity_kwh": 2, "max_charge_kw": 1}]}
                """#
            return PartPlanner.share(beside: PlanWork(try ProblemReader.read(Array(text.utf8)).problem))
        }
        #expect(try share(#"["a", "b"]"#) != nil)
        #expect(try share(#"["a", "battery"]"#) == nil)
    }

    @Test func `a block that fits nowhere leaves the others their starts between slots`() throws {
        let two = ["a", "b"].map { #"{"name": "\#($0)", "power_kw": 3, "energy_kwh": 4, "one_block": true}"# }
        let prices = [0.5, 0.3, 0.1, 0.5, 0.3, 0.1, 0.5]
        func objective(_ loads: [String]) throws -> Double {
            let plan = try Planning.plan(
                prices, loads: loads.joined(separator: ","), limits: #"{"import_kw": 5}"#)
            #expect(plan.status == "optimal")
            return plan.objective
        }
        let never = #"{"name": "never", "power_kw": 7, "energy_kwh": 3, "one_block": true}"#
        #expect(abs(try objective(two) - 1.2) < 1e-9)
        #expect(abs(try objective(two + [never]) - 1.2) < 1e-9)
    }

    @Test func `what whole steps cannot make up is known without trying all of them`() throws {
        // 25 steps of 0.69 kWh of 17.818 kWh: a solver that had to find that out would take a minute.
        let load = #"""
            {"max_power_kw": 11.04, "min_power_kw": 5.52, "power_step_kw": 2.76, "partial_slots": "never",
             "energy_kwh": 70.5, "max_energy_kwh": 70.5, "start_cost": 0.003}
            """#
        let prices = (0..<16).map { 0.1 + Double($0 * 7 % 16) / 100 }
        let plan = try Planning.plan(prices, loads: load, limits: #"{"demand_charge": {"price_per_kw": 0.1}}"#)
        #expect(plan.status == "optimal")
        #expect(abs((plan.loads[0].missingKwh ?? 0) - (70.5 - 25 * 2.76)) < 1e-6)
    }

    @Test func `who waits for another of its group, or needs nothing, says so`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1],
            loads: #"""
                {"name": "a", "power_kw": 2, "energy_kwh": 4, "priority": 1}, {"name": "b", "power_kw": 2, "energy_kwh": 2},
                {"name": "full", "capacity_kwh": 10, "initial_soc": 50, "target_soc": 30, "max_power_kw": 3}
                """#,
            limits: #"{"exclusive": [["a", "b"]]}"#)
        #expect(plan.loads[1].waits.map(\.reason) == ["load_balancing"])
        #expect(plan.loads[1].waits.map(\.limit) == ["one at a time: a, b"])
        #expect(plan.loads[2].waits.map(\.reason) == ["target_reached"])
    }
}
