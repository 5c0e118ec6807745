import EnergyModel

/// Says at once of most changes that help nobody that they do not: one relaxation in place of a plan.
struct RemedyBound {
    let solver: any PlanSolver
    let timer: PlanTimer

    /// kWh that floating point may leave out.
    private static let tolerance = 1e-4

    /// Whether somebody lacks something after a change, or others lack more than they may: with any power, any runs, and in
    /// parts what is whole, so that no plan does better.
    ///
    /// - Parameters:
    ///   - load: its index; that of a battery is counted on from the loads.
    ///   - most: what each may lack.
    /// - Returns: `false` also where that is not known.
    func excludes(_ load: Int, _ problem: PlanProblem, lacking most: [Double]) -> Bool {
        var free = problem
        for index in free.loads.indices {
            free.loads[index].freeShape()
            free.loads[index].dropPrecondition()
            free.loads[index].changeNeed { $0.powerMin = 0 }
        }
        var work = PlanWork(free)
        // Lines below a battery's curve would have others lack more than they do.
        work.touchTapers()
        let home = work.model(timer)
        guard !home.isCut, home.lacks.count == most.count else { return false }
        var model = home.model
        model.makeContinuous()
        model.clearCosts()
        for (index, missing) in home.lacks.enumerated() where !missing.isEmpty {
            if index == load {
                for (column, weight) in missing { model.addCost(column, weight) }
            } else {
                let terms = missing.map { LinearModel.Term($0.column, $0.weight) }
                model.row(terms, -.infinity, most[index] + Self.tolerance)
            }
        }
        let least = solver.solve(model, timeLimit: timer.left)
        return least.status == .infeasible || least.bound > Self.tolerance
    }
}
