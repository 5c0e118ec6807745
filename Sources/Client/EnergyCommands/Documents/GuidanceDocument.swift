internal import EnergyModel
internal import Foundation

struct GuidanceDocument: Encodable {
    struct Value: Encodable {
        let start: String
        let end: String
        let rating: Double
        let verdict: String
        let carbonGPerKwh: Double?
        let priceMicrosPerKwh: Int64?
    }
    struct Basis: Encodable {
        let source: String
        let kind: String
        let method: String
        let priceWeight: Double
        let relativeSpread: Double
        let dataAgeMs: Int64
        let forecast: Bool
        let currency: String?
        let skippedSources: [String]
    }
    let venueId: String
    let token: String
    let action: String
    let issued: String
    let start: String
    let end: String
    let locationHasRatePlan: Bool
    let incorporatesRatePlan: Bool
    let basis: Basis
    let values: [Value]

    init(_ guidance: Guidance, in zone: TimeZone) {
        venueId = guidance.venueID.text
        token = guidance.token.text
        action = guidance.action.rawValue
        issued = guidance.issued.iso8601(in: zone)
        start = guidance.interval.start.iso8601(in: zone)
        end = guidance.interval.end.iso8601(in: zone)
        locationHasRatePlan = guidance.locationHasRatePlan
        incorporatesRatePlan = guidance.incorporatesRatePlan
        basis = Basis(
            source: guidance.basis.source, kind: Words.snake(guidance.basis.kind.rawValue),
            method: guidance.basis.method, priceWeight: guidance.basis.priceWeight,
            relativeSpread: guidance.basis.relativeSpread, dataAgeMs: guidance.basis.dataAgeMilliseconds,
            forecast: guidance.basis.isForecast, currency: guidance.basis.currency,
            skippedSources: guidance.basis.skippedSources)
        values = guidance.values.map {
            Value(
                start: $0.interval.start.iso8601(in: zone), end: $0.interval.end.iso8601(in: zone), rating: $0.rating,
                verdict: Verdict(rating: $0.rating).rawValue.lowercased(), carbonGPerKwh: $0.carbonIntensity,
                priceMicrosPerKwh: $0.price?.microsPerKilowattHour)
        }
    }
}
