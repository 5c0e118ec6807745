import EnergyModel

/// Says why a load runs or waits in a slot.
struct PlanReasons {
    private let work: PlanWork
    private let decisions: PlanDecisions
    private let index: Int
    private let used: [[Double]]
    private let range: Range<Int>
    /// The dearest that it uses after each slot, without what photovoltaics give.
    private let dearestAfter: [Double]
    /// Of the slots that it leaves out though it may use them.
    private let idleLeast: Double
    private let idleMost: Double
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
        var after = Array(repeating: -Double.infinity, count: grid.count)
        for slot in after.indices.dropLast().reversed() {
            let isBought = energy[slot + 1] > 0 && grid.surplus[slot + 1] <= 0
            after[slot] = isBought ? max(after[slot + 1], grid.importWeight[slot + 1]) : after[slot + 1]
        }
        dearestAfter = after
        let load = work.problem.loads[index]
        let idle = range.lazy.filter { energy[$0] == 0 && grid.allows(load, $0) }.map { grid.importWeight[$0] }
        (idleLeast, idleMost) = idle.reduce((.infinity, -.infinity)) { (min($0.0, $1), max($0.1, $1)) }
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
            decision.course != nil || grid.edges[range.upperBound] - grid.edges[slot] <= need.precondition
        {
            return .precondition
        }
        let isAlways = range.allSatisfy { decision.energy[$0] > 0 || !grid.allows(load, $0) }
        if isAlways, !isShort, isSpread { return .loadBalancing }
        if isShort || isAlways { return .deadline }
        if grid.surplus[slot] > 0 { return .ownSolar }
        // Under a rule a run is one decision, and has one reason.
        let weight = (hasRules ? run(at: slot) : slot..<slot + 1).reduce(Double.infinity) {
            min($0, grid.importWeight[$1])
        }
        if idleMost > weight + 1e-12 {
            return isByCarbon ? .cleanerEnergy : .lowerElectricityRates
        }
        // No time that it leaves out is dearer.
        guard idleLeast < weight - 1e-12 else { return asAsked }
        return hasRules ? .keepingRunsLong : isSpread ? .loadBalancing : .deadline
    }

    /// The slots around one that it runs in without a break.
    private func run(at slot: Int) -> Range<Int> {
        let first = decision.energy[..<slot].lastIndex { $0 == 0 }.map { $0 + 1 } ?? 0
        return first..<(decision.energy[slot...].firstIndex { $0 == 0 } ?? grid.count)
    }

    private var asAsked: PlanReason { load.shape.ties == .earlier ? .asEarlyAsCanBe : .asLateAsCanBe }

    /// Whether a demand charge makes it run with less than it could.
    private var isSpread: Bool {
        guard work.problem.limits.demandCharge != nil else { return false }
        return range.contains {
            decision.energy[$0] > 0 && decision.energy[$0] < load.powerMost * grid.hours[$0] - 1e-6
        }
    }

    /// Whether it has a rule by which switching is to be avoided.
    private var hasRules: Bool { if case .profile = load.need { true } else { !load.shape.isFree } }

    func waiting(_ slot: Int) -> (PlanReason, String?) {
        guard range.contains(slot) else { return (.outsideWindow, nil) }
        if case .comfort = load.need { return (.comfortIsKept, nil) }
        guard grid.isThere(load, slot) else { return (.outsideWindow, nil) }
        guard grid.isCheap(load, slot) else { return (.priceAboveCeiling, nil) }
        guard grid.isClean(load, slot) else { return (.carbonAboveCeiling, nil) }
        if isSated || lastUsed.map({ slot > $0 }) == true { return (.targetReached, nil) }
        if let limit = full(slot) { return (.loadBalancing, limit) }
        let (weight, dearest) = (grid.importWeight[slot], dearestAfter[slot])
        if lastUsed == nil { return (hasRules ? .keepingRunsLong : .loadBalancing, nil) }
        if dearest == -.infinity { return (.waitingForSolar, nil) }
        if weight < dearest - 1e-12 {
            if hasRules { return (.keepingRunsLong, nil) }
            return (.loadBalancing, work.problem.limits.demandCharge.map { _ in "demand charge" })
        }
        // Later it costs no less.
        if weight <= dearest + 1e-12 {
            return (hasRules && load.shape.ties == .earlier ? .keepingRunsLong : asAsked, nil)
        }
        return (isByCarbon ? .waitingForCleanerEnergy : .waitingForLowerElectricityRates, nil)
    }

    /// The limit that leaves no room in a slot that the load would have liked.
    private func full(_ slot: Int) -> String? {
        let isEarly = load.shape.ties == .earlier
        let isWelcome = grid.importWeight[slot] < dearestAfter[slot] + (isEarly ? 1e-12 : -1e-12)
        guard isShort || isWelcome, let least = leastPower else { return nil }
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
