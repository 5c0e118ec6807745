import EnergyPlanning
import Foundation
import Testing

@Suite struct `Preconditioning` {
    private static let prices = [0.1, 0.3, 0.2, 0.15, 0.3, 0.4]

    @Test(arguments: [5.0, 8, 10])
    func `a block ends with its deadline, and misses nothing`(energy: Double) throws {
        let plan = try Planning.plan(
            Self.prices,
            loads: #"{"power_kw": 4, "energy_kwh": \#(energy), "one_block": true, "precondition_minutes": 30}"#)
        let load = plan.loads[0]
        #expect(load.missingKwh == 0 && load.starts == 1)
        #expect(load.runs.first?.start == Planning.time(360 - Int(energy * 15)))
        #expect(load.runs.last?.end == Planning.time(360))
        #expect(load.runs.allSatisfy { $0.reason == "precondition" })
    }

    @Test(arguments: [#""min_run_minutes": 60"#, #""min_run_minutes": 120"#, #""max_runs": 2"#], [5.0, 8, 9])
    func `rules for runs leave room for all it needs`(rule: String, energy: Double) throws {
        let plan = try Planning.plan(
            Self.prices, loads: #"{"power_kw": 4, "energy_kwh": \#(energy), \#(rule), "precondition_minutes": 30}"#)
        #expect(plan.loads[0].missingKwh == 0)
        #expect(plan.loads[0].runs.last?.end == Planning.time(360))
        #expect(plan.notes == [])
    }

    /// From 80 % on it takes less: all it can of that.
    @Test(
        arguments: ["", #", "min_power_kw": 4"#, #", "power_step_kw": 1"#, #", "min_run_minutes": 60"#], [15, 30, 60])
    func `near full is with all that the battery takes`(rule: String, minutes: Int) throws {
        let load = #"""
            "capacity_kwh": 40, "initial_soc": 50, "target_soc": 90, "max_power_kw": 11,
            "taper": {"from_soc": 80, "power_at_full_kw": 1}
            """#
        let plan = try Planning.plan(
            Self.prices, loads: #"{\#(load)\#(rule), "precondition_minutes": \#(minutes)}"#)
        #expect(plan.notes == [] && plan.loads[0].missingKwh == 0, "\(plan.notes)")
        // A line from 11 kW at 12 kWh to 1 kW at 20 kWh; 16 kWh are asked for.
        let (slope, all) = (1.25, 16.0)
        var (taken, left) = (all, Double(minutes) / 60)
        while left > 1e-9 {
            taken -= min(11, 11 - slope * (taken - 12)) * 1e-5
            left -= 1e-5
        }
        let came = plan.loads[0].runs.filter { $0.start >= Planning.time(360 - minutes) }
        #expect(abs(came.reduce(0) { $0 + $1.energyKwh } - (all - taken)) < 0.02, "\(came)")
    }

    @Test(arguments: [95, 106, 180, 600], [15, 60])
    func `near full for longer than the charge takes is all of the charge, at its end`(minutes: Int, slot: Int) throws {
        let car = #"""
            {"capacity_kwh": 60, "initial_soc": 70, "target_soc": 90, "max_power_kw": 11,
             "taper": {"from_soc": 80, "power_at_full_kw": 1}, "precondition_minutes": \#(minutes)}
            """#
        let prices = (0..<12 * 60 / slot).map { 0.1 + 0.02 * Double($0 % 7) }
        let plan = try Planning.plan(prices, minutes: slot, loads: car)
        #expect(plan.notes == [] && plan.loads[0].missingKwh == 0, "\(plan.notes)")
        // 6 kWh at 11 kW, then 6 while it falls by 5/6 kW for each kWh.
        let hours = 6.0 / 11 + log(11 / 6.0) / (10.0 / 12)
        let end = 720 - Int(60 * min(hours, Double(minutes) / 60))
        let came = plan.loads[0].runs.filter { $0.end > Planning.time(end) }.reduce(0) { $0 + $1.energyKwh }
        #expect(came > (minutes > 95 ? 11.9 : 10.5), "\(plan.loads[0].runs)")
    }

    @Test func `a load that matters more has its energy first`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.1, 0.1],
            loads: #"""
                {"name": "high", "power_kw": 4, "energy_kwh": 16, "priority": 2},
                {"name": "low", "power_kw": 4, "energy_kwh": 8, "precondition_minutes": 60}
                """#, limits: #"{"import_kw": 4}"#)
        #expect(plan.loads.map(\.missingKwh) == [0, 8])
        #expect(plan.notes.contains { $0.contains("preconditioning") && $0.contains("low") })
    }

    @Test func `of two for which there is no room that of the lower priority is left out`() throws {
        let car = #""power_kw": 4, "energy_kwh": 4, "precondition_minutes": 60"#
        let plan = try Planning.plan(
            [0.1, 0.1, 0.2], loads: #"{"name": "low", \#(car)}, {"name": "high", \#(car), "priority": 1}"#,
            limits: #"{"import_kw": 4}"#)
        #expect(plan.loads.map(\.missingKwh) == [0, 0])
        #expect(plan.loads[1].energyKwh == [0, 0, 4])
        #expect(plan.notes.filter { $0.contains("preconditioning") }.map { $0.contains("high") } == [false])
    }

    @Test(arguments: [#""max_price": 0.2"#, #""priority": 0"#])
    func `what a ceiling or a limit leaves no room for is told, though nothing is missing`(rule: String) throws {
        let limits = rule.contains("max_price") ? "{}" : #"{"import_kw": 3}"#
        let plan = try Planning.plan(
            [0.1, 0.1, 0.1, 0.3],
            loads: #"{"name": "car", "max_power_kw": 4, "energy_kwh": 6, "precondition_minutes": 60, \#(rule)}"#,
            limits: limits)
        #expect(plan.loads[0].missingKwh == 0)
        #expect(plan.notes.contains { $0.contains("preconditioning") && $0.contains("car") })
    }

    @Test func `of three of which one has room only one stays, that of the highest priority`() throws {
        let car = #""power_kw": 4, "energy_kwh": 4, "precondition_minutes": 60"#
        let plan = try Planning.plan(
            [0.1, 0.1, 0.1, 0.2],
            loads: (0..<3).map { #"{"name": "car \#($0)", "priority": \#($0 % 2), \#(car)}"# }.joined(separator: ", "),
            limits: #"{"import_kw": 4}"#)
        #expect(plan.loads.map(\.missingKwh) == [0, 0, 0])
        #expect(plan.loads[1].energyKwh == [0, 0, 0, 4])
        let note = try #require(plan.notes.first { $0.contains("preconditioning") })
        #expect(["car 0", "car 1", "car 2"].map(note.contains) == [true, false, true])
    }

    @Test(
        arguments: [#""max_power_kw": 3"#, #""power_kw": 3"#, #""power_kw": 3, "min_run_minutes": 15"#], [0.7, 1, 1.4])
    func `one that needs less than the asked time runs right before its deadline for as long as it needs`(
        power: String, energy: Double
    ) throws {
        let plan = try Planning.plan(
            [0.1, 0.05, 0.2, 0.3, 0.1],
            loads: #"""
                {\#(power), "energy_kwh": \#(energy), "precondition_minutes": 30, "deadline": "\#(Planning.time(220))"}
                """#)
        #expect(plan.loads[0].missingKwh == 0 && plan.notes == [])
        #expect(plan.loads[0].runs.last?.end == Planning.time(220))
        #expect(plan.loads[0].runs.first?.start == Planning.time(220 - Int(energy * 20)))
    }

    @Test func `what goals demand before is not left for it`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.1, 0.1],
            loads: #"""
                {"max_power_kw": 4, "precondition_minutes": 60, "goals": [
                 {"by": "\#(Planning.time(120))", "energy_kwh": 6}, {"by": "\#(Planning.time(240))", "energy_kwh": 7}]}
                """#)
        #expect(plan.loads[0].missingKwh == 0 && plan.notes == [])
        #expect(plan.loads[0].runs.last.map { [$0.start, $0.end] } == [Planning.time(225), Planning.time(240)])
    }
}
