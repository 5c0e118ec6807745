/// Limits that what runs anyway breaks by itself.
extension PlanAssembly {
    /// One note for each limit that is broken in the plan: nothing that is planned can help that.
    ///
    /// - Parameter nets: kWh that the home draws in each cut slot.
    func overdrawn(_ nets: [Double]) -> [String] {
        var notes: [String] = []
        if let limit = work.problem.limits.importPower {
            notes += note("import limit", nets.indices.map { nets[$0] / grid.hours[$0] - limit })
        }
        for row in work.rows where !row.anyway.isEmpty {
            let over = nets.indices.map { slot in
                let loads = row.loads.reduce(0) { $0 + decisions.loads[$1.key].energy[slot] * $1.value }
                let moved = row.batteries.reduce(loads) {
                    $0 + (decisions.charge[$1.key][slot] - decisions.discharge[$1.key][slot]) * $1.value
                }
                return row.anyway[slot] + (moved + row.pvShare * decisions.curtailed[slot]) / grid.hours[slot]
                    - row.givenMax
            }
            notes += note(row.name, over)
        }
        return notes
    }

    /// - Parameter over: kW above the limit in each cut slot.
    private func note(_ name: String, _ over: [Double]) -> [String] {
        guard let most = over.max(), most > 1e-6 else { return [] }
        return ["What runs anyway draws up to \(most.roundedUp.plainText) kW more than the \(name) carries."]
    }
}
