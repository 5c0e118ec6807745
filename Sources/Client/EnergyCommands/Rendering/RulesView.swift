internal import EnergyModel

/// A vehicle's rules, a line for each.
struct RulesView {
    let rules: ChargingRules
    let venue: Venue

    func lines() -> [String] {
        var lines: [String] = []
        if rules.stateOfChargeMin > 0 { lines.append("charged at once up to \(rules.stateOfChargeMin) %") }
        if let price = rules.priceMax { lines.append("not above \(Quantities.price(price)) per kWh") }
        if let carbon = rules.carbonMax { lines.append("not above \(Quantities.carbonIntensity(carbon)) g/kWh") }
        if rules.priority != 0 { lines.append("priority \(rules.priority)") }
        lines += rules.absences.map { "away \(words($0))" }
        return lines.isEmpty ? ["No rules: only its goals count."] : lines
    }

    private func words(_ absence: Absence) -> String {
        switch absence {
        case .once(let interval):
            let start = VenueTime(rounding: interval.start, in: venue.timeZone)
            let end = VenueTime(rounding: interval.end, in: venue.timeZone)
            return "\(start.date.short) \(start.clock) to \(end.clock(on: start.date))"
        case .weekly(let days, let start, let end): return "\(days.words) \(clock(start))-\(clock(end))"
        }
    }

    private func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}
