internal import EnergyModel
internal import Foundation

struct VenueDocument: Codable {
    let id: String
    let name: String
    let timeZone: String
    let region: String
    let ratePlanId: String?
    let homeIds: [String]
    let priceWeight: Double?
    let changed: String
    let removed: String?

    init(_ venue: Venue) {
        id = venue.id.text
        name = venue.name
        timeZone = venue.timeZone.identifier
        region = venue.region
        ratePlanId = venue.ratePlanID
        homeIds = venue.homeIDs.map(\.text)
        priceWeight = venue.priceWeight
        changed = venue.changed.iso8601(in: venue.timeZone)
        removed = venue.removed?.iso8601(in: venue.timeZone)
    }
}

struct VenuesDocument: Encodable {
    let venues: [VenueDocument]
}
