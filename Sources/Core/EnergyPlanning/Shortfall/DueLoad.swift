import EnergyModel

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
