import EnergyModel

/// Something that could be asked otherwise, so that nobody lacks anything.
enum PlanChange: Hashable, Sendable {
    /// Of the goal with that number; `nil`: of the load's end.
    case later(load: Int, goal: Int?, milliseconds: Int64)
    case earlier(load: Int, milliseconds: Int64)
    /// In a part of a time at which it would be away: the beginning of it, or the end.
    case there(load: Int, Interval, isReturn: Bool)
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

    /// What changes, each by itself.
    var parts: [PlanChange] { if case .together(let changes) = self { changes.flatMap(\.parts) } else { [self] } }

    var asksLess: Bool {
        switch self {
        case .less, .batteryLess: true
        case .together(let changes): changes.allSatisfy(\.asksLess)
        default: false
        }
    }

    var isFinerSlots: Bool { if case .finerSlots = self { true } else { false } }

    var isLater: Bool { if case .later = self { true } else { false } }

    /// Whether different things change, not the same of several goals.
    var isTogether: Bool {
        guard case .together(let changes) = self else { return false }
        return !changes.allSatisfy(\.asksLess) && !changes.allSatisfy(\.isLater)
    }

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
        case .later, .earlier, .there, .strongerConnection: .window
        case .raise, .lessBaseLoad, .lowerPower: .limit
        case .priceCeiling: .priceCeiling
        case .carbonCeiling: .carbonCeiling
        case .beside: .exclusion
        case .noRunMin, .noPauseMin, .anyRuns, .partialSlots, .freeShape: .shape
        default: nil
        }
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
