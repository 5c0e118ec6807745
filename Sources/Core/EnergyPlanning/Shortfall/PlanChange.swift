import EnergyModel

/// Something that could be asked otherwise, so that nobody lacks anything.
enum PlanChange: Hashable, Sendable {
    /// Of the goal with that number; `nil`: of the load's end.
    case later(load: Int, goal: Int?, milliseconds: Int64)
    case earlier(load: Int, milliseconds: Int64)
    /// kWh
    case less(load: Int, goal: Int, energy: Double)
    /// kW
    case strongerConnection(load: Int, power: Double)
    case lowerPower(load: Int, power: Double)
    case raise([Raise])
    case lessBaseLoad(power: Double)
    case priceCeiling(load: Int, Double)
    case carbonCeiling(load: Int, Double)
    case noCeilings(load: Int)
    case beside(load: Int, others: [String])
    case noRunMin(load: Int)
    case noPauseMin(load: Int)
    case anyRuns(load: Int)
    case partialSlots(load: Int)
    case freeShape(load: Int)
    case widerBand(load: Int, kelvin: Double)
    /// °C
    case final(load: Int, Double)
    /// Of a battery's goal with that number, in order of time.
    case batteryLater(battery: Int, goal: Int, milliseconds: Int64)
    /// kWh; `nil`: of what is stored at the end.
    case batteryLess(battery: Int, goal: Int?, energy: Double)
    /// The battery may run beside others.
    case batteryBeside(battery: Int, others: [String])
    /// Slots that are longer are cut, so that blocks and those beside them may begin and end between their edges.
    case finerSlots(milliseconds: Int64)
    case together([PlanChange])

    /// By how much a limit is raised.
    struct Raise: Hashable, Sendable {
        var limit: LimitReference
        /// kW at least.
        var power: Double

        /// Whole amperes of a fuse that was said in amperes.
        func amperes(_ problem: PlanProblem) -> Double? {
            limit.ampere(problem).map { (power / $0 - 1e-6).rounded(.up) }
        }

        func apply(to problem: inout PlanProblem) {
            let ampere = limit.ampere(problem)
            limit.raise(by: amperes(problem).flatMap { count in ampere.map { count * $0 } } ?? power, &problem)
        }
    }

    /// All of them by the same.
    static func raise(_ limits: [LimitReference], power: Double) -> PlanChange {
        .raise(limits.map { Raise(limit: $0, power: power) })
    }

    func text(_ problem: PlanProblem) -> String {
        switch self {
        case .later(let load, let goal, let milliseconds):
            "be ready \((milliseconds + 59_999) / 60_000) min later"
                + (time(load, goal, problem).map { " than \($0)" } ?? "")
        case .earlier(_, let milliseconds): "start \((milliseconds + 59_999) / 60_000) min earlier"
        case .less(let load, let goal, let energy):
            "ask for \(energy.plainText) kWh less" + (time(load, goal, problem).map { " by \($0)" } ?? "")
        case .strongerConnection(let load, let power):
            (problem.loads[load].isComfort ? "have it run with up to" : "use a connection of at least")
                + " \(power.plainText) kW"
        case .lowerPower(_, let power): "run it with at most \(power.plainText) kW"
        case .raise(let raises): Self.text(raises, problem)
        case .lessBaseLoad(let power): "have \(power.plainText) kW less base load meanwhile"
        case .batteryLater(_, _, let milliseconds): "be ready \((milliseconds + 59_999) / 60_000) min later"
        case .batteryLess(_, _, let energy): "ask for \(energy.plainText) kWh less"
        case .batteryBeside(_, let others): "let it run beside \(others.joined(separator: " and "))"
        case .priceCeiling(_, let price): "raise the price ceiling to \(price.plainText)"
        case .carbonCeiling(_, let carbon): "raise the carbon ceiling to \(carbon.plainText)"
        case .noCeilings: "leave out the price and the carbon ceiling"
        case .beside(_, let others): "let it run beside \(others.joined(separator: " and "))"
        case .noRunMin: "leave out its minimum run"
        case .noPauseMin: "leave out its minimum pause"
        case .anyRuns: "allow any number of runs"
        case .partialSlots: "allow slots used in part"
        case .freeShape(let load): problem.loads[load].freeShapeText
        case .final(_, let temperature): "ask for \(temperature.plainText) °C at the end"
        case .finerSlots(let milliseconds): "plan with slots of \(milliseconds / 60_000) min"
        case .together(let changes): changes.map { $0.text(problem) }.joined(separator: ", and ")
        case .widerBand(_, let kelvin): "allow a comfort band that is \(kelvin.plainText) K wider on each side"
        }
    }

    /// Those that are raised by the same are said together.
    private static func text(_ raises: [Raise], _ problem: PlanProblem) -> String {
        var said: [(amount: String, names: [String])] = []
        for raise in raises {
            let amount =
                raise.amperes(problem).map { "\($0.plainText) A" }
                ?? "\(raise.power.plainText) kW" + (raise.limit.isPerPhase ? " on each phase" : "")
            let name = raise.limit.name(problem)
            if let same = said.firstIndex(where: { $0.amount == amount }) {
                said[same].names.append(name)
            } else {
                said.append((amount, [name]))
            }
        }
        return "raise "
            + said.map { "\($0.names.joined(separator: " and ")) by \($0.amount)" }.joined(separator: ", and ")
    }

    /// Which of several goals, by when it is due; `nil` if there is one only.
    private func time(_ load: Int, _ goal: Int?, _ problem: PlanProblem) -> String? {
        guard let goal, case .energy(let need) = problem.loads[load].need, need.goals.count > 1 else { return nil }
        return problem.timeText(need.goals[goal].by)
    }

    var asksLess: Bool { if case .less = self { true } else { false } }

    var isFinerSlots: Bool { if case .finerSlots = self { true } else { false } }

    private var isLater: Bool { if case .later = self { true } else { false } }

    var isTogether: Bool { if case .together = self { true } else { false } }

    /// Whether one thing changes, and not what is asked for.
    var liftsAlone: Bool {
        switch self {
        case .less, .noCeilings, .together, .batteryLess: false
        default: true
        }
    }

    /// What is no longer in the way after it; `nil` where that is said otherwise.
    var cures: Shortfall.Cause? {
        switch self {
        case .later, .earlier, .strongerConnection: .window
        case .raise, .lessBaseLoad, .lowerPower: .limit
        case .priceCeiling: .priceCeiling
        case .carbonCeiling: .carbonCeiling
        case .beside: .exclusion
        case .noRunMin, .noPauseMin, .anyRuns, .partialSlots, .freeShape: .shape
        default: nil
        }
    }

    // MARK: To see whether it helps

    func apply(to problem: inout PlanProblem) {
        switch self {
        case .later(let load, let goal, let milliseconds): Self.delay(load, goal, milliseconds, &problem)
        case .earlier(let load, let milliseconds):
            guard let window = problem.loads[load].window else { return }
            problem.loads[load].window = Interval(
                start: window.start.advanced(byMilliseconds: -milliseconds), end: window.end)
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
        case .together(let changes):
            // What follows the last slot is known by how ceilings are then.
            for change in changes.filter({ !$0.isLater }) + changes.filter(\.isLater) { change.apply(to: &problem) }
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
            problem.loads[load].absences.append(unknown)
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
    fileprivate mutating func sortGoals() { goals.sort { $0.by < $1.by } }
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

    fileprivate var isComfort: Bool { if case .comfort = need { true } else { false } }

    /// What ``freeShape()`` takes away.
    fileprivate var freeShapeText: String {
        var parts = shape.isFree ? [] : ["leave out its rules for runs and pauses"]
        if case .energy(let need) = need {
            if need.powerStep != nil { parts.append("allow any power") }
            if need.partialSlots != .any { parts.append("allow slots used in part") }
        }
        return parts.joined(separator: ", and ")
    }

    mutating func freeShape() {
        (shape.runMin, shape.pauseMin, shape.runsMax) = (0, 0, nil)
        changeNeed { ($0.partialSlots, $0.powerStep) = (.any, nil) }
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

extension Double {
    /// With at most three decimals, rounded up.
    var plainText: String {
        let thousandths = Int64((Swift.min(Swift.max(self, -1e9), 1e9) * 1000 - 1e-6).rounded(.up))
        let (whole, rest) = abs(thousandths).quotientAndRemainder(dividingBy: 1000)
        var digits = String(rest)
        digits = String(repeating: "0", count: 3 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return (thousandths < 0 ? "-" : "") + (digits.isEmpty ? "\(whole)" : "\(whole).\(digits)")
    }

    /// As ``plainText`` says it, so that what is said is what was tried. A hundredth of the last digit is rounding: of a solver, or
    /// of a block that lasts for whole milliseconds.
    var roundedUp: Double { (self * 1000 - 9e-3).rounded(.up) / 1000 }
    /// As people ask for energy: tenths of a kWh, or hundredths of less than one.
    var roundedUpAsAsked: Double {
        let digits = self >= 1 ? 10.0 : 100
        return (self * digits - 1e-3).rounded(.up) / digits
    }
    var roundedDown: Double { (self * 1000 + 1e-6).rounded(.down) / 1000 }
}
