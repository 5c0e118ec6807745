import EnergyModel

/// What no plan costs less than, without looking for the best one: for when the time is up before a solver knows better.
///
/// Both bounds count what is missing with ``PlanWork/penalty``.
struct PlanBound {
    let work: PlanWork

    private var grid: PlanGrid { work.grid }

    var value: Double { max(alone, trivial) }

    /// The sum of what each load would pay by itself if it could be switched at will.
    ///
    /// Valid where the cost is convex in what is drawn: photovoltaics that two loads want then cost each of them at
    /// least what they would cost one.
    private var alone: Double {
        let exportMax = work.problem.limits.exportPower ?? .infinity
        let isConvex = (0..<grid.count).allSatisfy {
            grid.surplus[$0] <= 0
                || (grid.surplus[$0] <= exportMax && grid.surplusWeight($0) <= grid.importWeight[$0])
        }
        // A load may also take what a limit would have thrown away.
        let isWasted = work.rows.contains { $0.floor.contains { $0 > 0 } }
        guard isConvex, !isWasted, work.problem.batteries.isEmpty else { return -.infinity }
        let idle = PlanAssembly(work: work, decisions: PlanDecisions(idle: work), notes: []).objective
        return work.problem.loads.indices.reduce(idle) { $0 + least($1) }
    }

    private func least(_ index: Int) -> Double {
        let load = work.problem.loads[index]
        switch load.need {
        case .energy(let need):
            let slots = UsableSlots(load, need, grid, capacity: work.capacities[index])
            var open = slots
            open.isForced = slots.isForced.map { _ in false }
            let energies = KnapsackPlanner(grid: grid).plan(load, need, open)
            let range = grid.range(of: load)
            let cost = energies.enumerated().reduce(0) { $0 + grid.cost(range.lowerBound + $1.offset, $1.element) }
            return cost + work.penalty * max(0, need.energy - energies.reduce(0, +))
        case .profile(let profile):
            guard let best = CoursePlanner(grid: grid).best(load, profile, capacity: work.capacities[index]) else {
                return 0
            }
            return load.shape.startCost + best.cost
        case .comfort(let need):
            return (0..<grid.count).reduce(0) { $0 + min(0, grid.cost($1, need.powerMax * grid.hours[$1])) }
        }
    }

    /// Every slot by itself at its best, as if all could draw and give what they like.
    private var trivial: Double {
        var (least, most) = (grid.pv.indices.map { grid.base[$0] - grid.pv[$0] }, grid.base)
        for battery in work.problem.batteries {
            for slot in least.indices {
                least[slot] -= battery.dischargeMax
                most[slot] += battery.chargeMax
            }
        }
        for load in work.problem.loads {
            for slot in grid.range(of: load) { most[slot] += load.powerMost }
        }
        let stored = work.problem.batteries.reduce(0) { $0 + max(0, $1.endValue) * $1.energyMax }
        return (0..<grid.count).reduce(-stored * work.problem.objective.money) { sum, slot in
            let values = [least[slot], most[slot], min(max(0, least[slot]), most[slot])].map { net in
                net * grid.hours[slot] * (net > 0 ? grid.importWeight[slot] : grid.exportWeight[slot])
            }
            return sum + (values.min() ?? 0)
        }
    }
}

extension PlannedLoad {
    /// kW
    var powerMost: Double {
        switch need {
        case .energy(let need): need.powerMax
        case .profile(let profile): profile.steps.map(\.power).max() ?? 0
        case .comfort(let need): need.powerMax
        }
    }
}

extension PlanDecisions {
    /// Nothing runs.
    init(idle work: PlanWork) {
        self.init(work.grid, work.rows)
        loads = work.problem.loads.map { _ in .idle(work.grid) }
        let nothing = Array(repeating: 0.0, count: work.grid.count)
        for battery in work.problem.batteries {
            charge.append(nothing)
            discharge.append(nothing)
            stored.append(Array(repeating: battery.initial, count: work.grid.count))
        }
    }
}
