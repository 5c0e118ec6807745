import EnergyModel

extension PlanWork {
    /// In units of the objective for each kWh that is missing: more than it could ever save.
    var penalty: Double {
        let starts = problem.loads.map(\.shape.startCost).max() ?? 0
        let peak = (problem.demandCharge?.price ?? 0) * problem.objective.money
        let stored = problem.batteries.map { $0.endValue + $0.wear }.max() ?? 0
        let prices = (grid.importWeight + grid.exportWeight).map(abs).max() ?? 1
        return 1000 * max(0.01, prices, starts, peak, stored * problem.objective.money)
    }

    /// One load by itself, beside what others have taken already.
    ///
    /// - Parameters:
    ///   - capacity: kW that it may draw in each cut slot.
    ///   - surplus: kW of photovoltaics that it may use.
    func beside(_ load: Int, capacity: [Double], surplus: [Double]) -> PlanWork {
        var grid = grid
        grid.surplus = surplus
        var alone = problem
        alone.loads = [problem.loads[load]]
        (alone.limits, alone.batteries) = (PlanLimits(), [])
        return PlanWork(problem: alone, grid: grid, rows: [], capacities: [capacity], members: [members[load]])
    }

    /// kWh that a load lacks when its goals are due, or kelvin-hours, as the model counts them.
    func missing(_ load: Int, _ decision: LoadDecision) -> Double {
        switch problem.loads[load].need {
        case .energy: return missedGoals(load, decision).reduce(0) { $0 + $1.lack }
        case .profile(let profile):
            guard decision.course == nil else { return 0 }
            return profile.steps.reduce(0) { $0 + $1.power * Double($1.milliseconds) / 3_600_000 }
        case .comfort(let need):
            return need.discomfort(decision.temperatures, isSetBack: decision.isSetBack, grid)
        }
    }

    /// The goals that a load misses, in order of time: which, until which slot each counts, and what it lacks then in kWh.
    func missedGoals(_ load: Int, _ decision: LoadDecision) -> [(goal: Int, end: Int, lack: Double)] {
        guard case .energy(let need) = problem.loads[load].need else { return [] }
        let rounding = rounding(load, decision)
        return need.goals.enumerated().compactMap { index, goal in
            let isLast = index == need.goals.count - 1
            let end = isLast ? grid.count : grid.index(at: goal.by.unixMilliseconds)
            let lack = goal.energy - decision.energy[..<end].reduce(0, +)
            return lack > rounding ? (index, end, lack) : nil
        }
    }

    /// kWh: what a solver, or a block that lasts for whole milliseconds, may leave out without lacking it.
    func rounding(_ load: Int, _ decision: LoadDecision) -> Double {
        guard decision.course != nil, case .energy(let need) = problem.loads[load].need else { return 1e-7 }
        return max(1e-7, need.powerMax / 3_600_000)
    }

    /// What a load pays beside what others have taken.
    ///
    /// - Parameter surplus: kW of photovoltaics that it may use.
    func cost(_ load: Int, _ decision: LoadDecision, surplus: [Double]) -> Double {
        var cost = problem.loads[load].shape.startCost * Double(starts(load, decision))
        for slot in 0..<grid.count where decision.energy[slot] > 0 {
            let own = min(decision.energy[slot], surplus[slot] * grid.hours[slot])
            cost += own * grid.surplusWeight(slot) + (decision.energy[slot] - own) * grid.importWeight[slot]
        }
        return cost
    }

    /// kWh that a battery lacks when its goals are due, and kWh x hours below its least, as the model counts them.
    func missing(_ battery: HomeBattery, _ stored: [Double]) -> Double {
        zip(stored, grid.hours).reduce(lack(battery, stored)) { $0 + belowLeast(battery, $1.0) * $1.1 }
    }

    private func belowLeast(_ battery: HomeBattery, _ stored: Double) -> Double {
        battery.initial < battery.energyMin ? max(0, battery.energyMin - stored) : 0
    }

    private func lack(_ battery: HomeBattery, _ stored: [Double]) -> Double {
        battery.dues(grid).reduce(0) { sum, due in
            let lack = due.slots > 0 ? due.energy - stored[due.slots - 1] : 0
            return lack > 1e-7 ? sum + lack : sum
        }
    }

    /// Of each load, then of each battery.
    func missing(_ decisions: PlanDecisions) -> [Double] {
        problem.loads.indices.map { missing($0, decisions.loads[$0]) }
            + zip(problem.batteries, decisions.stored).map { missing($0, $1) }
    }

    /// The same of what can be helped: one that begins below its least is below it for a while, whatever anybody does.
    func lacks(_ decisions: PlanDecisions) -> [Double] {
        problem.loads.indices.map { missing($0, decisions.loads[$0]) }
            + zip(problem.batteries, decisions.stored).map { battery, stored in
                lack(battery, stored) + belowLeast(battery, stored.last ?? battery.energyMin)
            }
    }

    /// Of each load, then of each battery.
    var priorities: [Int] { problem.loads.map(\.priority) + problem.batteries.map(\.priority) }

    /// kW that the home draws at most, as the mean of a slot of the problem.
    func peak(_ decisions: PlanDecisions) -> Double {
        PlanAssembly(work: self, decisions: decisions, notes: []).means.max() ?? 0
    }

    /// - Returns: `known` where that is as good.
    func better(_ other: PlanDecisions, than known: PlanDecisions?) -> PlanDecisions {
        guard let known else { return other }
        return PlanWorth(other, self).isBetter(than: PlanWorth(known, self)) ? other : known
    }

    func starts(_ load: Int, _ decision: LoadDecision) -> Int {
        let range = grid.range(of: problem.loads[load])
        var goesOn = problem.loads[load].shape.goesOn(range)
        if let course = decision.course { return goesOn && course.start == grid.edges[range.lowerBound] ? 0 : 1 }
        if case .comfort(let need) = problem.loads[load].need { goesOn = goesOn || need.runsUntil != nil }
        return decision.isOn.indices.count {
            decision.isOn[$0] && !($0 == 0 ? goesOn : decision.isOn[$0 - 1])
        }
    }
}

/// How good a plan is: what is missing comes before any cost, of the highest priority first.
struct PlanWorth {
    /// By priority, the highest first.
    private let missing: [Double]
    let objective: Double
    /// kWh and the like in all.
    let lack: Double
    /// In units of the objective, with what is missing.
    let total: Double

    init(_ decisions: PlanDecisions, _ work: PlanWork) {
        let lacks = work.missing(decisions)
        missing = Set(work.priorities).sorted(by: >).map { priority in
            zip(work.priorities, lacks).reduce(0) { $1.0 == priority ? $0 + $1.1 : $0 }
        }
        objective = PlanAssembly(work: work, decisions: decisions, notes: []).objective
        lack = lacks.reduce(0, +)
        total = objective + work.penalty * lack
    }

    var lacks: Bool { lack > 1e-6 }

    func isBetter(than other: PlanWorth) -> Bool {
        lacksLess(than: other) || (!other.lacksLess(than: self) && objective < other.objective - 1e-9)
    }

    func lacksLess(than other: PlanWorth) -> Bool {
        zip(missing, other.missing).first { abs($0 - $1) > 1e-6 }.map { $0 < $1 } ?? false
    }
}
