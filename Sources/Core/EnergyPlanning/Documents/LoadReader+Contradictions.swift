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
}
