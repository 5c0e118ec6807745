import EnergyModel

extension PlanWork {
    /// Notes that name the loads whose precondition is not kept: by their own ceilings, or by anything else.
    func unpreconditioned(_ decisions: PlanDecisions) -> [String] {
        let broken = zip(problem.loads, decisions.loads).filter { !isPreconditioned($0, $1) }.map(\.0)
        let dear = broken.filter { load in
            let range = grid.range(of: load)
            return range.contains {
                load.isPreconditioned($0, grid, range) && grid.isThere(load, $0) && !grid.allows(load, $0)
            }
        }
        func note(_ why: String, _ loads: [PlannedLoad]) -> [String] {
            loads.isEmpty
                ? [] : ["\(why) the preconditioning that was asked for: \(loads.map(\.name).joined(separator: ", "))."]
        }
        return note("There is no room for all of", broken.filter { !dear.contains($0) })
            + note("A ceiling of price or carbon leaves out a part of", dear)
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

    /// Whether a slot is in the time before the end of its range in which it runs at any price.
    func isPreconditioned(_ slot: Int, _ grid: PlanGrid, _ range: Range<Int>) -> Bool {
        guard case .energy(let need) = need, need.precondition > 0 else { return false }
        return grid.edges[range.upperBound] - grid.edges[slot] <= need.precondition
    }

    /// One that ends with its deadline begins inside a slot, instead of ending there.
    mutating func beginInsideSlots() { changeNeed { if $0.partialSlots == .last { $0.partialSlots = .any } } }

    mutating func dropPrecondition() { changeNeed { $0.precondition = 0 } }
}
