import EnergyModel

/// Of all plans that cost the same and lack no more, the one with the fewest starts, and then the earliest or latest energy, as
/// each load asks.
///
/// The home's model once more, its cost now a row. Batteries do what they did.
struct TieModel {
    let work: PlanWork
    let solver: any PlanSolver
    let timer: PlanTimer

    /// kWh, and in hundredths of a unit of the objective: what the same may differ by.
    private static let tolerance = 1e-9
    /// Of the highest power: what makes a slot one that is on, so that no pause is hidden by a slot that is on with nothing.
    private static let leastShare = 0.01

    private var grid: PlanGrid { work.grid }

    /// - Returns: `nil` if none was found in time.
    func plan(like known: PlanDecisions, costing objective: Double) -> PlanDecisions? {
        var counted = work
        let uncounted = work.problem.loads.indices.filter { work.problem.loads[$0].shape.startCost == 0 }
        for load in uncounted { counted.problem.loads[load].shape.startCost = 1 }
        var home = counted.model(timer)
        guard !home.isCut, !timer.isUp else { return nil }
        for load in uncounted { for start in home.loads[load].starts { home.model.setCost(start, 0) } }
        keep(known, objective, &home)
        count(&home)
        let solution = solver.solve(home.model, timeLimit: timer.left)
        guard solution.status == .optimal || solution.status == .feasible else { return nil }
        return PlanDecisions(home, solution.values, work)
    }

    /// No plan that costs or lacks more.
    private func keep(_ known: PlanDecisions, _ objective: Double, _ home: inout HomeModel) {
        let model = home.model
        // A hundred times as much, so that a solver's tolerance for rows is little in units of the objective.
        let costs = model.costs.enumerated().filter { $1 != 0 }.map { LinearModel.Term($0, 100 * $1) }
        home.model.row(costs, -.infinity, 100 * (objective - model.constant) + Self.tolerance)
        for (need, lack) in zip(home.needs, work.missing(known)) where !need.missing.isEmpty {
            home.model.row(
                need.missing.map { LinearModel.Term($0.column, $0.weight) }, -.infinity, lack + Self.tolerance)
        }
        for (battery, columns) in home.batteries.enumerated() {
            for slot in 0..<grid.count {
                let (charge, discharge) = (known.charge[battery][slot], known.discharge[battery][slot])
                home.model.setBounds(columns.charge[slot], charge, charge)
                home.model.setBounds(columns.discharge[slot], discharge, discharge)
            }
        }
    }

    private func count(_ home: inout HomeModel) {
        home.model.clearCosts()
        let begin = grid.edges.first ?? 0
        let span = Double((grid.edges.last ?? begin) - begin)
        let most = work.problem.loads.reduce(0) { $0 + $1.powerMost } * grid.hours.reduce(0, +)
        for (load, columns) in zip(work.problem.loads, home.loads) {
            for start in columns.starts { home.model.addCost(start, 1) }
            // All of it is worth less than a start.
            let lean = (load.shape.ties == .earlier ? 0.5 : -0.5) / max(1e-9, most * span)
            for (index, slot) in columns.range.enumerated() {
                for term in columns.energy[index] {
                    home.model.addCost(term.column, term.factor * lean * Double(grid.edges[slot] - begin))
                }
            }
            if case .energy(let need) = load.need { fill(need, columns, &home.model) }
        }
    }

    /// A slot inside a run is used whole, at the least power or more: otherwise a pause would be hidden in it.
    private func fill(_ need: EnergyNeed, _ columns: LoadColumns, _ model: inout LinearModel) {
        for (index, slot) in columns.range.enumerated() {
            guard let on = columns.on[index] else { return }
            let hours = grid.hours[slot]
            let little = Self.leastShare * need.powerMax * hours
            model.row(columns.energy[index] + [LinearModel.Term(on, -little)], 0)
            guard index > 0, index + 1 < columns.on.count, let before = columns.on[index - 1],
                let after = columns.on[index + 1], need.powerMin > 0, need.partialSlots != .any
            else { continue }
            let whole = need.powerMin * hours
            model.row(columns.energy[index] + [before, on, after].map { LinearModel.Term($0, -whole) }, -2 * whole)
        }
    }
}
