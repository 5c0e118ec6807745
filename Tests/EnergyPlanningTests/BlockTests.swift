import EnergyTestSupport
import Testing

@testable import EnergyPlanning

/// A block at any start, beside what a load may do slot by slot.
@Suite struct `A block` {
    @Test func `may follow a run that is ended at once`() throws {
        let load = { (more: String) in
            #"{"power_kw": 11, "energy_kwh": 20, "one_block": true, "is_on": true\#(more)}"#
        }
        let plan = try Planning.plan([0.4, 0.1, 0.5], loads: load(""))
        // An hour at 0.1, and what is left at 0.4 before it.
        #expect(abs(plan.objective - 4.7) < 1e-5 && plan.loads[0].starts == 1)
        let paused = try Planning.plan([0.4, 0.1, 0.5], loads: load(#", "min_pause_minutes": 15"#))
        let start = try #require(paused.loads[0].runs.first?.start)
        #expect(start == Planning.time(15) || start == Planning.time(0), "\(start)")
    }

    @Test func `reaches several goals`() throws {
        let goals =
            #"[{"by": "\#(Planning.time(60))", "energy_kwh": 5}, {"by": "\#(Planning.time(90))", "energy_kwh": 7.5}]"#
        let plan = try Planning.plan(
            [0.3, 0.1, 0.4], minutes: 30, loads: #"{"power_kw": 10, "one_block": true, "goals": \#(goals)}"#)
        #expect(abs(plan.objective - 1.25) < 1e-6 && plan.loads[0].missingKwh == 0)
    }

    @Test(arguments: [("early", [0.0, 2.5, 2.5, 0, 0, 0]), ("late", [0, 0, 2.5, 2.5, 0, 0])])
    func `of equal starts that reach several goals the first or last is taken`(
        prefer: String, energies: [Double]
    ) throws {
        let goals =
            #"[{"by": "\#(Planning.time(90))", "energy_kwh": 2.5}, {"by": "\#(Planning.time(180))", "energy_kwh": 5}]"#
        let plan = try Planning.plan(
            [0.3, 0.1, 0.1, 0.1, 0.3, 0.3], minutes: 30,
            loads: #"{"power_kw": 5, "one_block": true, "prefer": "\#(prefer)", "goals": \#(goals)}"#)
        #expect(plan.loads[0].energyKwh == energies)
    }

    @Test(arguments: UInt64(0)..<60)
    func `reaches goals no later than it must, at the least cost`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let prices = (0..<8).map { _ in Double(Int.random(in: 5...50, using: &random)) / 100 }
        let isBehindFuse = Bool.random(using: &random)
        let (length, by) = (Int.random(in: 20...110, using: &random), Int.random(in: 30...200, using: &random))
        let early = Int.random(in: 1...min(length, by), using: &random)
        let goals = """
            [{"by": "\(Planning.time(by))", "energy_kwh": \(Double(early) / 6)},
             {"by": "\(Planning.time(240))", "energy_kwh": \(Double(length) / 6)}]
            """
        let plan = try Planning.plan(
            prices, minutes: 30,
            loads: """
                {"power_kw": 10, "one_block": true, "goals": \(goals)}, {"power_kw": 1, "energy_kwh": 0}
                """, limits: isBehindFuse ? #"{"import_kw": 12}"# : "{}")
        func cost(from start: Int) -> Double {
            (start..<start + length).reduce(0) { $0 + prices[$1 / 30] / 6 }
        }
        let best = try #require((0...240 - length).filter { min(by, $0 + length) - $0 >= early }.map(cost).min())
        #expect(plan.loads[0].missingKwh == 0)
        #expect(abs(plan.objective - best) < 1e-5, "seed \(seed): \(plan.objective), not \(best)")
    }

    @Test(arguments: UInt64(0)..<40, [1, 2])
    func `after a run that is ended costs no more than any start allows`(seed: UInt64, cars: Int) throws {
        var random = SplitMix64(seed: seed)
        let prices = (0..<8).map { _ in Double(Int.random(in: 5...50, using: &random)) / 100 }
        let (length, pause) = (Int.random(in: 20...110, using: &random), Int.random(in: 0...90, using: &random))
        let car = """
            {"power_kw": 10, "energy_kwh": \(Double(length) / 6), "is_on": true, "start_cost": 0.3,
             "min_pause_minutes": \(pause), "max_runs": 1}
            """
        let plan = try Planning.plan(
            prices, minutes: 30, loads: Array(repeating: car, count: cars).joined(separator: ", "),
            limits: #"{"import_kw": 25}"#)
        func cost(from start: Int) -> Double {
            (start..<start + length).reduce(start == 0 ? 0 : 0.3) { $0 + prices[$1 / 30] / 6 }
        }
        let best = try #require(([0] + (max(1, pause)..<241 - length)).map(cost).min())
        #expect(plan.loads.allSatisfy { $0.missingKwh == 0 })
        #expect(plan.objective < best * Double(cars) + 1e-5, "seed \(seed): \(plan.objective), not \(best)")
        for load in plan.loads {
            let first = try #require(load.runs.first?.start)
            #expect(first == Planning.time(0) || first >= Planning.time(pause), "seed \(seed): \(first)")
        }
    }
}
