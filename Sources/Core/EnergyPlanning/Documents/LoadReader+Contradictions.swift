/// Members that each may be said, but not beside each other.
extension LoadReader {
    func refuseContradictions() throws(ProblemError) {
        if let phases = object.numbers("phases"), Set(phases).count < phases.count {
            throw wrong(
                "phases", "must name each phase once, but is [\(phases.map(Self.text).joined(separator: ", "))]")
        }
        if object.flag("one_block") == true, let most = object.number("max_runs"), most > 1 {
            throw wrong("max_runs", "must be 1 beside one_block, which is one run, but is \(Self.text(most))")
        }
        if object.has("power_step_kw"), object.has("current_step_a") {
            throw wrong("power_step_kw", "must not be said beside current_step_a: they are the same, said twice")
        }
    }

    /// A load without what makes it one of its type is not told that all the rest says nothing about it.
    func refuseEmptiness() throws(ProblemError) {
        let needed: (member: String, words: String)? =
            switch type {
            case .appliance: ("profile_kw", "an appliance runs a fixed course")
            case .hvac: ("thermal", "heating and cooling needs its building")
            case .battery: ("max_charge_kw", "a home battery needs its power")
            case .ev, .load: nil
            }
        guard let needed, !object.has(needed.member) else { return }
        let said = ["energy_kwh", "target_soc", "goals"].first(where: object.has)
        let other = said.map { ". What needs \($0) and may run at any time is of type load or ev" } ?? ""
        throw wrong(needed.member, "is missing: \(needed.words)\(type == .battery ? "" : other)")
    }

    /// How far the band may be left and for how long are nothing without each other. (Of a device a goal says for how long.)
    func refuseHalvesOfSetback() throws(ProblemError) {
        guard let thermal = object.object("thermal") else { return }
        for (said, other, words) in [
            ("setback_k", "setback_minutes", "for how long in all"),
            ("setback_minutes", "setback_k", "how far the band may be left"),
            ("setback_min_minutes", "setback_minutes", "for how long in all"),
        ] {
            guard thermal.number(said) ?? 0 > 0, !thermal.has(other) else { continue }
            throw ProblemError("\(thermal.path).\(other)", "is missing beside \(said): \(words)")
        }
    }

    /// - Parameter energy: kWh that the load needs.
    func refuseMost(below energy: Double) throws(ProblemError) {
        guard let most = object.number("max_energy_kwh"), most < energy - 1e-9 else { return }
        let need = ["energy_kwh", "target_soc", "goals"].first(where: object.has) ?? "energy_kwh"
        throw wrong(
            "max_energy_kwh", "must not be below \(need), which is \(Self.text(energy)) kWh, but is \(Self.text(most))")
    }

    /// - Parameters:
    ///   - powerAtFull: kW
    ///   - most: kW
    func tapersUp(_ taper: JSONObject, _ powerAtFull: Double, _ most: Double) -> ProblemError {
        let said = ["power_kw", "max_power_kw", "max_current_a"].first(where: object.has) ?? "max_power_kw"
        return ProblemError(
            "\(taper.path).power_at_full_kw",
            "must not be above \(said), which is \(Self.text(most)) kW, but is \(Self.text(powerAtFull)) kW")
    }
}

extension ProblemReader {
    /// A load that says which phases it is on is on those of the fuse.
    static func refusePhases(of loads: [JSONObject], behind fuse: JSONObject) throws(ProblemError) {
        let most = fuse.number("phases") ?? 3
        for load in loads {
            let highest = load.number("phases") ?? load.numbers("phases")?.max() ?? 0
            guard highest > most else { continue }
            throw ProblemError(
                "\(load.path).phases",
                "must be among the \(LoadReader.text(most)) of \(fuse.path).phases, but has \(LoadReader.text(highest))"
            )
        }
    }
}
