internal import EnergyModel
public import EnergyStore
internal import Foundation

extension VenueSetup {
    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws {
        let venueID: UUID = try row["venue_id"]
        func read<Stored: Decodable>(_ column: String, _ type: Stored.Type) throws -> Stored? {
            guard let text = try row[column] as String? else { return nil }
            do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch {
                throw EnergyError.damaged(column)
            }
        }
        self.init(
            venueID: venueID, limits: try read("limits", StoredLimits.self)?.limits(of: venueID),
            forecast: try read("forecast", StoredForecast.self)?.forecast(of: venueID),
            objective: try read("objective", StoredObjective.self)?.objective)
    }

    /// The row of the table `venue_setup`.
    public func columns() throws -> ColumnList {
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        }
        return ColumnList([
            ("venue_id", venueID), ("limits", try limits.map { try text(StoredLimits($0)) }),
            ("forecast", try forecast.map { try text(StoredForecast($0)) }),
            ("objective", try objective.map { try text(StoredObjective($0)) }),
        ])
    }
}

/// Limits as they stand in the database, whatever becomes of ``VenueLimits``.
private struct StoredLimits: Codable {
    struct Circuit: Codable {
        let name: String
        let parent: String?
        let power: Int64?
        let powerPerPhase: Int64?
        let devices: [String]
        let base: Bool

        private enum CodingKeys: String, CodingKey {
            case name, parent, devices
            case power = "power_mw"
            case powerPerPhase = "power_per_phase_mw"
            case base = "base_load"
        }
    }

    let importPower: Int64?
    let exportPower: Int64?
    let circuits: [Circuit]
    let exclusive: [[String]]
    let demandMicros: Int64?
    let demandPeak: Int64?
    let baseLoad: [Int64]
    let exportMicros: Int64

    private enum CodingKeys: String, CodingKey {
        case importPower = "import_power_mw"
        case exportPower = "export_power_mw"
        case circuits, exclusive
        case demandMicros = "demand_micros_per_kw"
        case demandPeak = "demand_peak_mw"
        case baseLoad = "base_load_mw"
        case exportMicros = "export_micros_per_kwh"
    }

    init(_ limits: VenueLimits) {
        importPower = limits.importPower?.milliwatts
        exportPower = limits.exportPower?.milliwatts
        circuits = limits.circuits.map {
            Circuit(
                name: $0.name, parent: $0.parent, power: $0.power?.milliwatts,
                powerPerPhase: $0.powerPerPhase?.milliwatts, devices: $0.deviceIDs, base: $0.carriesBaseLoad)
        }
        exclusive = limits.exclusive
        demandMicros = limits.demandCharge?.microsPerKilowatt
        demandPeak = limits.demandCharge?.peakSoFar.milliwatts
        baseLoad = limits.baseLoad.map(\.milliwatts)
        exportMicros = limits.exportPrice.microsPerKilowattHour
    }

    func limits(of venueID: UUID) throws(EnergyError) -> VenueLimits {
        func power(_ milliwatts: Int64?) throws(EnergyError) -> Power? {
            guard let milliwatts else { return nil }
            return try Power(milliwatts: milliwatts)
        }
        var read: [VenueLimits.Circuit] = []
        for circuit in circuits {
            read.append(
                VenueLimits.Circuit(
                    name: circuit.name, parent: circuit.parent, power: try power(circuit.power),
                    powerPerPhase: try power(circuit.powerPerPhase), deviceIDs: circuit.devices,
                    carriesBaseLoad: circuit.base))
        }
        var charge: VenueLimits.DemandCharge?
        if let demandMicros {
            charge = .init(microsPerKilowatt: demandMicros, peakSoFar: try power(demandPeak) ?? .zero)
        }
        var base: [Power] = []
        for milliwatts in baseLoad { base.append(try Power(milliwatts: milliwatts)) }
        return VenueLimits(
            venueID: venueID, importPower: try power(importPower), exportPower: try power(exportPower),
            circuits: read, exclusive: exclusive, demandCharge: charge, baseLoad: base,
            exportPrice: Price(microsPerKilowattHour: exportMicros))
    }
}

/// An objective as it stands in the database.
private struct StoredObjective: Codable {
    let money: Double
    let carbon: Double
    let rating: Double

    init(_ objective: VenueObjective) {
        (money, carbon, rating) = (objective.money, objective.carbon, objective.rating)
    }

    var objective: VenueObjective { VenueObjective(money: money, carbon: carbon, rating: rating) }
}

/// A forecast as it stands in the database: starts, ends and milliwatts by turns.
private struct StoredForecast: Codable {
    let photovoltaics: [Int64]
    let baseLoad: [Int64]
    /// Starts, ends and °C.
    let outdoor: [Double]

    private enum CodingKeys: String, CodingKey {
        case photovoltaics = "pv"
        case baseLoad = "base_load"
        case outdoor
    }

    init(_ forecast: VenueForecast) {
        func numbers(_ values: [VenueForecast.Value]) -> [Int64] {
            values.flatMap {
                [$0.interval.start.unixMilliseconds, $0.interval.end.unixMilliseconds, $0.power.milliwatts]
            }
        }
        (photovoltaics, baseLoad) = (numbers(forecast.photovoltaics), numbers(forecast.baseLoad))
        outdoor = forecast.outdoor.flatMap {
            [
                Double($0.interval.start.unixMilliseconds), Double($0.interval.end.unixMilliseconds), $0.celsius,
            ]
        }
    }

    func forecast(of venueID: UUID) throws(EnergyError) -> VenueForecast {
        guard outdoor.count % 3 == 0 else { throw .damaged("forecast") }
        var temperatures: [VenueForecast.Temperature] = []
        for index in stride(from: 0, to: outdoor.count, by: 3) {
            guard let start = Int64(exactly: outdoor[index]), let end = Int64(exactly: outdoor[index + 1]),
                let interval = Interval(
                    start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
            else { throw .damaged("forecast") }
            temperatures.append(.init(interval: interval, celsius: outdoor[index + 2]))
        }
        return VenueForecast(
            venueID: venueID, photovoltaics: try Self.values(photovoltaics), baseLoad: try Self.values(baseLoad),
            outdoor: temperatures)
    }

    private static func values(_ numbers: [Int64]) throws(EnergyError) -> [VenueForecast.Value] {
        guard numbers.count % 3 == 0 else { throw .damaged("forecast") }
        var values: [VenueForecast.Value] = []
        for index in stride(from: 0, to: numbers.count, by: 3) {
            guard
                let interval = Interval(
                    start: Timestamp(unixMilliseconds: numbers[index]),
                    end: Timestamp(unixMilliseconds: numbers[index + 1]))
            else { throw .damaged("forecast") }
            values.append(.init(interval: interval, power: try Power(milliwatts: numbers[index + 2])))
        }
        return values
    }
}
