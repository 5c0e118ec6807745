import EnergyModel

/// Plans a load that draws one of a few powers all through each slot that it uses: which slots, at which steps.
///
/// Exact: a dynamic programme over the slots and the energy taken before, in the largest unit that divides what a step
/// takes of every slot.
struct StepPlanner {
    let grid: PlanGrid
    let need: EnergyNeed
    let slots: UsableSlots
    let range: Range<Int>
    let ties: TieBreak
    let isOnBefore: Bool

    /// Units of energy x slots x powers: with more the solver is quicker.
    private static let workMax = 20_000_000
    /// Added for a start, so that of equal plans the one with fewer is taken.
    private static let startCost = 1e-9

    private struct State {
        var cost = Double.infinity
        /// Steps in the slot before, and whether it was on in the one before that.
        var steps: Int32 = 0
        var wasOn = false
    }

    /// kW; without steps it has no whole number of them.
    private var step: Double { need.powerStep ?? 0 }

    /// - Returns: kWh in each slot of ``range``; `nil` if there are too many ways to go through them all.
    func plan() -> [Double]? {
        let lengths = range.map { grid.edges[$0 + 1] - grid.edges[$0] }
        let unit = zip(lengths, slots.isUsable).reduce(Int64(0)) { $1.1 ? Self.divisor($0, $1.0) : $0 }
        guard need.partialSlots == .never, unit > 0, step > 0 else { return nil }
        let energy = step * Double(unit) / Double(Int64.millisecondsPerHour)
        let counts = lengths.map { Int($0 / unit) }
        let powers = counts.indices.map { self.powers(at: $0) }
        let reach = counts.indices.reduce(0) { sum, index in sum + counts[index] * (powers[index].last ?? 0) }
        let wanted = max(need.energyMax, need.energy) / energy + 1e-6
        guard wanted.isFinite, reach < Self.workMax else { return nil }
        let most = Int(min(Double(reach), wanted))
        let ways = powers.reduce(0) { sum, steps in sum + steps.count }
        guard ways * (most + 1) * 2 <= Self.workMax else { return nil }
        let table = self.table(counts, powers, most, energy: energy)
        guard let end = best(table[range.count], energy: energy) else { return nil }
        return path(table, counts, from: end, energy: energy)
    }

    private static func divisor(_ a: Int64, _ b: Int64) -> Int64 { b == 0 ? a : divisor(b, a % b) }

    /// Steps that it may take in a slot, sorted, 0 for none.
    private func powers(at index: Int) -> [Int] {
        guard slots.isUsable[index] else { return [0] }
        let most = Int((slots.power[index] / step + 1e-6).rounded(.down))
        let least = max(1, Int((need.powerMin / step - 1e-6).rounded(.up)))
        if slots.isForced[index] { return [most] }
        return least <= most ? [0] + Array(least...most) : [0]
    }

    /// The cheapest way to each amount, by slots gone through; two states for each amount, off and on at the end.
    private func table(_ counts: [Int], _ powers: [[Int]], _ most: Int, energy: Double) -> [[State]] {
        var table = [Array(repeating: State(), count: 2 * (most + 1))]
        table[0][isOnBefore ? 1 : 0].cost = 0
        for index in counts.indices {
            var next = Array(repeating: State(), count: 2 * (most + 1))
            for steps in powers[index] {
                let amount = steps * counts[index]
                guard amount <= most else { break }
                let cost = grid.cost(range.lowerBound + index, Double(amount) * energy)
                for taken in 0...most - amount {
                    for wasOn in [false, true] {
                        let before = table[index][2 * taken + (wasOn ? 1 : 0)].cost
                        guard before < .infinity else { continue }
                        let sum = before + cost + (steps > 0 && !wasOn ? Self.startCost : 0)
                        let place = 2 * (taken + amount) + (steps > 0 ? 1 : 0)
                        let saved = next[place].cost - sum
                        // Of equals the last in time is the one that takes more in a later slot.
                        if saved > 1e-12 || (ties == .later && saved > -1e-12 && steps > next[place].steps) {
                            next[place] = State(cost: sum, steps: Int32(steps), wasOn: wasOn)
                        }
                    }
                }
            }
            table.append(next)
        }
        return table
    }

    /// Where the least is missing, and then the cheapest.
    private func best(_ states: [State], energy: Double) -> Int? {
        var best: (place: Int, missing: Double, cost: Double)?
        for (place, state) in states.enumerated() where state.cost < .infinity {
            let missing = max(0, need.energy - Double(place / 2) * energy)
            let isBetter =
                best.map {
                    missing < $0.missing - 1e-9 || (missing < $0.missing + 1e-9 && state.cost < $0.cost - 1e-12)
                }
            if isBetter ?? true { best = (place, missing, state.cost) }
        }
        return best?.place
    }

    private func path(_ table: [[State]], _ counts: [Int], from end: Int, energy: Double) -> [Double] {
        var energies = Array(repeating: 0.0, count: counts.count)
        var place = end
        for index in counts.indices.reversed() {
            let state = table[index + 1][place]
            let amount = Int(state.steps) * counts[index]
            energies[index] = Double(amount) * energy
            place = 2 * (place / 2 - amount) + (state.wasOn ? 1 : 0)
        }
        return energies
    }
}
