internal import EnergyModel
internal import EnergyWire
internal import Foundation

struct SourcesDocument: Encodable {
    struct Entry: Encodable {
        let name, kind: String
        let currency: String?
        let isInUse, isAutomatic: Bool
        let newestValue, issued, lastSuccess, nextAttempt: String?
        let lastError: String?
    }

    let region: String?
    let sources: [Entry]

    /// - Parameter sources: of one region, the preferred first.
    init(_ sources: [RegionSource], in zone: TimeZone) {
        region = sources.first?.region
        self.sources = sources.map { source in
            let status = source.status
            return Entry(
                name: status.name, kind: status.kind.rawValue, currency: status.currency, isInUse: status.isInUse,
                isAutomatic: source.isAutomatic, newestValue: status.newestValue?.iso8601(in: zone),
                issued: status.issued?.iso8601(in: zone), lastSuccess: status.lastSuccess?.iso8601(in: zone),
                nextAttempt: status.nextAttempt?.iso8601(in: zone), lastError: status.lastError)
        }
    }
}

struct RatePlansDocument: Encodable {
    struct Entry: Encodable {
        let id, name, currency, timeZone: String
        let priceSource: String?
        let billingDay: Int
        let changed: String
    }

    let ratePlans: [Entry]

    init(_ plans: [RatePlan]) {
        ratePlans = plans.map { plan in
            Entry(
                id: plan.id, name: plan.name, currency: plan.currency, timeZone: plan.timeZone.identifier,
                priceSource: plan.priceSource, billingDay: plan.billingDay,
                changed: plan.changed.iso8601(in: plan.timeZone))
        }
    }
}

/// What the plans of a venue keep to.
struct LimitsDocument: Encodable {
    struct Circuit: Encodable {
        let name: String
        let parent: String?
        let powerMw, powerPerPhaseMw: Int64?
        let deviceIds: [String]
        let carriesBaseLoad: Bool
    }

    let importMw, exportMw: Int64?
    let circuits: [Circuit]
    let exclusive: [[String]]
    let baseLoadMw: [Int64]
    let exportPriceMicrosPerKwh: Int64
    let demandChargeMicrosPerKw: Int64?
    let peakSoFarMw: Int64?
    let isDefault: Bool

    init(_ limits: VenueLimits) {
        importMw = limits.importPower?.milliwatts
        exportMw = limits.exportPower?.milliwatts
        circuits = limits.circuits.map { circuit in
            Circuit(
                name: circuit.name, parent: circuit.parent, powerMw: circuit.power?.milliwatts,
                powerPerPhaseMw: circuit.powerPerPhase?.milliwatts, deviceIds: circuit.deviceIDs,
                carriesBaseLoad: circuit.carriesBaseLoad)
        }
        exclusive = limits.exclusive
        baseLoadMw = limits.baseLoad.map(\.milliwatts)
        exportPriceMicrosPerKwh = limits.exportPrice.microsPerKilowattHour
        demandChargeMicrosPerKw = limits.demandCharge?.microsPerKilowatt
        peakSoFarMw = limits.demandCharge?.peakSoFar.milliwatts
        isDefault = limits.isDefault
    }
}

/// A time for which less is asked for.
struct EventDocument: Encodable {
    let id, kind, scope, start, end, reason, source: String

    init(_ event: DemandResponseEvent, in zone: TimeZone) {
        id = event.id.uuidString.lowercased()
        kind = event.kind.rawValue
        scope =
            switch event.scope {
            case .venue: "venue"
            case .region: "region"
            case .all: "all"
            }
        start = event.interval.start.iso8601(in: zone)
        end = event.interval.end.iso8601(in: zone)
        (reason, source) = (event.reason, event.source)
    }
}

struct EventsDocument: Encodable {
    let events: [EventDocument]

    init(_ events: [DemandResponseEvent], in zone: TimeZone) {
        self.events = events.map { EventDocument($0, in: zone) }
    }
}
