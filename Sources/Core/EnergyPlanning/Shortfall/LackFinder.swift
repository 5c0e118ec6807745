import EnergyModel

/// How much a load lacks at least, when others stay where they are.
struct LackFinder {
    /// Who counts besides the load itself.
    enum Others {
        /// No limit at all.
        case unlimited
        case nobody
        case running
        /// And those that exclude it.
        case excluding
    }

    let work: PlanWork
    let decisions: PlanDecisions
    let load: Int

    /// - Parameters:
    ///   - planned: the load, perhaps with other rules; its window ends at an edge of the grid.
    ///   - problem: with the limits and the base load to keep to; otherwise as it was.
    func lack(_ planned: PlannedLoad, _ problem: PlanProblem, beside others: Others) -> Double {
        let capacity = capacity(problem, beside: others)
        var alone = work.beside(load, capacity: capacity, surplus: work.grid.surplus)
        alone.problem.loads = [planned]
        var found: [LoadDecision] = []
        if let decision = SoloPlanner(work: alone).plan(0) {
            found = [decision]
        } else if case .energy(let need) = planned.need {
            found = EnergyFiller(alone, need).decisions(isQuick: false)
        }
        return found.map { alone.missing(0, $0) }.min() ?? .infinity
    }

    /// kW in each cut slot.
    func capacity(_ problem: PlanProblem, beside others: Others) -> [Double] {
        let grid = work.grid
        var capacity = Array(repeating: Double.infinity, count: grid.count)
        if case .unlimited = others { return capacity }
        for row in problem.limits == work.problem.limits && problem.slots == work.problem.slots
            ? work.rows : LimitRow.rows(problem, PlanGrid(problem))
        {
            guard let share = row.loads[load], row.room.count == capacity.count else { continue }
            for slot in capacity.indices {
                let used = if case .nobody = others { 0.0 } else { self.used(row, slot) }
                capacity[slot] = min(capacity[slot], max(0, row.room[slot] - used) / share)
            }
        }
        if case .excluding = others {
            for other in excluders {
                for slot in capacity.indices where decisions.loads[other].running[slot] > 0 { capacity[slot] = 0 }
            }
            for battery in excludingBatteries {
                for slot in capacity.indices where decisions.moves(battery, slot) { capacity[slot] = 0 }
            }
        }
        return capacity
    }

    /// kW of a limit that is taken by others.
    private func used(_ row: LimitRow, _ slot: Int) -> Double {
        var used = row.loads.reduce(0) { $1.key == load ? $0 : $0 + decisions.loads[$1.key].running[slot] * $1.value }
        for (battery, share) in row.batteries {
            used +=
                share * (decisions.charge[battery][slot] - decisions.discharge[battery][slot]) / work.grid.hours[slot]
        }
        return used
    }

    /// Batteries that must rest when it runs.
    var excludingBatteries: [Int] {
        let problem = work.problem
        let groups = problem.limits.exclusive.filter { $0.contains(problem.loads[load].name) }
        return problem.batteries.indices.filter { battery in
            groups.contains { $0.contains(problem.batteries[battery].name) }
        }
    }

    /// Loads that may not run when it does.
    var excluders: [Int] {
        let problem = work.problem
        let groups = problem.limits.exclusive.filter { $0.contains(problem.loads[load].name) }
        return problem.loads.indices.filter { other in
            other != load && groups.contains { $0.contains(problem.loads[other].name) }
        }
    }
}

extension PlanDecisions {
    /// Whether a battery does not rest in a cut slot.
    func moves(_ battery: Int, _ slot: Int) -> Bool { charge[battery][slot] + discharge[battery][slot] > 1e-9 }
}
