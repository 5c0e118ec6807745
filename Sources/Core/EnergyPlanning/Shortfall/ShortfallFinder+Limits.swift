/// Limits, what runs anyway, and other loads.
extension ShortfallFinder {
    /// - Parameters:
    ///   - due: a load that lacks nothing without limits, or, if not `toEnough`, less.
    func limitBlame(_ due: PlannedLoad, _ remedies: Remedies, toEnough: Bool = true) -> Blame {
        var blame = limitBlame(due, remedies, enough: toEnough ? 1e-6 : lack(due, .unlimited) + 1e-6)
        // Without its rules for runs it would fit as it is.
        if !due.shape.isFree, blame.cause != .timeLimit, lack(due.withFreeShape, .excluding) <= 1e-6 {
            blame.also.append(.init(cause: .shape, who: [], isAnotherWay: true))
        }
        return blame
    }

    private func limitBlame(_ due: PlannedLoad, _ remedies: Remedies, enough: Double) -> Blame {
        if lack(due, .nobody) > enough {
            var idle = work.problem
            for slot in idle.slots.indices { idle.slots[slot].baseLoad = [0, 0, 0] }
            let isBase = lack(due, .nobody, idle) <= enough
            let limits = binding(due, .nobody, enough)
            return Blame(cause: isBase ? .baseLoad : .limit, who: (isBase ? ["base load"] : []) + names(limits)) {
                remedies.limit(limits, .nobody, base: isBase, enough)
            }
        }
        guard isProven else {
            if let proven = provenLimit {
                let limits = ownLimits.filter { $0 == proven.source }
                return Blame(cause: .limit, who: [proven.name], also: [.init(cause: .timeLimit, who: [])]) {
                    remedies.limit(limits, .running)
                }
            }
            return Blame(cause: .timeLimit) { remedies.limit(binding(due, .running), .running) }
        }
        let (limits, rivals) = rivals(due)
        let changes = { remedies.limit(limits, .running) }
        if lack(due, .running) > enough {
            return Blame(cause: .limit, who: names(limits) + strong(rivals), changes: changes)
        }
        if lack(due, .excluding) > enough {
            let others = runningExcluders
            return Blame(cause: .exclusion, who: others) { remedies.exclusion(others) }
        }
        // What nobody else takes its own rules leave out.
        guard !rivals.isEmpty else {
            return due.hasShape ? Blame(cause: .shape) { remedies.shape } : Blame(cause: .timeLimit, changes: changes)
        }
        return Blame(cause: .otherLoads, who: strong(rivals), changes: changes)
    }

    /// Of the loads by name those that do not come after this one, if there are any: others give way in any best plan.
    private func strong(_ rivals: [String]) -> [String] {
        let least = work.problem.loads[load].priority
        let strong = work.problem.loads.filter { $0.priority >= least && rivals.contains($0.name) }
        return strong.isEmpty ? rivals : rivals.filter { name in strong.contains { $0.name == name } }
    }

    /// The limit for which some of what is missing must be, in any plan.
    private var provenLimit: LimitRow? {
        guard let lackBound, lackBound.lack > 1e-6 else { return nil }
        let row = work.rows[lackBound.row]
        return row.loads[load] == nil ? nil : row
    }

    /// The limits that the load is behind.
    var ownLimits: [LimitReference] {
        LimitReference.all(work.problem).filter { limit in
            work.rows.contains { $0.loads[load] != nil && $0.source == limit }
        }
    }

    func names(_ limits: [LimitReference]) -> [String] {
        LimitReference.names(
            of: work.rows.filter { $0.loads[load] != nil && limits.contains($0.source) }, work.problem)
    }

    /// The limits without which the load would lack no more than `enough`: as few as that takes.
    func binding(
        _ due: PlannedLoad, _ others: LackFinder.Others, _ enough: Double = 1e-6
    ) -> [LimitReference] {
        var limits = ownLimits
        for limit in limits where limits.count > 1 {
            let fewer = limits.filter { $0 != limit }
            var raised = work.problem
            for other in fewer { other.raise(by: 1e6, &raised) }
            if lack(due, others, raised) <= enough { limits = fewer }
        }
        return limits
    }

    /// The limits that are in the way, and the loads that fill them where those matter.
    func crowd(_ due: PlannedLoad) -> [String] {
        let (limits, rivals) = rivals(due)
        return names(limits) + (lack(due, .nobody) < lack(due, .running) - 1e-6 ? strong(rivals) : [])
    }

    /// The limits that are full while the load could run, and the loads that fill them.
    private func rivals(_ due: PlannedLoad) -> (limits: [LimitReference], loads: [String]) {
        let limits = binding(due, .running)
        var names: [String] = []
        let range = grid.range(of: due)
        for row in work.rows where row.loads[load] != nil && limits.contains(row.source) {
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
