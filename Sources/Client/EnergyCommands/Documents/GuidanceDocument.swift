internal import EnergyModel
internal import Foundation

struct GuidanceDocument: Encodable {
    struct Value: Codable {
        let start: String
        let end: String
        let rating: Double
        let verdict: String
        let carbonGPerKwh: Double?
        let priceMicrosPerKwh: Int64?
        let peak: String?
        let peakDerived: Bool?
        let exportPriceMicrosPerKwh: Int64?
    }
    struct Skill: Encodable {
        let days: Int
        let rankCorrelation: Double
        let capturedShare: Double
        let relativeError: Double
        let absoluteError: Double
    }
    struct Span: Encodable {
        let start: String
        let end: String
    }
    struct Basis: Encodable {
        let source: String
        let kind: String
        let unit: String
        let method: String
        let priceWeight: Double
        let relativeSpread: Double
        let dataAgeMs: Int64
        let forecast: Bool
        let currency: String?
        let skippedSources: [String]
        let certainty: Double
        let carbonNoise: Double
        let priceRelativeSpread: Double
        let priceSource: String?
        let forecastMethod: String?
        let forecastSkill: Skill?
        let events: [DemandResponseEventDocument]
        let valuesWithheld: Bool
        /// Of a contract with tiers: what they count by.
        let tier: String?
        let monthToDateMwh: Int64?
        /// Times ahead that the contract has no price for.
        let unpriced: [Span]
        let pastCompared: Bool
        let forecastMs: Int64
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
    /// The same for people; only where it was asked for.
    let explanation: [String]?

    init(_ guidance: Guidance, in zone: TimeZone, explanation: [String]? = nil) {
        self.explanation = explanation
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
            unit: "gCO2eq/kWh",
            method: guidance.basis.method, priceWeight: guidance.basis.priceWeight,
            relativeSpread: guidance.basis.relativeSpread, dataAgeMs: guidance.basis.dataAgeMilliseconds,
            forecast: guidance.basis.isForecast, currency: guidance.basis.currency,
            skippedSources: guidance.basis.skippedSources, certainty: guidance.basis.certainty,
            carbonNoise: guidance.basis.carbonNoise, priceRelativeSpread: guidance.basis.priceRelativeSpread,
            priceSource: guidance.basis.priceSource, forecastMethod: guidance.basis.forecastMethod,
            forecastSkill: guidance.basis.forecastSkill.map(Skill.init),
            events: guidance.basis.events.map { DemandResponseEventDocument($0, in: zone) },
            valuesWithheld: guidance.basis.withholdsValues,
            tier: guidance.basis.tiers.map { $0 == .first ? "first" : "month_to_date" },
            monthToDateMwh: guidance.basis.tiers?.energy?.milliwattHours,
            unpriced: guidance.basis.unpriced.map {
                Span(start: $0.start.iso8601(in: zone), end: $0.end.iso8601(in: zone))
            }, pastCompared: guidance.basis.comparesPast, forecastMs: guidance.basis.forecastMilliseconds)
        values = guidance.values.map {
            Value(
                start: $0.interval.start.iso8601(in: zone), end: $0.interval.end.iso8601(in: zone), rating: $0.rating,
                verdict: Verdict(rating: $0.rating).rawValue.lowercased(), carbonGPerKwh: $0.carbonIntensity,
                priceMicrosPerKwh: $0.price?.microsPerKilowattHour,
                peak: $0.peak == .unknown ? nil : Words.snake($0.peak.rawValue),
                peakDerived: $0.peak == .unknown ? nil : $0.isPeakDerived,
                exportPriceMicrosPerKwh: $0.exportPrice?.microsPerKilowattHour)
        }
    }
}

extension GuidanceDocument.Skill {
    init(_ skill: ForecastSkill) {
        days = skill.issues
        rankCorrelation = skill.rankCorrelation
        capturedShare = skill.capturedShare
        relativeError = skill.relativeError
        absoluteError = skill.absoluteError
    }
}
