import Testing

@testable import EnergyPlanning

@Suite struct `Trying what helps` {
    private static let problem = PlanProblem(
        slots: [], loads: [PlannedLoad(name: "car", need: .energy(EnergyNeed(goals: [], powerMin: 1, powerMax: 1)))])

    @Test func `takes no try where it is known at once that it does not`() {
        let check = RemedyCheck(tries: 1, isUp: { false }, excludes: { _, _, _ in true }, lacks: { _ in nil })
        for power in 1...3 {
            #expect(!check.helps(.lessBaseLoad(power: Double(power)), load: 0, Self.problem, lacking: [1]))
        }
        #expect(check.isOpen && !check.isCut)
    }

    @Test func `is done once for each change, and says when it was not to its end`() {
        var tries = 0
        let lacks = { (_: PlanProblem) -> RemedyCheck.Lacks? in
            tries += 1
            return .init(values: [0])
        }
        let check = RemedyCheck(tries: 1, isUp: { false }, excludes: { _, _, _ in false }, lacks: lacks)
        #expect(check.helps(.lessBaseLoad(power: 1), load: 0, Self.problem, lacking: [1]))
        #expect(tries == 1 && !check.isCut)
        #expect(!check.helps(.lessBaseLoad(power: 2), load: 0, Self.problem, lacking: [1]))
        #expect(tries == 1 && check.isCut)
    }

    /// Two of one priority exclude each other: which of them lacks what the other has may change.
    @Test func `helps one at the cost of nobody, though another may lack in place of a third`() throws {
        let limits = #", "limits": {"exclusive": [["a", "b", "c"]]}"#
        let plan = try Planning.plan(
            #"""
            {"slots": \#(Planning.slots(Array(repeating: 0.3, count: 8)))\#(limits), "loads": [
             {"name": "a", "power_kw": 11, "energy_kwh": 44}, {"name": "b", "power_kw": 11, "energy_kwh": 55},
             {"name": "c", "profile_kw": [2, 0.2, 1.8], "profile_step_minutes": 20}]}
            """#)
        #expect(plan.loads[2].shortfall?.remedies.first == "let it run beside a and b")
    }

    /// Four loads that are in each other's way, of which one lacks a little.
    private static var home: String {
        let base = [
            [0.67, 0.37, 0.83], [0.01, 0.11, 0.31], [0.2, 0.56, 0.3], [0.62, 0.38, 0.37], [0.65, 0.64, 0.76],
        ]
        let slots = Planning.slots([0.208, 0.341, 0.0664, -0.132, 0.04143, -0.147]) { slot in
            #", "base_load_kw": \#(slot < base.count ? base[slot] : [0.64, 0.02, 0.01])"#
        }
        return #"""
            {"slots": \#(slots), "time_limit_seconds": 300, "limits": {"import_kw": 7, "export_kw": 0}, "loads": [
             {"name": "bat", "priority": 1, "max_charge_kw": 1, "max_discharge_kw": 2, "capacity_kwh": 9,
              "initial_soc": 95, "min_soc": 10, "max_soc": 80, "charge_efficiency": 0.9, "wear_cost_per_kwh": 0.05,
              "target_soc": 70, "deadline": "\#(Planning.time(240))"},
             {"name": "strong", "priority": 3, "max_power_kw": 3.6, "min_power_kw": 1.08, "energy_kwh": 21.6,
              "min_run_minutes": 60, "min_pause_minutes": 60},
             {"name": "heater", "prefer": "late", "earliest_start": "\#(Planning.time(180))", "power_kw": 1.2,
              "energy_kwh": 2.78, "max_runs": 2, "min_run_minutes": 60, "start_cost": 0.04},
             {"name": "car", "prefer": "late", "max_price": 0.12, "max_power_kw": 3.6, "min_power_kw": 1.8,
              "energy_kwh": 6.48, "min_run_minutes": 60, "start_cost": 0.05}]}
            """#
    }

    @Test func `finds the least, however much time there is`() throws {
        let plan = try Planning.plan(Self.home)
        let raises = plan.loads.flatMap { $0.shortfall?.remedies ?? [] }.filter {
            $0.hasPrefix("raise import limit by")
        }
        #expect(raises == ["raise import limit by 0.2 kW"])
        #expect(plan.notes == [])
    }

    /// Nothing that changes one of them, and nothing that changes all of them alike, is enough.
    @Test func `of several goals is found where more than one thing is in their way`() throws {
        let goals = #"""
            [{"by": "\#(Planning.time(120))", "energy_kwh": 12}, {"by": "\#(Planning.time(180))", "energy_kwh": 14}]
            """#
        let load = try Planning.plan(
            [0.4, 0.3, 0.2, 0.1], loads: #"{"max_power_kw": 5, "max_price": 0.25, "goals": \#(goals)}"#
        ).loads[0]
        #expect(
            load.shortfall?.remedies == [
                "be ready 30 min later than \(Planning.time(120)) (\(Planning.time(150))), "
                    + "and raise the price ceiling to 0.4"
            ])
    }

    /// Each goal has to move beyond where the next one is now.
    @Test func `of several goals close together moves all of them`() throws {
        let goals = #"""
            [{"by": "\#(Planning.time(15))", "energy_kwh": 7.2}, {"by": "\#(Planning.time(45))", "energy_kwh": 12.6}]
            """#
        let load = try Planning.plan(
            [0.5, 0.26, 0, 0.02, 0.32, 0.02, 0.44, 0], minutes: 15,
            loads: #"{"power_kw": 7.36, "max_price": 0.28, "goals": \#(goals)}"#
        ).loads[0]
        #expect(
            load.shortfall?.remedies == [
                "be ready 1 h later than \(Planning.time(15)) (\(Planning.time(75))), and be ready 1 h later than "
                    + "\(Planning.time(45)) (\(Planning.time(105))), and raise the price ceiling to 0.5"
            ])
    }

    /// The other one is where the car could be, and could as well be somewhere else.
    @Test(arguments: ["max_price", "max_carbon"])
    func `of a ceiling the lowest is told that is enough once others have moved`(ceiling: String) throws {
        let loads = #"""
            {"name": "car", "power_kw": 5, "energy_kwh": 5, "\#(ceiling)": 0.01},
            {"name": "boiler", "power_kw": 5, "energy_kwh": 10}
            """#
        let plan = try Planning.plan([0.1, 0.1, 0.3, 0.3], loads: loads, limits: #"{"import_kw": 5}"#) { slot in
            #", "carbon": \#(slot < 2 ? 0.1 : 0.3)"#
        }
        let word = ceiling == "max_price" ? "price" : "carbon"
        #expect(plan.loads[0].shortfall?.remedies == ["raise the \(word) ceiling to 0.1"])
        #expect(plan.loads[1].missingKwh == 0)
    }

    @Test func `of a goal that is due before it may begin is found`() throws {
        let goals = #"""
            [{"by": "\#(Planning.time(60))", "energy_kwh": 4}, {"by": "\#(Planning.time(180))", "energy_kwh": 5}]
            """#
        let load = try Planning.plan(
            [0.4, 0.3, 0.2, 0.1],
            loads: #"{"max_power_kw": 5, "earliest_start": "\#(Planning.time(120))", "goals": \#(goals)}"#
        ).loads[0]
        #expect(load.shortfall?.remedies == ["start 2 h earlier (\(Planning.time(0)))"])
    }

    /// What was known at once to be no help was worked out with too little for whoever slows down near full.
    @Test func `are found for each of two that slow down near full`() throws {
        let car =
            #""capacity_kwh": 40, "initial_soc": 60, "max_power_kw": 7.4, "target_soc": 100, "taper": {"from_soc": 80}"#
        let plan = try Planning.plan([0.3, 0.3], loads: #"{"name": "a", \#(car)}, {"name": "b", \#(car)}"#)
        for load in plan.loads {
            #expect(
                load.shortfall?.remedies == [
                    "be ready 1 h 51 min later (\(Planning.time(231)))", "ask for 3.3 kWh less",
                ])
        }
    }

    @Test func `raise a ceiling to what a slot after the deadline needs`() throws {
        let load = try Planning.plan(
            [0.4, 0.3, 0.5],
            loads: #"{"max_power_kw": 5, "max_price": 0.2, "energy_kwh": 12, "deadline": "\#(Planning.time(120))"}"#
        ).loads[0]
        #expect(
            load.shortfall?.remedies.last
                == "be ready 30 min later (\(Planning.time(150))), and raise the price ceiling to 0.5")
    }

    /// What is offered is what the same load in a file says, with that changed.
    @Test func `do not offer slots in part to one that is told steps through its minimum run`() throws {
        let car =
            #""current_step_a": 1, "min_current_a": 6, "max_current_a": 32, "energy_kwh": 9.6, "min_run_minutes": 60"#
        let load = try Planning.plan([0.3], loads: "{\(car)}").loads[0]
        #expect(load.missingKwh.map { abs($0 - 0.63) < 1e-6 } == true)
        #expect(load.shortfall?.remedies.contains("allow slots used in part") == false)
        let anyPart = try Planning.plan([0.3], loads: #"{\#(car), "partial_slots": "any"}"#).loads[0]
        #expect(anyPart.missingKwh.map { abs($0 - 0.63) < 1e-6 } == true)
    }

    @Test func `are told once each`() throws {
        let load = try Planning.plan(
            [0.1, 0.2, 0.3],
            loads: #"{"min_power_kw": 3.7, "max_power_kw": 3.7, "energy_kwh": 9, "partial_slots": "never"}"#
        ).loads[0]
        let remedies = load.shortfall?.remedies ?? []
        #expect(Set(remedies).count == remedies.count)
    }
}
