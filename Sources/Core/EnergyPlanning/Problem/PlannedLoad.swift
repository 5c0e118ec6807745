public import EnergyModel
internal import Foundation

/// A load that can be moved.
public struct PlannedLoad: Hashable, Sendable {
    public enum Need: Hashable, Sendable {
        case energy(EnergyNeed)
        case profile(LoadProfile)
        case comfort(ThermalNeed)
    }

    public var name: String
    public var need: Need
    /// The load runs only inside it; `nil`: at any time of the problem.
    public var window: Interval?
    public var shape: RunShape
    /// Phases it is on, `1...3`; its power is spread evenly over them.
    public var phases: [Int]
    /// When not all loads can have what they need, those with a higher priority have it first.
    public var priority: Int
    /// Currency per kWh; slots that cost more are not used.
    public var priceMax: Double?
    /// g CO2 per kWh; slots that emit more are not used.
    public var carbonMax: Double?
    /// Times at which the ceilings do not count.
    public var ceilingsOff: [Interval] = []
    /// Times inside the window at which its owner has it elsewhere, so that it cannot run.
    public var absences: [Interval]
    /// Other times at which it must not run, which its owner has no hand in.
    public var rests: [Interval] = []
    /// A block that fits nowhere as a whole and is planned by slots.
    var isSplit = false

    public init(
        name: String, need: Need, window: Interval? = nil, shape: RunShape = RunShape(), phases: [Int] = [1, 2, 3],
        priority: Int = 0, priceMax: Double? = nil, carbonMax: Double? = nil, absences: [Interval] = []
    ) {
        self.name = name
        self.need = need
        self.window = window
        self.shape = shape
        self.phases = phases
        self.priority = priority
        self.priceMax = priceMax
        self.carbonMax = carbonMax
        self.absences = absences
    }
}

extension PlannedLoad {
    /// Its powers are multiples of its step: whoever plans counts with the highest and the least of these. With only one left
    /// it is a load of one power.
    mutating func keepToSteps() { changeNeed { $0.keepToSteps() } }

    /// One that is not near full by the end is as fast as ever.
    mutating func dropTaperNeverMet() {
        changeNeed { if let start = $0.taper?.energyAtStart, $0.energyMax <= start + 1e-9 { $0.taper = nil } }
    }

    /// Of the highest power: what is the least of a load with a rule for its runs that says none and has no steps.
    static let leastShare = 0.2

    /// While it is on power flows: a rule for its runs would be kept, but be worth nothing, with slots that are on at 0 kW.
    mutating func keepRunsOn() {
        guard !shape.isFree else { return }
        switch need {
        case .energy(var energy) where energy.powerMin == 0:
            energy.powerMin = min(energy.powerMax, energy.powerStep ?? energy.powerMax * Self.leastShare)
            need = .energy(energy)
        case .comfort(var comfort) where comfort.powerMin == 0:
            comfort.powerMin = comfort.powerMax * Self.leastShare
            need = .comfort(comfort)
        default: break
        }
    }
}

/// A load that needs energy, at whatever times: a car, a boiler, a pump.
public struct EnergyNeed: Hashable, Sendable {
    /// How a load that may be off or between two powers spends a slot that it does not need whole.
    public enum PartialSlots: String, Hashable, Sendable, CaseIterable {
        /// On for whole slots only.
        case never
        /// The last slot of the plan may end early.
        case last
        /// Any slot may be used in part.
        case any
    }

    /// Energy that must have come in by a time. Cumulative: each counts from the start of the plan.
    public struct Goal: Hashable, Sendable {
        public var by: Timestamp
        /// kWh at the load's connection.
        public var energy: Double

        public init(by: Timestamp, energy: Double) {
            self.by = by
            self.energy = energy
        }
    }

    /// By time, none empty. The last one is what the load takes in all, unless ``energyMax`` is more.
    public var goals: [Goal]
    /// Most that it can take, kWh; at least the last goal.
    public var energyMax: Double
    /// kW while it runs.
    public var powerMin: Double
    public var powerMax: Double
    /// kW from one power to the next, counted from 0; `nil`: any power in the range.
    public var powerStep: Double?
    public var partialSlots: PartialSlots
    public var taper: Taper?
    /// kWh taken at which lines touch the curve of the taper from above; `nil`: lines below it stand for it.
    var taperTouches: [Double]?
    /// Milliseconds before the end of the window that it runs at full power whatever that costs.
    public var precondition: Int64

    public init(
        goals: [Goal], energyMax: Double? = nil, powerMin: Double, powerMax: Double, powerStep: Double? = nil,
        partialSlots: PartialSlots = .any, taper: Taper? = nil, precondition: Int64 = 0
    ) {
        self.goals = goals
        self.energyMax = max(energyMax ?? 0, goals.last?.energy ?? 0)
        self.powerMin = powerMin
        self.powerMax = powerMax
        self.powerStep = powerStep
        self.partialSlots = partialSlots
        self.taper = taper
        self.precondition = precondition
    }

    fileprivate mutating func keepToSteps() {
        guard let step = powerStep, step > 0 else { return }
        powerMax = Self.stepDown(powerMax, step)
        powerMin = Self.stepUp(powerMin, step)
        // Without a multiple that it can run at, its least stays above its most.
        if powerMax == 0 { powerMin = max(step, powerMin) }
        if hasOnePower { powerStep = nil }
        let most = powerMax
        if let atFull = taper?.powerAtFull { taper?.powerAtFull = min(atFull, most) }
    }

    /// - Returns: kW, the highest multiple of `step` that is not above `power`.
    static func stepDown(_ power: Double, _ step: Double) -> Double { (power / step + 1e-6).rounded(.down) * step }

    /// - Returns: kW, the least multiple of `step` that is not below `power`.
    static func stepUp(_ power: Double, _ step: Double) -> Double { (power / step - 1e-6).rounded(.up) * step }

    /// Lets it take what it needs in whole slots, which may be somewhat more.
    mutating func roundUp(to slots: [PlanSlot]) {
        let step = powerStep ?? (hasOnePower ? powerMax : 0)
        let least = step > 0 ? max(step, Self.stepUp(powerMin, step)) : powerMin
        let lengths = slots.map { Double($0.interval.milliseconds) / 3_600_000 }
        guard least > 0, let longest = lengths.max(), let shortest = lengths.min() else { return }
        guard longest == shortest else {
            energyMax = max(energyMax, energy + least * longest)
            return
        }
        let (few, many) = (least * longest, Self.stepDown(powerMax, step > 0 ? step : powerMax) * longest)
        var most = max(few, step > 0 ? Self.stepUp(energy, step * longest) : energy)
        // What some slots give at most may be less than what one more gives at least.
        if (most / few + 1e-9).rounded(.down) * many < most - 1e-9 { most = (most / many).rounded(.up) * few }
        energyMax = max(energyMax, most)
    }

    var energy: Double { goals.last?.energy ?? 0 }
    /// kW that flows at least while it is on, also when it is as full as it will be.
    var flowMin: Double { min(powerMin, taper?.power(after: energyMax, from: powerMax) ?? powerMin) }
    var hasOnePower: Bool { powerMin == powerMax }
    /// Whether near full it may take less than its least power, or than the step that it is offered, in a slot that it is on
    /// for all through.
    var yieldsNearFull: Bool { taper != nil && (powerStep != nil || powerMin > flowMin) }
    /// Hours at its least power.
    var hoursAtLeast: Double {
        guard let taper else { return energy / powerMin }
        return TaperCurve(taper, self, power: powerMin).hours(from: 0, to: energy)
    }
    /// Whether a slot that may be used in part must draw the least power on average inside a run, and for as long as each run
    /// lasts at least: with less, or with nothing, it would only look like one run, or long enough. A load of one power that
    /// may use only its last slot in part is on in no slot that it does not need.
    var fillsRuns: Bool { powerMin > 0 && (partialSlots == .any || (partialSlots == .last && !hasOnePower)) }
    /// Whether a run may begin with a part of a slot, which then is none of those that it lasts at least.
    var startsInPart: Bool { partialSlots == .any && !hasOnePower }
}

/// Charging slows down as the battery fills: the power is at most `powerMax`, falling in a line from `energyAtStart` taken to
/// `powerAtFull` at `energyAtFull` taken.
public struct Taper: Hashable, Sendable {
    /// kWh taken since the start of the plan; negative if the battery is in the taper already.
    public var energyAtStart: Double
    public var energyAtFull: Double
    /// kW
    public var powerAtFull: Double

    public init(energyAtStart: Double, energyAtFull: Double, powerAtFull: Double) {
        self.energyAtStart = energyAtStart
        self.energyAtFull = energyAtFull
        self.powerAtFull = powerAtFull
    }

    /// kW less for each kWh more.
    func slope(from powerMax: Double) -> Double {
        (powerMax - powerAtFull) / max(1e-9, energyAtFull - energyAtStart)
    }

    /// kW at most when so many kWh were taken.
    func power(after taken: Double, from powerMax: Double) -> Double {
        max(powerAtFull, powerMax - slope(from: powerMax) * max(0, taken - energyAtStart))
    }
}

/// A load that, once begun, runs through a fixed course: a dishwasher.
public struct LoadProfile: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        public var milliseconds: Int64
        /// kW
        public var power: Double

        public init(milliseconds: Int64, power: Double) {
            self.milliseconds = milliseconds
            self.power = power
        }
    }
    public var steps: [Step]

    /// - Parameter steps: neighbours of the same power become one.
    public init(steps: [Step]) {
        self.steps = []
        for step in steps {
            if let last = self.steps.indices.last, self.steps[last].power == step.power {
                self.steps[last].milliseconds += step.milliseconds
            } else {
                self.steps.append(step)
            }
        }
    }

    var milliseconds: Int64 { steps.reduce(0) { $0 + $1.milliseconds } }
}

/// A heated or cooled building of one thermal mass.
///
/// `T' = T e^(-h/RC) + (1 - e^(-h/RC)) (outdoor ± R x COP x power)`, plus for heating, minus for cooling.
public struct ThermalNeed: Hashable, Sendable {
    public var isCooling: Bool
    /// K/kW
    public var resistance: Double
    /// kWh/K
    public var capacity: Double
    /// kW of heat per kW of power.
    public var performance: Double
    /// °C
    public var initial: Double
    /// °C in each slot of the problem.
    public var outdoor: [Double]
    /// °C that holds at the end of each slot of the problem.
    public var comfortMin: [Double]
    public var comfortMax: [Double]
    /// Kelvin by which the comfort band may be left on the saving side, and for how long in all.
    public var setbackDepth: Double
    public var setbackMilliseconds: Int64
    /// Milliseconds that each setback lasts at least; that time counts, whether the band is left in all of it or not.
    public var setbackMin: Int64 = 0
    /// It is set back when the plan begins, and stays so until then; `nil`: it is not.
    public var setbackUntil: Timestamp?
    /// The band may be left until then only; `nil`: until the end of the plan.
    public var setbackBefore: Timestamp?
    /// °C at the end: at least (heating) or at most (cooling).
    public var final: Double?
    /// It is on when the plan begins, and stays so until then; the plan's start if it may stop at once. `nil`: it is off.
    public var runsUntil: Timestamp?
    public var powerMin: Double
    public var powerMax: Double

    public init(
        isCooling: Bool = false, resistance: Double, capacity: Double, performance: Double, initial: Double,
        outdoor: [Double], comfortMin: [Double], comfortMax: [Double], setbackDepth: Double = 0,
        setbackMilliseconds: Int64 = 0, final: Double? = nil, powerMin: Double = 0, powerMax: Double
    ) {
        self.isCooling = isCooling
        self.resistance = resistance
        self.capacity = capacity
        self.performance = performance
        self.initial = initial
        self.outdoor = outdoor
        self.comfortMin = comfortMin
        self.comfortMax = comfortMax
        self.setbackDepth = setbackDepth
        self.setbackMilliseconds = setbackMilliseconds
        self.final = final
        self.powerMin = powerMin
        self.powerMax = powerMax
    }

    /// The share of the difference to outdoors that is left after so long without power.
    func kept(hours: Double) -> Double { exp(-hours / (resistance * capacity)) }
}

/// How a load may be switched.
public struct RunShape: Hashable, Sendable {
    /// Milliseconds. A load that needs less than one such run runs once, for what it needs.
    public var runMin: Int64
    public var pauseMin: Int64
    public var runsMax: Int?
    /// A block may begin at any time, not only at the start of a slot, also that of a load which may run more than once and
    /// takes all that it needs in one.
    public var startsAnywhere: Bool
    /// In units of the objective, for each start.
    public var startCost: Double
    public var ties: TieBreak
    /// It is on when the plan begins: going on is no start, and the pause begins when it ends. ``runsMax`` counts further runs.
    public var isOn: Bool
    /// When runs are counted anew; `nil`: ``runsMax`` is of all of them.
    public var recounts: Recounts?

    public struct Recounts: Hashable, Sendable {
        /// Unix milliseconds, rising: a run that goes on then counts anew, too.
        public var at: [Int64]
        /// From each of them on, until the next.
        public var runsMax: Int

        public init(at: [Int64], runsMax: Int) {
            self.at = at
            self.runsMax = runsMax
        }
    }

    public init(
        runMin: Int64 = 0, pauseMin: Int64 = 0, runsMax: Int? = nil, startsAnywhere: Bool = false,
        startCost: Double = 0, ties: TieBreak = .earlier, isOn: Bool = false
    ) {
        self.isOn = isOn
        self.runMin = runMin
        self.pauseMin = pauseMin
        self.runsMax = runsMax
        self.startsAnywhere = startsAnywhere
        self.startCost = startCost
        self.ties = ties
    }

    /// Whether nothing says how it may be switched, nor does a start cost anything.
    public var isFree: Bool { !hasRules && startCost == 0 }

    /// Whether runs may not be as many, as long and as near each other as one likes.
    var hasRules: Bool { runMin != 0 || pauseMin != 0 || runsMax != nil }

    /// Whether all runs count together.
    var countsOnce: Bool { runsMax == nil || recounts == nil }

    /// Whether a run may go on in a load's first slot.
    func goesOn(_ range: Range<Int>) -> Bool { isOn && range.lowerBound == 0 && !range.isEmpty }
}
