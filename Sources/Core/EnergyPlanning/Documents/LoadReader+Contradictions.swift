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
