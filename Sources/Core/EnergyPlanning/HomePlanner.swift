public import EnergyModel

/// Finds the best plan for a whole home.
///
/// Each load is planned by itself first, with a method that is exact for its kind. If all of that fits into the limits
/// it is the optimum: no plan of all loads together can cost less than the sum of what each costs alone. Only when loads
/// are in each other's way, or share what photovoltaics and a battery give, are they solved together.
public struct HomePlanner: Sendable {
    private let solver: any PlanSolver

    private let timer: @Sendable (Duration) -> PlanTimer

    /// - Parameters:
    ///   - solver: for what has no closed method.
    ///   - clock: by which the time limit counts.
    public init(solver: any PlanSolver, clock: some Clock<Duration> = ContinuousClock()) {
        self.solver = solver
        timer = { PlanTimer(limit: $0, clock: clock) }
    }

    /// - Returns: the best plan, or the best that was found by the time limit.
    /// - Throws: ``EnergyError`` `.invalidInput` if the problem contradicts itself so that there is no plan at all,
    ///   `.unavailable` if none was found in time: only where batteries that rest break a limit.
    public func plan(_ problem: PlanProblem) throws(EnergyError) -> HomePlan {
        guard !problem.slots.isEmpty else { throw EnergyError(.invalidInput, "a plan needs at least one slot") }
        let timer = timer(problem.timeLimit)
        var found = try found(PlanWork(problem), timer)
        if found.mayTie {
            found.decisions = TieBreaker(work: found.work, timer: timer).broken(found.decisions, first: found.first)
        }
        let least = found.isLackProven ? nil : LackBound(found.work)
        // Explaining what is missing takes plans, too; who waits for this one should not wait much longer for that.
        let rest = timer.asLongAgain(orShare: 0.5)
        let check = RemedyCheck(tries: Self.triesMax, isUp: { rest.isUp }, lacks: { lacks($0, rest) })
        return PlanAssembly(
            work: found.work, decisions: found.decisions, notes: found.notes,
            isLackProven: found.isLackProven || least?.proves(found.decisions) == true, lackBound: least, check: check
        ).plan(method: found.method, isOptimal: found.isOptimal, gap: found.gap)
    }

    private static let triesMax = 100

    private struct Found {
        var work: PlanWork
        var decisions: PlanDecisions
        var method: HomePlan.Method
        /// How much less the best plan could cost.
        var gap = 0.0
        /// Whether no plan lacks less where the gap is not 0.
        var isLeast = false
        /// Whether another plan may lack less.
        var mayLackLess = false
        var notes: [String] = []
        /// From ``FirstPlanner``, if it was asked.
        var first: PlanDecisions?
        /// Whether another plan may be the same but for when it runs.
        var mayTie = true

        var isOptimal: Bool { gap < 1e-9 && !mayLackLess }
        var isLackProven: Bool { isOptimal || isLeast }
    }

    /// The best plan, without those preconditions for which somebody would lack something.
    ///
    /// - Parameter first: a plan from ``FirstPlanner``, if there is one already.
    private func found(
        _ work: PlanWork, _ timer: PlanTimer, first: PlanDecisions? = nil
    ) throws(EnergyError) -> Found {
        var found = try kept(work, timer, first: first)
        var loads = work.problem.loads
        let all = loads.indices.filter { loads[$0].isPreconditioned }.sorted {
            (loads[$0].priority, $0) < (loads[$1].priority, $1)
        }
        /// Takes the plan with other loads if it lacks less.
        func take(_ changed: [PlannedLoad]) throws(EnergyError) {
            guard changed != loads, !timer.isUp, PlanWorth(found.decisions, work).lack > 1e-6 else { return }
            var other = work
            other.problem.loads = changed
            let plan = try kept(other, timer)
            guard PlanWorth(plan.decisions, work).lacksLess(than: PlanWorth(found.decisions, work)) else { return }
            (found, loads) = (plan, changed)
        }
        func changed(_ indices: [Int], _ change: (inout PlannedLoad) -> Void) -> [PlannedLoad] {
            loads.indices.map { index in
                var load = loads[index]
                if indices.contains(index) { change(&load) }
                return load
            }
        }
        // One after the other, those that matter least first, and then all.
        for load in all { try take(changed([load]) { $0.beginInsideSlots() }) }
        for load in all { try take(changed([load]) { $0.dropPrecondition() }) }
        try take(changed(all) { $0.dropPrecondition() })
        let dropped = all.filter { !loads[$0].isPreconditioned }.map { loads[$0].name }
        if !dropped.isEmpty { found.notes.append(PlanWork.note(ofDropped: dropped)) }
        return found
    }

    /// The best plan that was found in time, with all preconditions for which there is any plan.
    private func kept(
        _ work: PlanWork, _ timer: PlanTimer, first: PlanDecisions? = nil
    ) throws(EnergyError) -> Found {
        if let (decisions, isExact) = try separate(work, timer.part(0.5)) {
            return Found(work: work, decisions: decisions, method: .separate, mayTie: !isExact)
        }
        if let answer = TogetherPlanner(work: work, timer: timer.part(0.8)).plan() {
            return Found(work: work, decisions: answer.decisions, method: .together, gap: answer.gap)
        }
        let first = first ?? FirstPlanner(work: work, timer: timer.part(0.5)).plan()
        var found = try chosen(try joint(work, timer.part(0.9)), or: first, work, timer)
        found.first = first
        return found
    }

    /// What is lacking in a plan that is found in the time that is left; `nil` if there is none.
    private func lacks(_ problem: PlanProblem, _ timer: PlanTimer) -> RemedyCheck.Lacks? {
        guard !timer.isUp else { return nil }
        let work = PlanWork(problem)
        let quick = FirstPlanner(work: work, timer: timer).plan()
        if let lacks = quick.map(work.missing), lacks.allSatisfy({ $0 < 1e-6 }) { return .init(values: lacks) }
        do throws(EnergyError) {
            let found = try found(work, timer, first: quick)
            return .init(values: found.work.missing(found.decisions), isProven: found.isLackProven)
        } catch { return nil }
    }

    /// The better of what the solver found and what was known before.
    private func chosen(
        _ joint: JointAnswer, or first: PlanDecisions?, _ work: PlanWork, _ timer: PlanTimer
    ) throws(EnergyError) -> Found {
        if let decisions = joint.decisions, joint.isOptimal {
            return Found(work: joint.work, decisions: decisions, method: .joint, notes: joint.notes)
        }
        let solved = joint.decisions.map { (worth: PlanWorth($0, work), decisions: $0) }
        let quick = first.map { (worth: PlanWorth($0, work), decisions: $0) }
        if let (worth, first) = quick, solved.map({ worth.isBetter(than: $0.worth) }) ?? true {
            return Found(
                work: work, decisions: first, method: .first, gap: gap(worth, joint.bound, work, timer),
                mayLackLess: worth.lacks)
        }
        guard let solved else {
            throw EnergyError(.unavailable, "found no plan within \(work.problem.timeLimit)")
        }
        let isOpen = solved.worth.lacks && !joint.isLeast
        let bounded = gap(solved.worth, joint.bound, work, timer)
        return Found(
            work: joint.work, decisions: solved.decisions, method: .joint,
            gap: isOpen ? bounded : max(0, min(joint.gap, bounded)), isLeast: joint.isLeast, mayLackLess: isOpen,
            notes: joint.notes)
    }

    /// In units of the objective: how much less a plan could cost that lacks no more.
    ///
    /// - Parameter bound: what no plan costs less than, with what it lacks.
    private func gap(_ worth: PlanWorth, _ bound: Double, _ work: PlanWork, _ timer: PlanTimer) -> Double {
        let plan = PlanBound(work: work)
        let least =
            !worth.lacks
            ? max(bound, plan.value(below: worth.total, timer)) : plan.objective(lacking: worth.lack)
        return max(0, worth.objective - least)
    }

    // MARK: Each by itself

    /// - Returns: `nil` if the loads' own optima do not fit together, or may not be looked for one by one; and whether all
    ///   are from closed methods, which choose among equals themselves.
    private func separate(
        _ work: PlanWork, _ timer: PlanTimer
    ) throws(EnergyError) -> (decisions: PlanDecisions, isExact: Bool)? {
        guard work.isSeparable else { return nil }
        var (decisions, isExact) = (PlanDecisions(work.grid, work.rows), true)
        for index in work.problem.loads.indices {
            guard !timer.isUp else { return nil }
            if let decision = SoloPlanner(work: work).plan(index) {
                decisions.loads.append(decision)
                continue
            }
            // On the grid of all loads, so that what is cut stays the same.
            let found = try joint(work.restricted(to: index), timer)
            guard found.isOptimal, found.notes.isEmpty, let decision = found.decisions?.loads.first else { return nil }
            decisions.loads.append(decision)
            isExact = false
        }
        decisions.takeSurplus(work.grid)
        return work.fits(decisions) ? (decisions, isExact) : nil
    }

    // MARK: All together

    /// What the solver found in its time.
    private struct JointAnswer {
        var work: PlanWork
        var decisions: PlanDecisions?
        var isOptimal = false
        /// Whether no plan lacks less where it is not known to be the cheapest.
        var isLeast = false
        /// How much less the best plan could cost.
        var gap = Double.infinity
        /// No plan costs less, with what it lacks.
        var bound = -Double.infinity
        var notes: [String] = []
    }

    private func joint(_ work: PlanWork, _ timer: PlanTimer) throws(EnergyError) -> JointAnswer {
        var (work, notes) = (work, [String]())
        // Batteries are looked at again.
        let solving = work.problem.batteries.isEmpty ? timer : timer.part(0.9)
        var home = work.model(timer)
        var (solution, bound) = solveInOrder(home, work, solving)
        while solution.status == .infeasible, let names = work.loosenPreconditions() {
            if !names.isEmpty { notes.append(PlanWork.note(ofDropped: names)) }
            home = work.model(timer)
            (solution, bound) = solveInOrder(home, work, solving)
        }
        if solution.status == .infeasible, work.dropBlocks() {
            home = work.model(timer)
            (solution, bound) = solveInOrder(home, work, solving)
        }
        switch solution.status {
        case .optimal, .feasible: break
        case .infeasible:
            throw EnergyError(
                .invalidInput,
                "no plan keeps all limits, whatever the loads do: look at the export limit and at what runs anyway")
        case .unknown: return JointAnswer(work: work, bound: bound)
        }
        solution = BatteryRest(home: home, solver: solver, timer: timer).rested(solution)
        let decisions = PlanDecisions(home, solution.values, work)
        // The whole block fits nowhere; a part of it may.
        if work.dropBlocks(where: { decisions.loads[$0].isLeftOut }) { return try joint(work, timer) }
        var answer = JointAnswer(
            work: work, decisions: decisions, isOptimal: solution.status == .optimal,
            gap: max(0, solution.cost - solution.bound), bound: bound, notes: notes)
        // Where something is missing, a part of a block may leave room for more than the whole.
        let isShort = home.needs.contains { $0.missing.contains { solution.values[$0.column] * $0.weight > 1e-6 } }
        guard isShort else { return answer }
        let loads = work.problem.loads
        guard work.dropBlocks(where: { !loads[$0].shape.startsAnywhere }) else { return try splitting(answer, timer) }
        var parts = try joint(work, timer)
        if parts.isOptimal || lacksLess(parts, than: answer) {
            parts.notes = notes + parts.notes
            return parts
        }
        (answer.isOptimal, answer.gap, answer.bound) = (false, .infinity, parts.bound)
        return answer
    }

    /// Where blocks that begin between the edges of slots leave too little, parts of them may leave more. Such a part begins
    /// at the edge of a slot, so that a block that is whole may cost more than it must.
    private func splitting(_ answer: JointAnswer, _ timer: PlanTimer) throws(EnergyError) -> JointAnswer {
        var work = answer.work
        guard !timer.isUp, work.dropBlocks() else { return answer }
        var parts = try joint(work, timer)
        guard lacksLess(parts, than: answer) else { return answer }
        parts.notes = answer.notes + parts.notes
        let hasWhole = zip(answer.work.problem.loads, parts.decisions?.loads ?? []).enumerated().contains {
            index, pair in
            pair.0.isBlock && answer.work.missing(index, pair.1) < 1e-6
        }
        if hasWhole {
            (parts.isLeast, parts.isOptimal) = (parts.isOptimal, false)
            (parts.gap, parts.bound) = (.infinity, -.infinity)
        }
        return parts
    }

    private func lacksLess(_ answer: JointAnswer, than other: JointAnswer) -> Bool {
        guard let own = answer.decisions, let others = other.decisions else { return false }
        return PlanWorth(own, answer.work).lacksLess(than: PlanWorth(others, other.work))
    }

    /// What is missing comes before any cost, and loads of a higher priority before others.
    ///
    /// - Returns: what was found, and what no plan costs less than with what it lacks.
    private func solveInOrder(
        _ home: HomeModel, _ work: PlanWork, _ timer: PlanTimer
    ) -> (LinearSolution, bound: Double) {
        guard !home.isCut else { return (.nothing, -.infinity) }
        let needs = home.needs
        let all = needs.flatMap(\.missing)
        let worth = work.penalty
        let priorities = Set(needs.filter { !$0.missing.isEmpty }.map(\.priority)).sorted(by: >)
        // Nearly always nothing is missing, and then one solution is enough.
        var first = home.model
        for (column, weight) in all { first.addCost(column, worth * weight) }
        let solution = solver.solve(first, timeLimit: timer.left)
        let bound = solution.bound
        guard solution.status == .optimal || solution.status == .feasible else { return (solution, bound) }
        let lacks = all.contains { solution.values[$0.column] * $0.weight > 1e-6 }
        // With one priority for all, what is missing has been made small already.
        guard lacks, priorities.count > 1 || solution.status == .feasible else {
            return (plain(solution, home.model), bound)
        }

        let levels = priorities.map { priority in needs.filter { $0.priority == priority }.flatMap(\.missing) }
        for tolerance in Self.missingTolerances {
            if let plan = inOrder(home.model, levels, tolerance, timer) { return (plan, bound) }
        }
        return (unproven(plain(solution, home.model)), bound)
    }

    /// kWh. What is found to be missing may be less than what is possible, by the solver's tolerance.
    private static let missingTolerances = [1e-9, 1e-7]

    /// The cheapest plan of those that miss least, one level after the other; `nil` if that was not found.
    private func inOrder(
        _ home: LinearModel, _ levels: [[(column: Int, weight: Double)]], _ tolerance: Double, _ timer: PlanTimer
    ) -> LinearSolution? {
        var (home, model, isProven) = (home, home, true)
        model.clearCosts()
        for level in levels {
            var phase = model
            for (column, weight) in level { phase.addCost(column, weight) }
            let least = solver.solve(phase, timeLimit: timer.left)
            guard least.status == .optimal || least.status == .feasible else { return nil }
            if least.status == .feasible { isProven = false }
            let sum = level.reduce(0) { $0 + $1.weight * least.values[$1.column] }
            let row = level.map { LinearModel.Term($0.column, $0.weight) }
            model.row(row, -.infinity, sum + tolerance)
            home.row(row, -.infinity, sum + tolerance)
        }
        let cheapest = solver.solve(home, timeLimit: timer.left)
        guard cheapest.status == .optimal || cheapest.status == .feasible else { return nil }
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
