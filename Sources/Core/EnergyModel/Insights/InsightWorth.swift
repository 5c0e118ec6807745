/// An amount of money, of either sign.
public struct Money: Hashable, Sendable {
    /// Millionths of the currency unit.
    public let micros: Int64
    /// ISO 4217.
    public let currency: String

    public init(micros: Int64, currency: String) {
        self.micros = micros
        self.currency = currency
    }
}

/// Carbon dioxide (equivalent) by one kind of signal.
public struct CarbonMass: Hashable, Sendable {
    public let milligrams: Int64
    /// Average and marginal emissions answer different questions: they are never added.
    public let kind: SignalKind
    /// The energy that it is of.
    public let energy: Energy

    public init(milligrams: Int64, kind: SignalKind, energy: Energy) {
        self.milligrams = milligrams
        self.kind = kind
        self.energy = energy
    }

    /// gCO2eq/kWh on average; `nil` without energy.
    public var gramsPerKilowattHour: Double? {
        energy > .zero ? Double(milligrams) * 1_000 / Double(energy.milliwattHours) : nil
    }
}

/// What energy cost and emitted, by what was known when it was used.
///
/// What is not known is left out of `costs` and `carbon`, never guessed: how much that is say ``pricedEnergy`` and the
/// energy of each ``CarbonMass``, beside the whole energy.
public struct InsightWorth: Hashable, Sendable {
    // Nearly always there is one currency and one kind: these need no memory of their own, which an answer of thousands
    // of records is made of otherwise.
    private var cost: Money?
    private var otherCosts: [Money]?
    private var mass: CarbonMass?
    private var otherMasses: [CarbonMass]?
    /// The energy that ``costs`` are of.
    public var pricedEnergy: Energy

    public static let none = InsightWorth()

    public init(costs: [Money] = [], pricedEnergy: Energy = .zero, carbon: [CarbonMass] = []) {
        self.pricedEnergy = pricedEnergy
        self.costs = costs
        self.carbon = carbon
    }

    /// One per currency, sorted. Of exported energy what is paid for it.
    public var costs: [Money] {
        get { cost.map { [$0] + (otherCosts ?? []) } ?? [] }
        set {
            cost = newValue.first
            otherCosts = newValue.count > 1 ? Array(newValue.dropFirst()) : nil
        }
    }

    /// One per kind, in the order of its raw values.
    public var carbon: [CarbonMass] {
        get { mass.map { [$0] + (otherMasses ?? []) } ?? [] }
        set {
            mass = newValue.first
            otherMasses = newValue.count > 1 ? Array(newValue.dropFirst()) : nil
        }
    }

    /// The worth of what classes add up to.
    public init(_ tallies: some Sequence<(key: InsightClass, value: InsightTally)>) {
        pricedEnergy = .zero
        for (item, tally) in tallies { add(tally, item) }
    }

    /// Adds what a class adds up to.
    public mutating func add(_ tally: InsightTally, _ item: InsightClass) { add(tally, item, currency: item.currency) }

    /// - Parameter currency: the class's.
    public mutating func add(_ tally: InsightTally, _ item: InsightClass, currency: String?) {
        if let currency {
            add(Money(micros: tally.costMicros, currency: currency))
            pricedEnergy = Self.sum(pricedEnergy, tally.amount.energy)
        }
        if let kind = item.carbonKind {
            add(CarbonMass(milligrams: tally.carbonMilligrams, kind: kind, energy: tally.amount.energy))
        }
    }

    public static func + (lhs: InsightWorth, rhs: InsightWorth) -> InsightWorth {
        var sum = lhs
        for cost in rhs.costs { sum.add(cost) }
        for mass in rhs.carbon { sum.add(mass) }
        sum.pricedEnergy = Self.sum(sum.pricedEnergy, rhs.pricedEnergy)
        return sum
    }

    /// The cost, if all of `energy` has a price, in one currency.
    public func cost(ofAll energy: Energy) -> Money? { otherCosts == nil && pricedEnergy == energy ? cost : nil }

    /// The mass, if the intensity of all of `energy` is known, of one kind.
    public func carbon(ofAll energy: Energy) -> CarbonMass? {
        otherMasses == nil && mass?.energy == energy ? mass : nil
    }

    /// Millionths of the currency unit per kWh on average; `nil` without priced energy, or with several currencies.
    public var averagePrice: Price? {
        guard let cost, otherCosts == nil, pricedEnergy > .zero else { return nil }
        let micros = Double(cost.micros) * 1_000_000 / Double(pricedEnergy.milliwattHours)
        return Int64(exactly: micros.rounded()).map(Price.init(microsPerKilowattHour:))
    }

    private mutating func add(_ added: Money) {
        guard let cost else {
            self.cost = added
            return
        }
        if cost.currency == added.currency, otherCosts == nil {
            self.cost = Money(micros: cost.micros.addingSaturated(added.micros), currency: cost.currency)
            return
        }
        var costs = costs
        if let index = costs.firstIndex(where: { $0.currency == added.currency }) {
            costs[index] = Money(micros: costs[index].micros.addingSaturated(added.micros), currency: added.currency)
        } else {
            costs.insert(added, at: costs.firstIndex { $0.currency > added.currency } ?? costs.endIndex)
        }
        self.costs = costs
    }

    private mutating func add(_ added: CarbonMass) {
        func joined(_ mass: CarbonMass) -> CarbonMass {
            CarbonMass(
                milligrams: mass.milligrams.addingSaturated(added.milligrams), kind: mass.kind,
                energy: Self.sum(mass.energy, added.energy))
        }
        guard let mass else {
            self.mass = added
            return
        }
        if mass.kind == added.kind, otherMasses == nil {
            self.mass = joined(mass)
            return
        }
        var carbon = carbon
        if let index = carbon.firstIndex(where: { $0.kind == added.kind }) {
            carbon[index] = joined(carbon[index])
        } else {
            carbon.insert(added, at: carbon.firstIndex { $0.kind.rawValue > added.kind.rawValue } ?? carbon.endIndex)
        }
        self.carbon = carbon
    }

    private static func sum(_ lhs: Energy, _ rhs: Energy) -> Energy {
        Energy(milliwattHours: lhs.milliwattHours.addingSaturated(rhs.milliwattHours))
    }
}
