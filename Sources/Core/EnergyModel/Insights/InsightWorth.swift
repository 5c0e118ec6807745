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

    /// Millionths of the currency unit per kWh on average; `nil` without priced energy, or with several currencies.
    public var averagePrice: Price? {
        guard let cost = costs.only, pricedEnergy > .zero else { return nil }
        let micros = Double(cost.micros) * 1_000_000 / Double(pricedEnergy.milliwattHours)
        return Int64(exactly: micros.rounded()).map(Price.init(microsPerKilowattHour:))
    }
}

extension InsightWorth {
    /// Nearly always there is one currency and one kind: these need no memory of their own, which an answer of thousands
    /// of records is made of otherwise.
    private enum Sums: Hashable {
        case single(Single)
        indirect case several(costs: [Money], carbon: [CarbonMass])

        struct Single: Hashable {
            var currency: CurrencyCode?
            /// 0 without a currency.
            var micros: Int64 = 0
            var mass: CarbonMass?
        }

        /// The same sums always make the same case.
        init(costs: [Money], carbon: [CarbonMass]) {
            var single = Single()
            single.mass = carbon.first
            if let cost = costs.first {
                single.currency = CurrencyCode(cost.currency)
                single.micros = cost.micros
            }
            let isSingle = carbon.count <= 1 && costs.count <= 1 && costs.isEmpty == (single.currency == nil)
            self = isSingle ? .single(single) : .several(costs: costs, carbon: carbon)
        }

        var costs: [Money] {
            switch self {
            case .single(let single): single.currency.map { [Money(micros: single.micros, currency: $0.name)] } ?? []
            case .several(let costs, _): costs
            }
        }

        var carbon: [CarbonMass] {
            switch self {
            case .single(let single): single.mass.map { [$0] } ?? []
            case .several(_, let carbon): carbon
            }
        }

        mutating func add(micros: Int64, _ currency: CurrencyCode) {
            guard case .single(var single) = self, single.currency == nil || single.currency == currency else {
                return add(Money(micros: micros, currency: currency.name))
            }
            (single.currency, single.micros) = (currency, single.micros.addingSaturated(micros))
            self = .single(single)
        }

        mutating func add(_ added: CarbonMass) {
            if case .single(var single) = self, single.mass == nil || single.mass?.kind == added.kind {
                single.mass = single.mass?.adding(added) ?? added
                self = .single(single)
                return
            }
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
