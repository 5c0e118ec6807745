import EnergyModel

/// Says why a load runs or waits in a slot.
struct PlanReasons {
    private let work: PlanWork
    private let decisions: PlanDecisions
    private let index: Int
    private let used: [[Double]]
    private let range: Range<Int>
    /// The dearest slot that it uses.
    private let dearest: Double
    private let lastUsed: Int?
    private let isShort: Bool

    private var grid: PlanGrid { work.grid }
    private var load: PlannedLoad { work.problem.loads[index] }
    private var decision: LoadDecision { decisions.loads[index] }

    /// - Parameter used: kW of each limit that all loads take, by row, then cut slot.
    init(work: PlanWork, decisions: PlanDecisions, load index: Int, used: [[Double]]) {
        self.work = work
        self.used = used
        self.decisions = decisions
        self.index = index
        let grid = work.grid
        range = grid.range(of: work.problem.loads[index])
        let energy = decisions.loads[index].energy
        let used = (0..<grid.count).filter { energy[$0] > 0 }
        dearest = used.map { grid.importWeight[$0] }.max() ?? -.infinity
        lastUsed = used.last
        if case .energy(let need) = work.problem.loads[index].need {
            isShort = energy.reduce(0, +) < need.energy - 1e-6
        } else {
            isShort = decisions.loads[index].isLeftOut
        }
    }

    func running(at time: Int64) -> PlanReason { running(max(0, grid.index(at: time + 1) - 1)) }

    func running(_ slot: Int) -> PlanReason {
        if case .comfort = load.need { return .comfort }
        if case .energy(let need) = load.need, need.precondition > 0, range.upperBound < grid.edges.count,
            grid.edges[range.upperBound] - grid.edges[slot] <= need.precondition
        {
            return .precondition
        }
        let isAlways = range.allSatisfy { decision.energy[$0] > 0 || !grid.allows(load, $0) }
        if isShort || isAlways { return .deadline }
        if grid.surplus[slot] > 0 { return .ownSolar }
        return isByCarbon ? .cleanerEnergy : .lowerElectricityRates
    }

    func waiting(_ slot: Int) -> (PlanReason, String?) {
        guard range.contains(slot) else { return (.outsideWindow, nil) }
        if case .comfort = load.need { return (.comfortIsKept, nil) }
        guard grid.isThere(load, slot) else { return (.outsideWindow, nil) }
        guard grid.isCheap(load, slot) else { return (.priceAboveCeiling, nil) }
        guard grid.isClean(load, slot) else { return (.carbonAboveCeiling, nil) }
        if isSated || lastUsed.map({ slot > $0 }) == true { return (.targetReached, nil) }
        if let limit = full(slot) { return (.loadBalancing, limit) }
        if grid.importWeight[slot] < dearest - 1e-12 { return (.keepingRunsLong, nil) }
        return (isByCarbon ? .waitingForCleanerEnergy : .waitingForLowerElectricityRates, nil)
    }

    /// The limit that leaves no room in a slot that the load would have liked.
    private func full(_ slot: Int) -> String? {
        guard isShort || grid.importWeight[slot] < dearest - 1e-12, let least = leastPower else { return nil }
        let row = zip(work.rows, used).first { row, used in
            guard let share = row.loads[index] else { return false }
            return used[slot] + least * share > row.room[slot] + 1e-9
        }?.0.name
        return row ?? group(slot).map(PlanLimits.name(ofGroup:))
    }

    /// The group that another member takes in the slot.
    private func group(_ slot: Int) -> [String]? {
        work.problem.limits.exclusive.first { group in
            group.contains(load.name)
                && zip(work.problem.loads, decisions.loads).contains { other, decision in
                    decision.energy[slot] > 0 && other.name != load.name && group.contains(other.name)
                }
        }
    }

    /// It needs nothing.
    private var isSated: Bool {
        if case .energy(let need) = load.need { need.energy <= 1e-9 } else { false }
    }

    private var leastPower: Double? {
        switch load.need {
        case .energy(let need): max(need.powerMin, 1e-6)
        case .profile(let profile): profile.steps.map(\.power).max()
        case .comfort: nil
        }
    }

    private var isByCarbon: Bool {
        let objective = work.problem.objective
        return objective.money == 0 && objective.carbon > 0
    }
}
