import CBCSolver
import EnergyTestSupport
import Testing

@testable import EnergyPlanning

/// Loads that are on or off and share a fuse, planned together by ``TogetherPlanner``.
@Suite struct `Loads of one power behind a fuse` {
    /// Windows that begin and end inside slots cut them: what a slot takes differs.
    private func load(_ name: Int, slots: Int, _ random: inout SplitMix64) -> String {
        let power = [2.3, 3.7, 7.4].randomElement(using: &random) ?? 3.7
        let (start, end) = (Int.random(in: 0...60, using: &random), Int.random(in: 90...15 * slots, using: &random))
        let hours = Double(end - start) / 60 * Double.random(in: 0.1...0.6, using: &random)
        return """
            {"name": "load-\(name)", "power_kw": \(power), "energy_kwh": \((power * hours * 100).rounded() / 100),
             "earliest_start": "\(Planning.time(start))", "deadline": "\(Planning.time(end))",
             "min_run_minutes": \(15 * Int.random(in: 0...3, using: &random)),
             "min_pause_minutes": \(15 * Int.random(in: 0...2, using: &random)),
             "max_runs": \(Int.random(in: 2...3, using: &random)),
             "is_on": \(start == 0 && Bool.random(using: &random)),
             "partial_slots": "\(Bool.random(using: &random) ? "last" : "never")",
             "prefer": "\(Bool.random(using: &random) ? "early" : "late")",
             "start_cost": \(Bool.random(using: &random) ? 0.02 : 0)}
            """
    }

    @Test func `are not counted in more units than they need, however long a slot is`() throws {
        // Two seconds in whole days, whose rest is an odd number of milliseconds.
        let text = """
            {"slots": \(Planning.slots([0.2, 0.1], minutes: 1440)), "loads": [
             {"power_kw": 1.8, "energy_kwh": 0.001, "partial_slots": "last", "start_anywhere": false,
              "earliest_start": "2026-03-02T00:00:00.001+01:00"}]}
            """
        let work = PlanWork(try ProblemReader.read(Array(text.utf8)).problem)
        guard case .energy(let need) = work.problem.loads[0].need else { return #expect(Bool(false)) }
        let slots = UsableSlots(work.problem.loads[0], need, work.grid, capacity: work.capacities[0])
        let units = try #require(RunUnits(work, work.problem.loads[0], need, slots, TieCosts(work)))
        #expect(units.units == [86_399_999, 86_400_000] && units.need == 2_000)
        #expect(units.lastCosts.map(\.count) == [2_000, 2_000])
    }

    @Test(arguments: UInt64(0)..<60)
    func `cost what the solver finds, also where windows begin and end inside slots`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 8...14, using: &random)
        let prices = (0..<count).map { _ in Double(Int.random(in: -5...50, using: &random)) / 100 }
        let loads = (0..<3).map { load($0, slots: count, &random) }.joined(separator: ", ")
        let text = """
            {"slots": \(Planning.slots(prices, minutes: 15)), "loads": [\(loads)], "limits": {"import_kw": 8}}
            """
        let work = PlanWork(try ProblemReader.read(Array(text.utf8)).problem)
        let solved = try Planning.solved(work.problem)
        let timer = PlanTimer(limit: .seconds(600), clock: ContinuousClock())
        guard let answer = TogetherPlanner(work: work, timer: timer).plan() else {
            // It plans only what lacks nothing.
            #expect(solved.lacks || TogetherLoads(work) == nil, "seed \(seed)\n\(text)")
            return
        }
        let worth = PlanWorth(answer.decisions, work)
        #expect(answer.gap == 0 && work.fits(answer.decisions), "seed \(seed)")
        #expect(
            abs(worth.objective - solved.objective) < 1e-6 && worth.lack < 1e-6,
            "seed \(seed): \(worth.objective) for \(solved.objective)\n\(text)")
    }
}
