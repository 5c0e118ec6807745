internal import EnergyModel
public import Foundation

/// When electricity is clean and cheap at a venue, for the hours ahead.
public struct ElectricityGuidance: Codable, Sendable {
    /// What a guidance takes into account.
    public enum Options: CaseIterable, Codable, Hashable, Sendable {
        /// The venue has a rate plan.
        case locationHasRatePlan
        /// The ratings take the rate plan into account.
        case guidanceIncorporatesRatePlan
    }

    /// What the device can do.
    public enum SuggestedAction: Codable, Hashable, Sendable {
        /// It needs its energy, but not at once, for example a car that charges.
        case shift
        /// It can do with less for a while, for example a heat pump.
        case reduce
    }

    /// Asks for guidance, at any venue.
    public static let sharedService = Service()

    /// Unique; load events of a session carry the token of the guidance that was in force.
    public let guidanceToken: UUID
    public let energyVenueID: UUID
    /// The time that ``values`` cover: 24 hours from the issue, shorter if the forecast ends sooner.
    public let interval: DateInterval
    /// Sorted by time, without gaps; of any length each.
    public let values: [Value]
    public let options: Set<Options>
    /// As in the query.
    public let suggestedAction: SuggestedAction

    init(_ guidance: Guidance) {
        guidanceToken = guidance.token
        energyVenueID = guidance.venueID
        interval = DateInterval(guidance.interval)
        values = guidance.values.map { Value(interval: DateInterval($0.interval), rating: $0.rating) }
        var options: Set<Options> = []
        if guidance.locationHasRatePlan { options.insert(.locationHasRatePlan) }
        if guidance.incorporatesRatePlan { options.insert(.guidanceIncorporatesRatePlan) }
        self.options = options
        suggestedAction = SuggestedAction(guidance.action)
    }
}

extension ElectricityGuidance.SuggestedAction {
    init(_ action: SuggestedAction) {
        switch action {
        case .shift: self = .shift
        case .reduce: self = .reduce
        }
    }

    var model: SuggestedAction {
        switch self {
        case .shift: .shift
        case .reduce: .reduce
        }
    }
}
