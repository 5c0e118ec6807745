internal import EnergyModel
internal import Foundation

/// A session, as JSON.
struct SessionInsightDocument: Encodable {
    struct Baseline: Encodable {
        let start: String
        let end: String
        let powerMw: Int64
        let worth: WorthDocument
    }

    let id: String
    let venueId: String
    let deviceId: String
    let deviceType: String
    let direction: String
    let began: String
    let last: String
    let isOver: Bool
    let wasFollowingGuidance: Bool
    let isRepaired: Bool
    let stateOfChargeAtBegin: Int?
    let stateOfChargeAtLast: Int?
    let amount: InsightsDocument.Amount
    let worth: WorthDocument
    let byCleanliness: [String: InsightsDocument.Amount]
    let byTariff: [String: InsightsDocument.Amount]
    let byRating: [String: InsightsDocument.Amount]
    let baseline: Baseline?
    let savedMicros: Int64?
    let savedCurrency: String?
    let savedCarbonMg: Int64?

    init(_ session: SessionInsight, in zone: TimeZone) {
        id = session.id.text
        venueId = session.key.venueID.text
        deviceId = session.deviceID
        deviceType = Words.snake(session.deviceKind.rawValue)
        direction = session.direction.rawValue
        began = session.began.iso8601(in: zone)
        last = session.last.iso8601(in: zone)
        isOver = session.isOver
        wasFollowingGuidance = session.wasFollowingGuidance
        isRepaired = session.isRepaired
        stateOfChargeAtBegin = session.stateOfChargeAtBegin
        stateOfChargeAtLast = session.stateOfChargeAtLast
        let measures = session.measuresEnergy
        amount = InsightsDocument.Amount(session.amount, measuresEnergy: measures)
        worth = WorthDocument(session.knownWorth)
        byCleanliness = InsightsDocument.named(session.byCleanliness, measuresEnergy: measures)
        byTariff = InsightsDocument.named(session.byTariff, measuresEnergy: measures)
        byRating = InsightsDocument.named(session.byBand, measuresEnergy: measures)
        baseline = session.baseline.map { baseline in
            Baseline(
                start: baseline.interval.start.iso8601(in: zone), end: baseline.interval.end.iso8601(in: zone),
                powerMw: baseline.power.milliwatts, worth: WorthDocument(baseline.worth))
        }
        savedMicros = session.savedMoney?.micros
        savedCurrency = session.savedMoney?.currency
        savedCarbonMg = session.savedCarbon?.milligrams
    }
}

/// Costs and carbon, as JSON.
struct WorthDocument: Encodable {
    struct Cost: Encodable {
        let micros: Int64
        let currency: String
    }
    struct Carbon: Encodable {
        let milligrams: Int64
        let kind: String
        let energyMwh: Int64
    }

    let costs: [Cost]
    let pricedEnergyMwh: Int64
    let carbon: [Carbon]

    init(_ worth: InsightWorth) {
        costs = worth.costs.map { Cost(micros: $0.micros, currency: $0.currency) }
        pricedEnergyMwh = worth.pricedEnergy.milliwattHours
        carbon = worth.carbon.map {
            Carbon(
                milligrams: $0.milligrams, kind: Words.snake($0.kind.rawValue), energyMwh: $0.energy.milliwattHours)
        }
    }
}
