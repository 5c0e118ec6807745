internal import EnergyModel
internal import EnergyStore
internal import Foundation

extension HomeLoad {
    init?(_ row: some ColumnRow) throws {
        guard let text = try row["home_load"] as String? else { return nil }
        let stored: StoredHomeLoad
        do { stored = try JSONDecoder().decode(StoredHomeLoad.self, from: Data(text.utf8)) } catch {
            throw EnergyError.damaged("home_load")
        }
        self = try stored.load()
    }
}

/// A load as it stands in the database, whatever becomes of ``HomeLoad``: its numbers by name.
struct StoredHomeLoad: Codable {
    private let kind: String
    private let numbers: [String: Double]
    private let phases: [Int]
    /// Milliseconds and milliwatts by turns.
    private let steps: [Int64]?

    init(_ load: HomeLoad) {
        switch load {
        case .battery(let battery):
            kind = "battery"
            phases = battery.phases
            steps = nil
            var numbers: [String: Double] = [
                "capacity_mwh": Double(battery.capacity.milliwattHours),
                "charge_max_mw": Double(battery.chargeMax.milliwatts),
                "discharge_max_mw": Double(battery.dischargeMax.milliwatts),
                "charge_efficiency": battery.chargeEfficiency, "discharge_efficiency": battery.dischargeEfficiency,
                "reserve_percent": Double(battery.reservePercent),
                "wear_micros": Double(battery.wear.microsPerKilowattHour),
            ]
            numbers["state_of_charge"] = battery.stateOfCharge
            self.numbers = numbers
        case .appliance(let appliance):
            kind = "appliance"
            phases = appliance.phases
            steps = appliance.steps.flatMap { [$0.milliseconds, $0.power.milliwatts] }
            numbers = [:]
        case .climate(let climate):
            kind = "climate"
            phases = climate.phases
            steps = nil
            numbers = [
                "is_cooling": climate.isCooling ? 1 : 0, "resistance": climate.resistance,
                "capacity": climate.capacity, "performance": climate.performance, "comfort_min": climate.comfortMin,
                "comfort_max": climate.comfortMax, "setback": climate.setback,
                "setback_min_ms": Double(climate.setbackMinMilliseconds),
                "power_max_mw": Double(climate.powerMax.milliwatts),
                "power_min_mw": Double(climate.powerMin.milliwatts),
                "run_min_ms": Double(climate.runMinMilliseconds),
                "pause_min_ms": Double(climate.pauseMinMilliseconds), "indoor": climate.indoor,
                "outdoor": climate.outdoor,
            ]
        }
    }

    /// JSON. Numbers that are not finite were refused before they came here.
    var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    func load() throws(EnergyError) -> HomeLoad {
        switch kind {
        case "battery":
            return .battery(
                BatteryTraits(
                    capacity: Energy(milliwattHours: try whole("capacity_mwh")), chargeMax: try power("charge_max_mw"),
                    dischargeMax: try power("discharge_max_mw"), chargeEfficiency: try number("charge_efficiency"),
                    dischargeEfficiency: try number("discharge_efficiency"),
                    reservePercent: Int(try whole("reserve_percent")),
                    wear: Price(microsPerKilowattHour: try whole("wear_micros")), phases: phases,
                    stateOfCharge: numbers["state_of_charge"]))
        case "appliance":
            let steps = steps ?? []
            guard steps.count % 2 == 0 else { throw .damaged("home_load") }
            var read: [ApplianceTraits.Step] = []
            for index in stride(from: 0, to: steps.count, by: 2) {
                read.append(.init(milliseconds: steps[index], power: try Power(milliwatts: steps[index + 1])))
            }
            return .appliance(ApplianceTraits(steps: read, phases: phases))
        case "climate":
            var climate = ClimateTraits(
                resistance: try number("resistance"), capacity: try number("capacity"),
                performance: try number("performance"), comfortMin: try number("comfort_min"),
                comfortMax: try number("comfort_max"), powerMax: try power("power_max_mw"),
                indoor: try number("indoor"), outdoor: try number("outdoor"))
            climate.isCooling = try number("is_cooling") != 0
            climate.setback = try number("setback")
            // What was stored before there was one has none.
            if numbers["setback_min_ms"] != nil { climate.setbackMinMilliseconds = try whole("setback_min_ms") }
            climate.powerMin = try power("power_min_mw")
            climate.runMinMilliseconds = try whole("run_min_ms")
            climate.pauseMinMilliseconds = try whole("pause_min_ms")
            climate.phases = phases
            return .climate(climate)
        default: throw .damaged("home_load")
        }
    }

    private func number(_ name: String) throws(EnergyError) -> Double {
        guard let number = numbers[name] else { throw .damaged("home_load") }
        return number
    }

    private func whole(_ name: String) throws(EnergyError) -> Int64 {
        guard let whole = Int64(exactly: try number(name)) else { throw .damaged("home_load") }
        return whole
    }

    private func power(_ name: String) throws(EnergyError) -> Power { try Power(milliwatts: try whole(name)) }
}
