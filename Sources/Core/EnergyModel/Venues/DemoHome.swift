package import Foundation

/// A home that nobody lives in, to be looked at.
package enum DemoHome {
    package static let name = "Demo"
    package static let region = "CISO"
    package static let timeZone = TimeZone(identifier: "America/Los_Angeles") ?? .gmt

    /// Dear from 16:00 to 21:00, as in most of California.
    package static let ratePlan = RatePlan(
        id: "demo", name: "Demo", currency: "USD", timeZone: timeZone,
        zones: [
            RateZone(price: Price(microsPerKilowattHour: 310_000), peak: .offPeak),
            RateZone(price: Price(microsPerKilowattHour: 580_000), peak: .onPeak, startMinute: 960, endMinute: 1_260),
        ], changed: Timestamp(unixMilliseconds: 0))

    /// Whether nobody lives there: as it was made, by the pages or by the guidance-publisher where nobody has set any, and
    /// nobody has changed it since.
    package static func isExample(_ venue: Venue) -> Bool {
        let isDemo = venue.name == name && [ratePlan.id, nil].contains(venue.ratePlanID)
        let isBuiltIn =
            (venue.name, venue.region) == ("Home", region) && ["home-tou", nil].contains(venue.ratePlanID)
        return (isDemo || isBuiltIn) && venue.timeZone.identifier == timeZone.identifier && venue.homeIDs.isEmpty
    }
}
