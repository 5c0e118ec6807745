import EnergyModel

extension PlanWork {
    /// A note that names the loads whose precondition is not kept, for whatever reason; `nil` if there are none.
    func unpreconditioned(_ decisions: PlanDecisions) -> String? {
        let names = zip(problem.loads, decisions.loads).filter { !isPreconditioned($0, $1) }.map(\.0.name)
        guard !names.isEmpty else { return nil }
        return "There is no room for all of the preconditioning that was asked for: \(names.joined(separator: ", "))."
    }

    /// Whether a load runs at full power for so long before its deadline, or for as long as it needs.
    private func isPreconditioned(_ load: PlannedLoad, _ decision: LoadDecision) -> Bool {
        guard case .energy(let need) = load.need, need.precondition > 0 else { return true }
        var open = load
        (open.priceMax, open.carbonMax, open.absences) = (nil, nil, [])
        let slots = UsableSlots(open, need, grid, capacity: Array(repeating: .infinity, count: grid.count))
        return zip(grid.range(of: load), zip(slots.isForced, slots.power)).allSatisfy { slot, full in
            !full.0 || decision.energy[slot] >= full.1 * grid.hours[slot] - 1e-6
        }
    }
}

extension PlannedLoad {
    var isPreconditioned: Bool { if case .energy(let need) = need { need.precondition > 0 } else { false } }

    /// One that ends with its deadline begins inside a slot, instead of ending there.
    mutating func beginInsideSlots() { changeNeed { if $0.partialSlots == .last { $0.partialSlots = .any } } }

    mutating func dropPrecondition() { changeNeed { $0.precondition = 0 } }
}
