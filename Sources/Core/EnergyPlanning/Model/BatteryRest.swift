/// Lets batteries rest where moving energy costs and earns nothing.
///
/// A second look after the optimum, so that the optimum is what it was: as little as possible goes through the batteries,
/// with the same whole numbers, at the same cost, and with no more missing.
struct BatteryRest {
    let home: HomeModel
    let solver: any PlanSolver
    let timer: PlanTimer

    /// In units of the objective: what a cost that stays the same may differ by.
    private static let tolerance = 1e-11

    private var moved: [Int] { home.batteries.flatMap { $0.charge + $0.discharge } }

    /// - Parameter solution: of the home's model, with the model's own costs.
    /// - Returns: the same where nothing moves, or there was no time to look.
    func rested(_ solution: LinearSolution) -> LinearSolution {
        guard !timer.isUp, moved.contains(where: { solution.values[$0] > 1e-6 }) else { return solution }
        let found = solver.solve(model(beside: solution), timeLimit: timer.left)
        guard found.status == .optimal else { return solution }
        let cost = zip(found.values, home.model.costs).reduce(home.model.constant) { $0 + $1.0 * $1.1 }
        guard cost <= solution.cost + 1e-9 else { return solution }
        var rested = solution
        (rested.values, rested.cost, rested.bound) = (found.values, cost, min(solution.bound, cost))
        return rested
    }

    private func model(beside solution: LinearSolution) -> LinearModel {
        var model = home.model
        for column in 0..<model.columnCount where model.isInteger[column] {
            let whole = solution.values[column].rounded()
            model.setBounds(column, whole, whole)
        }
        model.makeContinuous()
        for need in home.needs {
            for (column, _) in need.missing {
                model.setBounds(column, 0, max(0, solution.values[column]) + Self.tolerance)
            }
        }
        let costs = (0..<model.columnCount).filter { model.costs[$0] != 0 }.map {
            LinearModel.Term($0, model.costs[$0])
        }
        model.row(costs, -.infinity, solution.cost - model.constant + Self.tolerance)
        model.clearCosts()
        for column in moved { model.addCost(column, 1) }
        return model
    }
}
