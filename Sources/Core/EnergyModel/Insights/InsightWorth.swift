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
    private var sums: Sums
    /// The energy that ``costs`` are of.
    public var pricedEnergy: Energy

    public static let none = InsightWorth()

    public init(costs: [Money] = [], pricedEnergy: Energy = .zero, carbon: [CarbonMass] = []) {
        self.pricedEnergy = pricedEnergy
        sums = Sums(costs: costs, carbon: carbon)
    }

    /// One per currency, sorted. Of exported energy what is paid for it.
    public var costs: [Money] {
        get { sums.costs }
        set { sums = Sums(costs: newValue, carbon: carbon) }
    }

    /// One per kind, in the order of its raw values.
    public var carbon: [CarbonMass] {
        get { sums.carbon }
        set { sums = Sums(costs: costs, carbon: newValue) }
    }

    /// The worth of what classes add up to.
    public init(_ tallies: some Sequence<(key: InsightClass, value: InsightTally)>) {
        self.init()
        for (item, tally) in tallies { add(tally, item) }
    }

    /// Adds what a class adds up to.
    @inline(__always)
    public mutating func add(_ tally: InsightTally, _ item: InsightClass) {
        if let currency = item.currencyCode {
            sums.add(micros: tally.costMicros, currency)
            pricedEnergy = pricedEnergy.addingSaturated(tally.amount.energy)
        }
        if let kind = item.carbonKind {
            sums.add(CarbonMass(milligrams: tally.carbonMilligrams, kind: kind, energy: tally.amount.energy))
        }
    }

    public static func + (lhs: InsightWorth, rhs: InsightWorth) -> InsightWorth {
        var sum = lhs
        sum.sums.add(rhs.sums)
        sum.pricedEnergy = lhs.pricedEnergy.addingSaturated(rhs.pricedEnergy)
        return sum
    }

    /// The cost, if all of `energy` has a price, in one currency.
    public func cost(ofAll energy: Energy) -> Money? { pricedEnergy == energy ? costs.only : nil }

    /// The mass, if the intensity of all of `energy` is known, of one kind.
    public func carbon(ofAll energy: Energy) -> CarbonMass? {
        guard let mass = carbon.only, mass.energy == energy else { return nil }
        return mass
    }

    /// This worth, with the cost and the carbon of `other` where they are of the same energy and nearly the same.
    ///
    /// - Parameter units: millionths of the currency unit, and milligrams, that count as nearly.
    func leveled(to other: InsightWorth, within units: Int64) -> InsightWorth {
        var worth = self
        if pricedEnergy == other.pricedEnergy, let own = costs.only, let cost = other.costs.only,
            own.currency == cost.currency, own.micros.subtractingSaturated(cost.micros).magnitude <= units
        {
            worth.costs = [cost]
        }
        if let own = carbon.only, let mass = other.carbon.only, own.kind == mass.kind, own.energy == mass.energy,
            own.milligrams.subtractingSaturated(mass.milligrams).magnitude <= units
        {
            worth.carbon = [mass]
        }
        return worth
    }

    /// Millionths of the currency unit per kWh on average; `nil` without priced energy, or with several currencies.
    public var averagePrice: Price? {
        guard let cost = costs.only, pricedEnergy > .zero else { return nil }
        let micros = Double(cost.micros) * 1_000_000 / Double(pricedEnergy.milliwattHours)
        return Int64(exactly: micros.rounded()).map(Price.init(microsPerKilowattHour:))
    }
}

extension InsightWorth {
    /// Nearly always there is one currency and one kind. These are plain numbers, because an answer has thousands of records;
    /// only more than one of either has memory of its own.
    private struct Sums: Hashable {
        private var currency: CurrencyCode?
        /// 0 without a currency.
        private var micros: Int64 = 0
        private var mass: CarbonMass?
        /// All of them, and nothing stands above.
        private var several: Several?

        private indirect enum Several: Hashable {
            case sums(costs: [Money], carbon: [CarbonMass])
        }

        init() {}

        /// The same sums are always kept alike.
        init(costs: [Money], carbon: [CarbonMass]) {
            let currency = costs.first.flatMap { CurrencyCode($0.currency) }
            guard carbon.count <= 1, costs.count <= 1, costs.isEmpty == (currency == nil) else {
                several = .sums(costs: costs, carbon: carbon)
                return
            }
            (self.currency, micros, mass) = (currency, costs.first?.micros ?? 0, carbon.first)
        }

        var costs: [Money] {
            if case .sums(let costs, _) = several { return costs }
            return currency.map { [Money(micros: micros, currency: $0.name)] } ?? []
        }

        var carbon: [CarbonMass] {
            if case .sums(_, let carbon) = several { return carbon }
            return mass.map { [$0] } ?? []
        }

        @inline(__always)
        mutating func add(micros added: Int64, _ currency: CurrencyCode) {
            guard several == nil, self.currency == nil || self.currency == currency else {
                return add(Money(micros: added, currency: currency.name))
            }
            (self.currency, micros) = (currency, micros.addingSaturated(added))
        }

        @inline(__always)
        mutating func add(_ added: CarbonMass) {
            guard several == nil, mass == nil || mass?.kind == added.kind else { return join(added) }
            mass = mass?.adding(added) ?? added
        }

        private mutating func join(_ added: CarbonMass) {
            var carbon = carbon
            if let index = carbon.firstIndex(where: { $0.kind == added.kind }) {
                carbon[index] = carbon[index].adding(added)
            } else {
                carbon.insert(
                    added, at: carbon.firstIndex { $0.kind.rawValue > added.kind.rawValue } ?? carbon.endIndex)
            }
            self = Sums(costs: costs, carbon: carbon)
        }

        mutating func add(_ other: Sums) {
            for cost in other.costs { add(cost) }
            for mass in other.carbon { add(mass) }
        }

        private mutating func add(_ added: Money) {
            var costs = costs
            if let index = costs.firstIndex(where: { $0.currency == added.currency }) {
                let micros = costs[index].micros.addingSaturated(added.micros)
                costs[index] = Money(micros: micros, currency: added.currency)
            } else {
                costs.insert(added, at: costs.firstIndex { $0.currency > added.currency } ?? costs.endIndex)
            }
            self = Sums(costs: costs, carbon: carbon)
        }
    }
}

extension CarbonMass {
    /// - Parameter other: of the same kind.
    fileprivate func adding(_ other: CarbonMass) -> CarbonMass {
        CarbonMass(
            milligrams: milligrams.addingSaturated(other.milligrams), kind: kind,
            energy: energy.addingSaturated(other.energy))
    }
}

extension Energy {
    fileprivate func addingSaturated(_ other: Energy) -> Energy {
        Energy(milliwattHours: milliwattHours.addingSaturated(other.milliwattHours))
    }
}

extension Array {
    /// `nil` of none and of several.
    fileprivate var only: Element? { count == 1 ? self[0] : nil }
}
