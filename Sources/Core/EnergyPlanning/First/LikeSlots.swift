import EnergyModel

/// Puts the same use of slots that are alike side by side, so that loads which took turns in them follow each other.
///
/// What all loads do in a slot moves together: what they cost, and what limits and exclusions leave of it, stays as it was.
struct LikeSlots {
    let work: PlanWork

    /// Different uses within a stretch: all their orders are tried.
    private static let usesMax = 5

    private var grid: PlanGrid { work.grid }

    /// - Parameter isBetter: whether the first of two plans is the one to take.
    func ordered(
        _ decisions: PlanDecisions, isBetter: (PlanDecisions, PlanDecisions) -> Bool
    ) -> PlanDecisions {
        stretches(decisions).reduce(decisions) { known, stretch in
            orders(of: stretch, known).reduce(known) { best, order in
                let other = known.moved(order, to: stretch)
                return isBetter(other, best) ? other : best
            }
        }
    }

    /// Slots that follow each other, of the same price and length, with the same room for every load.
    private func stretches(_ decisions: PlanDecisions) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        for slot in 0..<grid.count where isPlain(slot, decisions) {
            if let last = stretches.last, last.upperBound == slot, areAlike(slot - 1, slot) {
                stretches[stretches.count - 1] = last.lowerBound..<slot + 1
            } else {
                stretches.append(slot..<slot + 1)
            }
        }
        return stretches.filter { $0.count > 2 }
    }

    /// Whether nobody acts in a slot for whom it matters what was before.
    private func isPlain(_ slot: Int, _ decisions: PlanDecisions) -> Bool {
        guard !decisions.charge.indices.contains(where: { decisions.moves($0, slot) }) else { return false }
        return zip(work.problem.loads, decisions.loads).allSatisfy { load, decision in
            guard decision.isOn[slot] || decision.energy[slot] > 0 else { return true }
            guard case .energy(let need) = load.need, decision.course == nil else { return false }
            return need.taper == nil && !load.shape.hasRules
        }
    }

    private func areAlike(_ a: Int, _ b: Int) -> Bool {
        func isSame(_ values: [Double]) -> Bool { values[a] == values[b] }
        return abs(grid.hours[a] - grid.hours[b]) < 1e-9 && isSame(grid.importWeight) && isSame(grid.exportWeight)
            && isSame(grid.base) && isSame(grid.pv)
            && work.rows.allSatisfy { isSame($0.room) && isSame($0.floor) }
            && work.capacities.allSatisfy(isSame)
            && work.problem.loads.allSatisfy { load in
                let range = grid.range(of: load)
                return range.contains(a) == range.contains(b) && grid.allows(load, a) == grid.allows(load, b)
            }
    }

    /// All ways to put like uses of a stretch side by side; none where all slots are used alike or each otherwise, or there are
    /// too many ways.
    private func orders(of stretch: Range<Int>, _ decisions: PlanDecisions) -> [[Int]] {
        var uses: [[Int]] = []
        for slot in stretch {
            if let index = uses.firstIndex(where: { decisions.isSame($0[0], slot) }) {
                uses[index].append(slot)
            } else if uses.count < Self.usesMax {
                uses.append([slot])
            } else {
                return []
            }
        }
        return uses.count < 2 || uses.count == stretch.count ? [] : Self.permutations(uses).map { $0.flatMap(\.self) }
    }

    private static func permutations(_ items: [[Int]]) -> [[[Int]]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}

extension PlanDecisions {
    /// Whether all loads do the same in two slots.
    fileprivate func isSame(_ a: Int, _ b: Int) -> Bool {
        loads.allSatisfy {
            $0.isOn[a] == $0.isOn[b] && abs($0.energy[a] - $0.energy[b]) < 1e-9
                && abs($0.running[a] - $0.running[b]) < 1e-9
        }
    }

    /// - Parameter slots: which slot's use each slot of the stretch has.
    fileprivate func moved(_ slots: [Int], to stretch: Range<Int>) -> PlanDecisions {
        var moved = self
        for (target, source) in zip(stretch, slots) {
            moved.curtailed[target] = curtailed[source]
            for index in loads.indices {
                moved.loads[index].energy[target] = loads[index].energy[source]
                moved.loads[index].running[target] = loads[index].running[source]
                moved.loads[index].isOn[target] = loads[index].isOn[source]
            }
        }
        return moved
    }
}
