internal import EnergyModel

/// A vehicle's rules, a line for each.
struct RulesView {
    let rules: ChargingRules
    let venue: Venue
    let now: Timestamp

    func lines() -> [String] {
        var lines: [String] = []
        if rules.stateOfChargeMin > 0 {
            lines.append("charged at once up to \(rules.stateOfChargeMin) %, by what it tells of its charge")
        }
        if let price = rules.priceMax { lines.append("not above \(Quantities.price(price)) per kWh") }
        if let carbon = rules.carbonMax { lines.append("not above \(Quantities.carbonIntensity(carbon)) g/kWh") }
        if rules.priority != 0 { lines.append("priority \(rules.priority)") }
        lines += shape(rules.shape)
        lines += rules.absences.map { "away \(words($0))" }
        return lines.isEmpty ? ["No rules: only its goals count."] : lines
    }

    private func shape(_ shape: ChargingShape) -> [String] {
        func time(_ milliseconds: Int64) -> String {
            let minutes = milliseconds / .millisecondsPerMinute
            return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes) min"
        }
        var lines: [String] = []
        if shape.runMinMilliseconds > 0 { lines.append("runs of at least \(time(shape.runMinMilliseconds))") }
        if shape.pauseMinMilliseconds > 0 { lines.append("pauses of at least \(time(shape.pauseMinMilliseconds))") }
        if let runs = shape.runsMax { lines.append(runs == 1 ? "all in one run" : "at most \(runs) runs") }
        if shape.ties == .later { lines.append("late rather than early") }
        if shape.marginMilliseconds > 0 { lines.append("ready \(time(shape.marginMilliseconds)) before its deadlines") }
        if shape.preconditionMilliseconds > 0 {
            lines.append("at full power for \(time(shape.preconditionMilliseconds)) before its last deadline")
        }
        if shape.startCost > 0 { lines.append("each start must be worth \(shape.startCost) of what plans make small") }
        return lines
    }

    private func words(_ absence: Absence) -> String {
        switch absence {
        case .once(let interval):
            let start = VenueTime(rounding: interval.start, in: venue.timeZone)
            let end = VenueTime(rounding: interval.end, in: venue.timeZone)
            let date = start.date.told(on: VenueTime(now, in: venue.timeZone).date)
            return "\(date) \(start.clock) to \(end.clock(on: start.date))"
        case .weekly(let days, let start, let end) where start == end:
            return "\(days.words) for 24 h from \(clock(start))"
        case .weekly(let days, let start, let end): return "\(days.words) \(clock(start))-\(clock(end))"
        }
    }

    private func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}
