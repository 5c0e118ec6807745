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
    /// One per currency, sorted. Of exported energy what is paid for it.
    public var costs: [Money]
    /// The energy that `costs` are of.
    public var pricedEnergy: Energy
    /// One per kind, in the order of its raw values.
    public var carbon: [CarbonMass]

    public static let none = InsightWorth()

    public init(costs: [Money] = [], pricedEnergy: Energy = .zero, carbon: [CarbonMass] = []) {
        self.costs = costs
        self.pricedEnergy = pricedEnergy
        self.carbon = carbon
    }

    /// The worth of what classes add up to.
    public init(_ tallies: some Sequence<(key: InsightClass, value: InsightTally)>) {
        self.init()
        for (item, tally) in tallies {
            if let currency = item.currency {
                add(Money(micros: tally.costMicros, currency: currency))
                pricedEnergy = Self.sum(pricedEnergy, tally.amount.energy)
            }
            if let kind = item.carbonKind {
                add(CarbonMass(milligrams: tally.carbonMilligrams, kind: kind, energy: tally.amount.energy))
            }
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
    public func cost(ofAll energy: Energy) -> Money? {
        costs.count == 1 && pricedEnergy == energy ? costs[0] : nil
    }

    /// The mass, if the intensity of all of `energy` is known, of one kind.
    public func carbon(ofAll energy: Energy) -> CarbonMass? {
        carbon.count == 1 && carbon[0].energy == energy ? carbon[0] : nil
    }

    /// Millionths of the currency unit per kWh on average; `nil` without priced energy, or with several currencies.
    public var averagePrice: Price? {
        guard costs.count == 1, pricedEnergy > .zero else { return nil }
        let micros = Double(costs[0].micros) * 1_000_000 / Double(pricedEnergy.milliwattHours)
        return Int64(exactly: micros.rounded()).map(Price.init(microsPerKilowattHour:))
    }

    private mutating func add(_ cost: Money) {
        if let index = costs.firstIndex(where: { $0.currency == cost.currency }) {
            costs[index] = Money(
                micros: costs[index].micros.addingSaturated(cost.micros), currency: cost.currency)
        } else {
            costs.insert(cost, at: costs.firstIndex { $0.currency > cost.currency } ?? costs.endIndex)
        }
    }

    private mutating func add(_ mass: CarbonMass) {
        if let index = carbon.firstIndex(where: { $0.kind == mass.kind }) {
            carbon[index] = CarbonMass(
                milligrams: carbon[index].milligrams.addingSaturated(mass.milligrams), kind: mass.kind,
                energy: Self.sum(carbon[index].energy, mass.energy))
        } else {
            carbon.insert(mass, at: carbon.firstIndex { $0.kind.rawValue > mass.kind.rawValue } ?? carbon.endIndex)
        }
    }

    private static func sum(_ lhs: Energy, _ rhs: Energy) -> Energy {
        Energy(milliwattHours: lhs.milliwattHours.addingSaturated(rhs.milliwattHours))
    }
}
