internal import EnergyModel

/// Reads a home battery.
extension LoadReader {
    /// Members that say nothing about a battery.
    static let strangersOfBatteries = [
        "profile_kw", "profile_step_minutes", "thermal", "energy_kwh", "max_energy_kwh", "efficiency", "taper",
        "partial_slots", "precondition_minutes", "power_kw", "max_power_kw", "min_power_kw", "max_current_a",
        "min_current_a", "current_step_a", "power_step_kw", "min_run_minutes", "min_pause_minutes", "max_runs",
        "one_block", "start_anywhere", "start_cost", "max_price", "max_carbon", "earliest_start",
    ]

    func battery() throws(ProblemError) -> HomeBattery {
        try refuseStrangers()
        try refuseContradictions()
        guard let capacity = object.number("capacity_kwh") else { throw wrong("capacity_kwh", "is missing") }
        guard let charge = object.number("max_charge_kw") else { throw wrong("max_charge_kw", "is missing") }
        let initial = object.number("initial_soc") ?? 0
        let (least, most) = (object.number("min_soc") ?? 0, object.number("max_soc") ?? 100)
        guard least <= most else { throw aboveMost("min_soc", least, most) }
        let value = object.number("end_value_per_kwh") ?? 0
        let final = object.number("final_soc") ?? (value > 0 ? least : min(initial, most))
        guard final <= most else { throw aboveMost("final_soc", final, most) }
        if let said = object.number("final_soc"), said < least {
            throw wrong(
                "final_soc",
                "must not be below min_soc (\(Self.text(least))), which holds at the end too, but is \(Self.text(said))"
            )
        }
        return HomeBattery(
            name: name, energyMin: least / 100 * capacity, energyMax: most / 100 * capacity,
            initial: initial / 100 * capacity, finalMin: final / 100 * capacity,
            goals: try targets(most: most).map { .init(by: $0.by, energy: $0.percent / 100 * capacity) },
            priority: Int(object.number("priority") ?? 0), chargeMax: charge,
            dischargeMax: object.number("max_discharge_kw") ?? charge,
            chargeEfficiency: object.number("charge_efficiency") ?? 1,
            dischargeEfficiency: object.number("discharge_efficiency") ?? 1,
            wear: object.number("wear_cost_per_kwh") ?? 0, endValue: value, phases: phases)
    }

    /// Percent by when.
    private func targets(most: Double) throws(ProblemError) -> [(by: Timestamp, percent: Double)] {
        guard let end = slots.last?.interval.end else { return [] }
        var targets: [(by: Timestamp, percent: Double)] = []
        if let target = object.number("target_soc") {
            guard !object.has("goals") else { throw wrong("target_soc", "must not be said beside goals") }
            try check(target, "target_soc", by: object.time("deadline"), "deadline", most: most)
            targets.append((object.time("deadline") ?? end, target))
        } else if object.has("deadline") {
            throw wrong("deadline", "is when a battery has its target_soc, which is missing")
        }
        for goal in object.list("goals") {
            guard let by = goal.time("by") else { continue }
            guard let percent = goal.number("soc"), !goal.has("energy_kwh") else {
                throw ProblemError("\(goal.path).soc", "must be said of a battery, and not energy_kwh")
            }
            try check(percent, member("soc", of: goal), by: by, member("by", of: goal), most: most)
            targets.append((by, percent))
        }
        return targets
    }

    /// - Parameters:
    ///   - said: what the percent is called in the file.
    ///   - deadline: and the time.
    private func check(
        _ percent: Double, _ said: String, by: Timestamp?, _ deadline: String, most: Double
    ) throws(ProblemError) {
        guard percent <= most else { throw aboveMost(said, percent, most) }
        guard let by, let first = slots.first?.interval.start, let last = slots.last?.interval.end else { return }
        guard by > first else { throw wrong(deadline, "must be after the first slot starts (\(text(first)))") }
        guard by <= last else {
            throw wrong(deadline, "is after the last slot ends (\(text(last))): add slots until then")
        }
    }

    private func aboveMost(_ member: String, _ percent: Double, _ most: Double) -> ProblemError {
        wrong(member, "must not be above max_soc (\(Self.text(most))), but is \(Self.text(percent))")
    }
}
