public import Foundation

/// Whether a load can move in time or do with less.
public enum SuggestedAction: String, Hashable, Sendable, CaseIterable, Codable { case shift, reduce }

/// Ratings of the hours ahead at one venue.
public struct Guidance: Hashable, Sendable {
    /// Unique per guidance; load-event sessions carry it.
    public let token: UUID
    public let venueID: UUID
    public let action: SuggestedAction
    /// 24 h from the issue, shorter if the data end sooner.
    public let interval: Interval
    /// Sorted, without gaps or overlaps, covering `interval`.
    public let values: [GuidanceValue]
    public let locationHasRatePlan: Bool
    public let incorporatesRatePlan: Bool
    public let issued: Timestamp
    public let basis: GuidanceBasis

    public init(
        token: UUID, venueID: UUID, action: SuggestedAction, interval: Interval, values: [GuidanceValue],
        locationHasRatePlan: Bool, incorporatesRatePlan: Bool, issued: Timestamp, basis: GuidanceBasis
    ) {
        self.token = token
        self.venueID = venueID
        self.action = action
        self.interval = interval
        self.values = values
        self.locationHasRatePlan = locationHasRatePlan
        self.incorporatesRatePlan = incorporatesRatePlan
        self.issued = issued
        self.basis = basis
    }
}

/// One rated interval.
public struct GuidanceValue: Hashable, Sendable {
    public let interval: Interval
    /// 0 best .. 1 worst.
    public let rating: Double
    /// The signal behind it, gCO2eq/kWh; its kind is in ``GuidanceBasis``.
    public let carbonIntensity: Double?
    public let price: Price?

    public init(interval: Interval, rating: Double, carbonIntensity: Double? = nil, price: Price? = nil) {
        self.interval = interval
        self.rating = rating
        self.carbonIntensity = carbonIntensity
        self.price = price
    }
}

/// How a guidance was made.
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

    public init(
        source: String, kind: SignalKind, method: String, priceWeight: Double = 0, relativeSpread: Double = 0,
        dataAgeMilliseconds: Int64 = 0, isForecast: Bool = false, currency: String? = nil,
        skippedSources: [String] = []
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
    }
}

/// What a token stands for.
public struct ResolvedToken: Hashable, Sendable {
    public let token: UUID
    public let venueID: UUID
    public let action: SuggestedAction
    public let issued: Timestamp
    /// Who asked for guidance at this venue.
    public let principals: [String]

    public init(token: UUID, venueID: UUID, action: SuggestedAction, issued: Timestamp, principals: [String]) {
        self.token = token
        self.venueID = venueID
        self.action = action
        self.issued = issued
        self.principals = principals
    }
}
