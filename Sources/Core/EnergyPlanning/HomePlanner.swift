public import EnergyModel

/// Finds the best plan for a whole home.
///
/// Each load is planned by itself first, with a method that is exact for its kind. If all of that fits into the limits
/// it is the optimum: no plan of all loads together can cost less than the sum of what each costs alone. Only when loads
/// are in each other's way, or share what photovoltaics and a battery give, are they solved together.
public struct HomePlanner: Sendable {
    private let solver: any PlanSolver

    /// - Parameter solver: for what has no closed method.
    public init(solver: any PlanSolver) { self.solver = solver }

    /// - Throws: ``EnergyError`` `.invalidInput` if the problem contradicts itself so that there is no plan at all,
    ///   `.unavailable` if none was found in time.
    public func plan(_ problem: PlanProblem) throws(EnergyError) -> HomePlan {
        guard !problem.slots.isEmpty else { throw EnergyError(.invalidInput, "a plan needs at least one slot") }
        let work = PlanWork(problem)
        if let decisions = try separate(work) {
            return PlanAssembly(work: work, decisions: decisions, notes: []).plan(method: .separate)
        }
        if let answer = TogetherPlanner(work: work).plan() {
            return PlanAssembly(work: work, decisions: answer.decisions, notes: []).plan(
                method: .together, isOptimal: answer.gap == 0, gap: answer.gap)
        }
        let (decisions, solution, notes) = try joint(work)
        return PlanAssembly(work: work, decisions: decisions, notes: notes).plan(
            method: .joint, isOptimal: solution.status == .optimal,
            gap: solution.status == .optimal ? 0 : max(0, solution.cost - solution.bound))
    }

    // MARK: Each by itself

    /// - Returns: `nil` if the loads' own optima do not fit together, or may not be looked for one by one.
    private func separate(_ work: PlanWork) throws(EnergyError) -> PlanDecisions? {
        guard work.isSeparable else { return nil }
        var decisions = PlanDecisions(work.grid, work.rows)
        for index in work.problem.loads.indices {
            if let decision = SoloPlanner(work: work).plan(index) {
                decisions.loads.append(decision)
                continue
            }
            // On the grid of all loads, so that what is cut stays the same.
            let part = work.restricted(to: index)
            let (found, solution, notes) = try joint(part)
            guard solution.status == .optimal, notes.isEmpty, let decision = found.loads.first else { return nil }
            decisions.loads.append(decision)
        }
        decisions.takeSurplus(work.grid)
        return work.fits(decisions) ? decisions : nil
    }

    // MARK: All together

    private func joint(
        _ work: PlanWork
    ) throws(EnergyError) -> (PlanDecisions, LinearSolution, [String]) {
        var (work, notes) = (work, [String]())
        var home = work.model()
        var solution = solveInOrder(&home, work)
        if solution.status == .infeasible, work.dropPreconditions() {
            notes.append("There is no room for preconditioning; it is left out.")
            home = work.model()
            solution = solveInOrder(&home, work)
        }
        if solution.status == .infeasible, work.dropBlocks() {
            home = work.model()
            solution = solveInOrder(&home, work)
        }
        switch solution.status {
        case .optimal, .feasible: break
        case .infeasible:
            throw EnergyError(
                .invalidInput,
                "no plan keeps all limits, whatever the loads do: look at the export limit and at what runs anyway")
        case .unknown: throw EnergyError(.unavailable, "found no plan within \(work.problem.timeLimit)")
        }
        let decisions = PlanDecisions(home, solution.values, work)
        if work.hasCourseBlocks,
            zip(decisions.loads, work.problem.loads).contains(where: { $0.isLeftOut && $1.isBlock }),
            work.dropBlocks()
        {
            // The whole block fits nowhere; a part of it may.
            return try joint(work)
        }
        // Where something is missing, a part of a block may leave room for more than the whole.
        let isShort = home.needs.contains { $0.missing.contains { solution.values[$0.column] * $0.weight > 1e-6 } }
        if isShort, work.dropBlocks(anywhere: false) {
            let parts = try joint(work)
            return (parts.0, parts.1, notes + parts.2)
        }
        return (decisions, solution, notes)
    }

    /// What is missing comes before any cost, and loads of a higher priority before others.
    private func solveInOrder(_ home: inout HomeModel, _ work: PlanWork) -> LinearSolution {
        let needs = home.needs
        let all = needs.flatMap(\.missing)
        // More than anything that a missing kWh could save.
        let starts = work.problem.loads.map(\.shape.startCost).max() ?? 0
        let peak = (work.problem.limits.demandCharge?.price ?? 0) * work.problem.objective.money
        let stored = work.problem.batteries.map { $0.endValue + $0.wear }.max() ?? 0
        let prices = (work.grid.importWeight + work.grid.exportWeight).map(abs).max() ?? 1
        let worth = 1000 * max(0.01, prices, starts, peak, stored * work.problem.objective.money)
        let priorities = Set(needs.filter { !$0.missing.isEmpty }.map(\.priority)).sorted(by: >)
        // Nearly always nothing is missing, and then one solution is enough.
        var first = home.model
        for (column, weight) in all { first.addCost(column, worth * weight) }
        let solution = solver.solve(first, timeLimit: work.problem.timeLimit)
        guard solution.status == .optimal || solution.status == .feasible else { return solution }
        let lacks = all.contains { solution.values[$0.column] * $0.weight > 1e-6 }
        // With one priority for all, what is missing has been made small already.
        guard lacks, priorities.count > 1 || solution.status == .feasible else { return plain(solution, home.model) }

        var (model, isProven) = (home.model, true)
        model.clearCosts()
        for priority in priorities {
            let level = needs.filter { $0.priority == priority }.flatMap(\.missing)
            var phase = model
            for (column, weight) in level { phase.addCost(column, weight) }
            let least = solver.solve(phase, timeLimit: work.problem.timeLimit)
            guard least.status == .optimal || least.status == .feasible else {
                return unproven(plain(solution, home.model))
            }
            if least.status == .feasible { isProven = false }
            let sum = level.reduce(0) { $0 + $1.weight * least.values[$1.column] }
            let row = level.map { LinearModel.Term($0.column, $0.weight) }
            model.row(row, -.infinity, sum + 1e-9)
            home.model.row(row, -.infinity, sum + 1e-9)
        }
        let cheapest = solver.solve(home.model, timeLimit: work.problem.timeLimit)
        guard cheapest.status == .optimal || cheapest.status == .feasible else {
            return unproven(plain(solution, home.model))
        }
        return isProven ? cheapest : unproven(cheapest)
    }

    /// Without what missing energy was charged.
    private func plain(_ solution: LinearSolution, _ model: LinearModel) -> LinearSolution {
        var solution = solution
        let cost = zip(solution.values, model.costs).reduce(model.constant) { $0 + $1.0 * $1.1 }
        solution.bound -= solution.cost - cost
        solution.cost = cost
        return solution
    }

    private func unproven(_ solution: LinearSolution) -> LinearSolution {
        var solution = solution
        solution.status = .feasible
        return solution
    }
}
