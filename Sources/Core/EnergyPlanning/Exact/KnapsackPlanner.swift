import EnergyModel

/// Plans a load that may take any power up to its highest: the cheapest slots are filled first.
///
/// Exact: the cost of each slot is convex in its energy, so exchanging energy from a dearer to a cheaper piece never
/// costs more (the greedy solution of a continuous knapsack problem).
struct KnapsackPlanner {
    let grid: PlanGrid

    private struct Piece {
        var cost: Double
        var slot: Int32
        var energy: Double
    }

    /// - Returns: kWh in each slot of the load's window.
    func plan(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots) -> [Double] {
        let range = grid.range(of: load)
        var energies = Array(repeating: 0.0, count: range.count)
        var taken = 0.0
        var pieces: [Piece] = []
        pieces.reserveCapacity(range.count)
        for (index, slot) in range.enumerated() where slots.isUsable[index] {
            let most = slots.power[index] * grid.hours[slot]
            if slots.isForced[index] {
                energies[index] = most
                taken += most
                continue
            }
            let own = min(most, grid.surplus[slot] * grid.hours[slot])
            if own > 0 { pieces.append(Piece(cost: grid.surplusWeight(slot), slot: Int32(index), energy: own)) }
            if most > own {
                pieces.append(Piece(cost: grid.importWeight[slot], slot: Int32(index), energy: most - own))
            }
        }
        let isEarly = load.shape.ties == .earlier
        pieces.sort { $0.cost != $1.cost ? $0.cost < $1.cost : isEarly ? $0.slot < $1.slot : $0.slot > $1.slot }
        for piece in pieces {
            // Beyond what is needed only what pays.
            let wish = (piece.cost < 0 ? max(need.energyMax, need.energy) : need.energy) - taken
            guard wish > 0 else { break }
            let energy = min(wish, piece.energy)
            energies[Int(piece.slot)] += energy
            taken += energy
        }
        return energies
    }
}
