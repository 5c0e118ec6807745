internal import EnergyModel
internal import Foundation

struct VenueObjectiveDocument: Encodable {
    let money: Double
    let carbon: Double
    let rating: Double

    init(_ objective: VenueObjective) {
        (money, carbon, rating) = (objective.money, objective.carbon, objective.rating)
    }
}

struct VenueLimitsDocument: Encodable {
    struct Circuit: Encodable {
        let name: String
        let parent: String?
        let powerMw: Int64?
        let powerPerPhaseMw: Int64?
        let deviceIds: [String]
        let carriesBaseLoad: Bool
    }
    struct Charge: Encodable {
        let microsPerKw: Int64
        let peakSoFarMw: Int64
    }
    let venueId: String
    let isDefault: Bool
    let importPowerMw: Int64?
    let exportPowerMw: Int64?
    let circuits: [Circuit]
    let exclusive: [[String]]
    let demandCharge: Charge?
    let baseLoadMw: [Int64]
    let exportPriceMicrosPerKwh: Int64
    let objective: VenueObjectiveDocument?

    init(_ limits: VenueLimits) {
        venueId = limits.venueID.text
        isDefault = limits.isDefault
        importPowerMw = limits.importPower?.milliwatts
        exportPowerMw = limits.exportPower?.milliwatts
        circuits = limits.circuits.map {
            Circuit(
                name: $0.name, parent: $0.parent, powerMw: $0.power?.milliwatts,
                powerPerPhaseMw: $0.powerPerPhase?.milliwatts, deviceIds: $0.deviceIDs,
                carriesBaseLoad: $0.carriesBaseLoad)
        }
        exclusive = limits.exclusive
        demandCharge = limits.demandCharge.map {
            Charge(microsPerKw: $0.microsPerKilowatt, peakSoFarMw: $0.peakSoFar.milliwatts)
        }
        baseLoadMw = limits.baseLoad.map(\.milliwatts)
        exportPriceMicrosPerKwh = limits.exportPrice.microsPerKilowattHour
        objective = limits.objective.map(VenueObjectiveDocument.init)
    }
}

struct VenueForecastDocument: Encodable {
    struct Value: Encodable {
        let start: String
        let end: String
        let powerMw: Int64
    }
    struct Temperature: Encodable {
        let start: String
        let end: String
        let celsius: Double
    }
    let venueId: String
    let photovoltaics: [Value]
    let baseLoad: [Value]
    let outdoor: [Temperature]

    init(_ forecast: VenueForecast, in zone: TimeZone) {
        func values(_ values: [VenueForecast.Value]) -> [Value] {
            values.map {
                Value(
                    start: $0.interval.start.iso8601(in: zone), end: $0.interval.end.iso8601(in: zone),
                    powerMw: $0.power.milliwatts)
            }
        }
        venueId = forecast.venueID.text
        (photovoltaics, baseLoad) = (values(forecast.photovoltaics), values(forecast.baseLoad))
        outdoor = forecast.outdoor.map {
            Temperature(
                start: $0.interval.start.iso8601(in: zone), end: $0.interval.end.iso8601(in: zone),
                celsius: $0.celsius)
        }
    }
}
