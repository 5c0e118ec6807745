import EnergyModel

/// A problem as it would be, to see whether that helps.
extension PlanChange {
    func apply(to problem: inout PlanProblem) {
        switch self {
        case .later(let load, let goal, let milliseconds): Self.delay(load, goal, milliseconds, &problem)
        case .earlier(let load, let milliseconds):
            guard let window = problem.loads[load].window else { return }
            problem.loads[load].window = Interval(
                start: window.start.advanced(byMilliseconds: -milliseconds), end: window.end)
        case .there(let load, let stay, _):
            problem.loads[load].absences = problem.loads[load].absences.flatMap { away in
                [
                    Interval(start: away.start, end: min(away.end, stay.start)),
                    Interval(start: max(away.start, stay.end), end: away.end),
                ].compactMap(\.self)
            }
        case .less(let load, let goal, let energy):
            problem.loads[load].changeNeed { need in
                need.goals[goal].energy = max(0, need.goals[goal].energy - energy)
                for earlier in 0..<goal {
                    need.goals[earlier].energy = min(need.goals[earlier].energy, need.goals[goal].energy)
                }
            }
        case .strongerConnection(let load, let power):
            problem.loads[load].strengthen(to: power)
        case .lowerPower(let load, let power):
            problem.loads[load].changeNeed { ($0.powerMin, $0.powerMax) = (min($0.powerMin, power), power) }
        case .raise(let raises): for raise in raises { raise.apply(to: &problem) }
        case .lessBaseLoad(let power):
            for slot in problem.slots.indices {
                let base = problem.slots[slot].baseLoad
                let sum = base.reduce(0, +)
                guard sum > 0 else { continue }
                problem.slots[slot].baseLoad = base.map { max(0, $0 - power * $0 / sum) }
            }
        case .priceCeiling(let load, let price): problem.loads[load].priceMax = price
        case .carbonCeiling(let load, let carbon): problem.loads[load].carbonMax = carbon
        case .noCeilings(let load): (problem.loads[load].priceMax, problem.loads[load].carbonMax) = (nil, nil)
        case .beside(let load, _):
            let name = problem.loads[load].name
            problem.limits.exclusive = problem.limits.exclusive.map { $0.filter { $0 != name } }
        case .batteryLater(let battery, let goal, let milliseconds):
            Self.delay(battery: battery, goal, milliseconds, &problem)
        case .batteryLess(let battery, let goal, let energy):
            guard let goal else { return problem.batteries[battery].lessAtEnd(energy) }
            problem.batteries[battery].sortGoals()
            problem.batteries[battery].goals[goal].energy -= energy
        case .batteryBeside(let battery, _):
            let name = problem.batteries[battery].name
            problem.limits.exclusive = problem.limits.exclusive.map { $0.filter { $0 != name } }
        case .noRunMin(let load): problem.loads[load].shape.runMin = 0
        case .noPauseMin(let load): problem.loads[load].shape.pauseMin = 0
        case .anyRuns(let load): problem.loads[load].shape.runsMax = nil
        case .partialSlots(let load): problem.loads[load].changeNeed { $0.partialSlots = .any }
        case .freeShape(let load): problem.loads[load].freeShape()
        case .finerSlots(let milliseconds): problem.cutSlots(every: milliseconds)
        case .together:
            // What follows the last slot is known by how ceilings are then.
            for change in parts.filter({ !$0.isLater }) + parts.filter(\.isLater) { change.apply(to: &problem) }
        case .final(let load, let temperature):
            guard case .comfort(var need) = problem.loads[load].need else { return }
            need.final = temperature
            problem.loads[load].need = .comfort(need)
        case .widerBand(let load, let kelvin):
            guard case .comfort(var need) = problem.loads[load].need else { return }
            need.comfortMin = need.comfortMin.map { $0 - kelvin }
            need.comfortMax = need.comfortMax.map { $0 + kelvin }
            problem.loads[load].need = .comfort(need)
        }
    }

    /// Whether any slot is above a load's ceilings.
    private static func isAbove(_ problem: PlanProblem, _ load: Int) -> Bool {
        let (grid, load) = (PlanGrid(problem), problem.loads[load])
        return (0..<grid.count).contains { !grid.isCheap(load, $0) || !grid.isClean(load, $0) }
    }

    private static func delay(_ load: Int, _ goal: Int?, _ milliseconds: Int64, _ problem: inout PlanProblem) {
        guard let first = problem.slots.first, let end = problem.slots.last?.interval.end else { return }
        if let goal, case .energy(let need) = problem.loads[load].need, goal < need.goals.count - 1 {
            problem.loads[load].changeNeed {
                $0.goals[goal].by = $0.goals[goal].by.advanced(byMilliseconds: milliseconds)
            }
            return
        }
        let window = problem.loads[load].window
        let later = (window?.end ?? end).advanced(byMilliseconds: milliseconds)
        // Nobody knows whether what follows is below a ceiling that not all of the problem is.
        if isAbove(problem, load), let unknown = Interval(start: end, end: later) {
            problem.loads[load].rests.append(unknown)
        }
        extend(&problem, to: later)
        problem.loads[load].window = Interval(start: window?.start ?? first.interval.start, end: later)
        problem.loads[load].changeNeed { $0.goals[$0.goals.count - 1].by = later }
    }

    private static func delay(battery: Int, _ goal: Int, _ milliseconds: Int64, _ problem: inout PlanProblem) {
        problem.batteries[battery].sortGoals()
        let later = problem.batteries[battery].goals[goal].by.advanced(byMilliseconds: milliseconds)
        problem.batteries[battery].goals[goal].by = later
        extend(&problem, to: later)
    }

    /// What follows the last slot is taken to be as that is.
    private static func extend(_ problem: inout PlanProblem, to later: Timestamp) {
        guard let first = problem.slots.first, var slot = problem.slots.last,
            let more = Interval(start: slot.interval.end, end: later)
        else { return }
        for other in problem.loads.indices where problem.loads[other].window == nil {
            problem.loads[other].window = Interval(start: first.interval.start, end: slot.interval.end)
        }
        slot.interval = more
        problem.slots.append(slot)
        for other in problem.loads.indices { problem.loads[other].repeatLastSlot() }
    }
}

extension HomeBattery {
    var sortedGoals: [Goal] { goals.sorted { $0.by < $1.by } }
    fileprivate mutating func sortGoals() { goals = sortedGoals }
    fileprivate mutating func lessAtEnd(_ energy: Double) { finalMin = max(0, finalMin - energy) }
}

extension PlannedLoad {
    mutating func changeNeed(_ change: (inout EnergyNeed) -> Void) {
        guard case .energy(var need) = need, !need.goals.isEmpty else { return }
        let more = need.energyMax - need.energy
        change(&need)
        need.energyMax = need.energy + more
        self.need = .energy(need)
    }

    /// - Parameter power: kW that it may have at most, and has where it has one power.
    mutating func strengthen(to power: Double) {
        changeNeed { need in
            if need.hasOnePower { need.powerMin = power }
            need.powerMax = power
        }
        guard case .comfort(var comfort) = need else { return }
        if comfort.powerMin == comfort.powerMax { comfort.powerMin = power }
        comfort.powerMax = power
        need = .comfort(comfort)
    }

    mutating func freeShape() {
        (shape.runMin, shape.pauseMin, shape.runsMax) = (0, 0, nil)
        changeNeed { ($0.partialSlots, $0.powerStep) = (.any, nil) }
    }

    /// Down to nothing.
    mutating func dropPowerMin() {
        changeNeed { $0.powerMin = 0 }
        guard case .comfort(var comfort) = need else { return }
        comfort.powerMin = 0
        need = .comfort(comfort)
    }

    fileprivate mutating func repeatLastSlot() {
        guard case .comfort(var need) = need, let outdoor = need.outdoor.last, let low = need.comfortMin.last,
            let high = need.comfortMax.last
        else { return }
        need.outdoor.append(outdoor)
        need.comfortMin.append(low)
        need.comfortMax.append(high)
        self.need = .comfort(need)
    }
}
