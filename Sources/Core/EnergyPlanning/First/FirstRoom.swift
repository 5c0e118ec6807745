import EnergyModel

/// What the limits and the photovoltaics leave beside the loads that are placed already.
struct FirstRoom {
    private let work: PlanWork
    /// kW by limit, then cut slot.
    private var room: [[Double]]
    /// kW of import below the ceiling in each cut slot.
    private var below: [Double]
    /// kW that would be exported.
    private(set) var surplus: [Double]
    /// kW of photovoltaics beyond the base load, less what placed loads draw; negative where they import.
    private var spare: [Double]
    /// By exclusive group, then cut slot: how many of it are on.
    private var users: [[Int]]
    /// Groups of each load, then of each battery.
    private let groups: [[Int]]

    /// - Parameter ceiling: kW of import.
    init(_ work: PlanWork, ceiling: Double) {
        self.work = work
        let grid = work.grid
        room = work.rows.map(\.room)
        below = (0..<grid.count).map { max(0, ceiling - grid.base[$0] + grid.pv[$0]) }
        spare = (0..<grid.count).map { grid.pv[$0] - grid.base[$0] }
        surplus = grid.surplus
        let exclusive = work.problem.limits.exclusive
        users = exclusive.map { _ in Array(repeating: 0, count: grid.count) }
        groups = (work.problem.loads.map(\.name) + work.problem.batteries.map(\.name)).map { name in
            exclusive.indices.filter { exclusive[$0].contains(name) }
        }
    }

    /// kW that a load may draw in each cut slot.
    func capacity(of load: Int) -> [Double] {
        // A demand charge counts whole slots of the problem: in a part of one the ceiling may be exceeded.
        var capacity = below.map { max(0, $0) }
        for (index, row) in work.rows.enumerated() {
            guard let share = row.loads[load] else { continue }
            for slot in capacity.indices { capacity[slot] = min(capacity[slot], max(0, room[index][slot]) / share) }
        }
        for group in groups[load] {
            for slot in capacity.indices where users[group][slot] > 0 { capacity[slot] = 0 }
        }
        return capacity
    }

    /// What batteries do, when that is settled.
    mutating func takeBatteries(_ decisions: PlanDecisions) {
        for index in decisions.charge.indices {
            for slot in 0..<work.grid.count {
                let power = (decisions.charge[index][slot] - decisions.discharge[index][slot]) / work.grid.hours[slot]
                for (row, limit) in work.rows.enumerated() { room[row][slot] -= power * (limit.batteries[index] ?? 0) }
                below[slot] -= power
                spare[slot] -= power
                surplus[slot] = max(0, spare[slot])
                guard decisions.moves(index, slot) else { continue }
                for group in groups[work.problem.loads.count + index] { users[group][slot] += 1 }
            }
        }
    }

    mutating func take(_ decision: LoadDecision, of load: Int) { change(decision, load, 1) }

    mutating func give(_ decision: LoadDecision, of load: Int) { change(decision, load, -1) }

    private mutating func change(_ decision: LoadDecision, _ load: Int, _ sign: Double) {
        for (index, row) in work.rows.enumerated() {
            guard let share = row.loads[load] else { continue }
            for slot in decision.running.indices where decision.running[slot] > 0 {
                room[index][slot] -= sign * share * decision.running[slot]
            }
        }
        for slot in decision.running.indices where decision.running[slot] > 0 || decision.isOn[slot] {
            below[slot] -= sign * decision.running[slot]
            spare[slot] -= sign * decision.energy[slot] / work.grid.hours[slot]
            surplus[slot] = max(0, spare[slot])
            for group in groups[load] { users[group][slot] += sign > 0 ? 1 : -1 }
        }
    }

    /// Lets batteries rest, but for what they should hold, and throws photovoltaics away where that is better or needed.
    ///
    /// - Returns: whether that keeps the limits.
    mutating func settle(_ decisions: inout PlanDecisions) -> Bool {
        for index in work.problem.batteries.indices { fill(index, &decisions) }
        return throwAway(&decisions)
    }

    /// - Returns: whether that keeps the limits.
    func throwAway(_ decisions: inout PlanDecisions) -> Bool {
        for slot in 0..<work.grid.count {
            guard let waste = waste(slot, decisions) else { return false }
            decisions.curtailed[slot] = waste * work.grid.hours[slot]
        }
        return true
    }

    /// Charges a battery at once to the most that any of its goals asks for.
    private mutating func fill(_ index: Int, _ decisions: inout PlanDecisions) {
        let (grid, battery) = (work.grid, work.problem.batteries[index])
        let target = min(
            battery.energyMax, battery.dues(grid).reduce(battery.energyMin) { max($0, $1.energy) })
        var (stored, charge, course) = (battery.initial, [Double](), [Double]())
        for slot in 0..<grid.count {
            var power = min(
                battery.chargeMax, max(0, target - stored) / battery.chargeEfficiency / grid.hours[slot])
            for (row, limit) in work.rows.enumerated() {
                guard let share = limit.batteries[index], share > 0 else { continue }
                power = min(power, max(0, room[row][slot]) / share)
            }
            let own = groups[work.problem.loads.count + index]
            if own.contains(where: { users[$0][slot] > 0 }) { power = 0 }
            if power > 0 { for group in own { users[group][slot] += 1 } }
            for (row, limit) in work.rows.enumerated() { room[row][slot] -= power * (limit.batteries[index] ?? 0) }
            spare[slot] -= power
            stored += power * grid.hours[slot] * battery.chargeEfficiency
            charge.append(power * grid.hours[slot])
            course.append(stored)
        }
        decisions.charge.append(charge)
        decisions.discharge.append(Array(repeating: 0, count: grid.count))
        decisions.stored.append(course)
    }

    /// kW of photovoltaics that are best thrown away; `nil` if none keeps the limits.
    private func waste(_ slot: Int, _ decisions: PlanDecisions) -> Double? {
        let grid = work.grid
        let exportMax = work.problem.limits.exportPower ?? .infinity
        var (least, most) = (max(0, spare[slot] - exportMax), grid.canWaste(slot) ? grid.pv[slot] : 0)
        for (index, row) in work.rows.enumerated() {
            let flow = row.flow(decisions, slot, grid)
            if row.pvShare > 0 {
                least = max(least, (row.floor[slot] - flow) / row.pvShare)
                most = min(most, max(0, room[index][slot]) / row.pvShare)
            } else if flow < row.floor[slot] - 1e-9 {
                return nil
            }
        }
        guard least <= most + 1e-9 else { return nil }
        return grid.cheapestWaste(slot, least, most, spare: spare[slot])
    }
}

extension LimitRow {
    /// kW that loads and batteries draw through the limit, as the mean of a slot.
    fileprivate func flow(_ decisions: PlanDecisions, _ slot: Int, _ grid: PlanGrid) -> Double {
        let drawn = loads.reduce(0) { $0 + decisions.loads[$1.key].energy[slot] * $1.value }
        return batteries.reduce(drawn) {
            $0 + (decisions.charge[$1.key][slot] - decisions.discharge[$1.key][slot]) * $1.value
        } / grid.hours[slot]
    }
}
