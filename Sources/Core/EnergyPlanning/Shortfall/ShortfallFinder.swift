import EnergyModel

/// Says why a load cannot have all it needs, and what would help.
///
/// Who is to blame is found by leaving one thing after the other out until the load has what it needs: its ceilings, its
/// shape, the limits, the base load, the other loads. What would help is tried (``RemedyCheck``).
struct ShortfallFinder {
    let work: PlanWork
    let decisions: PlanDecisions
    let load: Int
    /// Whether no plan is better. Otherwise other loads may be in its way only because there was no time to move them.
    let isProven: Bool
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
            return comfortBlame(remedies(missing, goal: 0, work.problem.loads[load]))
        }
        let remedies = remedies(due.missing, goal: due.goal, due.load)
        if due.isPast { return (.window, [], remedies.window) }
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
        guard isProven else { return (.timeLimit, [], remedies.limit(limits, .running)) }
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

    // MARK: Buildings

    /// No closed method says what a building lacks: the home is planned without one thing after the other.
    private func comfortBlame(_ remedies: Remedies) -> Blame {
        func isComfortable(_ change: (inout PlanProblem) -> Void) -> Bool? {
            var problem = work.problem
            change(&problem)
            return check?.isEnough(for: work.problem.loads[load].name, in: problem)
        }
        func isAlone(_ problem: inout PlanProblem) { (problem.loads, problem.batteries) = ([problem.loads[load]], []) }
        let unknown: Blame = (.timeLimit, [], remedies.comfort)
        let isPossible = isComfortable {
            isAlone(&$0)
            $0.limits = PlanLimits()
        }
        guard let isPossible else { return unknown }
        guard isPossible else { return (.window, [], remedies.comfort) }
        let limits = ownLimits
        /// So that full power always fits.
        func raised(beside others: LackFinder.Others) -> [PlanChange] {
            let room = finder.capacity(work.problem, beside: others).min() ?? .infinity
            let power = work.problem.loads[load].powerMost - room
            return (power > 0 ? [.raise(limits, power: power.roundedUp)] : []) + remedies.comfort
        }
        guard let isAlonePossible = isComfortable(isAlone) else { return unknown }
        guard isAlonePossible else { return (.limit, names(limits), raised(beside: .nobody)) }
        let others = work.problem.loads.indices.filter { $0 != load && decisions.loads[$0].energy.contains { $0 > 0 } }
        guard isProven, let isExcluded = isComfortable({ $0.limits.exclusive = [] }) else { return unknown }
        if isExcluded {
            let excluders = others.filter(finder.excluders.contains).map { work.problem.loads[$0].name }
            return (.exclusion, excluders, [.beside(load: load, others: excluders)] + remedies.comfort)
        }
        return (.otherLoads, others.map { work.problem.loads[$0].name }, raised(beside: .running))
    }

    private func remedies(_ missing: Double, goal: Int, _ due: PlannedLoad) -> Remedies {
        Remedies(work: work, finder: finder, load: load, due: due, goal: goal, missing: missing)
    }

    /// The limits that the load is behind.
    private var ownLimits: [LimitReference] {
        LimitReference.all(work.problem).filter { limit in
            work.rows.contains { $0.loads[load] != nil && limit.isSource(of: $0, work.problem) }
        }
    }

    /// Rows of the limits.
    private func names(_ limits: [LimitReference]) -> [String] {
        work.rows.filter { row in
            row.loads[load] != nil && limits.contains { $0.isSource(of: row, work.problem) }
        }.map(\.name)
    }

    /// The limits without which the load would have what it needs: as few as that takes.
    private func binding(_ due: PlannedLoad, _ others: LackFinder.Others) -> [LimitReference] {
        var limits = ownLimits
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
    /// The goal's time is over when the plan begins.
    var isPast = false

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
            isPast = load.window == nil
            need.energyMax = need.goals[goal].energy
        }
        need.goals = [need.goals[goal]]
        load.need = .energy(need)
        self.load = load
    }
}
