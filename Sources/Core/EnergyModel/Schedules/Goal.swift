public import Foundation

/// A device that the scheduler plans.
public struct ManagedDevice: Hashable, Sendable {
    public var device: Device
    public let venueID: UUID
    /// For electric vehicles.
    public let vehicle: VehicleTraits?
    public var rules: ChargingRules
    /// For home batteries and appliances, and for heating and cooling whose building is known.
    public var load: HomeLoad?

    public init(
        device: Device, venueID: UUID, vehicle: VehicleTraits? = nil, rules: ChargingRules = ChargingRules(),
        load: HomeLoad? = nil
    ) {
        self.device = device
        self.venueID = venueID
        self.vehicle = vehicle
        self.rules = rules
        self.load = load
    }
}

/// What limits a vehicle's charging.
public struct VehicleTraits: Hashable, Sendable {
    /// `> 0`.
    public let batteryCapacity: Energy
    /// At the grid, `> 0`.
    public let powerMax: Power
    /// Battery energy / grid energy, `0.5...1`.
    public let efficiency: Double
    /// At the grid, `0...powerMax`: the least it charges with. Equal to ``powerMax``: it charges with that or not at all.
    public let powerMin: Power
    /// Those it is on, `1...3`, sorted; its power is spread evenly over them.
    public let phases: [Int]
    /// From one power to the next, counted from 0, `> 0`; `nil`: any between the least and the most.
    public let powerStep: Power?
    /// The same as a current, in place of ``powerStep``.
    public let currentStep: CurrentStep?
    public let taper: Taper?

    /// A current on each phase of the vehicle.
    public struct CurrentStep: Hashable, Sendable {
        public static let range: ClosedRange<Int64> = 1...1_000_000

        /// ``range``.
        public let milliamperes: Int64
        /// Of a phase, ``range``.
        public let millivolts: Int64

        public init(milliamperes: Int64, millivolts: Int64 = 230_000) {
            self.milliamperes = milliamperes
            self.millivolts = millivolts
        }
    }

    /// Near full the power falls in a line, from ``VehicleTraits/powerMax`` to ``powerAtFull``.
    public struct Taper: Hashable, Sendable {
        /// Where it begins, `1...99`.
        public let percent: Int
        /// At 100 %, at the grid.
        public let powerAtFull: Power

        public init(percent: Int, powerAtFull: Power) {
            self.percent = percent
            self.powerAtFull = powerAtFull
        }
    }

    /// - Parameter powerMin: `nil` is ``powerMax``.
    public init(
        batteryCapacity: Energy, powerMax: Power, efficiency: Double = 0.9, powerMin: Power? = nil,
        phases: [Int] = [1, 2, 3], powerStep: Power? = nil, currentStep: CurrentStep? = nil, taper: Taper? = nil
    ) {
        self.batteryCapacity = batteryCapacity
        self.powerMax = powerMax
        self.efficiency = efficiency
        self.powerMin = powerMin ?? powerMax
        self.phases = phases
        self.powerStep = powerStep
        self.currentStep = currentStep
        self.taper = taper
    }

    /// ``powerStep``, or what ``currentStep`` is on all of ``phases``; `nil`: any power.
    public var step: Power? {
        guard let currentStep, CurrentStep.range ~= currentStep.milliamperes,
            CurrentStep.range ~= currentStep.millivolts
        else { return powerStep }
        let microwatts = currentStep.milliamperes * currentStep.millivolts * Int64(phases.count)
        return (try? Power(milliwatts: microwatts / 1_000)) ?? powerStep
    }
}

/// What a device should have achieved, and by when.
public struct Goal: Hashable, Sendable, Identifiable {
    /// How far ahead a deadline may be, unless it is the next of a goal that repeats.
    public static let aheadMillisecondsMax = 14 * Int64.millisecondsPerDay

    public enum Target: Hashable, Sendable {
        /// From the grid, on top of what the vehicle has when the goal is set.
        case energy(Energy)
        /// Whole percent, `1...100`.
        case stateOfCharge(Int)
        /// HVAC: longest total time to run reduced until the deadline.
        case reduce(maxMilliseconds: Int64)
        /// Appliance: once.
        case run
    }

    public let id: UUID
    public let venueID: UUID
    public let deviceID: String
    public var readyBy: Timestamp
    public let target: Target
    /// When it was set, or when its deadline before this one was over.
    public var created: Timestamp
    /// Repeats: ``readyBy`` is the next of these times. `nil`: once.
    public var weekly: WeeklyTime?
    /// `0...100`: this share of what is needed is had in time even above the price and carbon ceilings.
    public let guaranteedPercent: Int

    public init(
        id: UUID, venueID: UUID, deviceID: String, readyBy: Timestamp, target: Target, created: Timestamp,
        weekly: WeeklyTime? = nil, guaranteedPercent: Int = 0
    ) {
        self.id = id
        self.venueID = venueID
        self.deviceID = deviceID
        self.readyBy = readyBy
        self.target = target
        self.created = created
        self.weekly = weekly
        self.guaranteedPercent = guaranteedPercent
    }
}
