import EnergyModel

/// Places a load's energy where no closed method applies: well rather than best.
struct EnergyFiller {
    private let work: PlanWork
    private let grid: PlanGrid
    private let load: PlannedLoad
    private let need: EnergyNeed
    private var slots: UsableSlots
    private let range: Range<Int>
    private let curve: TaperCurve?

    /// Powers that are tried.
    private static let powersMax = 5

    /// - Parameter work: of this load alone.
    init(_ work: PlanWork, _ need: EnergyNeed) {
        self.work = work
        self.need = need
        grid = work.grid
        load = work.problem.loads[0]
        range = grid.range(of: load)
        curve = need.taper.map { TaperCurve($0, need, power: need.powerMax) }
        slots = UsableSlots(load, need, grid, capacity: work.capacities[0])
    }

    /// Plans that use no dearer slots than a known one: as early as can be, or as late.
    func decisions(besides known: LoadDecision) -> [LoadDecision] {
        let dearest = range.reduce(-Double.infinity) { known.energy[$1] > 0 ? max($0, grid.importWeight[$1]) : $0 }
        let cheap = without(range, dearerThan: dearest)
        guard load.shape.ties == .later else { return [cheap.atOnce()] }
        let most = work.missing(0, known) + 1e-9
        var (low, high) = (0, range.count)
        var found: [LoadDecision] = []
        while low < high {
            let middle = (low + high) / 2
            let decision = cheap.atOnce(from: middle)
            if work.missing(0, decision) <= most {
                (low, found) = (middle + 1, [decision])
            } else {
                high = middle
            }
        }
        return found
    }

    /// Plans that keep to its shape; at least one.
    func decisions(isQuick: Bool) -> [LoadDecision] {
        let first = atOnce()
        guard !isQuick else { return [first] }
        var found = [first, cheaply(lackingAs: first)]
        if isFree { found.append(goalByGoal()) }
        if need.taper == nil { found += onePower() }
        return found
    }

    private func without(_ part: Range<Int>, dearerThan price: Double) -> EnergyFiller {
        var cheap = self
        for slot in part where grid.importWeight[slot] > price { cheap.slots.isUsable[slot - range.lowerBound] = false }
        return cheap
    }

    /// As early as may be in slots that are no dearer than what is needed takes: in all of the window, and then until each
    /// goal what that still allows.
    private func cheaply(lackingAs known: LoadDecision) -> LoadDecision {
        let most = work.missing(0, known) + 1e-9
        let ends = need.goals.dropLast().map {
            min(max(range.lowerBound, grid.index(at: $0.by.unixMilliseconds)), range.upperBound)
        }
        let bounds = [range.lowerBound] + ends + [range.upperBound]
        var (filler, best) = (self, known)
        for part in [range] + zip(bounds, bounds.dropFirst()).map({ $0..<max($0, $1) }) {
            let prices = Set(part.map { grid.importWeight[$0] }).sorted()
            var (low, high, cheap) = (0, prices.count - 1, filler)
            while low < high {
                let middle = (low + high) / 2
                let other = filler.without(part, dearerThan: prices[middle])
                let decision = other.atOnce()
                if work.missing(0, decision) <= most {
                    (high, cheap, best) = (middle, other, decision)
                } else {
                    low = middle + 1
                }
            }
            filler = cheap
        }
        return best
    }

    private var isFree: Bool {
        load.shape.isFree && need.taper == nil && need.powerStep == nil
            && (need.partialSlots == .any || need.powerMin == 0)
    }

    private var runMin: Int64 {
        LoadModelBuilder(problem: work.problem, grid: grid, isLimited: false).runMin(load.shape, need, range)
    }

    /// The cheapest slots for the first goal, then what the next one needs more, and so on.
    private func goalByGoal() -> LoadDecision {
        var energies = Array(repeating: 0.0, count: range.count)
        var left = slots
        for (index, goal) in need.goals.enumerated() {
            let end = index == need.goals.count - 1 ? range.upperBound : grid.index(at: goal.by.unixMilliseconds)
            var more = need
            more.goals = [.init(by: goal.by, energy: max(0, goal.energy - energies.reduce(0, +)))]
            more.energyMax = more.energy
            var open = left
            for slot in open.isUsable.indices where slot + range.lowerBound >= end { open.isUsable[slot] = false }
            let added = KnapsackPlanner(grid: grid).plan(load, more, open)
            for (slot, energy) in added.enumerated() where energy > 0 {
                energies[slot] += energy
                left.power[slot] = max(0, left.power[slot] - energy / grid.hours[range.lowerBound + slot])
                left.isForced[slot] = false
            }
        }
        return LoadDecision(load, need, energies: energies, grid)
    }

    /// As if it had one power only, with which ``RunPlanner`` is exact: several powers are tried.
    private func onePower() -> [LoadDecision] {
        guard let first = range.first, need.powerMax > 0, need.energy > 0 else { return [] }
        let hours = grid.hours[first]
        let least = (need.energy / (need.powerMax * hours) - 1e-9).rounded(.up)
        return (0..<Self.powersMax).compactMap { more in
            var power = need.energy / ((least + Double(more)) * hours)
            if let step = need.powerStep { power = (power / step - 1e-9).rounded(.up) * step }
            power = min(power, need.powerMax)
            guard power >= need.powerMin - 1e-9, power > 0, least < 1e6 else { return nil }
            var fixed = need
            (fixed.powerMin, fixed.powerMax, fixed.powerStep) = (power, power, nil)
            fixed.goals = need.goals.suffix(1)
            fixed.energyMax = need.energy
            if fixed.partialSlots == .any { fixed.partialSlots = .last }
            let open = UsableSlots(load, fixed, grid, capacity: work.capacities[0])
            guard let energies = RunPlanner(grid: grid).plan(load, fixed, open, runMin: runMin) else { return nil }
            return LoadDecision(load, need, energies: withoutShortRuns(energies), grid)
        }
    }

    /// Only whole slots, with any power from its least on.
    private var isSmooth: Bool { need.partialSlots == .never && need.powerStep == nil && need.taper == nil }

    /// kWh without runs that are over too soon, or that draw less than the least until they may be.
    private func withoutShortRuns(_ energies: [Double]) -> [Double] {
        guard runMin > 0 else { return energies }
        var kept = energies
        for run in energies.indices.split(whereSeparator: { energies[$0] <= 0 }) {
            guard let first = run.first, let last = run.last, first > 0 || !load.shape.goesOn(range) else { continue }
            let must = run.filter { grid.edges[range.lowerBound + $0] - grid.edges[range.lowerBound + first] < runMin }
            let isLong = grid.edges[range.lowerBound + last + 1] - grid.edges[range.lowerBound + first] >= runMin
            let isFull =
                need.hasOnePower
                ? run.reduce(0) { $0 + energies[$1] } >= need.powerMin * Double(runMin) / 3_600_000 - 1e-9
                : must.allSatisfy { isWhole($0, energies) }
            if !isLong || (need.fillsRuns && !isFull) { for slot in run { kept[slot] = 0 } }
        }
        return kept
    }

    /// Whether a slot is used all through: at the least power or more, or at one step.
    private func isWhole(_ index: Int, _ energies: [Double]) -> Bool {
        let (taken, hours) = (energies[..<index].reduce(0, +), grid.hours[range.lowerBound + index])
        guard energies[index] >= least(index, after: taken) - 1e-9 else { return false }
        guard let step = need.powerStep, !isNearFull(taken, hours) else { return true }
        let steps = energies[index] / hours / step
        return abs(steps - steps.rounded()) < 1e-6
    }

    /// kWh that a slot takes at least when it is used whole.
    private func least(_ index: Int, after taken: @autoclosure () -> Double) -> Double {
        let hours = grid.hours[range.lowerBound + index]
        guard need.yieldsNearFull, let curve else { return need.powerMin * hours }
        return min(need.powerMin * hours, curve.energy(after: taken(), hours: hours))
    }

    private func isNearFull(_ taken: Double, _ hours: Double) -> Bool {
        guard need.yieldsNearFull, let curve else { return false }
        return taken >= curve.nearFull(hours: hours)
    }

    /// As early and as fast as it may.
    ///
    /// - Parameter first: of the window's slots, the first that it may use.
    private func atOnce(from first: Int = 0) -> LoadDecision {
        var switched = FirstSwitch(load.shape, runMin: runMin, grid, isOn: load.shape.goesOn(range))
        var energies = Array(repeating: 0.0, count: range.count)
        var taken = 0.0
        // A run that must last longer than the energy needs goes slower.
        let longest = Double(runMin) / 3_600_000
        let most = longest > 0 ? max(need.powerMin, min(need.powerMax, need.energy / longest)) : need.powerMax
        for (index, slot) in range.enumerated() {
            let left = need.energy - taken
            let hours = grid.hours[slot]
            var power = min(slots.power[index], most)
            if let curve { power = min(power, curve.energy(after: taken, hours: hours) / hours) }
            let isNearFull = isNearFull(taken, hours)
            if need.fillsRuns, !isNearFull {
                // Enough is kept for what the minimum run still draws.
                let end = grid.edges[grid.index(at: switched.staysUntil(slot))]
                let hoursAfter = Double(max(0, end - grid.edges[slot + 1])) / 3_600_000
                power = max(0, min(power, (left - need.flowMin * hoursAfter) / hours))
            }
            if let step = need.powerStep, !isNearFull {
                power = (power / step + 1e-9).rounded(.down) * step
            }
            let rest = left - power * hours
            if isSmooth, rest > 1e-9, rest < need.powerMin * hours {
                // So that what is left is enough for one more slot.
                power = max(need.powerMin, power - (need.powerMin - rest / hours))
            }
            let isEnough = left <= power * hours + 1e-9
            let least = least(index, after: taken) / hours
            if isEnough, need.partialSlots != .never || left / hours >= least - 1e-9,
                need.powerStep == nil || need.partialSlots != .never
            {
                power = left / hours
            } else if power < least - 1e-9 || (isEnough && left < power * hours - 1e-9) {
                power = 0
            }
            let isOn = switched.decide(slot, wants: left > 1e-9 && power > 0 && index >= first) {
                range.contains($0) && $0 - range.lowerBound >= first && slots.isUsable[$0 - range.lowerBound]
            }
            guard isOn, power > 0 else { continue }
            energies[index] = power * hours
            taken += energies[index]
        }
        return LoadDecision(load, need, energies: withoutShortRuns(energies), grid)
    }
}
