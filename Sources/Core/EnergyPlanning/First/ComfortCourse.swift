import EnergyModel

/// How the temperature of a building would go at the least cost if it could draw any power at any time: what a thermostat
/// follows to heat ahead of dear hours, and to be set back in them.
///
/// Without whole numbers that is known soon, for a week as for a day.
struct ComfortCourse {
    /// °C at the end of each cut slot.
    let temperatures: [Double]
    /// Whether the comfort band may be left; empty where it never may.
    let isSetBack: [Bool]

    /// - Parameters:
    ///   - work: of this load alone.
    ///   - timer: `nil` is returned when it is up first.
    init?(_ work: PlanWork, _ need: ThermalNeed, solver: some PlanSolver, _ timer: PlanTimer) {
        var free = work
        free.problem.loads[0].shape = RunShape()
        free.problem.loads[0].need = .comfort(need.fromNoPower)
        var home = free.model(timer)
        guard !home.isCut, let columns = home.loads.first else { return nil }
        home.model.makeContinuous()
        for (column, weight) in columns.missing { home.model.addCost(column, work.penalty * weight) }
        for (slot, terms) in columns.energy.enumerated() {
            let most = work.capacities[0][slot] * work.grid.hours[slot]
            for column in terms.map(\.column) {
                home.model.setBounds(column, 0, min(home.model.upper[column], most))
            }
        }
        var solution = solver.solve(home.model, timeLimit: timer.left)
        guard solution.status == .optimal else { return nil }
        if !columns.setback.isEmpty {
            let setback = need.longestSetback(columns.setback.map { solution.values[$0] }, work.grid)
            for (slot, flag) in columns.setback.enumerated() {
                let value = setback.contains(slot) ? home.model.upper[flag] : home.model.lower[flag]
                home.model.setBounds(flag, value, value)
            }
            solution = solver.solve(home.model, timeLimit: timer.left)
            guard solution.status == .optimal else { return nil }
        }
        temperatures = columns.temperatures.map { solution.values[$0] }
        isSetBack = columns.setback.map { solution.values[$0] > 0.5 }
    }
}

extension ThermalNeed {
    fileprivate var fromNoPower: ThermalNeed {
        var need = self
        need.powerMin = 0
        return need
    }

    /// One setback where most is set back when it may be a little at any time.
    ///
    /// - Parameter shares: of each slot that is set back.
    /// - Returns: slots that follow each other, for as long as it may last in all.
    fileprivate func longestSetback(_ shares: [Double], _ grid: PlanGrid) -> Range<Int> {
        var (best, most) = (0..<0, 0.0)
        // One that goes on when the plan begins is not broken off for another.
        for first in setbackUntil == nil ? shares.indices : 0..<1 {
            let last = grid.edges[first] + setbackMilliseconds
            let end = shares.indices[first...].first { grid.edges[$0 + 1] > last } ?? shares.count
            let sum = (first..<end).reduce(0) { $0 + shares[$1] * grid.hours[$1] }
            guard sum > most + 1e-9, grid.edges[end] - grid.edges[first] >= setbackMin else { continue }
            (best, most) = (first..<end, sum)
        }
        return best
    }
}
