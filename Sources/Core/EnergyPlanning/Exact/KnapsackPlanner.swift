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
        pieces.sort { $0.cost != $1.cost ? $0.cost < $1.cost : $0.slot < $1.slot }
        var next = 0
        while next < pieces.count {
            let cost = pieces[next].cost
            // Beyond what is needed only what pays.
            let wish = (cost < 0 ? max(need.energyMax, need.energy) : need.energy) - taken
            guard wish > 0 else { break }
            let equal = pieces[next...].prefix { $0.cost == cost }
            let sum = equal.reduce(0) { $0 + $1.energy }
            if sum > wish {
                var tied = TiedSlots(
                    energies, isOnBefore: load.shape.goesOn(range), isEarly: load.shape.ties == .earlier)
                for piece in equal { tied.spare[Int(piece.slot)] += piece.energy }
                energies = tied.taking(wish)
            } else {
                for piece in equal { energies[Int(piece.slot)] += piece.energy }
            }
            taken += min(sum, wish)
            next = equal.endIndex
        }
        return energies
    }
}
