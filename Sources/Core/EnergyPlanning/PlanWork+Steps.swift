/// Loads that draw power in steps.
extension PlanWork {
    /// The same with any power in the ranges of the loads; `nil` where that is no easier.
    var withoutSteps: PlanWork? {
        var (work, slots) = (self, 0)
        for index in problem.loads.indices {
            guard case .energy(var need) = problem.loads[index].need, need.powerStep != nil, !need.hasOnePower else {
                continue
            }
            need.powerStep = nil
            work.problem.loads[index].need = .energy(need)
            slots += grid.range(of: problem.loads[index]).count
        }
        return slots < StepSearch.levelsMin ? nil : work
    }
}
