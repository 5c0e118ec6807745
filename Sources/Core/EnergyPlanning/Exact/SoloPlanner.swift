import EnergyModel

/// Plans one load by itself with the closed method for its kind.
struct SoloPlanner {
    let work: PlanWork

    /// - Returns: `nil` if there is no closed method for it.
    func plan(_ index: Int) -> LoadDecision? {
        let (load, grid) = (work.problem.loads[index], work.grid)
        let capacity = work.capacities[index]
        switch load.need {
        case .comfort: return nil
        case .profile(let profile): return course(load, profile, capacity)
        case .energy(let need):
            if let profile = load.asCourse(grid) {
                // Where the whole block fits nowhere a part of it may: that is for the model.
                guard let decision = course(load, profile, capacity), !decision.isLeftOut else { return nil }
                return decision
            }
            guard need.taper == nil else { return nil }
            let slots = UsableSlots(load, need, grid, capacity: capacity)
            if let fitted = atWill(load, need, slots) { return LoadDecision(load, need, energies: fitted, grid) }
            guard need.powerStep == nil else {
                let energies = StepPlanner(work: work, load: load, need: need, slots: slots).plan()
                return energies.map { LoadDecision(load, need, energies: $0, grid) }
            }
            guard need.goals.count == 1, !isAtWill(load, need) else { return nil }
            let builder = LoadModelBuilder(problem: work.problem, grid: grid, isLimited: false)
            let runMin = builder.runMin(load.shape, need, grid.range(of: load))
            return RunPlanner(grid: grid).plan(load, need, slots, runMin: runMin).map {
                orBlock(index, LoadDecision(load, need, energies: $0, grid))
            }
        }
    }

    /// Without rules for its runs, and with more than one power, or any part of a slot.
    private func isAtWill(_ load: PlannedLoad, _ need: EnergyNeed) -> Bool {
        load.shape.isFree && (!need.hasOnePower || need.partialSlots == .any)
    }

    /// The cheapest slots, where the load can draw what that takes of each.
    private func atWill(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots) -> [Double]? {
        guard need.goals.count == 1, isAtWill(load, need) else { return nil }
        let fit = RangeFit(grid: work.grid, need: need, slots: slots, range: work.grid.range(of: load))
        return fit.fitted(KnapsackPlanner(grid: work.grid).plan(load, need, slots))
    }

    /// The better of what a load does by slots and of all that it needs as one block.
    private func orBlock(_ index: Int, _ bySlots: LoadDecision) -> LoadDecision {
        let load = work.problem.loads[index]
        guard let profile = load.blockBesides(work.grid),
            let block = course(load, profile, work.capacities[index]), !block.isLeftOut
        else { return bySlots }
        func cost(_ decision: LoadDecision) -> Double { work.cost(index, decision, surplus: work.grid.surplus) }
        let saved = cost(bySlots) - cost(block)
        let isBetter = saved > 1e-9 || (saved > -1e-9 && work.starts(index, bySlots) > 1)
        return isBetter || work.missing(index, bySlots) > 1e-6 ? block : bySlots
    }

    private func course(_ load: PlannedLoad, _ profile: LoadProfile, _ capacity: [Double]) -> LoadDecision? {
        let best = CoursePlanner(grid: work.grid).best(load, profile, capacity: capacity)
        return LoadDecision(course: profile, start: best?.start, work.grid)
    }
}
