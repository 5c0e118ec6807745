/// What else of a home can be planned.
public enum HomeLoad: Hashable, Sendable {
    case battery(BatteryTraits)
    case appliance(ApplianceTraits)
    case climate(ClimateTraits)
}

/// A battery of the home.
public struct BatteryTraits: Hashable, Sendable {
    /// `> 0`.
    public let capacity: Energy
    /// At the home's side.
    public let chargeMax: Power
    public let dischargeMax: Power
    /// Stored / taken, `0.5...1`.
    public let chargeEfficiency: Double
    /// Given / taken out of store, `0.5...1`.
    public let dischargeEfficiency: Double
    /// `0...100`: never planned below.
    public let reservePercent: Int
    /// Of each kWh charged or discharged, `>= 0`.
    public let wear: Price
    /// Those it is on, `1...3`, sorted.
    public let phases: [Int]
    /// Percent, `0...100`, when it was put; `nil`: nobody said it.
    public var stateOfCharge: Double?

    public init(
        capacity: Energy, chargeMax: Power, dischargeMax: Power, chargeEfficiency: Double = 0.95,
        dischargeEfficiency: Double = 0.95, reservePercent: Int = 0, wear: Price = Price(microsPerKilowattHour: 0),
        phases: [Int] = [1, 2, 3], stateOfCharge: Double? = nil
    ) {
        self.capacity = capacity
        self.chargeMax = chargeMax
        self.dischargeMax = dischargeMax
        self.chargeEfficiency = chargeEfficiency
        self.dischargeEfficiency = dischargeEfficiency
        self.reservePercent = reservePercent
        self.wear = wear
        self.phases = phases
        self.stateOfCharge = stateOfCharge
    }
}

/// Runs through a fixed course once it has begun: a dishwasher.
public struct ApplianceTraits: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        /// `> 0`.
        public let milliseconds: Int64
        public let power: Power

        public init(milliseconds: Int64, power: Power) {
            self.milliseconds = milliseconds
            self.power = power
        }
    }

    public static let stepsMax = 200

    /// `1...200`, at most 24 h in all.
    public let steps: [Step]
    /// Those it is on, `1...3`, sorted.
    public let phases: [Int]

    public init(steps: [Step], phases: [Int] = [1, 2, 3]) {
        self.steps = steps
        self.phases = phases
    }

    public var milliseconds: Int64 { steps.reduce(0) { $0 + $1.milliseconds } }
    public var energy: Energy { steps.reduce(.zero) { $0 + $1.power.energy(overMilliseconds: $1.milliseconds) } }
}

/// A building of one thermal mass, and what heats or cools it.
public struct ClimateTraits: Hashable, Sendable {
    public var isCooling = false
    /// K/kW to outdoors, `0.01...1000`.
    public var resistance: Double
    /// kWh/K, `0.01...1000`.
    public var capacity: Double
    /// kW of heat or cold per kW of power, `0.1...20`.
    public var performance: Double
    /// °C, the least below the most.
    public var comfortMin: Double
    public var comfortMax: Double
    /// Kelvin, `0...30`: how far the band may be left to save.
    public var setback = 0.0
    /// `0...86_400_000`: each time that the band is left lasts at least so long.
    public var setbackMinMilliseconds: Int64 = 0
    /// `> 0`.
    public var powerMax: Power
    /// While it runs.
    public var powerMin = Power.zero
    /// `0...86_400_000`.
    public var runMinMilliseconds: Int64 = 0
    public var pauseMinMilliseconds: Int64 = 0
    /// Those it is on, `1...3`, sorted.
    public var phases = [1, 2, 3]
    /// °C when it was put.
    public var indoor: Double
    /// °C where no forecast says it.
    public var outdoor: Double

    public init(
        resistance: Double, capacity: Double, performance: Double, comfortMin: Double, comfortMax: Double,
        powerMax: Power, indoor: Double, outdoor: Double
    ) {
        self.resistance = resistance
        self.capacity = capacity
        self.performance = performance
        self.comfortMin = comfortMin
        self.comfortMax = comfortMax
        self.powerMax = powerMax
        self.indoor = indoor
        self.outdoor = outdoor
    }
}
