/// What a service calls by its contract's names, by the paths in the file that it was read from.
enum FileFields {
    /// - Parameter hasFuse: the main fuse stands before the circuits that the file counts.
    static func ofLimits(_ field: String, hasFuse: Bool) -> String {
        guard let match = field.wholeMatch(of: #/(circuits|exclusive)\[([0-9]{1,9})\](?:\.([a-z_]+))?(.*)/#),
            let index = Int(match.2)
        else { return limits[field].map { "$.\($0)" } ?? "$.\(field)" }
        let member = match.3.map(String.init)
        guard match.1 == "circuits" else { return "$.exclusive[\(index)]\(match.4)" }
        if hasFuse, index == 0 { return "$.fuse" }
        let name = member.map { ".\(circuits[$0] ?? $0)" } ?? ""
        return "$.circuits[\(index - (hasFuse ? 1 : 0))]\(name)\(match.4)"
    }

    static func ofLoad(_ field: String) -> String { loads[field].map { "$.\($0)" } ?? field }

    private static let limits = [
        "demand_charge.micros_per_kw": "demand_charge.price_per_kw", "base_load_mw": "base_load_kw",
        "export_price_micros_per_kwh": "export_price",
    ]
    private static let circuits = [
        "device_ids": "loads", "power_mw": "power_kw", "power_per_phase_mw": "current_a",
        "carries_base_load": "base_load",
    ]
    private static let loads = [
        "device.battery.capacity_mwh": "capacity_kwh", "device.battery.charge_max_mw": "max_charge_kw",
        "device.battery.charge_efficiency": "charge_efficiency",
        "device.battery.discharge_efficiency": "discharge_efficiency",
        "device.battery.wear_micros_per_kwh": "wear_cost_per_kwh", "device.battery.state_of_charge": "initial_soc",
        "device.appliance.steps": "profile_kw", "device.climate.power_max_mw": "max_power_kw",
        "device.climate.power_min_mw": "min_power_kw", "device.climate.run_min_ms": "min_run_minutes",
        "device.climate.pause_min_ms": "min_pause_minutes", "device.climate.performance": "thermal.cop",
        "device.climate.resistance_k_per_kw": "thermal.resistance_k_per_kw",
        "device.climate.capacity_kwh_per_k": "thermal.capacity_kwh_per_k",
        "device.climate.setback_k": "thermal.setback_k", "device.climate.comfort_min_c": "thermal.comfort_min_c",
        "device.climate.comfort_max_c": "thermal.comfort_max_c", "device.climate.indoor_c": "thermal.initial_c",
        "device.climate.outdoor_c": "thermal.outdoor_c",
        "device.climate.setback_min_ms": "thermal.setback_min_minutes",
    ]
}
