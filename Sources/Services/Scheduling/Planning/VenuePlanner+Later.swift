internal import EnergyModel
internal import EnergyPlanning

/// Each goal counts by itself: what is missed by the time of one is caught up for later ones as far as they need it.
extension VenuePlanner {
    /// - Returns: the tasks with what they reach of their goals, and with the later ones; `nil` if none has to catch up.
    func caughtUp(_ tasks: [ChargeTask], _ answer: Answer) -> [ChargeTask]? {
        var caught = tasks
        var isAny = false
        for (index, plan) in answer.plans.enumerated() where tasks[index].kept == nil {
            isAny = caught[index].catchUp(plan, answer.shortfalls[index]) || isAny
        }
        return isAny ? caught : nil
    }
}

extension ChargeTask {
    /// - Returns: whether a later goal has something to catch up.
    fileprivate mutating func catchUp(_ plan: DevicePlan, _ shortfall: Shortfall?) -> Bool {
        let open = later.filter { $0.energy - plan.energy(until: $0.by) > second }
        guard !open.isEmpty else { return false }
        // Those that ask for less than what is missed before them are planned for what that leaves of it.
        func isPassed(_ goal: (by: Timestamp, energy: Energy)) -> Bool {
            open.contains { $0.by > goal.by && $0.energy <= goal.energy }
        }
        let passed = goals.filter(isPassed)
        let lacks = passed.map { (by: $0.by, energy: $0.energy - plan.energy(until: $0.by)) }
        missed = (lacks.filter { $0.energy > second }, shortfall)
        let reached = passed.map { goal in
            // What is reached but for a rounding is not missing.
            (goal.by, min(goal.energy, max(.zero, plan.energy(until: goal.by) - Energy(milliwattHours: 10))))
        }
        let others = goals.filter { !isPassed($0) }
        goals = []
        for goal in (reached + open + others).sorted(by: { $0.0 < $1.0 }) where goal.1 > goals.last?.energy ?? .zero {
            goals.append((by: goal.0, energy: goal.1))
        }
        if let urgent { self.urgent = (min(urgent.energy, required), urgent.reason) }
        return true
    }
}
