/// Makes the cheapest slots' energy one that a load with a least power, or with steps, can take, at the same cost.
///
/// The cheapest slots are what it costs at least, whatever its powers; where they can be had it costs no more.
struct RangeFit {
    let grid: PlanGrid
    let need: EnergyNeed
    let slots: UsableSlots
    /// Of the load's window.
    let range: Range<Int>

    /// - Parameter energies: from ``KnapsackPlanner``.
    /// - Returns: `nil` if they cannot be had at the same cost.
    func fitted(_ energies: [Double]) -> [Double]? {
        guard let last = energies.lastIndex(where: { $0 > 0 }) else { return energies }
        let wrong = energies.indices.filter { energies[$0] > 0 && !isPossible(energies[$0], $0, isLast: $0 == last) }
        guard let slot = wrong.first else { return energies }
        guard wrong.count == 1 else { return nil }
        return energies.indices.reversed()
            .filter { $0 != slot && energies[$0] > 0 && isEqual($0, slot) }
            .lazy.compactMap { moved(energies, from: $0, to: slot, last) }.first
    }

    private func isPossible(_ energy: Double, _ slot: Int, isLast: Bool) -> Bool {
        if need.partialSlots == .any || (isLast && need.partialSlots == .last) { return true }
        let power = energy / grid.hours[range.lowerBound + slot]
        let steps = power / (need.powerStep ?? power)
        return power >= need.powerMin - 1e-9 && abs(steps - steps.rounded()) < 1e-6
    }

    /// Whether a kWh costs the same in both.
    private func isEqual(_ slot: Int, _ other: Int) -> Bool {
        let (slot, other) = (range.lowerBound + slot, range.lowerBound + other)
        return grid.surplus[slot] <= 0 && grid.surplus[other] <= 0
            && grid.importWeight[slot] == grid.importWeight[other]
    }

    /// One slot has so much more that both can be had: all that it can take, or its least.
    private func moved(_ energies: [Double], from: Int, to: Int, _ last: Int) -> [Double]? {
        let hours = grid.hours[range.lowerBound + to]
        let most = slots.power[to] * hours
        let step = need.powerStep
        let least = (step.map { (need.powerMin / $0 - 1e-9).rounded(.up) * $0 } ?? need.powerMin) * hours
        for wanted in [most, least] where wanted > energies[to] {
            var moved = energies
            moved[from] -= wanted - energies[to]
            moved[to] = wanted
            guard moved[from] > 1e-9, isPossible(wanted, to, isLast: to == last),
                isPossible(moved[from], from, isLast: from == last)
            else { continue }
            return moved
        }
        return nil
    }
}
