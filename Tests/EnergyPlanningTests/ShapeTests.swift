import EnergyPlanning
import Testing

@Suite struct `One load` {
    private let day = [0.30, 0.10, 0.25, 0.12, 0.28, 0.11, 0.35, 0.40]

    @Test func `fills the cheapest slots first, the last one in part`() throws {
        let plan = try Planning.plan(day, loads: #"{"power_kw": 10, "energy_kwh": 25}"#)
        #expect(plan.status == "optimal")
        #expect(plan.loads[0].energyKwh == [0, 10, 0, 5, 0, 10, 0, 0])
        #expect(abs(plan.objective - (1.0 + 1.1 + 0.6)) < 1e-9)
        #expect(plan.bound == plan.objective)
    }

    @Test func `a minimum run joins slots`() throws {
        let plan = try Planning.plan(day, loads: #"{"power_kw": 10, "energy_kwh": 30, "min_run_minutes": 120}"#)
        #expect(plan.loads[0].energyKwh == [0, 10, 10, 10, 0, 0, 0, 0])
        #expect(plan.loads[0].starts == 1)
    }

    @Test func `a slot that next to nothing is needed of is one that a minimum run lasts`() throws {
        let plan = try Planning.plan(
            [0.3168, -0.0865, 0.0902, -0.0261, 0.1856, 0.392, -0.0766, -0.0761, 0.274],
            loads: #"""
                {"max_power_kw": 2.3, "min_power_kw": 2.3, "energy_kwh": 13.775, "max_energy_kwh": 17.908,
                 "min_run_minutes": 180, "partial_slots": "last", "start_anywhere": false}
                """#)
        #expect(abs(plan.objective - 2.3 * 0.0105) < 1e-6, "\(plan.loads[0].energyKwh)")
        #expect(plan.loads[0].energyKwh.indices.filter { plan.loads[0].energyKwh[$0] > 0 } == [1, 2, 3, 4, 6, 7, 8])
    }

    @Test func `what floating point leaves out of an energy leaves its minimum run`() throws {
        for energy in ["2.1", "2.0999999999999996"] {
            let plan = try Planning.plan(
                [0.1, 0.3, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3], minutes: 15,
                loads: #"""
                    {"min_power_kw": 1.4, "max_power_kw": 4.2, "energy_kwh": \#(energy), "min_run_minutes": 90,
                     "partial_slots": "never"}
                    """#)
            #expect(plan.loads[0].energyKwh.map { ($0 * 100).rounded() } == [35, 35, 35, 35, 35, 35, 0, 0])
        }
    }

    @Test(arguments: ["", #", "max_runs": 2"#])
    func `what needs less than one minimum run runs once, in slots of any length`(rule: String) throws {
        let edges = [0, 15, 75, 80, 95]
        let slots = zip(zip(edges, edges.dropFirst()), [0.02, 0.09, 0.02, 0.3]).map { edge, price in
            #"{"start": "\#(Planning.time(edge.0))", "end": "\#(Planning.time(edge.1))", "price": \#(price)}"#
        }.joined(separator: ", ")
        let load = #"{"min_power_kw": 1.4, "max_power_kw": 3.6, "energy_kwh": 0.76, "min_run_minutes": 30\#(rule)}"#
        let plan = try Planning.plan(#"{"slots": [\#(slots)], "loads": [\#(load)]}"#)
        #expect(plan.status == "optimal" && plan.loads[0].missingKwh == 0)
        let runs = plan.loads[0].runs
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.end == $1.start }, "\(runs)")
    }

    @Test(arguments: ["last", "any", "never"], ["early", "late"])
    func `a minimum run is of slots that draw power`(partial: String, prefer: String) throws {
        let plan = try Planning.plan(
            [0.5, 0.1, 0.5, 0.5, 0.5, 0.1, 0.5, 0.5], minutes: 15,
            loads: #"""
                {"min_power_kw": 1.4, "max_power_kw": 11, "energy_kwh": 2.75, "min_run_minutes": 45,
                 "partial_slots": "\#(partial)", "prefer": "\#(prefer)"}
                """#)
        let on = plan.loads[0].energyKwh.indices.filter { plan.loads[0].energyKwh[$0] > 0 }
        #expect(on.count == 3 && on.last == on[0] + 2, "\(plan.loads[0].energyKwh)")
        #expect(on.allSatisfy { plan.loads[0].energyKwh[$0] >= 0.35 - 1e-6 }, "\(plan.loads[0].energyKwh)")
        #expect(abs(plan.objective - (0.1 * 2.05 + 0.5 * 0.7)) < 1e-6)
    }

    @Test(arguments: ["", #", "current_step_a": 1"#])
    func `a run's first slot may be used in part, before those that it lasts at least`(step: String) throws {
        let plan = try Planning.plan(
            [0.9, 0.3, 0.1],
            loads: #"""
                {"min_current_a": 6, "max_current_a": 16, "min_run_minutes": 60, "energy_kwh": 12.04,
                 "partial_slots": "any"\#(step)}
                """#)
        #expect(plan.status == "optimal" && plan.loads[0].starts == 1)
        #expect(zip(plan.loads[0].energyKwh, [0, 1, 11.04]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(abs(plan.objective - 1.404) < 1e-6)
    }

    @Test func `slots without power part two runs`() throws {
        let plan = try Planning.plan(
            [0.1, 0.9, 0.1], loads: #"{"power_kw": 10, "energy_kwh": 15, "max_runs": 1, "partial_slots": "any"}"#)
        #expect(plan.loads[0].runs.count == 1 && plan.loads[0].energyKwh[1] > 0, "\(plan.loads[0].energyKwh)")
    }

    @Test func `a minimum pause keeps runs apart`() throws {
        let plan = try Planning.plan(day, loads: #"{"power_kw": 10, "energy_kwh": 20, "min_pause_minutes": 240}"#)
        // 1 and 5 are three slots apart.
        #expect(abs(plan.objective - (1.2 + 1.1)) < 1e-9 || abs(plan.objective - (1.0 + 2.5)) < 1e-9)
        #expect(plan.loads[0].energyKwh != [0, 10, 0, 0, 0, 10, 0, 0])
    }

    @Test func `at most so many runs`() throws {
        let load = { (runs: Int) in #"{"power_kw": 10, "energy_kwh": 30, "max_runs": \#(runs)}"# }
        #expect(try Planning.plan(day, loads: load(3)).loads[0].energyKwh == [0, 10, 0, 10, 0, 10, 0, 0])
        #expect(try Planning.plan(day, loads: load(2)).loads[0].starts <= 2)
        #expect(try Planning.plan(day, loads: load(1)).loads[0].starts == 1)
    }

    @Test func `starting costs something`() throws {
        let load = #"{"power_kw": 10, "energy_kwh": 30, "start_cost": 5}"#
        let plan = try Planning.plan(day, loads: load)
        #expect(plan.loads[0].starts == 1)
        #expect(abs(plan.objective - (1.0 + 2.5 + 1.2 + 5)) < 1e-9)
    }

    @Test func `one block begins between the edges of slots`() throws {
        // An hour and a half: the cheap hour whole, and half of the cheaper neighbour.
        let plan = try Planning.plan(
            [0.3, 0.2, 0.1, 0.4], loads: #"{"power_kw": 10, "energy_kwh": 15, "one_block": true}"#)
        #expect(plan.loads[0].runs.map(\.start) == [Planning.time(90)])
        #expect(plan.loads[0].runs.map(\.end) == [Planning.time(180)])
        #expect(abs(plan.objective - 2.0) < 1e-9)
        let onEdges = try Planning.plan(
            [0.3, 0.2, 0.1, 0.4],
            loads: #"{"power_kw": 10, "energy_kwh": 15, "one_block": true, "start_anywhere": false}"#)
        #expect(abs(onEdges.objective - 2.5) < 1e-9)
    }

    @Test(arguments: [46.666667, 46.7, 12.5, 28.67])
    func `a block of whole milliseconds lacks nothing`(energy: Double) throws {
        let plan = try Planning.plan(
            [0.3, 0.2, 0.1, 0.4, 0.2, 0.2], loads: #"{"power_kw": 11, "energy_kwh": \#(energy), "one_block": true}"#)
        #expect(plan.loads[0].missingKwh == 0)
        #expect(plan.loads[0].shortfall == nil)
    }

    @Test func `a fixed course runs where it costs least`() throws {
        let plan = try Planning.plan(
            [0.5, 0.1, 0.4, 0.4], loads: #"{"name": "dishwasher", "profile_kw": [1, 2], "profile_step_minutes": 30}"#)
        #expect(plan.loads[0].plannedKwh == 1.5)
        #expect(abs(plan.objective - 0.15) < 1e-9)
    }

    @Test func `early or late when it is all the same`() throws {
        let flat = [Double](repeating: 0.2, count: 6)
        for (shape, kind) in [("", "free"), (#", "min_run_minutes": 120"#, "runs"), (#", "one_block": true"#, "block")]
        {
            let early = try Planning.plan(flat, loads: #"{"power_kw": 4, "energy_kwh": 8\#(shape)}"#)
            #expect(early.loads[0].energyKwh == [4, 4, 0, 0, 0, 0], "\(kind)")
            let late = try Planning.plan(flat, loads: #"{"power_kw": 4, "energy_kwh": 8, "prefer": "late"\#(shape)}"#)
            #expect(late.loads[0].energyKwh == [0, 0, 0, 0, 4, 4], "\(kind)")
        }
    }

    @Test func `negative prices are used up to what it can take`() throws {
        let plan = try Planning.plan(
            [0.2, -0.1, -0.2], loads: #"{"power_kw": 10, "energy_kwh": 5, "max_energy_kwh": 15}"#)
        #expect(plan.loads[0].energyKwh == [0, 5, 10])
        #expect(abs(plan.objective + 2.5) < 1e-9)
    }

    @Test func `preconditioning runs before departure whatever it costs`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.1, 0.9], loads: #"{"power_kw": 10, "energy_kwh": 20, "precondition_minutes": 30}"#)
        #expect(plan.loads[0].runs.last?.end == Planning.time(240))
        #expect(plan.loads[0].runs.last?.start == Planning.time(210))
        #expect(plan.loads[0].runs.last?.reason == "precondition")
        #expect(abs(plan.objective - (1.5 + 4.5)) < 1e-9)
    }

    @Test func `what it needs follows from the state of charge`() throws {
        let plan = try Planning.plan(
            [0.2, 0.1],
            loads: #"""
                {"type": "ev", "capacity_kwh": 60, "initial_soc": 50, "target_soc": 60, "efficiency": 0.9,
                 "max_current_a": 16, "min_current_a": 6, "phases": 3}
                """#)
        #expect(abs(plan.loads[0].requiredKwh - 6 / 0.9) < 1e-9)
        #expect(abs(plan.loads[0].plannedKwh - 6 / 0.9) < 1e-6)
        #expect(plan.loads[0].energyKwh[0] == 0)
    }

    @Test func `goals add up, each by its own time`() throws {
        let plan = try Planning.plan(
            [0.5, 0.4, 0.1, 0.1],
            loads: #"""
                {"power_kw": 10, "goals": [{"by": "2026-03-02T02:00:00+01:00", "energy_kwh": 6},
                                           {"by": "2026-03-02T04:00:00+01:00", "energy_kwh": 16}]}
                """#)
        #expect(abs(plan.loads[0].energyKwh[1] - 6) < 1e-6)
        #expect(abs(plan.objective - (2.4 + 1)) < 1e-6)
    }

    @Test func `carbon, money or a mix decide as stated`() throws {
        let slots = Planning.slots([0.1, 0.3]) { #", "carbon": \#($0 == 0 ? 500 : 50)"# }
        let load = #""loads": [{"power_kw": 1, "energy_kwh": 1}]"#
        func problem(_ objective: String) -> String {
            #"{"slots": \#(slots), \#(load), "objective": \#(objective)}"#
        }
        #expect(try Planning.plan(problem(#""money""#)).loads[0].energyKwh == [1, 0])
        #expect(try Planning.plan(problem(#""carbon""#)).loads[0].energyKwh == [0, 1])
        #expect(try Planning.plan(problem(#"{"money": 1, "carbon": 0.4}"#)).loads[0].energyKwh == [1, 0])
        #expect(try Planning.plan(problem(#"{"money": 1, "carbon": 0.5}"#)).loads[0].energyKwh == [0, 1])
    }

    @Test(arguments: [
        (#""one_block": true"#, 1.4), (#""one_block": true, "min_power_kw": 0"#, 1.4),
        (#""one_block": true, "power_step_kw": 0.5"#, 0.5), (#""one_block": true, "min_power_kw": 2"#, 2),
        (#""min_run_minutes": 360"#, 1.4), (#""start_cost": 9"#, 1.4),
    ])
    func `power flows as long as a run lasts`(rule: String, least: Double) throws {
        let plan = try Planning.plan(
            [0.1, 0.5, 0.5, 0.1, 0.5, 0.1], loads: #"{"max_power_kw": 7, "energy_kwh": 20, \#(rule)}"#)
        let load = plan.loads[0]
        #expect(load.missingKwh == 0 && load.starts == 1)
        let energies = load.energyKwh
        let on = energies.indices.filter { energies[$0] > 0 }
        #expect(on.count == (on.last ?? 0) - (on.first ?? 0) + 1)
        #expect(on.dropLast().allSatisfy { energies[$0] >= least - 1e-6 })
    }

    @Test(arguments: ["any", "last", "never"])
    func `powers stay on their steps beside a rule for runs`(partial: String) throws {
        let plan = try Planning.plan(
            [0.1, 0.3, 0.2, 0.4],
            loads: #"""
                {"max_power_kw": 4, "power_step_kw": 1.5, "energy_kwh": 4.25, "min_run_minutes": 120,
                 "partial_slots": "\#(partial)"}
                """#)
        let powers = plan.loads[0].runs.map(\.powerKw)
        #expect(!powers.isEmpty && powers.allSatisfy { [1.5, 3].contains($0) }, "\(powers)")
    }
}
