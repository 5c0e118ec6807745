/// Plans loads that are on or off and share limits: exact, without a general solver.
///
/// Three steps take turns: ``LimitPrices`` raises the bound that no plan beats, a narrow ``TogetherSearch`` lowers the cost
/// of the best plan known, and once the two are close a wide one shows that nothing lies between them. On five loads with
/// minimum runs behind a fuse, 96 slots, this takes some 20 ms where branch and bound takes half a minute: the sets of
/// loads that fit together bound the cost within a few per mille, the linear relaxation within some per cent.
struct TogetherPlanner {
    struct Answer {
        var decisions: PlanDecisions
        /// How much less the best plan could cost; 0 when it is proven that there is none better.
        var gap: Double
    }

    /// How often the prices move, how many states are followed for a good plan, and for proof, before the bound and the best
    /// plan are compared. After four rounds neither moves much, and what lies between them is mostly quick to search.
    private static let rounds: [(steps: Int, width: Int, proof: Int)] = [
        (120, 10, quick), (80, 60, quick), (100, 200, quick), (60, 1_000, 50_000), (300, 6_000, 200_000),
    ]
    /// States of a try at proof that is made only where the bound is so close to the best plan, as a share of its cost.
    private static let quick = 5_000
    private static let isClose = 1e-3
    /// What is less comes of floating point, as a share of the costs.
    private static let tolerance = 1e-14

    let work: PlanWork
    let timer: PlanTimer

    /// - Returns: `nil` if the method does not apply, or finds no plan in which nobody lacks anything.
    func plan() -> Answer? {
        guard let loads = TogetherLoads(work) else { return nil }
        var prices = LimitPrices(loads)
        let alone = prices.least
        guard alone.isFinite else { return nil }
        let least = Self.tolerance * max(1, prices.scale)
        var best: TogetherSearch.Found?
        for round in Self.rounds {
            if timer.isUp { break }
            // As long as no plan is known the optimum is guessed to be well above what the loads would pay alone.
            prices.improve(
                steps: round.steps, target: best?.cost ?? max(alone, prices.bound) + 0.4 * prices.scale, timer)
            prices.settle()
            let search = TogetherSearch(prices, timer)
            func isProven(width: Int, drops: Bool) -> Bool {
                let outcome = search.run(ceiling: (best?.cost ?? .infinity) - least, width: width, drops: drops)
                if let found = outcome.found { best = found }
                return outcome.isComplete || (best?.cost ?? .infinity) - prices.bound < least
            }
            var isDone = isProven(width: round.width, drops: true)
            let gap = best.map { $0.cost - prices.bound } ?? .infinity
            if !isDone, round.proof > Self.quick || gap < Self.isClose * abs(best?.cost ?? 0) {
                isDone = isProven(width: round.proof, drops: false)
            }
            if isDone { return best.map { Answer(decisions: decisions($0, loads), gap: 0) } }
        }
        return best.map { Answer(decisions: decisions($0, loads), gap: max(0, $0.cost - prices.bound)) }
    }

    private func decisions(_ found: TogetherSearch.Found, _ loads: TogetherLoads) -> PlanDecisions {
        var decisions = PlanDecisions(work.grid, work.rows)
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
            case .run(let run): decisions.loads += bySlots(run, load, found.states[index])
            case .either(let either):
                if let block = either.chosen(found.states[index]), let profile = load.blockBesides(work.grid) {
                    decisions.loads.append(LoadDecision(course: profile, start: block.start, work.grid))
                } else {
                    decisions.loads += bySlots(either.run, load, either.runStates(found.states[index]))
                }
            }
        }
        decisions.takeSurplus(work.grid)
        return decisions
    }

    /// - Parameter states: after each slot.
    private func bySlots(_ run: RunCourse, _ load: PlannedLoad, _ states: [UInt32]) -> [LoadDecision] {
        guard case .energy(let need) = load.need else { return [] }
        var before = run.start
        var energies: [Double] = []
        for slot in work.grid.range(of: load) {
            energies.append(run.energy(slot, from: before, to: states[slot]))
            before = states[slot]
        }
        return [LoadDecision(load, need, energies: energies, work.grid)]
    }
}

extension FixedCourse {
    /// The cheapest option of one slot that begins in it.
    func cheapest(in slot: Int) -> Option? {
        options.filter { $0.slot == slot && $0.costs.count == 1 }.min { $0.costs[0] < $1.costs[0] }
    }
}
