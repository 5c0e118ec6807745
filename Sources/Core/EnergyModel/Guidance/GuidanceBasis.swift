/// Which tier of a contract the prices of a guidance are of.
public enum TierBasis: Hashable, Sendable {
    /// Nobody said how much is drawn in a month.
    case first
    /// What the contract expects to have been drawn since the billing day, as the guidance begins.
    case monthToDate(Energy)

    /// `nil` when unknown.
    public var energy: Energy? { if case .monthToDate(let energy) = self { energy } else { nil } }
}

/// How a guidance was made, and how far to trust it.
public struct GuidanceBasis: Hashable, Sendable {
    /// Provider in use, for example `climatology` or `file:CISO.csv`.
    public var source: String
    public var kind: SignalKind
    /// Name and version of the rating method.
    public var method: String
    /// 0 carbon only .. 1 price only.
    public var priceWeight: Double
    /// (max - min) / mean of the carbon signal in the window.
    public var relativeSpread: Double
    /// Since the newest measured value, 0 for a source that measures nothing.
    public var dataAgeMilliseconds: Int64
    /// Values were predicted here from history.
    public var isForecast: Bool
    /// ISO 4217; `nil` without a rate plan.
    public var currency: String?
    /// Preferred sources that were not used, each with its reason.
    public var skippedSources: [String]
    /// 0 where the hours hardly differ, so that all ratings are near 0.5, .. 1 where they differ by more than the noise.
    public var certainty: Double
    /// Differences of carbon below this are noise, gCO2eq/kWh: the source's own forecast error, once it is known.
    public var carbonNoise: Double
    /// (max - min) / mean size of the price in the window; 0 unless the price counts.
    public var priceRelativeSpread: Double
    /// Of a contract that passes on a signal's prices.
    public var priceSource: String?
    /// Name and version of what predicted; `nil` if nothing was predicted here.
    public var forecastMethod: String?
    /// How forecasts of this source came true; `nil` until a week is known.
    public var forecastSkill: ForecastSkill?
    /// Those that rate some of the time 1, sorted by start.
    public var events: [DemandResponseEvent]
    /// A source's terms forbid to pass on its values: only ratings are told.
    public var withholdsValues: Bool
    /// `nil` for a contract without tiers.
    public var tiers: TierBasis?
    /// Times ahead for which the contract has no price, nor could one be foretold: they are rated by carbon alone. Sorted.
    public var unpriced: [Interval]
    /// The hours were compared with those of the last 28 days as well, which takes a week of history.
    public var comparesPast: Bool
    /// How much of the window's carbon was predicted here.
    public var forecastMilliseconds: Int64

    public init(
        source: String, kind: SignalKind, method: String, priceWeight: Double = 0, relativeSpread: Double = 0,
        dataAgeMilliseconds: Int64 = 0, isForecast: Bool = false, currency: String? = nil,
        skippedSources: [String] = [], certainty: Double = 1, carbonNoise: Double = 0, priceRelativeSpread: Double = 0,
        priceSource: String? = nil, forecastMethod: String? = nil, forecastSkill: ForecastSkill? = nil,
        events: [DemandResponseEvent] = [], withholdsValues: Bool = false,
        tiers: TierBasis? = nil, unpriced: [Interval] = [], comparesPast: Bool = false,
        forecastMilliseconds: Int64 = 0
    ) {
        self.source = source
        self.kind = kind
        self.method = method
        self.priceWeight = priceWeight
        self.relativeSpread = relativeSpread
        self.dataAgeMilliseconds = dataAgeMilliseconds
        self.isForecast = isForecast
        self.currency = currency
        self.skippedSources = skippedSources
        self.certainty = certainty
        self.carbonNoise = carbonNoise
        self.priceRelativeSpread = priceRelativeSpread
        self.priceSource = priceSource
        self.forecastMethod = forecastMethod
        self.forecastSkill = forecastSkill
        self.events = events
        self.withholdsValues = withholdsValues
        self.tiers = tiers
        self.unpriced = unpriced
        self.comparesPast = comparesPast
        self.forecastMilliseconds = forecastMilliseconds
    }
}
