internal import EnergyModel
internal import Foundation

struct DemandResponseEventDocument: Codable {
    let id: String
    let kind: String
    let venueId: String?
    let region: String?
    let start: String
    let end: String
    let reason: String
    let priceMicrosPerKwh: Int64?
    let currency: String?
    let declared: String
    let cancelled: String?
    let source: String

    init(_ event: DemandResponseEvent, in zone: TimeZone) {
        id = event.id.text
        kind = Words.snake(event.kind.rawValue)
        switch event.scope {
        case .venue(let id): (venueId, region) = (id.text, nil)
        case .region(let name): (venueId, region) = (nil, name)
        case .all: (venueId, region) = (nil, nil)
        }
        start = event.interval.start.iso8601(in: zone)
        end = event.interval.end.iso8601(in: zone)
        reason = event.reason
        priceMicrosPerKwh = event.price?.microsPerKilowattHour
        currency = event.currency
        declared = event.declared.iso8601(in: zone)
        cancelled = event.cancelled?.iso8601(in: zone)
        source = event.source
    }
}

struct DemandResponseDocumentList: Encodable {
    let events: [DemandResponseEventDocument]
}
