public import EnergyModel

/// A battery of the home.
///
/// Goals and the least energy never make a plan impossible: what cannot be had is missing, and is made small before any
/// cost.
public struct HomeBattery: Hashable, Sendable {
    /// Energy that must be stored at a time; before and after it the battery is free.
    public struct Goal: Hashable, Sendable {
        public var by: Timestamp
        /// kWh in store.
        public var energy: Double

        public init(by: Timestamp, energy: Double) {
            self.by = by
            self.energy = energy
        }
    }

    public var name: String
    /// kWh that stay in it; from less than that it is charged as soon as can be.
    public var energyMin: Double
    /// kWh to which it is charged; from more than that it is not.
    public var energyMax: Double
    public var initial: Double
    /// Least at the end of the plan; the rest is worth ``endValue``.
    public var finalMin: Double
    /// Inside the plan.
    public var goals: [Goal]
    /// When not all can have what they need, higher comes first.
    public var priority: Int
    /// kW at the home's side.
    public var chargeMax: Double
    public var dischargeMax: Double
    /// Stored / taken, and given / taken out of store.
    public var chargeEfficiency: Double
    public var dischargeEfficiency: Double
    /// Currency per kWh charged or discharged, at the home's side.
    public var wear: Double
    /// Currency per stored kWh at the end.
    public var endValue: Double
    public var phases: [Int]

    public init(
        name: String, energyMin: Double = 0, energyMax: Double, initial: Double, finalMin: Double, goals: [Goal] = [],
        priority: Int = 0, chargeMax: Double, dischargeMax: Double, chargeEfficiency: Double = 1,
        dischargeEfficiency: Double = 1, wear: Double = 0, endValue: Double = 0, phases: [Int] = [1, 2, 3]
    ) {
        self.name = name
        self.energyMin = energyMin
        self.energyMax = energyMax
        self.initial = initial
        self.finalMin = finalMin
        self.goals = goals
        self.priority = priority
        self.chargeMax = chargeMax
        self.dischargeMax = dischargeMax
        self.chargeEfficiency = chargeEfficiency
        self.dischargeEfficiency = dischargeEfficiency
        self.wear = wear
        self.endValue = endValue
        self.phases = phases
    }

    var isOverfull: Bool { initial > energyMax }

    /// What must be stored when, as the number of cut slots until then, in order of time; the end of the plan is last.
    func dues(_ grid: PlanGrid) -> [(slots: Int, energy: Double)] {
        goals.sorted { $0.by < $1.by }.map { (grid.index(at: $0.by.unixMilliseconds), $0.energy) }
            + [(grid.count, finalMin)]
    }
}
