import EnergyModel

/// What no plan costs less than, without looking for the best one: for when the time is up before a solver knows better.
///
/// Bounds count what is missing with ``PlanWork/penalty``, where nothing else is said.
struct PlanBound {
    let work: PlanWork
    /// In units of the objective for each kWh that is missing.
    private var penalty: Double

    init(work: PlanWork) { (self.work, penalty) = (work, work.penalty) }

    private var grid: PlanGrid { work.grid }

    /// - Parameters:
    ///   - total: what the best plan that is known costs, with what it lacks.
    ///   - timer: until when to look for a better bound.
    func value(below total: Double, _ timer: PlanTimer) -> Double {
        let alone = alone
        guard alone > -.infinity, total < .infinity, var limits = LimitBound(self, from: alone) else {
            return max(alone, trivial)
        }
        limits.improve(below: total, timer)
        return max(limits.best, trivial)
    }

    /// What no plan's objective is below that lacks no more than `lack`: what is missing counts little, and is taken off again.
    ///
    /// - Parameter lack: kWh and the like in all, as ``PlanWork`` counts them.
    func objective(lacking lack: Double) -> Double {
        let dearest = (grid.importWeight + grid.exportWeight).map(abs).max() ?? 0
        return [0, 0.5, 1, 2].map { $0 * dearest }.reduce(trivial) { best, price in
            var bound = self
            bound.penalty = price
            return max(best, bound.alone - price * lack)
        }
    }

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
        return work.problem.loads.indices.reduce(idle) { $0 + least($1, grid).cost }
    }

    /// What the home pays when nothing runs.
    var idle: Double { PlanAssembly(work: work, decisions: PlanDecisions(idle: work), notes: []).objective }

    /// - Parameter grid: with the prices that count.
    /// - Returns: what it pays at least, with ``PlanWork/penalty`` for what it then lacks, and kWh by cut slot.
    func least(_ index: Int, _ grid: PlanGrid) -> (cost: Double, energies: [(slot: Int, energy: Double)]) {
        let load = work.problem.loads[index]
        switch load.need {
        case .energy(let need):
            let slots = UsableSlots(load, need, grid, capacity: work.capacities[index])
            var open = slots
            open.isForced = slots.isForced.map { _ in false }
            let range = grid.range(of: load)
            let energies = zip(range, KnapsackPlanner(grid: grid).plan(load, need, open)).filter { $0.1 > 0 }
            // To lack it may be cheaper.
            let cost = energies.reduce(0) { $0 + min(grid.cost($1.0, $1.1), penalty * $1.1) }
            let lack = max(0, need.energy - energies.reduce(0) { $0 + $1.1 })
            return (cost + penalty * lack, energies.map { ($0.0, $0.1) })
        case .profile(let profile):
            let planner = CoursePlanner(grid: grid)
            guard let best = planner.best(load, profile, capacity: work.capacities[index]) else { return (0, []) }
            let parts = planner.parts(profile, from: best.start)
            let lack = parts.reduce(0) { $0 + $1.energy } * penalty
            let cost = load.shape.startCost + best.cost
            return lack < cost ? (lack, []) : (cost, parts.map { ($0.slot, $0.energy) })
        case .comfort(let need):
            let energies = (0..<grid.count).map { ($0, need.powerMax * grid.hours[$0]) }
                .filter { grid.cost($0.0, $0.1) < 0 }
            return (energies.reduce(0) { $0 + grid.cost($1.0, $1.1) }, energies)
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

    /// kWh that it takes at most.
    func energyMost(_ grid: PlanGrid) -> Double {
        switch need {
        case .energy(let need): need.energyMax
        case .profile, .comfort: powerMost * grid.hours.reduce(0, +)
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
