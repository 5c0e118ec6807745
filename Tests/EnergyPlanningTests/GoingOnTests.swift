import EnergyPlanning
import EnergyTestSupport
import Testing

@Suite struct `A run that goes on` {
    @Test func `costs no start`() throws {
        let load = { (more: String) in #"{"power_kw": 10, "energy_kwh": 10, "start_cost": 5\#(more)}"# }
        let prices = [0.2, 0.1, 0.2]
        #expect(try Planning.plan(prices, loads: load("")).loads[0].energyKwh == [0, 10, 0])
        let plan = try Planning.plan(prices, loads: load(#", "is_on": true"#))
        #expect(plan.loads[0].energyKwh == [10, 0, 0])
        #expect(plan.loads[0].starts == 0)
        #expect(abs(plan.objective - 2) < 1e-9)
    }

    @Test func `for a part of its first slot begins with it, however late is wished`() throws {
        let load = #"""
            {"power_kw": 3, "energy_kwh": 1, "is_on": true, "start_cost": 0.5, "prefer": "late", "partial_slots": "last",
             "start_anywhere": \#

            """#
        for anywhere in [false, true] {
            let plan = try Planning.plan([0.1, 0.3], loads: load + "\(anywhere)}").loads[0]
            #expect(plan.runs.map(\.start) == [Planning.time(0)] && plan.starts == 0, "anywhere: \(anywhere)")
        }
    }

    @Test func `is not counted, and is followed by a pause`() throws {
        let load = { (more: String) in #"{"power_kw": 10, "energy_kwh": 20, "max_runs": 1, "is_on": true\#(more)}"# }
        let prices = [0.1, 0.9, 0.1, 0.5, 0.5]
        #expect(try Planning.plan(prices, loads: load("")).loads[0].energyKwh == [10, 0, 10, 0, 0])
        #expect(try Planning.plan(prices, loads: load(#", "min_pause_minutes": 120"#)).loads[0].starts == 1)
        let paused = try Planning.plan(
            [0.9, 0.1, 0.1, 0.5], loads: load(#", "min_pause_minutes": 120, "partial_slots": "never""#))
        #expect(paused.loads[0].energyKwh == [0, 0, 10, 10])
    }

    @Test func `is followed by a pause also where it may not go on`() throws {
        let load = #"""
            {"power_kw": 10, "energy_kwh": 10, "is_on": true, "min_pause_minutes": 180,
             "earliest_start": "\#(Planning.time(60))", "partial_slots": "never"}
            """#
        #expect(try Planning.plan([0.5, 0.1, 0.2, 0.4, 0.3], loads: load).loads[0].energyKwh == [0, 0, 0, 0, 10])
    }

    private struct Shape: CustomStringConvertible {
        var need: Int
        var runMin: Int
        var pauseMin: Int
        var runsMax: Int
        var startCost: Double
        var isOn: Bool

        var description: String {
            #"""
            "power_kw": 1, "energy_kwh": \#(need), "min_run_minutes": \#(runMin * 60), "max_runs": \#(runsMax),
            "min_pause_minutes": \#(pauseMin * 60), "start_cost": \#(startCost), "is_on": \#(isOn),
            "partial_slots": "never", "start_anywhere": false
            """#
        }

        /// - Returns: starts, or `nil` if the shape is broken.
        func starts(_ on: [Bool]) -> Int? {
            var starts = 0
            var (begin, end): (Int?, Int?) = (nil, isOn ? 0 : nil)
            for slot in on.indices {
                let before = slot == 0 ? isOn : on[slot - 1]
                if on[slot], !before {
                    if let end, slot - end < pauseMin { return nil }
                    (starts, begin) = (starts + 1, slot)
                }
                if !on[slot], before {
                    if let begin, slot - begin < runMin { return nil }
                    end = slot
                }
            }
            if on.last == true, let begin, on.count - begin < runMin { return nil }
            return starts <= runsMax ? starts : nil
        }
    }

    /// The least objective, by trying everything; with a limit of one at a time for two loads.
    private func least(_ prices: [Double], _ shapes: [Shape]) -> Double? {
        var best: Double?
        let all = 1 << prices.count
        for code in 0..<(shapes.count == 1 ? all : all * all) {
            let codes = shapes.count == 1 ? [code] : [code % all, code / all]
            guard codes.count == 1 || codes[0] & codes[1] == 0 else { continue }
            var cost = 0.0
            var fits = true
            for (shape, code) in zip(shapes, codes) where fits {
                let on = prices.indices.map { code & 1 << $0 != 0 }
                guard on.count(where: { $0 }) == shape.need, let starts = shape.starts(on) else {
                    fits = false
                    continue
                }
                cost += Double(starts) * shape.startCost + zip(on, prices).reduce(0) { $1.0 ? $0 + $1.1 : $0 }
            }
            if fits, cost < best ?? .infinity { best = cost }
        }
        return best
    }

    @Test(arguments: UInt64(0)..<80)
    func `every method finds what trying everything finds`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let prices = (0..<6).map { _ in Double(Int.random(in: 1...40, using: &random)) / 100 }
        let shapes = (0..<Int(1 + seed % 2)).map { _ in
            let need = Int.random(in: 2...3, using: &random)
            return Shape(
                need: need, runMin: Int.random(in: 1...min(2, need), using: &random),
                pauseMin: Int.random(in: 1...3, using: &random), runsMax: Int.random(in: 1...2, using: &random),
                startCost: [0, 0.05, 0.3].randomElement(using: &random) ?? 0, isOn: Bool.random(using: &random))
        }
        guard let least = least(prices, shapes) else { return }
        let loads = shapes.map { "{\($0)}" }.joined(separator: ", ")
        // A battery that can nothing is a case for the solver.
        for battery in ["", #", {"name": "b", "capacity_kwh": 0.001, "initial_soc": 0, "max_charge_kw": 0}"#] {
            let plan = try Planning.plan(prices, loads: loads + battery, limits: #"{"import_kw": 1}"#)
            #expect(plan.status == "optimal")
            #expect(plan.loads.allSatisfy { $0.missingKwh == 0 })
            #expect(abs(plan.objective - least) < 1e-6, "\(plan.method)")
        }
    }

    @Test(arguments: ["", #", "power_step_kw": 1"#, #", "max_runs": 1"#])
    func `one that needs less than a minimum run may stop and run once later`(rule: String) throws {
        let load = #"""
            {"min_power_kw": 2, "max_power_kw": 7, "energy_kwh": 1.5, "min_run_minutes": 120, "is_on": true\#(rule)}
            """#
        let later = try Planning.plan([0.4, 0.4, 0.1, 0.1], loads: load)
        #expect(later.loads[0].energyKwh == [0, 0, 1.5, 0], "\(later.loads[0].energyKwh)")
        let now = try Planning.plan([0.1, 0.4, 0.2, 0.2], loads: load)
        #expect(now.loads[0].energyKwh == [1.5, 0, 0, 0], "\(now.loads[0].energyKwh)")
    }
}
