import EnergyTestSupport
import Testing

@testable import EnergyPlanning

/// Cars that charge slower near full.
@Suite struct `Near full` {
    private static func car(_ hours: Int, minutes: Int) throws -> PlanDocument.Load {
        try Planning.plan(
            [Double](repeating: 0.2, count: hours * 60 / minutes), minutes: minutes,
            loads: #"""
                {"max_power_kw": 11, "capacity_kwh": 60, "initial_soc": 60, "target_soc": 100,
                 "taper": {"from_soc": 80, "power_at_full_kw": 1}}
                """#
        ).loads[0]
    }

    @Test(arguments: [1, 2, 3, 4])
    func `how long slots are makes no difference`(hours: Int) throws {
        let (short, long) = (try Self.car(hours, minutes: 15), try Self.car(hours, minutes: 60))
        #expect(abs(short.plannedKwh - long.plannedKwh) < 1e-6, "\(short.plannedKwh), \(long.plannedKwh)")
        let hourly = (0..<hours).map { hour in short.energyKwh[hour * 4..<hour * 4 + 4].reduce(0, +) }
        for (own, other) in zip(hourly, long.energyKwh) { #expect(abs(own - other) < 1e-6) }
    }

    @Test(arguments: [15, 60])
    func `it is to be ready later by as long as the rest takes`(minutes: Int) throws {
        let shortfall = try #require(try Self.car(3, minutes: minutes).shortfall)
        // 24 kWh: 12 at 11 kW, 12 while 11 kW become 1, of which e^(10/12 t) says how long: 3 h 58 min in all.
        #expect(shortfall.cause == "window")
        #expect(
            shortfall.remedies.first?.hasPrefix("be ready 58 min later (") == true
                || shortfall.remedies.first?.hasPrefix("be ready 59 min later (") == true)
    }

    @Test(arguments: ["\"one_block\": true", "\"min_run_minutes\": 60", "\"start_cost\": 0.01"])
    func `one power that falls does not end at the edge of a slot`(rule: String) throws {
        let load = try Planning.plan(
            [0.2, 0.2, 0.2, 0.2, 0.2, 0.2],
            loads: #"""
                {"power_kw": 7, "capacity_kwh": 40, "initial_soc": 50, "target_soc": 90,
                 "taper": {"from_soc": 80, "power_at_full_kw": 1}, \#(rule)}
                """#
        ).loads[0]
        #expect(load.missingKwh == 0 && load.starts == 1, "\(load.missingKwh)")
        #expect(zip(load.runs, load.runs.dropFirst()).allSatisfy { $0.end == $1.start })
    }

    @Test(arguments: [
        #""power_kw": 11"#, #""power_kw": 11, "min_run_minutes": 60"#, #""power_kw": 11, "one_block": true"#,
        #""min_power_kw": 4.14, "max_power_kw": 11, "power_step_kw": 0.69, "one_block": true"#,
        #""min_power_kw": 4.14, "max_power_kw": 11, "min_run_minutes": 90"#,
    ])
    func `a least power above that at full keeps nobody from getting full`(car: String) throws {
        let load = try Planning.plan(
            [0.15, 0.14, 0.16, 0.16, 0.16],
            loads: #"""
                {\#(car), "capacity_kwh": 60, "initial_soc": 60, "target_soc": 100, "efficiency": 0.9,
                 "taper": {"from_soc": 80, "power_at_full_kw": 2}}
                """#
        ).loads[0]
        #expect(load.missingKwh == 0 && load.starts == 1, "\(load.missingKwh)")
        // While it is on it takes what it can: there is no pause before the next slot.
        #expect(zip(load.runs, load.runs.dropFirst()).allSatisfy { $0.end == $1.start }, "\(load.runs)")
    }

    @Test func `is reached in time also where nobody says the power at full`() throws {
        let load = try Planning.plan(
            [Double](repeating: 0.2, count: 6),
            loads:
                #"{"max_power_kw": 11, "capacity_kwh": 60, "initial_soc": 60, "target_soc": 100, "taper": {"from_soc": 80}}"#
        ).loads[0]
        #expect(load.missingKwh == 0)
    }

    @Test(arguments: UInt64(0)..<200)
    func `what comes in does not depend on how time is cut`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        let most = number(3...22)
        let start = number(-5...20)
        let taper = Taper(
            energyAtStart: start, energyAtFull: start + number(5...20), powerAtFull: most * number(0.05...0.9))
        let need = EnergyNeed(goals: [], energyMax: taper.energyAtFull, powerMin: 0, powerMax: most, taper: taper)
        let curve = TaperCurve(taper, need, power: most * number(0.5...1))
        let taken = max(0, number(start - 10...start + 4))
        let (first, second) = (number(0.05...0.5), number(0.05...0.5))
        let early = curve.energy(after: taken, hours: first)
        let late = curve.energy(after: taken + early, hours: second)
        #expect(abs(early + late - curve.energy(after: taken, hours: first + second)) < 0.1, "\(seed)")
        guard taken + early + late < taper.energyAtFull else { return }
        #expect(abs(curve.hours(from: taken, to: taken + early + late) - first - second) < 0.05, "\(seed)")
    }

    @Test(arguments: ["never", "last"], [(90, 60), (80, 85)])
    func `a car that is not as full that its power falls below its least keeps it`(
        partial: String, percents: (taper: Int, target: Int)
    ) throws {
        let prices = [0.1, 0.3, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3]
        func cost(_ taper: String) throws -> Double {
            try Planning.plan(
                prices, minutes: 30,
                loads: #"""
                    {"min_power_kw": 4.1, "max_power_kw": 11, "min_run_minutes": 60, "partial_slots": "\#(partial)",
                     "capacity_kwh": 60, "initial_soc": 40, "target_soc": \#(percents.target)\#(taper)}
                    """#
            ).objective
        }
        let told = try cost(#", "taper": {"from_soc": \#(percents.taper), "power_at_full_kw": 1}"#)
        // More could only be saved by runs that are none.
        #expect(told >= (try cost("")) - 1e-9)
    }

    @Test func `a cheap hour is left before it slows down where that is worth it`() throws {
        func cost(_ first: String) throws -> Double {
            try Planning.plan(
                [0.3, 0.2, 0.32],
                loads: #"""
                    {"max_power_kw": 11, "capacity_kwh": 30, "initial_soc": 60,
                     "taper": {"from_soc": 97, "power_at_full_kw": 0.2},
                     "goals": [\#(first){"by": "\#(Planning.time(180))", "soc": 100}]}
                    """#
            ).objective
        }
        let least = try cost("")
        // More choice never costs more: each share of the first hour was free to be taken.
        for share in stride(from: 0.05, to: 1.5, by: 0.05) {
            let bound = try cost(#"{"by": "\#(Planning.time(60))", "energy_kwh": \#(share)}, "#)
            #expect(least <= bound + 1e-6, "\(share)")
        }
    }

    @Test(arguments: [4, 5.5, 7.5])
    func `a limit leaves it the mean of a slot, alone as beside others`(room: Double) throws {
        func planned(_ limit: Double, _ others: String) throws -> [Double] {
            try Planning.plan(
                [0.1, 0.3], minutes: 30,
                loads: #"""
                    {"max_power_kw": 11, "capacity_kwh": 30, "initial_soc": 85, "target_soc": 100, "efficiency": 0.9,
                     "taper": {"from_soc": 80, "power_at_full_kw": 1}}\#(others)
                    """#,
                limits: #"{"import_kw": \#(limit)}"#
            ).loads[0].energyKwh
        }
        let alone = try planned(room, "")
        let beside = try planned(room + 2, #", {"power_kw": 2, "energy_kwh": 2}"#)
        for (own, other) in zip(alone, beside) { #expect(abs(own - other) < 1e-5, "\(alone), \(beside)") }
        // It begins at 8.5 kW.
        #expect(abs(alone[0] - min(room / 2, 2.989923)) < 1e-3, "\(alone)")
    }

    @Test func `near full it leaves to others what it does not take`() throws {
        let plan = try Planning.plan(
            [0.2], minutes: 15,
            loads: #"""
                {"min_power_kw": 2.5, "max_power_kw": 11, "capacity_kwh": 22.64, "initial_soc": 98, "efficiency": 0.9,
                 "energy_kwh": 0.35, "taper": {"from_soc": 60}},
                {"min_power_kw": 2.6, "max_power_kw": 2.7, "energy_kwh": 0.675}
                """#,
            limits: #"{"import_kw": 4.3}"#)
        // 1.6 kW at first: with its least of 2.5 kW there would be no room for the other.
        #expect(plan.loads.allSatisfy { $0.missingKwh == 0 }, "\(plan.loads.map(\.energyKwh))")
    }
}
