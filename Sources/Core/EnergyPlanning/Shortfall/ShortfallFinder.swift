import EnergyModel

/// Says why a load cannot have all it needs, and what would help.
///
/// Who is to blame is found by leaving one thing after the other out until the load has what it needs: its ceilings, its
/// shape, the limits, the base load, the other loads. What would help is tried (``RemedyCheck``).
struct ShortfallFinder {
    let work: PlanWork
    let decisions: PlanDecisions
    let load: Int
    let check: RemedyCheck?

    private var grid: PlanGrid { work.grid }
    private var finder: LackFinder { LackFinder(work: work, decisions: decisions, load: load) }

    func find(_ missing: Double) -> Shortfall {
        let (cause, who, changes) = blame(missing)
        let lacks = work.missing(decisions)
        let helping = changes.filter { change in
            check?.helps(change, load: load, work.problem, lacking: lacks) ?? false
        }
        return Shortfall(
            cause: cause, who: who, remedies: helping.map { $0.text(work.problem) }, changes: helping)
    }

    private typealias Blame = (cause: Shortfall.Cause, who: [String], changes: [PlanChange])

    private func blame(_ missing: Double) -> Blame {
        guard let due = DueLoad(work, decisions, load) else {
            return (.window, [], remedies(missing, goal: 0, work.problem.loads[load]).comfort)
        }
        let remedies = remedies(due.missing, goal: due.goal, due.load)
        func lack(_ load: PlannedLoad, _ others: LackFinder.Others, _ problem: PlanProblem? = nil) -> Bool {
            finder.lack(load, problem ?? work.problem, beside: others) > 1e-6
        }
        var open = due.load
        (open.priceMax, open.carbonMax) = (nil, nil)
        if lack(open, .unlimited) {
            var free = open
            free.freeShape()
            return lack(free, .unlimited) ? (.window, [], remedies.window) : (.shape, [], remedies.shape)
        }
        if lack(due.load, .unlimited) {
            var cheap = due.load
            cheap.carbonMax = nil
            let isPrice = due.load.priceMax != nil && lack(cheap, .unlimited)
            return (isPrice ? .priceCeiling : .carbonCeiling, [], remedies.ceiling)
        }
        if lack(due.load, .nobody) {
            var idle = work.problem
            for slot in idle.slots.indices { idle.slots[slot].baseLoad = [0, 0, 0] }
            let isBase = !lack(due.load, .nobody, idle)
            let limits = binding(due.load, .nobody)
            let who = (isBase ? ["base load"] : []) + names(limits)
            return (isBase ? .baseLoad : .limit, who, remedies.limit(limits, .nobody, base: isBase))
        }
        let (limits, rivals) = rivals(due.load)
        if lack(due.load, .running) {
            return (.limit, names(limits) + rivals, remedies.limit(limits, .running))
        }
        if lack(due.load, .excluding) {
            let others = finder.excluders.filter { decisions.loads[$0].energy.contains { $0 > 0 } }
                .map { work.problem.loads[$0].name }
            return (.exclusion, others, remedies.exclusion(others))
        }
        return (.otherLoads, rivals, remedies.limit(limits, .running))
    }

    private func remedies(_ missing: Double, goal: Int, _ due: PlannedLoad) -> Remedies {
        Remedies(work: work, finder: finder, load: load, due: due, goal: goal, missing: missing)
    }

    /// Rows of the limits.
    private func names(_ limits: [LimitReference]) -> [String] {
        work.rows.filter { row in
            row.loads[load] != nil && limits.contains { $0.isSource(of: row, work.problem) }
        }.map(\.name)
    }

    /// The limits without which the load would have what it needs: as few as that takes.
    private func binding(_ due: PlannedLoad, _ others: LackFinder.Others) -> [LimitReference] {
        var limits = LimitReference.all(work.problem).filter { limit in
            work.rows.contains { $0.loads[load] != nil && limit.isSource(of: $0, work.problem) }
        }
        for limit in limits where limits.count > 1 {
            let fewer = limits.filter { $0 != limit }
            var raised = work.problem
            for other in fewer { other.raise(by: 1e6, &raised) }
            if finder.lack(due, raised, beside: others) <= 1e-6 { limits = fewer }
        }
        return limits
    }

    /// The limits that are full while the load could run, and the loads that fill them.
    private func rivals(_ due: PlannedLoad) -> (limits: [LimitReference], loads: [String]) {
        let limits = binding(due, .running)
        var names: [String] = []
        let range = grid.range(of: due)
        for row in work.rows where limits.contains(where: { $0.isSource(of: row, work.problem) }) {
            guard row.loads[load] != nil else { continue }
            for other in row.loads.keys.sorted() where other != load {
                let name = work.problem.loads[other].name
                if !names.contains(name), range.contains(where: { decisions.loads[other].running[$0] > 0 }) {
                    names.append(name)
                }
            }
        }
        return (limits, names)
    }
}

/// A load up to the first of its goals that it misses.
struct DueLoad {
    let load: PlannedLoad
    /// Which of its goals.
    let goal: Int
    /// kWh
    let missing: Double

    /// - Returns: `nil` for one with comfort.
    init?(_ work: PlanWork, _ decisions: PlanDecisions, _ index: Int) {
        var load = work.problem.loads[index]
        let taken = decisions.loads[index].energy
        guard case .energy(var need) = load.need else {
            guard case .profile = load.need else { return nil }
            (self.load, goal, missing) = (load, 0, work.missing(index, decisions.loads[index]))
            return
        }
        let ends = need.goals.indices.map { goal in
            goal == need.goals.count - 1 ? work.grid.count : work.grid.index(at: need.goals[goal].by.unixMilliseconds)
        }
        let lacks = zip(need.goals, ends).map { $0.energy - taken[..<$1].reduce(0, +) }
        goal = lacks.firstIndex { $0 > 1e-6 } ?? lacks.count - 1
        missing = max(0, lacks.last == nil ? 0 : lacks[goal])
        if goal < need.goals.count - 1, let slot = work.problem.slots.first {
            load.window = Interval(start: load.window?.start ?? slot.interval.start, end: need.goals[goal].by)
            need.energyMax = need.goals[goal].energy
        }
        need.goals = [need.goals[goal]]
        load.need = .energy(need)
        self.load = load
    }
}
