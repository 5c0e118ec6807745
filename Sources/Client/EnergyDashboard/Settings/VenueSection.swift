internal import EnergyModel
internal import Foundation

/// The places, in the settings.
struct VenueSection {
    let context: PageContext
    let mayChange: Bool

    func html() -> HTML {
        let language = context.language
        let cards = context.venues.map { venue in
            SettingCard(
                title: venue.name, facts: ["\(venue.region) · \(venue.timeZone.identifier)"],
                badge: venue.id == context.venue.id && context.venues.count > 1 ? language(.venueShown) : nil,
                links: mayChange ? [(.change, Self.address(venue))] : [])
        }
        return SettingCard.list(
            cards, none: .notKnown, add: mayChange ? (.venueAdd, "/settings/venue") : nil, language)
    }

    static func address(_ venue: Venue) -> String {
        QueryText.address("/settings/venue", [("edit", venue.id.uuidString.lowercased())])
    }
}
