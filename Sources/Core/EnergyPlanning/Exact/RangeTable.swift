/// The table of ``RangePlanner``: when each slot begins, and after the last one, the lowest cost for each energy taken, by the
/// state of ``RunTiming`` and the number of starts.
struct RangeTable {
    struct Place {
        /// The slot that begins.
        var slot: Int
        var layer: Int
        var state: Int
    }

    let problem: RangeProblem
    let timing: RunTiming
    private var curves: [[CostCurve]] = []

    /// Lines of all curves of a slot.
    private static let linesMax = 20_000

    /// - Returns: `nil` if there are too many ways, or no time.
    init?(_ problem: RangeProblem, _ timing: RunTiming, _ timer: PlanTimer) {
        self.problem = problem
        self.timing = timing
        let rules = problem.rules
        let none = Array(repeating: CostCurve.none, count: timing.states)
        var first = none
        // One that is on rests before it is off for good.
        first[rules.goesOn ? timing.running : 0] = .point(0)
        curves.append(first)
        for slot in 0..<rules.count {
            let next = after(slot, none)
            guard next.reduce(0, { $0 + $1.lines.count }) <= Self.linesMax, !timer.isUp else { return nil }
            curves.append(next)
        }
    }

    subscript(_ place: Place) -> CostCurve { curves[place.slot][place.layer * timing.count + place.state] }

    private func after(_ slot: Int, _ none: [CostCurve]) -> [CostCurve] {
        var found = Array(repeating: [CostCurve](), count: none.count)
        for move in timing.moves(slot, problem.rules) {
            let count = move.isCounted ? 1 : 0
            for layer in 0..<timing.layers - count {
                let target = (layer + count) * timing.count + move.to
                let before = self[Place(slot: slot, layer: layer, state: move.from)]
                guard !before.isEmpty else { continue }
                guard move.isOn else {
                    found[target].append(before)
                    continue
                }
                let start = move.isStart ? problem.rules.startCost : 0
                for part in problem.whole[slot] {
                    found[target] += part.window.costs(
                        after: before, price: part.price, cost: part.cost + start, full: problem.most)
                }
            }
        }
        let bends = problem.bends(after: slot, upTo: slot + 1)
        return found.map { found in
            var curve = CostCurve(lowest: found)
            if !bends.isEmpty, slot + 1 < problem.rules.count {
                curve.add(bentAt: bends) { problem.lack($0, after: slot, upTo: slot + 1) }
            }
            return curve
        }
    }

    // MARK: The way back

    /// - Parameter energy: kWh that were taken when the place begins.
    /// - Returns: kWh of each slot before it; `nil` if roundings have hidden the way.
    func energies(to place: Place, _ energy: Double) -> [Double]? {
        var energies = Array(repeating: 0.0, count: place.slot)
        var (place, left) = (place, energy)
        while place.slot > 0 {
            guard let (own, before) = way(to: place, left) else { return nil }
            energies[place.slot - 1] = own
            left -= own
            place = before
        }
        return energies
    }

    private func way(to place: Place, _ energy: Double) -> (energy: Double, from: Place)? {
        let slot = place.slot - 1
        var best: (energy: Double, from: Place, cost: Double)?
        for move in timing.moves(slot, problem.rules) where move.to == place.state {
            let layer = place.layer - (move.isCounted ? 1 : 0)
            guard layer >= 0 else { continue }
            let from = Place(slot: slot, layer: layer, state: move.from)
            func attempt(_ own: Double, _ cost: Double) {
                if best.map({ cost < $0.cost }) ?? (cost < .infinity) { best = (own, from, cost) }
            }
            guard move.isOn else {
                attempt(0, self[from].cost(energy))
                continue
            }
            for part in problem.whole[slot] {
                guard let way = part.window.way(to: energy, from: self[from], price: part.price) else { continue }
                attempt(way.energy, way.cost + part.cost + (move.isStart ? problem.rules.startCost : 0))
            }
        }
        return best.map { ($0.energy, $0.from) }
    }
}
