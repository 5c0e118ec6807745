import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import Testing

@Suite struct `Runs that are counted anew` {
    /// A load of 1 kW in slots of an hour, with goals at two times.
    private struct Home {
        var prices: [Double]
        /// kWh until the slot of the number.
        var goals: [(slot: Int, energy: Int)]
        var shape: RunShape
        var runsMaxLater: Int

        /// - Returns: the cost of running in these slots; `nil` where a goal is missed or the shape broken.
        func cost(_ on: [Bool]) -> Double? {
            guard goals.allSatisfy({ on.prefix($0.slot).count(where: \.self) >= $0.energy }),
                on.count(where: \.self) == goals.last?.energy
            else { return nil }
            let (anew, hour) = (goals[0].slot, Int64(3_600_000))
            var (runs, cost, last) = (0, 0.0, shape.isOn)
            var (begin, end): (Int?, Int?) = (nil, shape.isOn ? 0 : nil)
            for slot in on.indices {
                if slot == anew { runs = on[slot] && last ? 1 : 0 }
                if on[slot], !last {
                    if let end, Int64(slot - end) * hour < shape.pauseMin { return nil }
                    (runs, begin, cost) = (runs + 1, slot, cost + shape.startCost)
                }
                if !on[slot], last {
                    if let begin, Int64(slot - begin) * hour < shape.runMin { return nil }
                    end = slot
                }
                guard runs <= (slot < anew ? shape.runsMax ?? .max : runsMaxLater) else { return nil }
                if on[slot] { cost += prices[slot] }
                last = on[slot]
            }
            if last, let begin, Int64(on.count - begin) * hour < shape.runMin { return nil }
            return cost
        }

        var least: Double? {
            (0..<1 << prices.count).compactMap { code in cost(prices.indices.map { code & 1 << $0 != 0 }) }.min()
        }

        func problem() throws -> PlanProblem {
            let wishes = goals.map { #"{"by": "\#(Planning.time($0.slot * 60))", "energy_kwh": \#($0.energy)}"# }
            let text = """
                {"slots": \(Planning.slots(prices)),
                 "loads": [{"power_kw": 1, "goals": [\(wishes.joined(separator: ", "))], "partial_slots": "never"}]}
                """
            var problem = try ProblemReader.read(Array(text.utf8)).problem
            problem.loads[0].shape = shape
            let anew = problem.slots[goals[0].slot].interval.start.unixMilliseconds
            problem.loads[0].shape.recounts = .init(at: [anew], runsMax: runsMaxLater)
            return problem
        }
    }

    private func home(_ seed: UInt64) -> Home {
        var random = SplitMix64(seed: seed)
        let prices = (0..<10).map { _ in Double(Int.random(in: 1...40, using: &random)) / 100 }
        let first = Int.random(in: 1...3, using: &random)
        let isOn = Bool.random(using: &random)
        let most = Int.random(in: 1...2, using: &random)
        let shape = RunShape(
            runMin: Int64.random(in: 0...2, using: &random) * 3_600_000,
            pauseMin: Int64.random(in: 0...2, using: &random) * 3_600_000, runsMax: isOn ? most - 1 : most,
            startCost: [0, 0.1].randomElement(using: &random) ?? 0, isOn: isOn)
        return Home(
            prices: prices, goals: [(5, first), (10, first + Int.random(in: 2...3, using: &random))], shape: shape,
            runsMaxLater: most)
    }

    @Test(arguments: UInt64(0)..<60)
    func `are as few until each time, at the least cost`(seed: UInt64) throws {
        let home = home(seed)
        guard let least = home.least else { return }
        let plan = try Planning.planner.plan(home.problem())
        #expect(plan.isOptimal && plan.loads[0].missing < 1e-9, "seed \(seed)")
        #expect(abs(plan.totals.objective - least) < 1e-6, "seed \(seed)")
    }
}
