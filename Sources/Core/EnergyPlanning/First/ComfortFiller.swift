import EnergyModel

/// Keeps a building in its comfort band as a thermostat does: with as little power as that takes, in time.
struct ComfortFiller {
    private let grid: PlanGrid
    private let load: PlannedLoad
    private let need: ThermalNeed
    private let capacity: [Double]

    /// - Parameter work: of this load alone.
    init(_ work: PlanWork, _ need: ThermalNeed) {
        grid = work.grid
        load = work.problem.loads[0]
        self.need = need
        let window = grid.range(of: load)
        capacity = (0..<grid.count).map { slot in
            guard window.contains(slot), work.grid.allows(work.problem.loads[0], slot) else { return 0 }
            let most = min(need.powerMax, work.capacities[0][slot])
            return most >= need.powerMin && most > 0 ? most : 0
        }
    }

    /// Degrees, turned over for cooling, so that power always makes it more.
    private var sign: Double { need.isCooling ? -1 : 1 }

    private func after(_ temperature: Double, _ power: Double, _ slot: Int) -> Double {
        let kept = need.kept(hours: grid.hours[slot])
        return kept * temperature
            + (1 - kept) * (sign * need.outdoor[grid.origin[slot]] + need.resistance * need.performance * power)
    }

    /// The power that brings it to a temperature, whatever there is.
    private func power(from temperature: Double, to target: Double, _ slot: Int) -> Double {
        let gain = after(0, 1, slot) - after(0, 0, slot)
        return gain > 0 ? (target - after(temperature, 0, slot)) / gain : 0
    }

    /// What must be held at the end of each slot so that full power still keeps the band later.
    private func floors() -> [Double] {
        var floors = (0..<grid.count).map {
            need.isCooling ? -need.comfortMax[grid.origin[$0]] : need.comfortMin[grid.origin[$0]]
        }
        if let final = need.final, let last = floors.last { floors[grid.count - 1] = max(last, sign * final) }
        for slot in floors.indices.dropLast().reversed() {
            let kept = need.kept(hours: grid.hours[slot + 1])
            guard kept > 1e-9 else { continue }
            let needed = (floors[slot + 1] - after(0, capacity[slot + 1], slot + 1)) / kept
            let ceiling = need.isCooling ? -need.comfortMin[grid.origin[slot]] : need.comfortMax[grid.origin[slot]]
            floors[slot] = max(floors[slot], min(needed, ceiling))
        }
        return floors
    }

    func decision() -> LoadDecision {
        var decision = LoadDecision.idle(grid)
        let floors = floors()
        var temperature = sign * need.initial
        var switched = FirstSwitch(
            load.shape, runMin: load.shape.runMin, grid,
            isOn: need.runsUntil != nil || load.shape.goesOn(grid.range(of: load)))
        for slot in 0..<grid.count {
            let wanted = power(from: temperature, to: floors[slot], slot)
            let goesOn = need.runsUntil.map { grid.edges[slot] < $0.unixMilliseconds } ?? false
            var power = 0.0
            if switched.decide(slot, wants: wanted > 1e-9 || goesOn, isUsable: { capacity[$0] > 0 }) {
                power = min(capacity[slot], max(wanted, need.powerMin))
                decision.isOn[slot] = true
            }
            decision.energy[slot] = power * grid.hours[slot]
            decision.running[slot] = power
            temperature = after(temperature, power, slot)
            decision.temperatures.append(sign * temperature)
        }
        return decision
    }
}
