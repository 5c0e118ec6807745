import EnergyModel

/// Of all plans that cost the same and lack no more, the one with the fewest starts, and then the earliest or latest energy, as
/// each load asks.
///
/// The home's model once more, its cost now a row.
struct TieModel {
    let work: PlanWork
    let solver: any PlanSolver
    let timer: PlanTimer

    /// So that a solver's tolerance for rows is little in kWh and units of the objective.
    private static let scale = 1000.0
    /// In thousandths of these: what the same may differ by.
    private static let tolerance = 1e-8
    /// Of the highest power, in a slot inside a run: next to nothing would hide a pause. What the known plan has in a slot is
    /// enough.
    private static let insideShare = 0.2

    private var grid: PlanGrid { work.grid }

    /// - Parameters:
    ///   - rank: only a better one is looked for.
    ///   - keepsBatteries: whether batteries do what they did. That takes less time; but each load then stays where they
    ///     happened to serve it.
    /// - Returns: `nil` if there is none, or none was found in time.
    func plan(
        like known: PlanDecisions, costing objective: Double, below rank: TieBreaker.Rank, keepsBatteries: Bool
    ) -> PlanDecisions? {
        var costed = work
        let uncounted = work.problem.loads.indices.filter { work.problem.loads[$0].shape.startCost == 0 }
        for load in uncounted { costed.problem.loads[load].shape.startCost = 1 }
        var home = costed.model(timer)
        guard !home.isCut, !timer.isUp else { return nil }
        for load in uncounted { for start in home.loads[load].anyStart { home.model.addCost(start, -1) } }
        var counted = home
        keep(known, objective, &counted)
        count(known, &counted)
        if keepsBatteries { keepBatteries(known, &counted) }
        counted.model.costMost = Double(rank.starts) + leanCost * Double(Int64.millisecondsPerHour) * rank.lean
        let solution = solver.solve(counted.model, timeLimit: timer.left)
        guard solution.status == .optimal || solution.status == .feasible else { return nil }
        return PlanDecisions(home, solution.values, work)
    }

    /// No plan that costs or lacks more.
    private func keep(_ known: PlanDecisions, _ objective: Double, _ home: inout HomeModel) {
        let model = home.model
        let costs = model.costs.enumerated().filter { $1 != 0 }.map { LinearModel.Term($0, Self.scale * $1) }
        home.model.row(costs, -.infinity, Self.scale * (objective - model.constant) + Self.tolerance)
        for (need, lack) in zip(home.needs, work.missing(known)) where !need.missing.isEmpty {
            home.model.row(
                need.missing.map { LinearModel.Term($0.column, Self.scale * $0.weight) }, -.infinity,
                Self.scale * lack + Self.tolerance)
        }
    }

    private func keepBatteries(_ known: PlanDecisions, _ home: inout HomeModel) {
        for (battery, columns) in home.batteries.enumerated() {
            for slot in 0..<grid.count {
                let (charge, discharge) = (known.charge[battery][slot], known.discharge[battery][slot])
                home.model.setBounds(columns.charge[slot], charge, charge)
                home.model.setBounds(columns.discharge[slot], discharge, discharge)
            }
        }
    }

    private func count(_ known: PlanDecisions, _ home: inout HomeModel) {
        home.model.clearCosts()
        let begin = grid.edges.first ?? 0
        for (index, columns) in home.loads.enumerated() {
            let load = work.problem.loads[index]
            for start in columns.anyStart { home.model.addCost(start, 1) }
            let lean = load.shape.ties == .earlier ? leanCost : -leanCost
            for (place, slot) in columns.range.enumerated() {
                for term in columns.energy[place] {
                    home.model.addCost(term.column, term.factor * lean * Double(grid.edges[slot] - begin))
                }
            }
            if case .energy(let need) = load.need { fill(need, columns, least(need, known.loads[index]), &home.model) }
        }
    }

    /// Of a kWh a millisecond later: all of it is worth less than a start.
    private var leanCost: Double {
        let span = Double((grid.edges.last ?? 0) - (grid.edges.first ?? 0))
        return 0.5 / max(1e-9, work.problem.loads.reduce(0) { $0 + $1.energyMost(grid) } * span)
    }

    /// kW that a slot inside a run has at least.
    private func least(_ need: EnergyNeed, _ known: LoadDecision) -> Double {
        if need.powerMin > 0, need.partialSlots != .any { return need.flowMin }
        let used = zip(known.energy, grid.hours).filter { $0.0 > 0 }.map { $0.0 / $0.1 }
        return min(Self.insideShare * need.powerMax, used.min() ?? .infinity)
    }

    /// A slot inside a run is used whole, or with what makes it a run: otherwise a pause would be hidden in it.
    ///
    /// - Parameter least: kW that a slot inside a run has at least.
    private func fill(_ need: EnergyNeed, _ columns: LoadColumns, _ least: Double, _ model: inout LinearModel) {
        for (index, slot) in columns.range.enumerated() {
            guard let on = columns.on[index] else { return }
            guard index > 0, index + 1 < columns.on.count, let before = columns.on[index - 1],
                let after = columns.on[index + 1]
            else { continue }
            let whole = least * grid.hours[slot]
            model.row(columns.energy[index] + [before, on, after].map { LinearModel.Term($0, -whole) }, -2 * whole)
        }
    }
}
