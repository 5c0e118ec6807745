public import EnergyModel

/// What every load and battery of a home should do, what that costs, and how well that is proven.
public struct HomePlan: Sendable {
    public enum Method: String, Hashable, Sendable, CaseIterable {
        /// Every load's own optimum fits into the limits, so together they are the optimum.
        case separate
        /// Found by following loads that are on or off side by side.
        case together
        /// Found by branch and bound over all loads together.
        case joint
        /// Found quickly, because the time was up before branch and bound found a better one.
        case first
    }

    public struct Totals: Hashable, Sendable {
        /// What was made small.
        public var objective = 0.0
        public var money = 0.0
        /// kg CO2
        public var carbon = 0.0
        /// kWh x rating
        public var rating = 0.0

        public init() {}

        public static func + (lhs: Totals, rhs: Totals) -> Totals {
            var sum = lhs
            sum.objective += rhs.objective
            sum.money += rhs.money
            sum.carbon += rhs.carbon
            sum.rating += rhs.rating
            return sum
        }

        public static func - (lhs: Totals, rhs: Totals) -> Totals {
            var difference = lhs
            difference.objective -= rhs.objective
            difference.money -= rhs.money
            difference.carbon -= rhs.carbon
            difference.rating -= rhs.rating
            return difference
        }
    }

    public struct Slot: Hashable, Sendable {
        public var interval: Interval
        /// Mean kW.
        public var importPower: Double
        public var exportPower: Double
        public var curtailed: Double
    }

    public var method: Method
    public var isOptimal: Bool
    /// No plan that lacks as little has a lower objective.
    public var bound: Double
    /// Each slot counts with its mean, as a meter does that is settled by slots.
    public var totals: Totals
    /// The same where what runs in a part of a slot counts when it runs, and batteries follow their blocks.
    public var asRun: Totals
    /// The same for the home without the planned loads and batteries.
    public var baseline: Totals
    public var loads: [LoadPlan]
    public var batteries: [BatteryPlan]
    public var slots: [Slot]
    /// What could not be done as asked.
    public var notes: [String]
}

/// What one load does.
public struct LoadPlan: Hashable, Sendable {
    /// A time in which the power does not change.
    public struct Run: Hashable, Sendable {
        public var interval: Interval
        /// kW
        public var power: Double
        /// kWh
        public var energy: Double
        public var reason: PlanReason
    }

    public struct Wait: Hashable, Sendable {
        public var interval: Interval
        public var reason: PlanReason
        /// The limit that keeps it waiting, with ``PlanReason/loadBalancing``.
        public var limit: String?
    }

    public var name: String
    /// kWh
    public var required: Double
    public var planned: Double
    /// kWh that cannot be had in time; for comfort, kelvin-hours outside the band.
    public var missing: Double
    public var starts: Int
    /// kWh in each slot of the plan.
    public var energies: [Double]
    public var runs: [Run]
    public var waits: [Wait]
    /// °C at the end of each slot, of a load with comfort.
    public var temperatures: [Double]
    /// When its comfort band may be left, of a load with comfort.
    public var setbacks: [Interval]
    /// Kelvin by which the end misses the temperature that was asked for; `nil` if none was.
    public var finalMissing: Double?
    public var shortfall: Shortfall?
}

public struct BatteryPlan: Hashable, Sendable {
    public struct Block: Hashable, Sendable {
        public var interval: Interval
        /// kW, positive while it charges.
        public var power: Double
    }

    public var name: String
    /// Mean kW in each slot, positive while it charges.
    public var power: [Double]
    /// All of the time: the same energy in each slot, when it helps loads most that run in a part of the slot.
    public var blocks: [Block]
    /// kWh at the end of each slot.
    public var stored: [Double]
    /// Most kWh that it has less than a goal when that is due, or than its least and its last at the end.
    public var missing: Double
    public var shortfall: Shortfall?
}

/// Why a load runs or waits.
public enum PlanReason: String, Hashable, Sendable, CaseIterable {
    case lowerElectricityRates, cleanerEnergy, ownSolar, deadline, precondition, comfort
    case waitingForLowerElectricityRates, waitingForCleanerEnergy, waitingForSolar
    /// A limit leaves no room for it now, or a demand charge makes it run slower and longer.
    case loadBalancing
    /// Switching now would break its minimum run or pause, cost a start, or use a slot in part that is not the last.
    case keepingRunsLong
    /// Another time would cost the same.
    case asEarlyAsCanBe, asLateAsCanBe
    case targetReached, outsideWindow, priceAboveCeiling, carbonAboveCeiling, comfortIsKept

    /// What a wait names as its limit that is for a lower peak.
    public static let demandCharge = "demand charge"
    /// Of one that may draw nothing.
    public static let ownPower = "its own power"
}

/// Why a load cannot have all it needs, and what would help.
public struct Shortfall: Hashable, Sendable {
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        /// Too little time at the highest power.
        case window
        /// Heating or cooling that is too weak, however long it runs.
        case power
        /// A fuse, circuit or import limit, for the load alone or beside others.
        case limit
        /// What runs anyway leaves too little of a limit.
        case baseLoad
        /// Loads that may not run at the same time.
        case exclusion
        /// Slots under the price ceiling are too few.
        case priceCeiling
        /// Slots under the carbon ceiling are too few.
        case carbonCeiling
        /// The battery takes no more.
        case capacity
        /// Minimum run, pause, number of runs, whole slots.
        case shape
        /// Loads with higher or the same priority.
        case otherLoads
        /// Perhaps nothing: there was no time to find the best plan, or to find who is in the way.
        case timeLimit
    }
    /// Another thing that has to change, or that could change instead.
    public struct Part: Hashable, Sendable {
        public var cause: Cause
        public var who: [String]
        /// To change this is enough by itself.
        var isAnotherWay = false
    }
    /// Of several things that are in the way together, the one that helps most by itself.
    public var cause: Cause
    /// The limit's name, or the loads' names.
    public var who: [String]
    /// What is in the way besides: mostly so that more than one thing has to change.
    public var also: [Part] = []
    /// Sentences: each by itself is known to help. Empty if nothing was found that does, or there was no time to try.
    public var remedies: [String]
    /// What to ask otherwise, as values.
    var changes: [PlanChange] = []
}
