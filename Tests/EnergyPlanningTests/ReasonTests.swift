import Testing

@testable import EnergyPlanning

@Suite struct `The reason` {
    @Test func `for a bad time that is needed is the deadline`() throws {
        let ratings = [0.92, 0.95, 0.1, 0.2]
        let slots = Planning.slots([0.2, 0.2, 0.2, 0.2]) { #", "rating": \#(ratings[$0])"# }
        let load = try Planning.plan(
            #"{"slots": \#(slots), "objective": "rating", "loads": [{"power_kw": 2, "energy_kwh": 6}]}"#
        ).loads[0]
        #expect(load.runs.map(\.reason) == ["deadline", "lower_electricity_rates"])
    }

    @Test func `to wait without any power is that, not a rule`() throws {
        let wait = try Planning.plan([0.1], loads: #"{"max_power_kw": 0, "energy_kwh": 3}"#).loads[0].waits[0]
        #expect(wait.reason == "load_balancing" && wait.limit == "its own power")
    }

    @Test func `to wait beside preconditioning is not that others need the room`() throws {
        func waits(_ energy: Double) throws -> [String] {
            try Planning.plan(
                [0.1, 0.1, 0.9], loads: #"{"power_kw": 2, "energy_kwh": \#(energy), "precondition_minutes": 60}"#
            ).loads[0].waits.map(\.reason)
        }
        #expect(try waits(4) == ["keeping_runs_long"])
        #expect(try waits(2) == ["precondition"])
    }

    @Test func `to wait before preconditioning is not that it is late, where the slot costs more`() throws {
        let car = #"{"power_kw": 10, "energy_kwh": 25, "precondition_minutes": 60, "prefer": "late"}"#
        let load = try Planning.plan([0.2, 0.1, 0.3, 0.1, 0.2, 0.5], loads: car).loads[0]
        #expect(load.waits.last?.start == Planning.time(240) && load.waits.last?.reason == "precondition")
    }

    @Test func `to wait before a better time is for that, also where a time as good as now is used after it`() throws {
        let car = #"{"min_current_a": 6, "max_current_a": 16, "current_step_a": 1, "energy_kwh": 13}"#
        let load = try Planning.plan([0.3, 0.1, 0.3], loads: car).loads[0]
        #expect(load.waits.map(\.reason) == ["waiting_for_lower_electricity_rates", "target_reached"])
    }

    @Test func `to wait for a time as good as now is to be switched less often`() throws {
        let load = try Planning.plan([0.2, 0.2, 0.1], loads: #"{"power_kw": 7, "energy_kwh": 14}"#).loads[0]
        #expect(load.waits.map(\.reason) == ["keeping_runs_long"])
    }

    @Test func `to run at a dear time while others or a peak have the better ones is to balance`() throws {
        let two = #"{"name": "a", "power_kw": 5, "energy_kwh": 5}, {"name": "b", "power_kw": 5, "energy_kwh": 10}"#
        let fuse = try Planning.plan([0.4, 0.1, 0.4], loads: two, limits: #"{"import_kw": 5}"#)
        let dear = fuse.loads.flatMap(\.runs).filter { $0.start != Planning.time(60) }.map(\.reason)
        // One of them has none of the better time, the other has all of it and needs more.
        #expect(dear.sorted() == ["deadline", "load_balancing"])
        let battery = #", {"name": "c", "capacity_kwh": 4, "initial_soc": 50, "max_charge_kw": 4}"#
        let peak = try Planning.plan(
            [0.4, 0.1, 0.4], loads: #"{"name": "a", "max_power_kw": 9, "energy_kwh": 12}\#(battery)"#,
            limits: #"{"demand_charge": {"price_per_kw": 3}}"#)
        for run in peak.loads[0].runs where run.start != Planning.time(60) { #expect(run.reason == "load_balancing") }
        #expect(peak.loads[0].runs.count > 1)
    }

    @Test func `a run for a goal that is due before better times is for its deadline, also with rules for runs`() throws
    {
        let goals = [(120, 1), (240, 2)].map { #"{"by": "\#(Planning.time($0))", "energy_kwh": \#($1)}"# }
        let load = #"{"power_kw": 1, "min_run_minutes": 60, "goals": [\#(goals.joined(separator: ", "))]}"#
        let runs = try Planning.plan([0.4, 0.5, 0.1, 0.1], loads: load).loads[0].runs
        #expect(runs.map(\.reason) == ["deadline", "lower_electricity_rates"])
    }

    @Test func `sun that is thrown away is not what a load runs for`() throws {
        let plan = try Planning.plan(
            [-0.2, 0.1], loads: #"{"max_power_kw": 7, "energy_kwh": 5}"#, limits: #"{"export_kw": 3}"#
        ) { _ in #", "pv_kw": 5, "export_price": -0.05"# }
        #expect(plan.loads[0].runs.map(\.reason) == ["lower_electricity_rates"])
    }

    @Test func `an appliance that no time is left for is outside its time`() throws {
        let dish = #"{"profile_kw": [2, 1], "profile_step_minutes": 40, "deadline": "\#(Planning.time(60))"}"#
        #expect(try Planning.plan([0.4, 0.1], loads: dish).loads[0].waits.map(\.reason) == ["outside_window"])
    }

    @Test(arguments: ["", #", "one_block": true"#])
    func `to wait at the lowest rate is for photovoltaics`(rule: String) throws {
        let sun = [0, 0, 0, 1, 2, 2, 1, 0]
        let plan = try Planning.plan(
            [0.14, 0.14, 0.19, 0.14, 0.14, 0.14, 0.14, 0.14], loads: #"{"power_kw": 0.75, "energy_kwh": 3\#(rule)}"#
        ) { #", "export_price": 0.06, "pv_kw": \#(sun[$0])"# }
        let load = plan.loads[0]
        #expect(load.waits.first?.start == Planning.time(0) && load.waits.first?.reason == "waiting_for_solar")
    }

    @Test func `to wait while energy will be missing is no wish for better times`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.9], loads: #"{"power_kw": 4, "energy_kwh": 6}, {"power_kw": 4, "energy_kwh": 6}"#,
            limits: #"{"import_kw": 5}"#)
        let short = try #require(plan.loads.first { ($0.missingKwh ?? 0) > 0 })
        #expect(Set(short.waits.map(\.reason)) == ["load_balancing"])
        #expect(Set(short.waits.map(\.limit)) == ["import limit"])
        #expect(short.shortfall?.remedies.first == "plan with slots of 30 min")
    }

    @Test func `a ceiling that leaves preconditioning out is named`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.9],
            loads: #"{"name": "car", "power_kw": 2, "energy_kwh": 4, "precondition_minutes": 60, "max_price": 0.5}"#)
        #expect(
            plan.notes == [
                "A ceiling of price or carbon leaves out a part of the preconditioning that was asked for: car."
            ])
    }

    @Test func `what runs anyway is in a battery's way at the fuse`() throws {
        let battery = try Planning.plan(
            [0.1, 0.1, 0.9],
            loads: #"""
                {"name": "b", "max_charge_kw": 4, "capacity_kwh": 10, "initial_soc": 10, "target_soc": 100,
                 "deadline": "\#(Planning.time(180))"}
                """#, limits: #"{"fuse": {"current_a": 8}}"#, more: { _ in #", "base_load_kw": 4"# }
        ).batteries[0]
        #expect(battery.shortfall?.cause == "base_load")
        #expect(battery.shortfall?.who == ["base load", "circuit main fuse"])
        #expect(battery.shortfall?.remedies.first == "raise circuit main fuse by 3 A")
    }

    @Test(arguments: [([1, 2, 3], ["circuit main fuse"]), ([2], ["circuit main fuse, phase 2"])])
    func `a circuit whose phases are all in the way is named once`(phases: [Int], who: [String]) throws {
        let load = try Planning.plan(
            [0.1], loads: #"{"max_power_kw": 11, "energy_kwh": 11, "phases": \#(phases)}"#,
            limits: #"{"fuse": {"current_a": 10}}"#
        ).loads[0]
        #expect(load.shortfall?.cause == "limit" && load.shortfall?.who == who)
    }

    @Test func `of two ceilings that are each in the way both are named`() throws {
        let slots = Planning.slots([0.3, 0.1]) { #", "carbon": \#($0 == 0 ? 50 : 500)"# }
        let text = #"{"slots": \#(slots), "loads": [{"power_kw": 4, "energy_kwh": 4, "max_price": 0.2}]}"#
        var problem = try ProblemReader.read(Array(text.utf8)).problem
        problem.loads[0].carbonMax = 100
        let shortfall = try #require(try Planning.planner.plan(problem).loads[0].shortfall)
        #expect(Set([shortfall.cause] + shortfall.also.map(\.cause)) == [.priceCeiling, .carbonCeiling])
        #expect(shortfall.remedies == ["raise the price ceiling to 0.3", "raise the carbon ceiling to 500"])
    }

    @Test func `a course that begins with a slot waits for the cheaper one, though a part of it is dear`() throws {
        let load = try Planning.plan(
            [0.2, 0.1, 0.25, 0.3],
            loads: #"{"profile_kw": [2, 2, 2, 2, 2], "profile_step_minutes": 15, "start_anywhere": false}"#
        ).loads[0]
        #expect(load.runs.first?.start == Planning.time(60))
        #expect(load.waits.map(\.reason).first == "waiting_for_lower_electricity_rates")
    }

    @Test func `to run while a battery gives is no deadline, and to wait for that no lack of room`() throws {
        // The battery cannot give all it holds to what runs anyway: the load takes the rest as late as that is to be had.
        let plan = try Planning.plan(
            [0.31, 0.4, 0.31, 0.31, 0.58, 0.58],
            loads: #"""
                {"name": "car", "power_kw": 7.4, "energy_kwh": 8, "prefer": "late"},
                {"name": "b", "max_charge_kw": 5, "capacity_kwh": 10, "initial_soc": 60, "min_soc": 20}
                """#
        ) { _ in #", "base_load_kw": 0.5"# }
        let reasons = (plan.loads[0].runs.map(\.reason) + plan.loads[0].waits.map(\.reason))
        #expect(!reasons.contains("deadline") && !reasons.contains("load_balancing"))
    }

    @Test(arguments: [
        ("early", ["0-60 waiting_for_lower_electricity_rates", "60-90 runs", "90-180 target_reached"]),
        (
            "late",
            [
                "0-60 waiting_for_lower_electricity_rates", "60-90 as_late_as_can_be", "90-120 runs",
                "120-180 target_reached",
            ]
        ),
    ])
    func `is told for all of the time, also for what is left of a slot`(ties: String, told: [String]) throws {
        let load = try Planning.plan(
            [0.3, 0.1, 0.2], loads: #"{"power_kw": 2, "energy_kwh": 1, "prefer": "\#(ties)"}"#
        ).loads[0]
        let spans =
            load.waits.map { (start: $0.start, end: $0.end, text: $0.reason) }
            + load.runs.map { (start: $0.start, end: $0.end, text: "runs") }
        let minutes = Dictionary(
            uniqueKeysWithValues: stride(from: 0, through: 180, by: 30).map { (Planning.time($0), $0) })
        let sorted = spans.sorted { minutes[$0.start] ?? -1 < minutes[$1.start] ?? -1 }
        #expect(sorted.map { "\(minutes[$0.start] ?? -1)-\(minutes[$0.end] ?? -1) \($0.text)" } == told)
    }

    @Test func `a demand charge that is not reached keeps nobody waiting`() throws {
        let plan = try Planning.plan(
            [0.1, 0.3, 0.1, 0.4], loads: #"{"max_power_kw": 4, "energy_kwh": 10}"#,
            limits: #"{"demand_charge": {"price_per_kw": 5, "peak_so_far_kw": 9}}"#)
        #expect(plan.loads[0].runs.map(\.reason) == ["lower_electricity_rates", "deadline", "lower_electricity_rates"])
    }
}
