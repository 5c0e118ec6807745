internal import EnergyModel
internal import Foundation

struct RatePlanDocument: Codable {
    struct Tier: Codable {
        let aboveMwh: Int64
        let priceMicrosPerKwh: Int64
    }
    struct Zone: Codable {
        let name: String?
        let priceMicrosPerKwh: Int64
        let peak: String
        let peakDerived: Bool
        let weekdays: UInt32
        let months: UInt32
        /// `05-01..10-31`
        let season: String?
        let startMinute: Int
        let endMinute: Int
        let tiers: [Tier]?

        init(_ zone: RateZone) {
            name = zone.name.isEmpty ? nil : zone.name
            priceMicrosPerKwh = zone.price.microsPerKilowattHour
            peak = Words.snake(zone.peak.rawValue)
            peakDerived = zone.isPeakDerived
            weekdays = zone.weekdays
            months = zone.months
            season = zone.season?.description
            startMinute = zone.startMinute
            endMinute = zone.endMinute
            tiers =
                zone.tiers.isEmpty
                ? nil
                : zone.tiers.map {
                    Tier(aboveMwh: $0.above.milliwattHours, priceMicrosPerKwh: $0.price.microsPerKilowattHour)
                }
        }
    }
    struct Rate: Codable {
        let start: String
        let end: String
        let priceMicrosPerKwh: Int64?
        let multiplierPermille: Int64?
        let exportPriceMicrosPerKwh: Int64?
        let peak: String

        init(_ rate: DatedRate, in zone: TimeZone) {
            start = rate.interval.start.iso8601(in: zone)
            end = rate.interval.end.iso8601(in: zone)
            switch rate.change {
            case .price(let price): (priceMicrosPerKwh, multiplierPermille) = (price.microsPerKilowattHour, nil)
            case .multiplier(let permille): (priceMicrosPerKwh, multiplierPermille) = (nil, permille)
            case nil: (priceMicrosPerKwh, multiplierPermille) = (nil, nil)
            }
            exportPriceMicrosPerKwh = rate.exportPrice?.microsPerKilowattHour
            peak = Words.snake(rate.peak.rawValue)
        }
    }
    let id: String
    let name: String
    let currency: String
    let timeZone: String
    let zones: [Zone]
    /// As `rate-plans import --holiday` reads them.
    let holidays: [String]
    let exportZones: [Zone]
    let datedRates: [Rate]
    let chargeMicrosPerKwh: Int64
    let taxPpm: Int64
    let priceSource: String?
    let billingDay: Int
    let monthlyMwh: Int64?
    /// Since when it is no more; absent while it is.
    let removed: String?

    init(_ plan: RatePlan) {
        id = plan.id
        name = plan.name
        currency = plan.currency
        timeZone = plan.timeZone.identifier
        zones = plan.zones.map(Zone.init)
        holidays = plan.holidays.map(\.rule.text)
        exportZones = plan.exportZones.map(Zone.init)
        datedRates = plan.datedRates.map { Rate($0, in: plan.timeZone) }
        chargeMicrosPerKwh = plan.charges.perKilowattHour.microsPerKilowattHour
        taxPpm = plan.charges.taxPartsPerMillion
        priceSource = plan.priceSource
        billingDay = plan.billingDay
        monthlyMwh = plan.monthlyEnergy?.milliwattHours
        removed = plan.removed?.iso8601(in: plan.timeZone)
    }
}

struct RatePlansDocument: Encodable {
    let ratePlans: [RatePlanDocument]
}
