internal import EnergyModel
internal import Foundation

// What the HTTP API answers. Names are in snake case on the wire; times are ISO 8601 with the venue's offset; powers,
// energies and amounts are whole numbers in the unit that ends their name.

struct VenueDocument: Encodable {
    let id: String
    let name: String
    let timeZone: String
    let region: String
    let ratePlan: String?

    init(_ venue: Venue) {
        ratePlan = venue.ratePlanID
        id = venue.id.uuidString.lowercased()
        name = venue.name
        timeZone = venue.timeZone.identifier
        region = venue.region
    }
}

struct VenuesDocument: Encodable { let venues: [VenueDocument] }

struct GuidanceDocument: Encodable {
    struct Value: Encodable {
        let start, end: String
        let rating: Double
        let verdict: String
        let priceMicrosPerKwh: Int64?
        let carbonGramsPerKwh: Double?
    }

    let token: String
    let issued: String
    let source: String
    let currency: String?
    let values: [Value]

    init(_ guidance: Guidance, in zone: TimeZone) {
        token = guidance.token.uuidString.lowercased()
        issued = guidance.issued.iso8601(in: zone)
        source = guidance.basis.source
        currency = guidance.basis.currency
        values = guidance.values.map { value in
            Value(
                start: value.interval.start.iso8601(in: zone), end: value.interval.end.iso8601(in: zone),
                rating: value.rating, verdict: RatingBand(rating: value.rating).rawValue,
                priceMicrosPerKwh: value.price?.microsPerKilowattHour, carbonGramsPerKwh: value.carbonIntensity)
        }
    }
}

struct DevicesDocument: Encodable {
    struct Entry: Encodable {
        let id, name, kind, state: String
        let stateOfCharge: Int?
        let override: String?
        let readyBy: String?
        let missingMwh: Int64?
        let explanation: String?
        let blocks: [BlockDocument]
    }

    let devices: [Entry]

    init(_ statuses: [DeviceStatus], in zone: TimeZone) {
        devices = statuses.map { status in
            let schedule = status.schedule.flatMap { $0.blocks.isEmpty ? nil : $0 }
            return Entry(
                id: status.device.device.id, name: status.device.device.name,
                kind: status.device.device.kind.rawValue, state: "\(status.state)",
                stateOfCharge: status.stateOfCharge, override: schedule?.override?.rawValue,
                readyBy: schedule?.goal.readyBy.iso8601(in: zone), missingMwh: schedule?.missing.milliwattHours,
                explanation: schedule?.explanation,
                blocks: (schedule?.blocks ?? []).map { BlockDocument($0, in: zone) })
        }
    }
}

struct HistoryDocument: Encodable {
    struct Cost: Encodable {
        let micros: Int64
        let currency: String
    }

    struct Carbon: Encodable {
        let milligrams: Int64
        let kind: String
    }

    struct Period: Encodable {
        let start, end: String
        /// `nil` where none is measured: of heating and cooling.
        let energyMwh: Int64?
        let runTimeMs: Int64
        let costs: [Cost]
        let carbon: [Carbon]
        /// By class; of which is said by the question.
        let energyMwhByClass: [String: Int64]
    }

    struct Saved: Encodable {
        let sessions: Int
        let followedGuidance: Int
        let compared: Int
        let costs: [Cost]
        /// One per kind: kinds have no sum.
        let carbon: [Carbon]
    }

    let start, end: String
    let periods: [Period]
    let saved: Saved

    init(_ answer: HistoryAnswer, in zone: TimeZone) {
        start = answer.interval.start.iso8601(in: zone)
        end = answer.interval.end.iso8601(in: zone)
        periods = answer.periods.compactMap(\.record).map { record in
            let parts: [(String, InsightAmount)] =
                (record.byCleanliness ?? [:]).map { ($0.key.rawValue, $0.value) }
                + (record.byTariff ?? [:]).map { ($0.key.rawValue, $0.value) }
            func measured<Value>(_ value: Value) -> Value? { record.measuresEnergy ? value : nil }
            return Period(
                start: record.interval.start.iso8601(in: zone), end: record.interval.end.iso8601(in: zone),
                energyMwh: measured(record.total.energy.milliwattHours),
                runTimeMs: record.total.runtimeMilliseconds,
                costs: record.knownWorth.costs.map { Cost(micros: $0.micros, currency: $0.currency) },
                carbon: record.knownWorth.carbon.map { Carbon(milligrams: $0.milligrams, kind: $0.kind.rawValue) },
                energyMwhByClass: Dictionary(
                    (measured(parts) ?? []).map { ($0.0, $0.1.energy.milliwattHours) }, uniquingKeysWith: +))
        }
        let savings = answer.saved.savings
        saved = Saved(
            sessions: savings.sessionCount, followedGuidance: savings.followedCount, compared: savings.comparedCount,
            costs: savings.costs.map { Cost(micros: $0.micros, currency: $0.currency) },
            carbon: savings.carbon.map { Carbon(milligrams: $0.milligrams, kind: $0.kind.rawValue) })
    }
}

struct ActivityDocument: Encodable {
    struct Entry: Encodable {
        let id, time, deviceId, kind, text: String
    }

    let activities: [Entry]

    /// - Parameter activities: the newest first.
    init(_ activities: [Activity], _ formats: Formats) {
        let teller = formats.teller
        self.activities = activities.map { activity in
            Entry(
                id: activity.id.uuidString.lowercased(), time: activity.time.iso8601(in: formats.timeZone),
                deviceId: activity.device.id, kind: activity.kind.rawValue, text: teller.text(activity))
        }
    }
}

/// Why a request was refused.
///
/// - Source: RFC 9457
struct ProblemDocument: Encodable {
    let title: String
    let status: Int
    let detail: String
}

extension Timestamp {
    /// `2026-11-22T13:00:00+01:00`
    func iso8601(in zone: TimeZone) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: zone))
    }
}
