/// What a signal measures. Kinds are never mixed in one window.
public enum SignalKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// gCO2eq/kWh of the average kWh, combustion only.
    case averageDirect
    /// gCO2eq/kWh of the average kWh, with construction and fuel supply.
    case averageLifecycle
    /// gCO2eq/kWh of the next kWh.
    case marginal
    /// What a kWh costs on a market or by a dynamic contract, in the currency that its source names.
    case price

    /// What its values are of. Signals of different quantities stand beside each other in one region's history.
    public var quantity: SignalQuantity { self == .price ? .price : .carbon }
}

/// What the values of a signal are of, and in which unit.
public enum SignalQuantity: String, Hashable, Sendable, CaseIterable, Codable {
    /// gCO2eq/kWh.
    case carbon
    /// Millionths of the currency unit per kWh.
    case price

    /// What a value may be, whatever its source says: 100 kg/kWh is a hundred times what coal emits, a million currency
    /// units per kWh a hundred times the highest price any market allows.
    public var range: ClosedRange<Double> {
        switch self {
        case .carbon: 0...100_000
        case .price: -1e12...1e12
        }
    }
}

/// One value of a signal, over the time it holds for.
public struct SignalPoint: Hashable, Sendable {
    public let interval: Interval
    /// By the signal's kind: gCO2eq/kWh, `>= 0`; or, of a price, millionths of the currency unit per kWh, a whole number
    /// that may be negative.
    public let value: Double
    /// Predicted, imputed or averaged, rather than measured.
    public let isEstimated: Bool

    public init(interval: Interval, value: Double, isEstimated: Bool) {
        self.interval = interval
        self.value = value
        self.isEstimated = isEstimated
    }
}

/// How clean the grid was, against its own trailing 28 days.
public enum Cleanliness: String, CaseIterable, Hashable, Sendable, Codable {
    case cleaner, lessClean, avoid, unknown
}

/// What the grid and the contract were, or are expected to be, for a while at one venue.
public struct SignalInterval: Hashable, Sendable {
    public let interval: Interval
    /// gCO2eq/kWh; `nil` when unknown.
    public let carbonIntensity: Double?
    public let kind: SignalKind
    public let price: Price?
    /// ISO 4217; `nil` when no price is known.
    public let currency: String?
    public let cleanliness: Cleanliness
    public let peak: TariffPeak
    public let isEstimated: Bool
    public let source: String
    /// The peak was found by comparing prices: the contract does not name it.
    public let isPeakDerived: Bool
    /// What is paid for energy that is fed in; `nil` when unknown.
    public let exportPrice: Price?
    /// The carbon intensity is the usual one of season and hour: of this time itself no source said anything. It is
    /// estimated too.
    public let isUsual: Bool

    public init(
        interval: Interval, carbonIntensity: Double?, kind: SignalKind, price: Price?, currency: String?,
        cleanliness: Cleanliness, peak: TariffPeak, isEstimated: Bool, source: String,
        isPeakDerived: Bool = false, exportPrice: Price? = nil, isUsual: Bool = false
    ) {
        self.interval = interval
        self.carbonIntensity = carbonIntensity
        self.kind = kind
        self.price = price
        self.currency = currency
        self.cleanliness = cleanliness
        self.peak = peak
        self.isEstimated = isEstimated
        self.source = source
        self.isPeakDerived = isPeakDerived
        self.exportPrice = exportPrice
        self.isUsual = isUsual
    }
}
