public import Foundation

/// Whether a load can move in time or do with less.
public enum SuggestedAction: String, Hashable, Sendable, CaseIterable, Codable { case shift, reduce }

/// Ratings of the hours ahead at one venue.
public struct Guidance: Hashable, Sendable {
    /// Unique per guidance; load-event sessions carry it.
    public let token: UUID
    public let venueID: UUID
    public let action: SuggestedAction
    /// 24 h from the issue, or as the service is set, shorter if the data end sooner.
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
    /// The signal behind it, gCO2eq/kWh; its kind is in ``GuidanceBasis``. `nil` where its source forbids to pass it on.
    public let carbonIntensity: Double?
    public let price: Price?
    /// What the contract, or an event, calls the time.
    public let peak: TariffPeak
    /// The peak was found by comparing prices: the contract does not name it.
    public let isPeakDerived: Bool
    /// What is paid for energy that is fed in; `nil` when unknown.
    public let exportPrice: Price?

    public init(
        interval: Interval, rating: Double, carbonIntensity: Double? = nil, price: Price? = nil,
        peak: TariffPeak = .unknown, isPeakDerived: Bool = false, exportPrice: Price? = nil
    ) {
        self.interval = interval
        self.rating = rating
        self.carbonIntensity = carbonIntensity
        self.price = price
        self.peak = peak
        self.isPeakDerived = isPeakDerived
        self.exportPrice = exportPrice
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
