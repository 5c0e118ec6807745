internal import EnergyModel
internal import Foundation

struct VenueDocument: Encodable {
    let id: String
    let name: String
    let timeZone: String
    let region: String
    let ratePlanId: String?
    let homeIds: [String]
    let changed: String
    let removed: String?

    init(_ venue: Venue) {
        id = venue.id.text
        name = venue.name
        timeZone = venue.timeZone.identifier
        region = venue.region
        ratePlanId = venue.ratePlanID
        homeIds = venue.homeIDs.map(\.text)
        changed = venue.changed.iso8601(in: venue.timeZone)
        removed = venue.removed?.iso8601(in: venue.timeZone)
    }
}

struct VenuesDocument: Encodable {
    let venues: [VenueDocument]
}

struct RatePlanDocument: Encodable {
    struct Zone: Encodable {
        let priceMicrosPerKwh: Int64
        let peak: String
        let weekdays: UInt32
        let months: UInt32
        let startMinute: Int
        let endMinute: Int
    }
    let id: String
    let name: String
    let currency: String
    let timeZone: String
    let zones: [Zone]

    init(_ plan: RatePlan) {
        id = plan.id
        name = plan.name
        currency = plan.currency
        timeZone = plan.timeZone.identifier
        zones = plan.zones.map {
            Zone(
                priceMicrosPerKwh: $0.price.microsPerKilowattHour, peak: Words.snake($0.peak.rawValue),
                weekdays: $0.weekdays, months: $0.months, startMinute: $0.startMinute, endMinute: $0.endMinute)
        }
    }
}

struct RatePlansDocument: Encodable {
    let ratePlans: [RatePlanDocument]
}
