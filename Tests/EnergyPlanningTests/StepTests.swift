import EnergyPlanning
import EnergyTestSupport
import Testing

@Suite struct `A load with steps` {
    private static let prices = [0.38, 0.24, 0.19, 0.12, 0.22, 0.38, 0.01, 0.32]
    private static let other = #"{"name": "other", "max_power_kw": 1, "energy_kwh": 0.1}"#

    @Test(arguments: [#""partial_slots": "last""#, #""partial_slots": "any""#, #""min_run_minutes": 120"#, ""])
    func `runs at multiples of its step up to the highest below its most, beside others too`(rule: String) throws {
        let car = #""phases": 2, "max_current_a": 16, "current_step_a": 3, "energy_kwh": 22"#
        let plan = try Planning.plan(
            Self.prices, loads: "{\(car)\(rule.isEmpty ? "" : ", \(rule)")}, \(Self.other)",
            limits: #"{"import_kw": 8}"#)
        let load = plan.loads[0]
        #expect(load.missingKwh == 0)
        for run in load.runs {
            let amperes = run.powerKw / 0.46
            #expect(amperes <= 15 + 1e-6)
            #expect(abs(amperes / 3 - (amperes / 3).rounded()) < 1e-6)
        }
    }

    @Test func `its least power is rounded up to a step`() throws {
        let plan = try Planning.plan(
            [0.1, 0.2],
            loads: #"""
                {"phases": 1, "max_current_a": 10, "min_current_a": 6, "current_step_a": 5, "energy_kwh": 2.76}
                """#)
        #expect(plan.loads[0].missingKwh == 0)
        #expect(plan.loads[0].runs.allSatisfy { abs($0.powerKw - 2.3) < 1e-9 })
    }

    @Test func `that may go down to 0 may use any slot in part, unless it says otherwise`() throws {
        let car = #""phases": 2, "max_current_a": 16, "current_step_a": 3, "energy_kwh": 22"#
        let plan = try Planning.plan(Self.prices, loads: "{\(car)}")
        let any = try Planning.plan(Self.prices, loads: #"{\#(car), "partial_slots": "any"}"#)
        #expect(abs(plan.objective - any.objective) < 1e-9)
        #expect(plan.status == "optimal")
    }

    @Test func `is one run only if no slot inside it is used in part`() throws {
        let load = #"""
            {"max_power_kw": 2, "min_power_kw": 1, "power_step_kw": 1, "partial_slots": "any", "max_runs": 1,
             "min_pause_minutes": 120, "energy_kwh": 9.5}
            """#
        let plan = try Planning.plan([0.1, 0.1, 0.4, 0.1, 0.1], loads: load)
        #expect(plan.status == "optimal")
        #expect(abs(plan.objective - 1.55) < 1e-9)
        let runs = plan.loads[0].runs
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.end == $1.start })
    }

    @Test(arguments: UInt64(0)..<40)
    func `that uses slots whole lacks the least, at the least cost, however long slots are`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (slots, lengths, prices, minute): ([String], [Int], [Double], Int) = ([], [], [], 0)
        for _ in 0..<6 {
            lengths.append([7, 15, 30, 60, 90].randomElement(using: &random) ?? 15)
            prices.append(Double.random(in: -0.05...0.5, using: &random))
            slots.append(
                #"{"start": "\#(Planning.time(minute))", "end": "\#(Planning.time(minute + lengths[lengths.count - 1]))", "#
                    + #""price": \#(prices[prices.count - 1])}"#)
            minute += lengths[lengths.count - 1]
        }
        let energy = Double.random(in: 0.5...8, using: &random)
        let plan = try Planning.plan(
            #"""
            {"slots": [\#(slots.joined(separator: ","))],
             "loads": [{"max_power_kw": 3, "min_power_kw": 1, "power_step_kw": 1, "energy_kwh": \#(energy),
                        "partial_slots": "never"}]}
            """#)
        // All ways there are: 0 to 3 steps in each of six slots.
        let ways = (0..<4096).compactMap { way -> (missing: Double, cost: Double)? in
            let taken = lengths.indices.map { Double((way >> (2 * $0)) & 3) * Double(lengths[$0]) / 60 }
            let sum = taken.reduce(0, +)
            // Once it has what it needs, one more is the most that whole slots may take of the longest.
            guard sum <= energy + Double(lengths.max() ?? 0) / 60 + 1e-9 else { return nil }
            return (max(0, energy - sum), zip(taken, prices).reduce(0) { $0 + $1.0 * $1.1 })
        }
        let missing = try #require(ways.map(\.missing).min())
        let cost = try #require(ways.filter { $0.missing < missing + 1e-9 }.map(\.cost).min())
        #expect(plan.method == "separate" && plan.status == "optimal")
        let lack = try #require(plan.loads[0].missingKwh)
        #expect(abs(lack - missing) < 1e-6 && abs(plan.objective - cost) < 1e-6, "seed \(seed)")
    }

    @Test(arguments: [
        (#""min_current_a": 6, "max_current_a": 16, "current_step_a": 1, "phases": 1"#, 2.5, 2.53),
        (#""power_kw": 3.68"#, 2.5, 2.76), (#""min_power_kw": 4, "max_power_kw": 4.4"#, 1.15, 2),
    ])
    func `what whole slots cannot give exactly is rounded up, not missing`(
        power: String, need: Double, planned: Double
    ) throws {
        let prices = [0.3, 0.1, 0.05, 0.2, 0.4, 0.3]
        let plan = try Planning.plan(
            prices, minutes: 15, loads: #"{\#(power), "energy_kwh": \#(need), "partial_slots": "never"}"#)
        let load = plan.loads[0]
        #expect(load.missingKwh == 0 && abs(load.plannedKwh - planned) < 1e-6, "\(load.energyKwh)")
    }
}
