public import EnergyModel

/// Everything a plan depends on: what power costs when, what the connection carries, and what each load needs.
///
/// Power is in kW, energy in kWh, as decimals: an optimum is a real number, and rounding it to whole milliwatt-hours is
/// for whoever stores it. Nothing here reads a clock: the first slot's start is "now".
public struct PlanProblem: Sendable {
    /// Sorted, each beginning where the one before ends.
    public var slots: [PlanSlot]
    public var limits: PlanLimits
    public var loads: [PlannedLoad]
    public var batteries: [HomeBattery]
    public var objective: PlanObjective
    /// Whether photovoltaic power may be thrown away; `nil`: only where something limits what is exported.
    public var isPVCurtailable: Bool?
    /// Whether what is paid for is every minute, as a meter counts, and not each slot's mean: a load of one power that is alone
    /// is planned so.
    public var countsMinutes = false
    /// For coupled problems; the best plan found by then is the answer, with its proven bound.
    public var timeLimit: Duration
    /// How the plan's sentences tell a time; by default ISO 8601 in UTC.
    public var timeText: @Sendable (Timestamp) -> String = { InstantText.text($0.unixMilliseconds, offset: 0) }

    public init(
        slots: [PlanSlot], limits: PlanLimits = PlanLimits(), loads: [PlannedLoad], batteries: [HomeBattery] = [],
        objective: PlanObjective = .money, isPVCurtailable: Bool? = nil, timeLimit: Duration = .seconds(10)
    ) {
        self.slots = slots
        self.limits = limits
        self.loads = loads
        self.batteries = batteries
        self.objective = objective
        self.isPVCurtailable = isPVCurtailable
        self.timeLimit = timeLimit
    }

    /// The one that plans heed: where money is not made small its peak counts nothing.
    public var demandCharge: DemandCharge? { objective.money > 0 ? limits.demandCharge : nil }
}

/// A part of time in which nothing that matters for the price changes.
public struct PlanSlot: Hashable, Sendable {
    public var interval: Interval
    /// Currency per imported kWh; may be negative. Already the forecast where the price is not known yet.
    public var importPrice: Double
    /// Currency per exported kWh.
    public var exportPrice: Double
    /// g CO2 per imported kWh.
    public var carbon: Double
    /// Guidance, 0 best ... 1 worst.
    public var rating: Double
    /// kW of everything that is not planned, on the three phases.
    public var baseLoad: [Double]
    /// kW of photovoltaics.
    public var pv: Double
    /// Whether price, carbon or rating is a forecast.
    public var isForecast: Bool
    /// What ceilings look at in place of ``importPrice`` and ``carbon``: a forecast without what is added for its doubts.
    public var expectedPrice: Double?
    public var expectedCarbon: Double?

    public init(
        interval: Interval, importPrice: Double, exportPrice: Double = 0, carbon: Double = 0, rating: Double = 0,
        baseLoad: [Double] = [0, 0, 0], pv: Double = 0, isForecast: Bool = false
    ) {
        self.interval = interval
        self.importPrice = importPrice
        self.exportPrice = exportPrice
        self.carbon = carbon
        self.rating = rating
        self.baseLoad = baseLoad
        self.pv = pv
        self.isForecast = isForecast
    }
}

/// What is made small: a weighted sum of the cost, the carbon and the rated energy of what is imported.
public struct PlanObjective: Hashable, Sendable {
    /// Per currency unit.
    public var money: Double
    /// Per kg CO2.
    public var carbon: Double
    /// Per kWh x rating.
    public var rating: Double

    public init(money: Double, carbon: Double, rating: Double) {
        self.money = money
        self.carbon = carbon
        self.rating = rating
    }

    public static let money = PlanObjective(money: 1, carbon: 0, rating: 0)
    public static let carbon = PlanObjective(money: 0, carbon: 1, rating: 0)
    public static let rating = PlanObjective(money: 0, carbon: 0, rating: 1)
}

/// What the connection and the circuits behind it carry.
public struct PlanLimits: Hashable, Sendable {
    /// kW drawn from the grid by the whole home.
    public var importPower: Double?
    /// kW given to the grid.
    public var exportPower: Double?
    public var circuits: [Circuit]
    /// Names of loads and batteries of which at most one runs in a slot.
    public var exclusive: [[String]]
    public var demandCharge: DemandCharge?

    public init(
        importPower: Double? = nil, exportPower: Double? = nil, circuits: [Circuit] = [], exclusive: [[String]] = [],
        demandCharge: DemandCharge? = nil
    ) {
        self.importPower = importPower
        self.exportPower = exportPower
        self.circuits = circuits
        self.exclusive = exclusive
        self.demandCharge = demandCharge
    }

    /// What one of ``exclusive`` is called beside the names of circuits.
    static func name(ofGroup group: [String]) -> String { "one at a time: \(group.joined(separator: ", "))" }
}

/// A fuse and what is behind it. It limits what flows in either direction.
public struct Circuit: Hashable, Sendable {
    public var name: String
    /// The circuit that feeds this one; what runs here counts there too.
    public var parent: String?
    /// kW over all phases.
    public var power: Double?
    /// kW on each phase.
    public var powerPerPhase: Double?
    /// kW of an ampere, where its power was said in amperes: on each phase if ``powerPerPhase`` is said.
    public var ampere: Double?
    /// Names of loads and batteries directly on it; `nil`: all that are on no other circuit.
    public var members: [String]?
    /// Whether the base load and the photovoltaics are on it too.
    public var carriesBaseLoad: Bool

    public init(
        name: String, parent: String? = nil, power: Double? = nil, powerPerPhase: Double? = nil,
        members: [String]? = nil, carriesBaseLoad: Bool = false
    ) {
        self.name = name
        self.parent = parent
        self.power = power
        self.powerPerPhase = powerPerPhase
        self.members = members
        self.carriesBaseLoad = carriesBaseLoad
    }
}

/// A price on the highest mean import of any slot.
public struct DemandCharge: Hashable, Sendable {
    /// Currency per kW.
    public var price: Double
    /// kW that this billing period has already reached; only what is above costs more.
    public var peakSoFar: Double

    public init(price: Double, peakSoFar: Double = 0) {
        self.price = price
        self.peakSoFar = peakSoFar
    }
}
