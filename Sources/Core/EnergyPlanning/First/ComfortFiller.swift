import EnergyModel

/// Keeps a building in its comfort band as a thermostat does: with as little power as that takes, in time. One that follows a
/// course keeps what that asks for, too.
struct ComfortFiller {
    private let grid: PlanGrid
    private let load: PlannedLoad
    private let need: ThermalNeed
    private let capacity: [Double]
    private let course: ComfortCourse?

    /// - Parameter work: of this load alone.
    init(_ work: PlanWork, _ need: ThermalNeed, following course: ComfortCourse? = nil) {
        self.course = course
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

    /// Kelvin: what a solver leaves of a temperature is no reason to switch on.
    private static let slack = 1e-4

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

    /// Whether what it ends slots with is kept to if it draws a power from a slot on.
    ///
    /// - Parameters:
    ///   - isKept: of a slot and the temperature at its end.
    ///   - milliseconds: for how long, at least the slot.
    private func holds(
        _ isKept: (Int, Double) -> Bool, from slot: Int, at temperature: Double, with power: Double,
        for milliseconds: Int64
    ) -> Bool {
        var (temperature, later) = (temperature, slot)
        repeat {
            temperature = after(temperature, power, later)
            guard isKept(later, temperature) else { return false }
            later += 1
        } while later < grid.count && grid.edges[later] - grid.edges[slot] < milliseconds
        return true
    }

    /// The lower end of the band.
    private func low(_ slot: Int) -> Double {
        let low = need.isCooling ? -need.comfortMax[grid.origin[slot]] : need.comfortMin[grid.origin[slot]]
        guard let course, !course.isSetBack.isEmpty, course.isSetBack[slot] else { return low }
        return low - need.setbackDepth
    }

    private func high(_ slot: Int) -> Double {
        need.isCooling ? -need.comfortMin[grid.origin[slot]] : need.comfortMax[grid.origin[slot]]
    }

    /// What must be held at the end of each slot so that full power still keeps the band later.
    ///
    /// - Parameter lows: what is asked for at the end of each slot.
    private func inTime(_ lows: [Double]) -> [Double] {
        var floors = lows
        if let final = need.final, let last = floors.last { floors[grid.count - 1] = max(last, sign * final) }
        for slot in floors.indices.dropLast().reversed() {
            let kept = need.kept(hours: grid.hours[slot + 1])
            guard kept > 1e-9 else { continue }
            let needed = (floors[slot + 1] - after(0, capacity[slot + 1], slot + 1)) / kept
            floors[slot] = max(floors[slot], min(needed, high(slot)))
        }
        return floors
    }

    func decision() -> LoadDecision {
        var decision = LoadDecision.idle(grid)
        let band = inTime((0..<grid.count).map(low))
        let followed = course.map { course in
            inTime((0..<grid.count).map { max(low($0), sign * course.temperatures[$0] - Self.slack) })
        }
        var temperature = sign * need.initial
        var switched = FirstSwitch(
            load.shape, runMin: load.shape.runMin, grid,
            isOn: need.runsUntil != nil || load.shape.goesOn(grid.range(of: load)))
        for slot in 0..<grid.count {
            let needed = power(from: temperature, to: band[slot], slot)
            let wanted = max(needed, followed.map { power(from: temperature, to: $0[slot], slot) } ?? 0)
            let goesOn = need.runsUntil.map { grid.edges[slot] < $0.unixMilliseconds } ?? false
            let isWanted =
                goesOn || !mayRest(slot, temperature, band, isOn: switched.isOn)
                || wanted > 1e-9 && mayRun(slot, temperature)
            var drawn = 0.0
            if switched.decide(slot, wants: isWanted, isUsable: { capacity[$0] > 0 }) {
                drawn = min(capacity[slot], max(wanted, need.powerMin))
                decision.isOn[slot] = true
            }
            decision.energy[slot] = drawn * grid.hours[slot]
            decision.running[slot] = drawn
            temperature = after(temperature, drawn, slot)
            decision.temperatures.append(sign * temperature)
        }
        if let course { decision.isSetBack = need.setbacks(course.isSetBack, decision.temperatures, grid) }
        return decision
    }

    /// Whether as short a run as there may be ends within the band.
    private func mayRun(_ slot: Int, _ temperature: Double) -> Bool {
        holds({ $1 <= high($0) + 1e-9 }, from: slot, at: temperature, with: need.powerMin, for: load.shape.runMin)
    }

    /// Whether it keeps the band until it may begin to run again.
    private func mayRest(_ slot: Int, _ temperature: Double, _ band: [Double], isOn: Bool) -> Bool {
        let (begin, end) = (grid.edges[slot], grid.edges[grid.count])
        let pause = isOn ? load.shape.pauseMin : 0
        let isLast = end - max(begin + pause, grid.edges[slot + 1]) < load.shape.runMin
        return holds(
            { $1 >= band[$0] - 1e-9 }, from: slot, at: temperature, with: 0, for: isLast ? end - begin : pause)
    }
}
