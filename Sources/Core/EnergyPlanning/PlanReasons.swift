import EnergyModel

/// Says why a load runs or waits in a slot.
///
/// A class, and what it asks for slot by slot kept beside ``PlanWork``: to copy either for each slot would take longer than the
/// answers.
final class PlanReasons {
    private let work: PlanWork
    private let decisions: PlanDecisions
    private let index: Int
    private let grid: PlanGrid
    private let courses: CoursePlanner
    private let load: PlannedLoad
    private let decision: LoadDecision
    private let used: [[Double]]
    private let range: Range<Int>
    /// The dearest that it uses after each slot, without what photovoltaics and batteries give and what preconditioning takes at
    /// any price.
    private let dearestAfter: [Double]
    /// Of the slots that it leaves out though it may use them.
    private let idleLeast: Double
    private let idleMost: Double
    /// Of the time that it may use.
    private let mean: Double
    private let lastUsed: Int?
    /// The slots until the last of its goals that it misses.
    private let shortUntil: Int
    /// Whether photovoltaics ever give more than runs anyway.
    private let hasSun: Bool
    /// kW that the home draws in each slot of the problem, and may draw for nothing more, where a demand charge counts that.
    private let peak: (means: [Double], most: Double)?
    /// Of what it does, if that is a course.
    private let courseCost: Double?

    /// - Parameter used: kW of each limit that all loads take, by row, then cut slot.
    init(work: PlanWork, decisions: PlanDecisions, load index: Int, used: [[Double]]) {
        self.work = work
        self.used = used
        self.decisions = decisions
        self.index = index
        let (grid, load, decision) = (work.grid, work.problem.loads[index], decisions.loads[index])
        let courses = CoursePlanner(grid: grid)
        (self.grid, self.load, self.decision, self.courses) = (grid, load, decision, courses)
        range = grid.range(of: load)
        let energy = decision.energy
        let used = (0..<grid.count).filter { energy[$0] > 0 }
        var after = Array(repeating: -Double.infinity, count: grid.count)
        for slot in after.indices.dropLast().reversed() {
            let isBought =
                energy[slot + 1] > 0 && !grid.isSunny(slot + 1) && !decisions.isServed(slot + 1)
                && !load.isPreconditioned(slot + 1, grid, range)
            after[slot] = isBought ? max(after[slot + 1], grid.importWeight[slot + 1]) : after[slot + 1]
        }
        dearestAfter = after
        let idle = range.lazy.filter { energy[$0] == 0 && grid.allows(load, $0) }.map { grid.importWeight[$0] }
        (idleLeast, idleMost) = idle.reduce((.infinity, -.infinity)) { (min($0.0, $1), max($0.1, $1)) }
        let open = range.lazy.filter { grid.allows(load, $0) }
        let hours = open.reduce(0) { $0 + grid.hours[$1] }
        mean = open.reduce(0) { $0 + grid.importWeight[$1] * grid.hours[$1] } / max(1e-9, hours)
        lastUsed = used.last
        peak = work.problem.demandCharge.map { charge in
            let means = PlanAssembly(work: work, decisions: decisions, notes: []).means
            return (means, max(charge.peakSoFar, means.max() ?? 0))
        }
        hasSun = range.contains { grid.isSunny($0) }
        courseCost = decision.course.map { profile, start in
            courses.sum(profile, from: start) { grid.cost($0, $1) }
        }
        shortUntil =
            decision.isLeftOut
            ? grid.count : work.missedGoals(index, decision).last.map { min($0.end, grid.count) } ?? 0
    }

    func running(at time: Int64) -> PlanReason { running(max(0, grid.index(at: time + 1) - 1)) }

    func running(_ slot: Int) -> PlanReason {
        if load.isBuilding { return .comfort }
        if load.isPreconditioned, decision.course != nil || load.isPreconditioned(slot, grid, range) {
            return .precondition
        }
        let isAlways = range.allSatisfy { decision.energy[$0] > 0 || !grid.allows(load, $0) }
        if isAlways, shortUntil == 0, isSpread { return .loadBalancing }
        if slot < shortUntil || isAlways { return .deadline }
        if grid.isSunny(slot) { return .ownSolar }
        // Under a rule a run is one decision, and has one reason.
        let weight = (hasRules ? run(at: slot) : slot..<slot + 1).reduce(Double.infinity) {
            min($0, grid.importWeight[$1])
        }
        let isBetter = idleMost > weight + 1e-12
        // What costs more than most of its time is used for want of time, even if some is dearer.
        if isBetter, weight <= mean + 1e-12 { return isByCarbon ? .cleanerEnergy : .lowerElectricityRates }
        if isCrowdedOut(below: weight) { return .loadBalancing }
        let isForWant: PlanReason = isSpread ? .loadBalancing : .deadline
        guard idleLeast < weight - 1e-12 else {
            return isBetter || range.contains { mayUse($0, below: weight) } ? isForWant : asAsked
        }
        if isDue(slot, below: weight) { return .deadline }
        if hasRules { return .keepingRunsLong }
        return decisions.isServed(slot) ? isByCarbon ? .cleanerEnergy : .lowerElectricityRates : isForWant
    }

    private func mayUse(_ slot: Int, below weight: Double) -> Bool {
        grid.importWeight[slot] < weight - 1e-12 && grid.allows(load, slot)
    }

    /// Whether a run is needed for a goal that is due before any better slot that is left.
    private func isDue(_ slot: Int, below weight: Double) -> Bool {
        let better = range.first { decision.energy[$0] == 0 && mayUse($0, below: weight) }
        guard case .energy(let need) = load.need, let better else { return false }
        let run = run(at: slot)
        let energy = decision.energy[run].reduce(0, +)
        return grid.dues(need, in: range).contains { due in
            let end = range.lowerBound + due.end
            let came = decision.energy[..<end].reduce(0, +)
            return run.lowerBound < end && end <= better && came - energy < due.energy - 1e-6
        }
    }

    /// Whether it would take more in better slots but for others there, or for a peak.
    private func isCrowdedOut(below weight: Double) -> Bool {
        guard peak != nil || !work.rows.isEmpty || !work.problem.limits.exclusive.isEmpty else { return false }
        return range.contains { slot in
            let (taken, hours) = (decision.energy[slot], grid.hours[slot])
            guard mayUse(slot, below: weight), taken < load.powerMost * hours - 1e-6 else { return false }
            return wouldRaisePeak(slot, by: 1e-5)
                || !crowded(slot, by: max(1e-6, (leastPower ?? 0) - taken / hours)).isEmpty
                || group(slot) != nil
        }
    }

    /// The slots around one that it runs in without a break.
    private func run(at slot: Int) -> Range<Int> {
        let first = decision.energy[..<slot].lastIndex { $0 == 0 }.map { $0 + 1 } ?? 0
        return first..<(decision.energy[slot...].firstIndex { $0 == 0 } ?? grid.count)
    }

    private var asAsked: PlanReason { load.shape.ties == .earlier ? .asEarlyAsCanBe : .asLateAsCanBe }

    /// Whether a demand charge makes it run with less than it could.
    private var isSpread: Bool {
        range.contains {
            decision.energy[$0] > 0 && decision.energy[$0] < load.powerMost * grid.hours[$0] - 1e-6
                && wouldRaisePeak($0, by: 1e-5)
        }
    }

    /// - Parameter power: kW, as the mean of the slot.
    private func wouldRaisePeak(_ slot: Int, by power: Double) -> Bool {
        peak.map { $0.means[grid.origin[slot]] + power * grid.hours[slot] / grid.wholeHours(slot) > $0.most + 1e-6 }
            ?? false
    }

    /// Whether it has a rule by which switching is to be avoided.
    private var hasRules: Bool { if case .profile = load.need { true } else { !load.shape.isFree } }

    func waiting(_ gap: PlanAssembly.Gap) -> (PlanReason, String?) {
        let slot = gap.slot
        guard range.contains(slot) else { return (.outsideWindow, nil) }
        if case .comfort(let need) = load.need { return waiting(need, slot) }
        guard grid.isThere(load, slot) else { return (.outsideWindow, nil) }
        guard grid.isCheap(load, slot) else { return (.priceAboveCeiling, nil) }
        guard grid.isClean(load, slot) else { return (.carbonAboveCeiling, nil) }
        if isSated || (slot >= shortUntil && gap.isAfterAll) { return (.targetReached, nil) }
        if let limit = full(slot) { return (.loadBalancing, limit) }
        guard load.powerMost > 0 else { return (.loadBalancing, PlanReason.ownPower) }
        let weight = grid.importWeight[slot]
        let dearest = gap.isBeforeRun ? max(weight, dearestAfter[slot]) : dearestAfter[slot]
        if case .profile(let profile) = load.need, lastUsed == nil, !fits(profile, from: range.lowerBound) {
            return (.outsideWindow, nil)
        }
        // With a better time ahead it would lack nothing.
        if lastUsed == nil || slot < shortUntil { return (load.hasShape ? .keepingRunsLong : .loadBalancing, nil) }
        if dearest == -.infinity { return (waitingForOwn(after: slot), nil) }
        if weight > dearest + 1e-12 { return (waitingForBetter, nil) }
        if let isForSolar = isForSolar(from: slot) { return (isForSolar ? .waitingForSolar : waitingForBetter, nil) }
        if weight < dearest - 1e-12 {
            if hasRules { return (.keepingRunsLong, nil) }
            // Dear hours come last where it takes little: how much comes of an hour depends on how full it is by then.
            if slowsDown { return (waitingForBetter, nil) }
            return isPeak(slot) ? (.loadBalancing, PlanReason.demandCharge) : (waitingForBetter, nil)
        }
        if isSunnier(after: slot) { return (.waitingForSolar, nil) }
        // What comes last may cost as much as now.
        let next = range.first { (gap.isBeforeRun ? slot : slot + 1) <= $0 && decision.energy[$0] > 0 }
        if let next, grid.importWeight[next] < weight - 1e-12 { return (waitingForBetter, nil) }
        if load.shape.ties == .later { return (asAsked, nil) }
        if isPeak(slot) { return (.loadBalancing, PlanReason.demandCharge) }
        // Later in a slot that it uses in part is as good as now.
        return (decision.energy[slot] > 0 ? asAsked : .keepingRunsLong, nil)
    }

    /// Whether a demand charge keeps it from running in a slot.
    private func isPeak(_ slot: Int) -> Bool { leastMean.map { wouldRaisePeak(slot, by: $0) } ?? false }

    /// Of a building.
    private func waiting(_ need: ThermalNeed, _ slot: Int) -> (PlanReason, String?) {
        let (origin, temperature) = (grid.origin[slot], decision.temperatures[slot])
        let depth = decision.isSetBack.indices.contains(slot) && decision.isSetBack[slot] ? need.setbackDepth : 0
        let outside =
            need.isCooling
            ? temperature - need.comfortMax[origin] - depth : need.comfortMin[origin] - depth - temperature
        guard outside > 1e-6 else { return (.comfortIsKept, nil) }
        if !grid.isCheap(load, slot) { return (.priceAboveCeiling, nil) }
        if !grid.isClean(load, slot) { return (.carbonAboveCeiling, nil) }
        if let group = group(slot) { return (.loadBalancing, PlanLimits.name(ofGroup: group)) }
        return (hasRules ? .keepingRunsLong : .comfortIsKept, nil)
    }

    /// All that it takes later comes from photovoltaics or batteries, or is preconditioning.
    private func waitingForOwn(after slot: Int) -> PlanReason {
        let own = range.filter { $0 > slot && decision.energy[$0] > 0 && !load.isPreconditioned($0, grid, range) }
        guard !own.isEmpty else { return .precondition }
        if own.contains(where: { grid.isSunny($0) }) { return .waitingForSolar }
        return load.shape.ties == .later ? asAsked : waitingForBetter
    }

    /// Whether it takes later what photovoltaics give for less than a slot costs.
    private func isSunnier(after slot: Int) -> Bool {
        hasSun
            && range.contains {
                $0 > slot && decision.energy[$0] > 0 && grid.isSunny($0)
                    && grid.surplusWeight($0) < grid.importWeight[slot] - 1e-12
            }
    }

    private func fits(_ profile: LoadProfile, from slot: Int) -> Bool {
        grid.edges[slot] + profile.milliseconds <= grid.edges[range.upperBound]
    }

    private var slowsDown: Bool { if case .energy(let need) = load.need { need.taper != nil } else { false } }

    private var waitingForBetter: PlanReason {
        isByCarbon ? .waitingForCleanerEnergy : .waitingForLowerElectricityRates
    }

    /// Whether a course waits for photovoltaics more than for better rates; `nil` where all of it would cost no more if it began
    /// with a slot, though a part of it may cost less then.
    private func isForSolar(from slot: Int) -> Bool? {
        guard let (profile, start) = decision.course, let courseCost, grid.edges[slot] < start, !load.isPreconditioned,
            fits(profile, from: slot)
        else { return nil }
        let gain = courses.sum(profile, from: grid.edges[slot]) { grid.cost($0, $1) } - courseCost
        guard gain > 1e-12 else { return nil }
        guard hasSun else { return false }
        func bought(_ start: Int64) -> Double { courses.sum(profile, from: start) { grid.importWeight[$0] * $1 } }
        return bought(grid.edges[slot]) - bought(start) < gain / 2
    }

    /// The limit that leaves no room in a slot that the load would have liked.
    private func full(_ slot: Int) -> String? {
        let isEarly = load.shape.ties == .earlier
        // The sun of now is as good as the sun that it waits for.
        let isSunny = dearestAfter[slot] == -.infinity && grid.isSunny(slot) && lastUsed.map { $0 > slot } == true
        let isWelcome = isSunny || grid.importWeight[slot] < dearestAfter[slot] + (isEarly ? 1e-12 : -1e-12)
        // Where it uses a part of the slot there is room.
        guard decision.energy[slot] == 0, slot < shortUntil || isWelcome, let least = leastPower else { return nil }
        return LimitReference.names(of: crowded(slot, by: least), work.problem).first
            ?? group(slot).map(PlanLimits.name(ofGroup:))
    }

    /// The limits that leave a load no room for so many kW more in a slot.
    private func crowded(_ slot: Int, by power: Double) -> [LimitRow] {
        zip(work.rows, used).filter { row, used in
            guard let share = row.loads[index] else { return false }
            return used[slot] + power * share > row.room[slot] + 1e-9
        }.map(\.0)
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

    /// kW, as the mean of a slot.
    private var leastMean: Double? {
        if case .energy(let need) = load.need, need.partialSlots == .any { return 1e-5 }
        return leastPower
    }

    private var isByCarbon: Bool {
        let objective = work.problem.objective
        return objective.money == 0 && objective.carbon > 0
    }
}
