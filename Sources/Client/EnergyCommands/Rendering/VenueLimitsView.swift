internal import EnergyModel

/// A venue's limits, a line for each.
struct VenueLimitsView {
    let limits: VenueLimits

    func lines() -> [String] {
        var lines: [String] = []
        if let power = limits.importPower { lines.append("draws at most \(kilowatts(power))") }
        if let power = limits.exportPower { lines.append("gives at most \(kilowatts(power))") }
        lines += limits.circuits.map(words)
        lines += limits.exclusive.map { "one at a time: \(names($0))" }
        if let charge = limits.demandCharge {
            let price = Quantities.price(Price(microsPerKilowattHour: charge.microsPerKilowatt))
            let isHeeded = limits.objective.map { $0.money > 0 } ?? true
            lines.append(
                "\(price) per kW of the highest power above \(kilowatts(charge.peakSoFar))"
                    + (isHeeded ? "" : ": not heeded, because plans do not make money small"))
        }
        if limits.baseLoad.contains(where: { $0 > .zero }) {
            let phases = limits.baseLoad.map { Quantities.kilowatts(milliwatts: $0.milliwatts) }
            lines.append("runs anyway: \(phases.joined(separator: ", ")) kW on the three phases")
        }
        if limits.exportPrice.microsPerKilowattHour != 0 {
            lines.append("exports bring \(Quantities.price(limits.exportPrice)) per kWh")
        }
        let source = limits.isDefault ? " (the scheduler's settings)" : ""
        let objective = limits.objective.map { [VenueObjectiveView(objective: $0).line] } ?? []
        let shown =
            lines.isEmpty
            ? ["No limits\(source)."] : lines + (source.isEmpty ? [] : ["as in the scheduler's settings"])
        return shown + objective
    }

    private func words(_ circuit: VenueLimits.Circuit) -> String {
        let parent = circuit.parent.map { " behind \(TerminalText.safe($0))" } ?? ""
        let most = [
            circuit.power.map { "\(kilowatts($0))" },
            circuit.powerPerPhase.map { "\(kilowatts($0))\(amperes($0)) on each phase" },
        ].compactMap(\.self)
        let devices = circuit.deviceIDs.isEmpty ? "all that is on no other circuit" : names(circuit.deviceIDs)
        return "circuit \(TerminalText.safe(circuit.name))\(parent): "
            + "\(most.isEmpty ? "any power" : most.joined(separator: ", ")); \(devices)"
            + (circuit.carriesBaseLoad ? ", and what runs anyway" : "")
    }

    private func names(_ ids: [String]) -> String { ids.map { TerminalText.safe($0) }.joined(separator: ", ") }

    /// ` (20 A at 230 V)`, as fuses are named, where that is what the power can have been made of.
    private func amperes(_ power: Power) -> String {
        let (tenths, rest) = power.milliwatts.quotientAndRemainder(dividingBy: 23_000)
        guard rest == 0, tenths > 0 else { return "" }
        return " (\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") A at 230 V)"
    }

    private func kilowatts(_ power: Power) -> String { "\(Quantities.kilowatts(milliwatts: power.milliwatts)) kW" }
}

/// A venue's forecast: how much of what, and from when to when.
struct VenueForecastView {
    let forecast: VenueForecast
    let venue: Venue

    func lines() -> [String] {
        var lines = [("photovoltaics", forecast.photovoltaics), ("base load", forecast.baseLoad)].compactMap(words)
        let celsius = forecast.outdoor.map { Int($0.celsius.rounded()) }
        if let least = celsius.min(), let most = celsius.max() { lines.append("outdoors: \(least) to \(most) °C") }
        return lines.isEmpty ? ["No forecast."] : lines
    }

    private func words(_ name: String, _ values: [VenueForecast.Value]) -> String? {
        guard let first = values.first, let last = values.last else { return nil }
        let energy = values.reduce(Energy.zero) { $0 + $1.power.energy(overMilliseconds: $1.interval.milliseconds) }
        let start = VenueTime(rounding: first.interval.start, in: venue.timeZone)
        let end = VenueTime(rounding: last.interval.end, in: venue.timeZone)
        return "\(name): \(Quantities.kilowattHours(energy)) kWh from \(start.date.short) \(start.clock) to "
            + "\(end.date.short) \(end.clock)"
    }
}
