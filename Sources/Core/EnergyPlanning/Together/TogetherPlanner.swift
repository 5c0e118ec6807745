import Foundation
func dbg(_ t: String) { FileHandle.standardError.write(Data((t+"\n").utf8)) }
/// Plans loads that are on or off and share limits: exact, without a general solver.
struct TogetherPlanner {
    let work: PlanWork

    /// - Returns: `nil` if the method does not apply, or finds no plan in which nobody lacks anything.
    func plan() -> PlanDecisions? {
        let t0 = ContinuousClock.now
        guard let loads = TogetherLoads(work) else { dbg("no loads"); return nil }
        var prices = LimitPrices(loads)
        // Before anything is known of the optimum, a per cent above what the loads would pay alone.
        prices.improve(steps: 1, target: .infinity)
        guard prices.bound.isFinite else { return nil }
        var best: TogetherSearch.Found?
        for (width, steps) in [(12, 60), (40, 80), (150, 120)] {
            let target = best?.cost ?? prices.bound + 0.03 * abs(prices.bound) + 0.01
            prices.improve(steps: steps, target: target)
            prices.settle()
            let search = TogetherSearch(prices)
            if case .found(let found) = search.run(ceiling: best?.cost ?? .infinity, width: width, isExact: false) {
                best = found
            }
            dbg("w \(width) bound \(prices.bound) best \(best?.cost ?? -1) t \(ContinuousClock.now - t0)")
            if let best, best.cost - prices.bound < 1e-9 { return decisions(best, loads) }
            // Nearly closed: the rest is quicker searched than bounded.
            if let best, best.cost - prices.bound < 5e-4 * abs(best.cost) { break }
        }
        guard let known = best else { return nil }
        switch TogetherSearch(prices).run(ceiling: known.cost - 1e-9, width: 200_000, isExact: true) {
        case .found(let better):
 dbg("found \(better.cost) \(ContinuousClock.now - t0)")
 return decisions(better, loads)
        case .nothing:
 dbg("proven \(ContinuousClock.now - t0)")
 return decisions(known, loads)
        case .tooWide:
 dbg("wide \(ContinuousClock.now - t0)")
 return nil
        }
    }

    private func decisions(_ found: TogetherSearch.Found, _ loads: TogetherLoads) -> PlanDecisions {
        var decisions = PlanDecisions(work.grid)
        for (index, course) in loads.courses.enumerated() {
            let load = work.problem.loads[index]
            switch course {
            case .fixed(let fixed):
                let chosen = found.states[index].first { $0 < .max - 1 } ?? 0
                var start = fixed.options[Int(chosen & 0xFFFF)].start
                // A course of one slot goes from idle to done at once.
                if !found.states[index].contains(where: { $0 < .max - 1 }) {
                    let slot = found.states[index].firstIndex(of: RunCourse.done) ?? 0
                    start = fixed.cheapest(in: slot)?.start ?? start
                }
                let profile: LoadProfile? =
                    if case .profile(let profile) = load.need { profile } else { load.asCourse(work.grid) }
                if let profile { decisions.loads.append(LoadDecision(course: profile, start: start, work.grid)) }
            case .run(let run):
                guard case .energy(let need) = load.need else { continue }
                let range = work.grid.range(of: load)
                var before = run.start
                var energies: [Double] = []
                for slot in range {
                    let state = found.states[index][slot]
                    energies.append(run.share(from: before, to: state) * need.powerMax * work.grid.hours[slot])
                    before = state
                }
                decisions.loads.append(LoadDecision(load, need, energies: energies, work.grid))
            case .none: break
            }
        }
        return decisions
    }
}

extension FixedCourse {
    /// The cheapest option of one slot that begins in it.
    func cheapest(in slot: Int) -> Option? {
        options.filter { $0.slot == slot && $0.costs.count == 1 }.min { $0.costs[0] < $1.costs[0] }
    }
}

extension RunCourse {
    /// How much of a slot is used between two states: all, the last slot's share, or nothing.
    func share(from before: UInt32, to after: UInt32) -> Double {
        guard before != Self.done else { return 0 }
        if after == Self.done { return problem.lastShare }
        return after & 1 == 1 ? 1 : 0
    }
}
