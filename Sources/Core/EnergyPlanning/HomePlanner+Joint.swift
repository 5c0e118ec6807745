import EnergyModel

/// All loads and batteries together, as one model for the solver.
extension HomePlanner {
    /// What the solver found in its time.
    struct JointAnswer {
        var work: PlanWork
        var decisions: PlanDecisions?
        var isOptimal = false
        /// Whether no plan lacks less where it is not known to be the cheapest.
        var isLeast = false
        /// How much less the best plan could cost.
        var gap = Double.infinity
        /// No plan costs less, with what it lacks.
        var bound = -Double.infinity
        /// Nothing keeps all limits and preconditions.
        var isImpossible = false

        /// Without what its own search has proven: another one was not finished.
        func unproven(bound: Double) -> JointAnswer {
            var answer = self
            (answer.isOptimal, answer.gap, answer.bound) = (false, .infinity, bound)
            return answer
        }
    }

    /// - Parameter known: a plan that keeps all limits, if there is one: dearer ones need not be looked at.
    func joint(_ work: PlanWork, known: PlanDecisions? = nil, _ timer: PlanTimer) -> JointAnswer {
        let answer = solved(work, known: known.map { PlanWorth($0, work) }, timer)
        return alongTapers(work, after: answer, timer) ?? answer
    }

    /// The same with the curves of tapers in place of lines below them: lines that touch a curve from above are added where a
    /// plan takes more than it allows, until none does.
    ///
    /// - Source: Kelley, "The cutting-plane method for solving convex programs", 1960: what is taken in a slot is a concave
    ///   function of what was taken before.
    /// - Returns: `nil` where the plan meets no taper, or there was no time.
    private func alongTapers(_ work: PlanWork, after answer: JointAnswer, _ timer: PlanTimer) -> JointAnswer? {
        guard answer.isOptimal, let first = answer.decisions, work.meetsTaper(first) else { return nil }
        var work = work
        work.touchTapers()
        for _ in 0..<Self.taperRoundsMax {
            guard !timer.isUp else { return nil }
            var next = solved(work, timer)
            guard next.isOptimal, let decisions = next.decisions else { return nil }
            if !work.addTaperTouches(of: decisions) {
                next.work.dropTaperTouches()
                return next
            }
        }
        return nil
    }

    private static let taperRoundsMax = 30

    /// Of a plan's cost: what the same plan may cost more where it is found again, by roundings.
    private static let equalShare = 1e-6

    /// - Parameter known: of a plan.
    private func solved(_ work: PlanWork, known: PlanWorth? = nil, _ timer: PlanTimer) -> JointAnswer {
        var work = work
        // Batteries are looked at again.
        let solving = work.problem.batteries.isEmpty ? timer : timer.part(0.9)
        var home = work.model(timer)
        var (solution, bound) = solveInOrder(home, work, known: known, solving)
        if solution.status == .infeasible, known != nil {
            (solution, bound) = solveInOrder(home, work, solving)
        }
        if solution.status == .infeasible, work.dropBlocks() {
            home = work.model(timer)
            (solution, bound) = solveInOrder(home, work, solving)
        }
        switch solution.status {
        case .optimal, .feasible: break
        case .infeasible: return JointAnswer(work: work, isImpossible: true)
        case .unknown: return JointAnswer(work: work, bound: bound)
        }
        solution = BatteryRest(home: home, solver: solver, timer: timer).rested(solution)
        let decisions = PlanDecisions(home, solution.values, work)
        let answer = JointAnswer(
            work: work, decisions: decisions, isOptimal: solution.status == .optimal,
            gap: max(0, solution.cost - solution.bound), bound: bound)
        // The whole block fits nowhere; a part of it may.
        if work.dropBlocks(where: { decisions.loads[$0].isLeftOut }) {
            let parts = solved(work, timer)
            return parts.isOptimal || isBetter(parts, than: answer) ? parts : answer.unproven(bound: parts.bound)
        }
        // Where something is missing, a part of a block may leave room for more than the whole.
        let isShort = home.needs.contains { $0.missing.contains { solution.values[$0.column] * $0.weight > 1e-6 } }
        guard isShort else { return answer }
        guard !timer.isUp, work.dropBlocks() else { return answer }
        let parts = solved(work, timer)
        return parts.isOptimal || lacksLess(parts, than: answer) ? parts : answer.unproven(bound: parts.bound)
    }

    /// What no plan's objective is below that lacks no more than `lack`: the relaxation of all loads together.
    func relaxed(_ work: PlanWork, lacking lack: Double, _ timer: PlanTimer) -> Double {
        // A part of a block may be planned where the whole fits nowhere, and is none of the block's starts.
        guard !work.problem.loads.contains(where: \.isBlock) else { return -.infinity }
        var home = work.model(timer)
        guard !home.isCut else { return -.infinity }
        let missing = home.needs.flatMap(\.missing).map { LinearModel.Term($0.column, $0.weight) }
        home.model.row(missing, -.infinity, lack + 1e-6)
        home.model.makeContinuous()
        let solution = solver.solve(home.model, timeLimit: timer.left)
        return solution.status == .optimal ? solution.bound : -.infinity
    }

    private func lacksLess(_ answer: JointAnswer, than other: JointAnswer) -> Bool {
        guard let own = answer.decisions, let others = other.decisions else { return false }
        return PlanWorth(own, answer.work).lacksLess(than: PlanWorth(others, other.work))
    }

    private func isBetter(_ answer: JointAnswer, than other: JointAnswer) -> Bool {
        guard let own = answer.decisions, let others = other.decisions else { return false }
        return PlanWorth(own, answer.work).isBetter(than: PlanWorth(others, other.work))
    }

    /// What is missing comes before any cost, and loads of a higher priority before others.
    ///
    /// - Parameter known: of a plan: dearer ones are not looked at.
    /// - Returns: what was found, and what no plan costs less than with what it lacks.
    private func solveInOrder(
        _ home: HomeModel, _ work: PlanWork, known: PlanWorth? = nil, _ timer: PlanTimer
    ) -> (LinearSolution, bound: Double) {
        guard !home.isCut else { return (.nothing, -.infinity) }
        let needs = home.needs
        let all = needs.flatMap(\.missing)
        let worth = work.penalty
        let priorities = Set(needs.filter { !$0.missing.isEmpty }.map(\.priority)).sorted(by: >)
        let levels = priorities.map { priority in needs.filter { $0.priority == priority }.flatMap(\.missing) }
        if home.peak != nil, known?.lacks ?? true, let plan = inOrder(home, levels, timer) {
            // No part of the range of peaks shows by itself what is missing whatever the peak is: each would be decided.
            return (plan, sum(all, plan) > 1e-6 ? -.infinity : plan.bound)
        }
        // Nearly always nothing is missing, and then one solution is enough.
        var first = home.model
        for (column, weight) in all { first.addCost(column, worth * weight) }
        if let known { first.costMost = known.total + Self.equalShare * max(1, abs(known.total)) }
        // Where it is not, they are looked at one level after the other.
        let isInOrder = levels.count > 1 && known?.lacks ?? false
        let solution = solve(first, home, isInOrder ? timer.part(0.4) : timer)
        let bound = solution.bound
        guard solution.status == .optimal || solution.status == .feasible else { return (solution, bound) }
        let lacks = all.contains { solution.values[$0.column] * $0.weight > 1e-6 }
        guard lacks else { return (plain(solution, home.model), bound) }
        // With one priority for all, what is missing is nearly always the least already.
        if levels.count == 1, solution.status == .optimal, lacksLeast(solution, home, all, timer) {
            return (plain(solution, home.model), bound)
        }
        let known = unproven(plain(solution, home.model))
        guard let plan = inOrder(home, levels, known: known, timer) else { return (known, bound) }
        // In too little time it may be the worse one.
        return (plan.status == .optimal || !isBetter(known, than: plan, levels) ? plan : known, bound)
    }

    /// - Parameter model: of the home, perhaps with other costs and more rows.
    private func solve(_ model: LinearModel, _ home: HomeModel, _ timer: PlanTimer) -> LinearSolution {
        guard let peak = home.peak else {
            return StepSearch(home: home, solver: solver, timer: timer).solve(model)
        }
        return PeakSearch(home: home, peak: peak, solver: solver, timer: timer).solve(model)
    }

    /// Whether no plan has less missing, at whatever cost.
    private func lacksLeast(
        _ solution: LinearSolution, _ home: HomeModel, _ missing: [(column: Int, weight: Double)], _ timer: PlanTimer
    ) -> Bool {
        let found = sum(missing, solution)
        let least = least(missing, in: home.model, most: found, timer)
        return least.status == .optimal && found <= least.bound + 1e-6
    }

    /// What is missing at least, whatever that costs.
    ///
    /// - Parameter most: what is known to be possible.
    private func least(
        _ missing: [(column: Int, weight: Double)], in model: LinearModel, most: Double = .infinity, _ timer: PlanTimer
    ) -> LinearSolution {
        var model = model
        model.clearCosts()
        for (column, weight) in missing { model.addCost(column, weight) }
        model.costMost = most + Self.equalShare * max(1, most)
        return solver.solve(model, timeLimit: timer.left)
    }

    /// kWh. What is found to be missing may be less than what is possible, by the solver's tolerance.
    private static let missingTolerances = [1e-9, 1e-7, 1e-6]

    /// The cheapest plan of those that miss least, one level after the other; `nil` if that was not found.
    ///
    /// - Parameter known: a plan: as long as it misses no more than the least, nothing worse need be looked at.
    private func inOrder(
        _ home: HomeModel, _ levels: [[(column: Int, weight: Double)]], known: LinearSolution? = nil, _ timer: PlanTimer
    ) -> LinearSolution? {
        for tolerance in Self.missingTolerances {
            if let plan = inOrder(home, levels, tolerance, known: known, timer) { return plan }
        }
        return nil
    }

    private func inOrder(
        _ home: HomeModel, _ levels: [[(column: Int, weight: Double)]], _ tolerance: Double, known: LinearSolution?,
        _ timer: PlanTimer
    ) -> LinearSolution? {
        var (kept, isProven, isLeast) = (home.model, true, true)
        for level in levels {
            let worth = known.map { sum(level, $0) } ?? .infinity
            let least = least(level, in: kept, most: isLeast ? worth : .infinity, timer)
            guard least.status == .optimal || least.status == .feasible else { return nil }
            if least.status == .feasible { isProven = false }
            let most = sum(level, least) + tolerance
            isLeast = isLeast && worth <= most
            let row = level.map { LinearModel.Term($0.column, $0.weight) }
            kept.row(row, -.infinity, most)
            for slots in home.leastSlots(level, atMost: most) { kept.row(slots.on, slots.least) }
        }
        if isLeast, let cost = known?.cost { kept.costMost = cost + Self.equalShare * max(1, abs(cost)) }
        let cheapest = solve(kept, home, timer)
        guard cheapest.status == .optimal || cheapest.status == .feasible else { return nil }
        return isProven ? cheapest : unproven(cheapest)
    }

    /// - Parameter levels: what is missing, the highest priority first.
    private func isBetter(
        _ solution: LinearSolution, than other: LinearSolution, _ levels: [[(column: Int, weight: Double)]]
    ) -> Bool {
        for level in levels {
            let less = sum(level, other) - sum(level, solution)
            if abs(less) > 1e-6 { return less > 0 }
        }
        return solution.cost < other.cost
    }

    private func sum(_ missing: [(column: Int, weight: Double)], _ solution: LinearSolution) -> Double {
        missing.reduce(0) { $0 + $1.weight * solution.values[$1.column] }
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
