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
        (open.priceMax, open.carbonMax, open.absences, open.rests) = (nil, nil, [], [])
        let slots = UsableSlots(open, need, grid, capacity: Array(repeating: .infinity, count: grid.count))
        // Near full what a slot takes depends on those before it.
        let came = zip(grid.range(of: load), slots.isForced).reduce(0) { $1.1 ? $0 + decision.energy[$1.0] : $0 }
        return came >= slots.least.reduce(0, +) - 1e-6
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

    /// For as long as it needs at full power, where that is less than what is asked for. What its goals demand before is not
    /// left for it.
    mutating func shortenPrecondition(_ slots: [PlanSlot]) {
        guard case .energy(var need) = need, need.precondition > 0, need.powerMax > 0, !isBlock,
            let end = PlanGrid.end(self, slots)
        else { return }
        let before = need.goals.last { $0.by.unixMilliseconds <= end - need.precondition }?.energy ?? 0
        let hours =
            need.taper.map { TaperCurve($0, need, power: need.powerMax).hours(from: before, to: need.energyMax) }
            ?? (need.energyMax - before) / need.powerMax
        let milliseconds = max(0, hours * 3_600_000 - 1e-3).rounded(.up)
        guard milliseconds < Double(need.precondition) else { return }
        need.precondition = Int64(milliseconds)
        // A part of a millisecond counts as a whole one.
        if need.taper == nil {
            need.energyMax = max(need.energyMax, before + need.powerMax * milliseconds / 3_600_000)
        }
        self.need = .energy(need)
    }

    mutating func dropPrecondition() { changeNeed { $0.precondition = 0 } }
}
