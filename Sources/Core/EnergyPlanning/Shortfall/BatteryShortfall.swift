import EnergyModel

/// What a battery lacks of its goals when they are due, and why.
struct BatteryShortfall {
    let work: PlanWork
    let decisions: PlanDecisions
    let battery: Int
    /// Whether no plan is better.
    let isProven: Bool
    let check: RemedyCheck?

    private var grid: PlanGrid { work.grid }
    private var traits: HomeBattery { work.problem.batteries[battery] }

    /// What must be stored when.
    private struct Due {
        var slots: Int
        /// kWh
        var energy: Double
        var missing: Double
        /// Of its goals, in order of time; `nil` at the end of the plan.
        var goal: Int?
    }

    /// The goal that lacks most; `nil` if nothing is missing.
    var worst: (missing: Double, shortfall: Shortfall)? {
        guard let worst = dues.max(by: { $0.missing < $1.missing }), worst.missing > 1e-6 else { return nil }
        return (worst.missing, shortfall(worst))
    }

    private var dues: [Due] {
        let stored = decisions.stored[battery]
        return (traits.dues(grid) + [(grid.count, traits.energyMin)]).enumerated().map { index, due in
            Due(
                slots: due.slots, energy: due.energy,
                missing: due.energy - (due.slots > 0 ? stored[due.slots - 1] : traits.initial),
                goal: index < traits.goals.count ? index : nil)
        }
    }

    /// Of each goal that is missed, and of what is missing most at the end.
    private var less: PlanChange? {
        let missed = dues.filter { $0.missing > 1e-6 }
        let last = missed.filter { $0.goal == nil }.max { $0.missing < $1.missing }
        let changes = (missed.filter { $0.goal != nil } + [last].compactMap(\.self)).map {
            PlanChange.batteryLess(battery: battery, goal: $0.goal, energy: $0.missing.roundedUp)
        }
        return changes.count > 1 ? .together(changes) : changes.first
    }

    private func shortfall(_ due: Due) -> Shortfall {
        let (cause, who, changes) = blame(due)
        // A change is worked out only as long as there is time to try it.
        let helping = check?.isOpen == true ? (changes() + [less].compactMap(\.self)).filter(helps) : []
        return Shortfall(cause: cause, who: who, remedies: helping.map { $0.text(work.problem) }, changes: helping)
    }

    private func blame(_ due: Due) -> (Shortfall.Cause, [String], () -> [PlanChange]) {
        if due.energy > traits.energyMax + 1e-9 { return (.capacity, [], { [] }) }
        if reachable(due.slots, within: []) < due.energy - 1e-6 { return (.window, [], { later(due) }) }
        let rows = work.rows.filter { $0.batteries[battery] != nil }
        let narrow = rows.filter { reachable(due.slots, within: [$0]) < due.energy - 1e-6 }
        if reachable(due.slots, within: rows) < due.energy - 1e-6 {
            let limits = narrow.isEmpty ? rows : narrow
            let names = LimitReference.names(of: limits, work.problem)
            guard reachable(due.slots, within: idle) < due.energy - 1e-6 else {
                return (.baseLoad, ["base load"] + names, { raise(limits, due) + lessBase(due) + later(due) })
            }
            return (.limit, names, { raise(limits, due) + later(due) })
        }
        guard isProven else { return (.timeLimit, [], { later(due) }) }
        let (others, members) = (rivals(due.slots, rows), excluders(due.slots))
        let beside = PlanChange.batteryBeside(battery: battery, others: members)
        guard members.isEmpty || !others.isEmpty && !helps(beside) else {
            return (.exclusion, members, { [beside] + later(due) })
        }
        return (.otherLoads, others, { raise(rows, due, beside: true) + later(due) })
    }

    private func helps(_ change: PlanChange) -> Bool {
        guard let check, check.isOpen else { return false }
        return check.helps(
            change, load: work.problem.loads.count + battery, work.problem, lacking: work.lacks(decisions))
    }

    /// Its limits as they would be if nothing ran anyway.
    private var idle: [LimitRow] {
        var problem = work.problem
        for slot in problem.slots.indices { problem.slots[slot].baseLoad = [0, 0, 0] }
        return LimitRow.rows(problem, PlanGrid(problem)).filter { $0.batteries[battery] != nil }
    }

    /// kWh that would be stored if it did nothing but charge, beside what runs anyway.
    private func reachable(_ slots: Int, within rows: [LimitRow]) -> Double {
        (0..<slots).reduce(traits.initial) { stored, slot in
            let power = rows.reduce(traits.chargeMax) { power, row in
                row.batteries[battery].map { min(power, row.room[slot] / $0) } ?? power
            }
            return stored + power * grid.hours[slot] * traits.chargeEfficiency
        }
    }

    // MARK: What may help

    private func later(_ due: Due) -> [PlanChange] {
        guard let goal = due.goal else { return [] }
        let hours = due.missing / max(1e-9, traits.chargeMax * traits.chargeEfficiency)
        let minutes = Int64(min(1e6, (hours * 60 - 1e-6).rounded(.up)))
        return [.batteryLater(battery: battery, goal: goal, milliseconds: minutes * 60_000)]
    }

    /// The limits raised by the least that is enough, or by what surely is where others are in the way.
    private func raise(_ rows: [LimitRow], _ due: Due, beside others: Bool = false) -> [PlanChange] {
        let problem = work.problem
        let limits = LimitReference.all(problem).filter { limit in rows.contains { $0.source == limit } }
        guard !limits.isEmpty else { return [] }
        if others { return [.raise(limits, power: traits.chargeMax.roundedUp)] }
        return least(due) { .raise(limits, power: $0) }
    }

    private func lessBase(_ due: Due) -> [PlanChange] { least(due) { .lessBaseLoad(power: $0) } }

    /// A change by the least kW that is enough when nothing else is in the way.
    private func least(_ due: Due, _ change: (Double) -> PlanChange) -> [PlanChange] {
        guard let check else { return [] }
        func suffices(_ power: Double) -> Bool {
            var changed = work.problem
            change(power).apply(to: &changed)
            let own = LimitRow.rows(changed, PlanGrid(changed)).filter { $0.batteries[battery] != nil }
            return reachable(due.slots, within: own) >= due.energy - 1e-6
        }
        let most = work.problem.mostPower(traits.chargeMax)
        return Remedies.least(most, { check.isOpen }, suffices).map { [change($0)] } ?? []
    }

    // MARK: Who is in the way

    private func rivals(_ slots: Int, _ rows: [LimitRow]) -> [String] {
        let loads = work.problem.loads.indices.filter { index in
            rows.contains { $0.loads[index] != nil } && decisions.loads[index].running[..<slots].contains { $0 > 0 }
        }
        return loads.map { work.problem.loads[$0].name }
    }

    /// Those of its groups that run in its time.
    private func excluders(_ slots: Int) -> [String] {
        let problem = work.problem
        let groups = problem.limits.exclusive.filter { $0.contains(traits.name) }
        func isRival(_ name: String) -> Bool { name != traits.name && groups.contains { $0.contains(name) } }
        let loads = problem.loads.indices.filter { index in
            isRival(problem.loads[index].name) && decisions.loads[index].running[..<slots].contains { $0 > 0 }
        }
        let others = problem.batteries.indices.filter { index in
            isRival(problem.batteries[index].name) && (0..<slots).contains { decisions.moves(index, $0) }
        }
        return loads.map { problem.loads[$0].name } + others.map { problem.batteries[$0].name }
    }
}
