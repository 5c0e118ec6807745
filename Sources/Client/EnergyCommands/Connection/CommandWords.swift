internal import EnergyModel
internal import Foundation
internal import InsightFiles

/// Says what a service refuses in the words of the command line: options for fields, kWh for mWh, hours for ms.
enum CommandWords {
    /// The contract's fields that a person sets with an option.
    private static let options = [
        "goal.ready_by_unix_ms": "--ready-by", "goal.energy_mwh": "--energy", "energy_mwh": "--energy",
        "goal.run": "--run",
        "ignore": "--ignore", "goal.state_of_charge": "--soc",
        "goal.reduce_max_ms": "--reduce", "device.vehicle.battery_capacity_mwh": "--battery",
        "device.vehicle.power_max_mw": "--power", "device.vehicle.efficiency": "--efficiency",
        "device.vehicle.power_min_mw": "--power-min",
        "goal.weekly.weekdays": "--every", "goal.weekly.exception_days": "--except", "keep_others": "--add",
        "goal.guaranteed_percent": "--guarantee", "rules.state_of_charge_min": "--min-soc",
        "rules.carbon_max_g_per_kwh": "--carbon-max",
        "rules.priority": "--priority", "rules.absences": "--away",
        "event.interval": "--for", "event.reason": "--reason", "event.region": "--region",
        "event.price_micros_per_kwh": "--price", "event.currency": "--currency",
    ]

    /// - Returns: `--energy must be more than 0 and at most what fills the battery, 71.11 kWh, but is 99999.00 kWh`
    static func sentence(_ violation: RuleViolation) -> String {
        let place = violation.index.map { "event \($0): " } ?? ""
        let field = options[violation.field] ?? violation.field
        return "\(place)\(field) \(units(violation.rule)), but is \(value(violation))"
    }

    /// What services tell programs to do, as commands.
    static func phrase(_ message: String) -> String {
        message.replacing(
            "put the device first",
            with: "see energyctl schedule devices, or add it with energyctl schedule add-device"
        ).replacing("set one first", with: "set one with energyctl schedule set").replacing(
            "set the goal, see the schedule, and clear it again",
            with:
                "set the goal with energyctl schedule set, see what it does with energyctl schedule, and take it back "
                + "with energyctl schedule clear")
    }

    static func value(_ violation: RuleViolation) -> String {
        let field = violation.field
        guard let number = Int64(violation.value) else {
            if field.hasSuffix("_unix_ms"), let (time, last) = pair(violation.value) {
                return "\(time.iso8601(in: .gmt)), after \(last.iso8601(in: .gmt))"
            }
            return units(violation.value)
        }
        if field.hasSuffix("_unix_ms") { return Timestamp(unixMilliseconds: number).iso8601(in: .gmt) }
        if field.hasSuffix("_ms") { return Quantities.length(milliseconds: number) }
        if field.hasSuffix("_mwh") { return kilowattHours(number) }
        if field.hasSuffix("_mw") { return "\(Quantities.kilowatts(milliwatts: number)) kW" }
        if field.hasSuffix("_micros_per_kwh") { return Quantities.price(Price(microsPerKilowattHour: number)) }
        return violation.value
    }

    /// `1772366400000, after 1772366400001`
    private static func pair(_ text: String) -> (Timestamp, Timestamp)? {
        guard let match = text.wholeMatch(of: #/([0-9]{1,15}), after ([0-9]{1,15})/#),
            let first = Int64(match.1), let second = Int64(match.2)
        else { return nil }
        return (Timestamp(unixMilliseconds: first), Timestamp(unixMilliseconds: second))
    }

    /// `at most 71,111,112 mWh` -> `at most 71.11 kWh`; what has no number before its unit stays. Energies that differ by
    /// less than is shown are not rounded.
    static func units(_ text: String) -> String {
        let amount = #/([0-9][0-9,]*) (mWh|ms)\b/#
        func number(_ digits: Substring) -> Int64? { Int64(digits.filter { $0 != "," }) }
        let energies = Set(text.matches(of: amount).filter { $0.2 == "mWh" }.compactMap { number($0.1) })
        let isRounded = Set(energies.map(kilowattHours)).count == energies.count
        return text.replacing(amount) { match in
            guard let number = number(match.1) else { return String(match.0) }
            guard match.2 == "mWh" else { return Quantities.length(milliseconds: number) }
            return isRounded
                ? kilowattHours(number) : "\(ExactNumber.kilowattHours(Energy(milliwattHours: number))) kWh"
        }
    }

    private static func kilowattHours(_ milliwattHours: Int64) -> String {
        "\(Quantities.kilowattHours(Energy(milliwattHours: milliwattHours))) kWh"
    }
}
