/// Solves the model of a home whose loads draw power in steps.
///
/// With any power in their ranges instead a plan is found soon, and costs next to nothing less. One in steps is near it: on in
/// the same slots or beside them. Branch and bound over all steps at once often finds none as good in the whole time.
struct StepSearch {
    let home: HomeModel
    let solver: any PlanSolver
    let timer: PlanTimer

    /// With fewer steps to decide the solver needs no help.
    static let levelsMin = 100
    /// How far a slot is from one that is on with any power.
    private static let slotsMost = 2

    func solve(_ model: LinearModel) -> LinearSolution {
        let levels = home.loads.flatMap { load in load.on.indices.compactMap { level(load, $0, model) } }
        guard levels.count >= Self.levelsMin else { return solver.solve(model, timeLimit: timer.left) }
        var ranged = model
        for level in levels { ranged.makeContinuous(level) }
        let relaxed = solver.solve(ranged, timeLimit: timer.part(0.4).left)
        guard relaxed.status != .infeasible else { return relaxed }
        var near: LinearSolution?
        if !relaxed.values.isEmpty {
            near = solver.solve(nearby(model, relaxed.values), timeLimit: timer.part(0.5).left)
        }
        var rest = model
        if let near, !near.values.isEmpty {
            rest.keep(below: near.cost)
        }
        return best(solver.solve(rest, timeLimit: timer.left), or: near, atLeast: relaxed.bound)
    }

    /// Of the whole, in which only what costs less than what is known was looked for.
    private func best(_ found: LinearSolution, or near: LinearSolution?, atLeast bound: Double) -> LinearSolution {
        guard var best = near, !best.values.isEmpty else {
            var found = found
            if found.status != .optimal { found.bound = max(found.bound, bound) }
            return found
        }
        if found.status == .optimal { return found }
        if found.cost < best.cost { best = found }
        let isProven = found.status == .infeasible
        best.status = isProven ? .optimal : .feasible
        best.bound = isProven ? best.cost : min(best.cost, max(found.bound, bound))
        return best
    }

    /// The same with loads off in all slots but those in which they are on, or beside which.
    private func nearby(_ model: LinearModel, _ values: [Double]) -> LinearModel {
        var model = model
        for load in home.loads where load.on.indices.contains(where: { level(load, $0, model) != nil }) {
            let isOn = load.on.map { $0.map { values[$0] > 0.5 } ?? true }
            for (index, on) in load.on.enumerated() {
                let around = max(0, index - Self.slotsMost)...min(isOn.count - 1, index + Self.slotsMost)
                guard let on, model.lower[on] == 0, !isOn[around].contains(true) else { continue }
                model.setBounds(on, 0, 0)
            }
        }
        return model
    }

    /// The column that counts the steps of a slot.
    private func level(_ load: LoadColumns, _ index: Int, _ model: LinearModel) -> Int? {
        guard load.on[index] != nil, let term = load.running[index].first,
            load.running[index].count == 1, term.column != load.on[index], model.isInteger[term.column]
        else { return nil }
        return term.column
    }
}
