/// Reads what power a load may have, said in kW or in amperes.
extension LoadReader {
    /// A power with what it is called and how much it is in the file.
    private struct Said {
        var member: String
        var kilowatts: Double
        var text: String
    }

    /// kW of an ampere on each phase.
    private var ampere: Double { Double(phases.count) * (object.number("voltage_v") ?? 230) / 1000 }

    private func said(_ power: String, orCurrent current: String? = nil) -> Said? {
        if let value = object.number(power) {
            return Said(member: power, kilowatts: value, text: "\(Self.text(value)) kW")
        }
        return current.flatMap(said(current:))
    }

    private func said(current: String) -> Said? {
        object.number(current).map {
            Said(member: current, kilowatts: $0 * ampere, text: "\(Self.text($0)) A")
        }
    }

    /// In the unit of `other` too, so that the two can be compared.
    private func text(_ said: Said, beside other: Said) -> String {
        said.text.hasSuffix("A") == other.text.hasSuffix("A") || said.text.hasSuffix("kW")
            ? said.text : "\(said.text) (\(Self.text(said.kilowatts)) kW)"
    }

    private func contradiction(_ said: Said, _ side: String, _ other: Said) -> ProblemError {
        wrong(
            said.member,
            "must not be \(side) \(other.member), \(text(other, beside: said)), but is \(text(said, beside: other))")
    }

    /// The same power said twice, in kW and in amperes, may differ by a rounding. Which of the two counts is no guess.
    ///
    /// - Parameter fixed: the one power, if it is said.
    private func refuseOtherPowers(beside fixed: Said?) throws(ProblemError) {
        func isSame(_ said: Said, _ other: Said) -> Bool {
            abs(said.kilowatts - other.kilowatts) <= 0.01 * max(said.kilowatts, other.kilowatts)
        }
        for (power, current) in [("max_power_kw", "max_current_a"), ("min_power_kw", "min_current_a")] {
            let (inPower, inCurrent) = (said(power), said(current: current))
            if let inPower, let inCurrent, !isSame(inPower, inCurrent) {
                throw contradiction(inPower, "another than", inCurrent)
            }
            for other in [inPower, inCurrent].compactMap(\.self) {
                if let fixed, !isSame(other, fixed) { throw contradiction(other, "another than", fixed) }
            }
        }
    }

    /// - Returns: least, most and step in kW.
    func powers() throws(ProblemError) -> (Double, Double, Double?) {
        guard type != .appliance, type != .battery else { return (0, 0, nil) }
        let fixed = said("power_kw")
        guard let most = fixed ?? said("max_power_kw", orCurrent: "max_current_a") else {
            throw wrong("max_power_kw", "is missing: say power_kw, max_power_kw or max_current_a")
        }
        let least = said("min_power_kw", orCurrent: "min_current_a")
        if let least, least.kilowatts > most.kilowatts { throw contradiction(least, "above", most) }
        try refuseOtherPowers(beside: fixed)
        let minimum = (fixed ?? least)?.kilowatts ?? 0
        guard let step = said("power_step_kw", orCurrent: "current_step_a") else {
            return (minimum, most.kilowatts, nil)
        }
        guard minimum < most.kilowatts else {
            let steps = most.kilowatts / step.kilowatts
            guard abs(steps - steps.rounded()) < 1e-6 else {
                throw wrong(
                    most.member,
                    "must be a multiple of \(step.member), \(text(step, beside: most)), but is "
                        + text(most, beside: step))
            }
            return (minimum, most.kilowatts, nil)
        }
        let highest = EnergyNeed.stepDown(most.kilowatts, step.kilowatts)
        let lowest = EnergyNeed.stepUp(minimum, step.kilowatts)
        guard highest > 0, highest >= lowest else {
            throw wrong(
                step.member,
                "must have a multiple that the load can run at, up to \(text(most, beside: step)), but is "
                    + text(step, beside: most))
        }
        return (lowest, highest, lowest < highest ? step.kilowatts : nil)
    }
}
