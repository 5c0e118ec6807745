import EnergyModel

/// Plans one load by itself with the closed method for its kind.
struct SoloPlanner {
    let work: PlanWork
    /// For what may take longer; `nil`: without that.
    var timer: PlanTimer?

    /// - Returns: `nil` if there is no closed method for it, or no time.
    func plan(_ index: Int) -> LoadDecision? {
        let (load, grid) = (work.problem.loads[index], work.grid)
        let capacity = work.capacities[index]
        switch load.need {
        case .comfort: return nil
        case .profile(let profile): return course(index, profile)
        case .energy(let need):
            if let profile = load.asCourse(grid) {
                // Where the whole block fits nowhere a part of it may: that is for the model.
                guard let decision = course(index, profile), !decision.isLeftOut else { return nil }
                return decision
            }
            guard load.shape.countsOnce else { return nil }
            let slots = UsableSlots(load, need, grid, capacity: capacity)
            if let fitted = atWill(load, need, slots) { return LoadDecision(load, need, energies: fitted, grid) }
            guard
                let energies = runs(load, need, slots) ?? steps(load, need, slots)
                    ?? ranges(load, need, slots)
            else { return nil }
            let bySlots = LoadDecision(load, need, energies: energies, grid)
            return need.powerStep == nil ? orBlock(index, bySlots) : bySlots
        }
    }

    /// - Returns: kWh in each slot of the load's window; `nil` if the method does not apply.
    private func runs(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots) -> [Double]? {
        guard need.powerStep == nil, need.taper == nil, need.goals.count == 1, !isAtWill(load, need) else { return nil }
        let builder = LoadModelBuilder(problem: work.problem, grid: work.grid, isLimited: false)
        let runMin = builder.runMin(load.shape, need, work.grid.range(of: load))
        return RunPlanner(grid: work.grid).plan(load, need, slots, runMin: runMin)
    }

    /// One power is a single step.
    private func steps(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots) -> [Double]? {
        guard let step = need.powerStep ?? (need.hasOnePower ? need.powerMax : nil) else { return nil }
        return StepPlanner(work: work, load: load, need: need, slots: slots).plan(step: step)
    }

    private func ranges(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots) -> [Double]? {
        timer.flatMap { RangePlanner(work: work, load: load, need: need, slots: slots, timer: $0).plan() }
    }

    /// Without rules for its runs, and with more than one power, or any part of a slot.
    private func isAtWill(_ load: PlannedLoad, _ need: EnergyNeed) -> Bool {
        load.shape.isFree && (!need.hasOnePower || need.partialSlots == .any)
    }

    /// The cheapest slots, where the load can draw what that takes of each.
    private func atWill(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots) -> [Double]? {
        guard need.taper == nil, need.goals.count == 1, isAtWill(load, need),
            !work.grid.range(of: load).contains(where: work.grid.bendsDown)
        else { return nil }
        let fit = RangeFit(grid: work.grid, need: need, slots: slots, range: work.grid.range(of: load))
        return fit.fitted(KnapsackPlanner(grid: work.grid).plan(load, need, slots))
    }

    /// The better of what a load does by slots and of all that it needs as one block.
    private func orBlock(_ index: Int, _ bySlots: LoadDecision) -> LoadDecision {
        let load = work.problem.loads[index]
        guard let profile = load.blockBesides(work.grid), let block = course(index, profile), !block.isLeftOut
        else { return bySlots }
        // With goals of their own times either may miss more.
        let more = work.missing(index, bySlots) - work.missing(index, block)
        guard abs(more) <= 1e-6 else { return more > 0 ? block : bySlots }
        let saved = cost(index, bySlots) - cost(index, block)
        let isBetter = saved > 1e-9 || (saved > -1e-9 && work.starts(index, bySlots) > 1)
        return isBetter ? block : bySlots
    }

    private func cost(_ index: Int, _ decision: LoadDecision) -> Double {
        work.cost(index, decision, surplus: work.grid.surplus)
    }

    private func course(_ index: Int, _ profile: LoadProfile) -> LoadDecision? {
        let load = work.problem.loads[index]
        var hasEarlierGoals = false
        if case .energy(let need) = load.need { hasEarlierGoals = need.goals.count > 1 }
        func decision(_ start: Int64?) -> LoadDecision { LoadDecision(course: profile, start: start, work.grid) }
        let best = CoursePlanner(grid: work.grid).best(load, profile, capacity: work.capacities[index]) { start in
            hasEarlierGoals ? work.missing(index, decision(start)) : 0
        }
        return decision(best?.start)
    }
}
