public import EnergyModel

/// Finds the best plan for a whole home.
///
/// Each load is planned by itself first, with a method that is exact for its kind. If all of that fits into the limits
/// it is the optimum: no plan of all loads together can cost less than the sum of what each costs alone. Only when loads
/// are in each other's way, or share what photovoltaics and a battery give, are they solved together.
public struct HomePlanner: Sendable {
    let solver: any PlanSolver

    private let timer: @Sendable (Duration) -> PlanTimer

    /// - Parameters:
    ///   - solver: for what has no closed method.
    ///   - clock: by which the time limit counts.
    public init(solver: any PlanSolver, clock: any Clock<Duration> = ContinuousClock()) {
        self.solver = solver
        timer = { PlanTimer(limit: $0, clock: clock) }
    }

    /// - Returns: the best plan, or the best that was found by the time limit.
    /// - Throws: ``EnergyError`` `.invalidInput` if the problem contradicts itself so that there is no plan at all,
    ///   `.unavailable` if none was found in time: only where batteries that rest break a limit.
    public func plan(_ problem: PlanProblem) throws(EnergyError) -> HomePlan {
        guard !problem.slots.isEmpty else { throw EnergyError(.invalidInput, "a plan needs at least one slot") }
        let timer = timer(problem.timeLimit)
        let work = PlanWork(problem)
        let byMinute = work.byMinute
        var found = settled(try found(byMinute ?? work, timer), timer)
        found.work.grid = work.grid
        let least = found.isLackProven ? nil : LackBound(found.work)
        // Explaining what is missing takes plans, too; who waits for this one should not wait much longer for that.
        let rest = timer.asLongAgain(orShare: 0.5)
        let check = RemedyCheck(
            tries: Self.triesMax, isUp: { rest.isUp },
            excludes: { RemedyBound(solver: solver, timer: rest).excludes($1, $0, lacking: $2) },
            lacks: { lacks($0, rest.part(Self.tryShare), isQuick: Self.isLarge($0, beside: problem)) })
        return PlanAssembly(
            work: found.work, decisions: found.decisions, countsMinutes: byMinute != nil,
            notes: work.held(problem) + work.unpreconditioned(found.decisions),
            isLackProven: found.isLackProven || least?.proves(found.decisions) == true, lackBound: least, check: check
        ).plan(method: found.method, isOptimal: found.isOptimal, gap: found.gap)
    }

    private static let triesMax = 40
    /// Of the time that is left for explaining: one hard try leaves time for others.
    private static let tryShare = 0.25
    /// Slots x loads and batteries: with more, shorter slots are tried with ``FirstPlanner`` only.
    private static let cutMost = 100

    /// Whether a problem has many more slots than another.
    private static func isLarge(_ problem: PlanProblem, beside other: PlanProblem) -> Bool {
        problem.slots.count > other.slots.count + 1
            && problem.slots.count * (problem.loads.count + problem.batteries.count) > cutMost
    }

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
        /// From ``FirstPlanner``, if it was asked.
        var first: PlanDecisions?
        /// Whether another plan may be the same but for when it runs.
        var mayTie = true

        var isOptimal: Bool { gap < 1e-9 && !mayLackLess }
        var isLackProven: Bool { isOptimal || isLeast }
    }

    /// The best plan. Needs come before preconditions: where somebody lacks something for them, or there is no plan at all, as
    /// many are kept as can be without, from the highest priority down.
    ///
    /// - Parameter first: a plan from ``FirstPlanner``, if there is one already.
    private func found(
        _ work: PlanWork, _ timer: PlanTimer, first: PlanDecisions? = nil
    ) throws(EnergyError) -> Found {
        let all = try kept(work, timer, first: first)
        let wishes = work.problem.loads.indices.filter { work.problem.loads[$0].isPreconditioned }.sorted {
            (-work.problem.loads[$0].priority, $0) < (-work.problem.loads[$1].priority, $1)
        }
        func worth(_ found: Found) -> PlanWorth { PlanWorth(found.decisions, work) }
        if let all, wishes.isEmpty || timer.isUp || worth(all).lack <= 1e-6 { return all }
        var loosened = work
        for load in wishes { loosened.problem.loads[load].dropPrecondition() }
        guard !wishes.isEmpty, var best = try kept(loosened, timer) else { throw work.noPlan }
        let least = worth(best)
        if let all, !least.lacksLess(than: worth(all)) { return all }
        for load in wishes {
            let asked = work.problem.loads[load]
            var inside = asked
            inside.beginInsideSlots()
            for wish in asked == inside ? [asked] : [asked, inside] where !timer.isUp {
                var other = loosened
                other.problem.loads[load] = wish
                // What takes too long is left out.
                guard let found = try? kept(other, timer), !least.lacksLess(than: worth(found)) else { continue }
                (best, loosened) = (found, other)
                break
            }
        }
        return best
    }

    /// The best plan that was found in time, with all that is asked for; `nil` if there is none.
    private func kept(
        _ work: PlanWork, _ timer: PlanTimer, first: PlanDecisions? = nil
    ) throws(EnergyError) -> Found? {
        if let (decisions, isExact) = separate(work, timer.part(0.5)) {
            return Found(work: work, decisions: decisions, method: .separate, mayTie: !isExact)
        }
        if let answer = TogetherPlanner(work: work, timer: timer.part(0.8)).plan() {
            return Found(
                work: work, decisions: answer.decisions, method: .together, gap: answer.gap, mayTie: answer.gap > 0)
        }
        var first = first ?? FirstPlanner(work: work, timer: timer.part(0.5), solver: solver).plan()
        let bound = nearRanges(work, &first, timer.part(0.5))
        let share = PartPlanner.share(beside: work)
        var joint = joint(work, known: first, timer.part(share ?? 0.9))
        joint.bound = max(joint.bound, bound)
        guard !joint.isImpossible else { return nil }
        if share != nil, !joint.isOptimal { improve(&joint, or: first, work, timer.part(0.85)) }
        var found = try chosen(joint, or: first, work, timer)
        found.first = first
        return found
    }

    /// What is lacking in a plan that is found in the time that is left; `nil` if there is none.
    private func lacks(_ problem: PlanProblem, _ timer: PlanTimer, isQuick: Bool) -> RemedyCheck.Lacks? {
        guard !timer.isUp else { return nil }
        let work = PlanWork(problem)
        let quick = FirstPlanner(work: work, timer: timer, solver: solver).plan()
        if let lacks = quick.map(work.missing), lacks.allSatisfy({ $0 < 1e-6 }) { return .init(values: lacks) }
        guard !isQuick else { return quick.map { .init(values: work.lacks($0), isProven: false) } }
        do throws(EnergyError) {
            var found = try found(work, timer, first: quick)
            // Who lacks what others could lack as well is known only of the plan that would be told.
            if PlanWorth(found.decisions, found.work).lacks { found = settled(found, timer) }
            return .init(values: found.work.lacks(found.decisions), isProven: found.isLackProven)
        } catch { return nil }
    }

    /// The one of plans that cost the same that is told.
    private func settled(_ found: Found, _ timer: PlanTimer) -> Found {
        guard found.mayTie else { return found }
        // Nobody waits long for what costs the same.
        let breaker = TieBreaker(work: found.work, timer: timer.part(0.1).asLongAgain(orShare: 0.2), solver: solver)
        var found = found
        found.decisions = breaker.broken(found.decisions, first: found.first)
        return found
    }

    /// Puts a plan near one with any power in the ranges of loads in place of a worse one. That is found soon, and costs next
    /// to nothing less than the best one in steps.
    ///
    /// - Returns: what no plan costs less than, with what it lacks.
    private func nearRanges(_ work: PlanWork, _ first: inout PlanDecisions?, _ timer: PlanTimer) -> Double {
        guard let ranged = work.withoutSteps else { return -.infinity }
        let answer = joint(ranged, known: first, timer.part(0.8))
        guard let decisions = answer.decisions, answer.work.isLike(ranged),
            let near = FirstPlanner(work: work, timer: timer, solver: solver).plan(near: decisions)
        else { return answer.bound }
        first = work.better(near, than: first)
        return answer.bound
    }

    /// Puts what is found part by part in place of a plan that is not proven, from the better one of two.
    private func improve(
        _ joint: inout JointAnswer, or first: PlanDecisions?, _ work: PlanWork, _ timer: PlanTimer
    ) {
        var known = first
        if let solved = joint.decisions, joint.work.isLike(work) { known = work.better(solved, than: first) }
        guard let known else { return }
        let planner = PartPlanner(work: work, timer: timer) { part, known, timer in
            if let answer = TogetherPlanner(work: part, timer: timer).plan() { return answer.decisions }
            let answer = self.joint(part, known: known, timer)
            return answer.work.isLike(part) ? answer.decisions : nil
        }
        let found = planner.improved(known)
        guard PlanWorth(found, work).isBetter(than: PlanWorth(known, work)) else { return }
        (joint.work, joint.decisions, joint.gap, joint.isLeast) = (work, found, .infinity, false)
    }

    /// The better of what the solver found and what was known before.
    private func chosen(
        _ joint: JointAnswer, or first: PlanDecisions?, _ work: PlanWork, _ timer: PlanTimer
    ) throws(EnergyError) -> Found {
        if let decisions = joint.decisions, joint.isOptimal {
            return Found(work: joint.work, decisions: decisions, method: .joint)
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
            gap: isOpen ? bounded : max(0, min(joint.gap, bounded)), isLeast: joint.isLeast, mayLackLess: isOpen)
    }

    /// In units of the objective: how much less a plan could cost that lacks no more.
    ///
    /// - Parameter bound: what no plan costs less than, with what it lacks.
    private func gap(_ worth: PlanWorth, _ bound: Double, _ work: PlanWork, _ timer: PlanTimer) -> Double {
        let plan = PlanBound(work: work)
        let least =
            !worth.lacks
            ? max(bound, plan.value(below: worth.total, timer))
            : max(plan.objective(lacking: worth.lack), relaxed(work, lacking: worth.lack, timer))
        return max(0, worth.objective - least)
    }

    // MARK: Each by itself

    /// - Returns: `nil` if the loads' own optima do not fit together, or may not be looked for one by one; and whether all
    ///   are from closed methods, which choose among equals themselves.
    private func separate(
        _ work: PlanWork, _ timer: PlanTimer
    ) -> (decisions: PlanDecisions, isExact: Bool)? {
        guard work.areLoadsSeparable else { return nil }
        var (decisions, isExact) = (PlanDecisions(work.grid, work.rows), true)
        for index in work.problem.loads.indices {
            guard !timer.isUp else { return nil }
            if let decision = SoloPlanner(work: work, timer: timer).plan(index) {
                decisions.loads.append(decision)
                continue
            }
            // On the grid of all loads, so that what is cut stays the same.
            let found = joint(work.restricted(to: index), timer)
            guard found.isOptimal, let decision = found.decisions?.loads.first else { return nil }
            decisions.loads.append(decision)
            isExact = false
        }
        decisions.takeSurplus(work.grid)
        return work.fits(decisions) ? (decisions, isExact) : nil
    }
}
