/// What a carbon signal measures. Kinds are never mixed in one window.
public enum SignalKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// gCO2eq/kWh of the average kWh, combustion only.
    case averageDirect
    /// gCO2eq/kWh of the average kWh, with construction and fuel supply.
    case averageLifecycle
    /// gCO2eq/kWh of the next kWh.
    case marginal
}

/// One value of a carbon signal, over the time it holds for.
public struct SignalPoint: Hashable, Sendable {
    public let interval: Interval
    /// gCO2eq/kWh, `>= 0`.
    public let carbonIntensity: Double
    /// Predicted, imputed or averaged, rather than measured.
    public let isEstimated: Bool

    public init(interval: Interval, carbonIntensity: Double, isEstimated: Bool) {
        self.interval = interval
        self.carbonIntensity = carbonIntensity
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

    public init(
        interval: Interval, carbonIntensity: Double?, kind: SignalKind, price: Price?, currency: String?,
        cleanliness: Cleanliness, peak: TariffPeak, isEstimated: Bool, source: String
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
    }
}
