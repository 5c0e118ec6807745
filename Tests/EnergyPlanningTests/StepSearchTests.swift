import CBCSolver
import EnergyTestSupport
import Testing

@testable import EnergyPlanning

@Suite struct `Many steps at once` {
    private static let slots = 52

    private func text(_ seed: UInt64, step: Double) -> String {
        var random = SplitMix64(seed: seed)
        let prices = (0..<Self.slots).map { _ in Double(Int.random(in: 5...50, using: &random)) / 100 }
        let loads = (0..<2).map { index in
            """
            {"name": "car-\(index)", "min_power_kw": 2, "max_power_kw": 6, "power_step_kw": \(step), "min_run_minutes": 30,
             "energy_kwh": \(Int.random(in: 12...20, using: &random))}
            """
        }
        return """
            {"slots": \(Planning.slots(prices, minutes: 15)), "loads": [\(loads.joined(separator: ", "))],
             "limits": {"import_kw": 9}}
            """
    }

    @Test(arguments: UInt64(0)..<6)
    func `cost what branch and bound over all of them finds`(seed: UInt64) throws {
        let work = PlanWork(try ProblemReader.read(Array(text(seed, step: 2).utf8)).problem)
        let timer = PlanTimer(limit: .seconds(600), clock: ContinuousClock())
        let home = work.model(timer)
        var model = home.model
        for (column, weight) in home.needs.flatMap(\.missing) { model.addCost(column, work.penalty * weight) }
        let whole = CBCSolver().solve(model, timeLimit: timer.left)
        let found = StepSearch(home: home, solver: CBCSolver(), timer: timer).solve(model)
        #expect(whole.status == .optimal && found.status == .optimal, "seed \(seed)")
        #expect(abs(whole.cost - found.cost) < 1e-6, "seed \(seed)")
        #expect(work.fits(PlanDecisions(home, found.values, work)), "seed \(seed)")
    }

    @Test(arguments: UInt64(0)..<6)
    func `have a plan near the one with any power in their ranges`(seed: UInt64) throws {
        let work = PlanWork(try ProblemReader.read(Array(text(seed, step: 0.5).utf8)).problem)
        let timer = PlanTimer(limit: .seconds(600), clock: ContinuousClock())
        let ranged = try #require(work.withoutSteps)
        let least = HomePlanner(solver: CBCSolver()).joint(ranged, timer)
        let decisions = try #require(least.decisions)
        let near = try #require(FirstPlanner(work: work, timer: timer, solver: CBCSolver()).plan(near: decisions))
        let worth = PlanWorth(near, work)
        #expect(work.fits(near) && worth.lack < 1e-6, "seed \(seed)")
        #expect(worth.objective >= least.bound - 1e-6 && worth.objective < least.bound * 1.02, "seed \(seed)")
        for load in near.loads {
            let levels = load.running.map { $0 / 0.5 }
            #expect(levels.allSatisfy { abs($0 - $0.rounded()) < 1e-9 }, "seed \(seed)")
        }
    }
}
