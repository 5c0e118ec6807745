/// A limit in the form that planning needs: a weighted sum of powers stays below a number in each slot.
struct LimitRow: Sendable {
    /// For people: "import limit", "circuit garage, phase 2".
    let name: String
    /// By index of the load, then of the battery, in the problem; members that are not on it are absent.
    let loads: [Int: Double]
    let batteries: [Int: Double]
    /// What photovoltaics that are thrown away take from it; 0 where they are elsewhere.
    let pvShare: Double
    /// kW left for loads in each cut slot, never below 0.
    let room: [Double]

    static func rows(_ problem: PlanProblem, _ grid: PlanGrid) -> [LimitRow] {
        var rows: [LimitRow] = []
        if let limit = problem.limits.importPower {
            rows.append(
                LimitRow(
                    name: "import limit", loads: problem.loads.indices.reduce(into: [:]) { $0[$1] = 1 },
                    batteries: problem.batteries.indices.reduce(into: [:]) { $0[$1] = 1 }, pvShare: 1,
                    room: grid.origin.indices.map { max(0, limit - grid.base[$0] + grid.pv[$0]) }))
        }
        for circuit in problem.limits.circuits { rows += self.rows(of: circuit, problem, grid) }
        return rows
    }

    private static func rows(of circuit: Circuit, _ problem: PlanProblem, _ grid: PlanGrid) -> [LimitRow] {
        let members = names(on: circuit, problem)
        let loads = problem.loads.indices.filter { members.contains(problem.loads[$0].name) }
        let batteries = problem.batteries.indices.filter { members.contains(problem.batteries[$0].name) }
        var rows: [LimitRow] = []
        if let power = circuit.power {
            rows.append(
                LimitRow(
                    name: "circuit \(circuit.name)", loads: loads.reduce(into: [:]) { $0[$1] = 1 },
                    batteries: batteries.reduce(into: [:]) { $0[$1] = 1 }, pvShare: circuit.carriesBaseLoad ? 1 : 0,
                    room: grid.origin.indices.map {
                        max(0, power - (circuit.carriesBaseLoad ? grid.base[$0] - grid.pv[$0] : 0))
                    }))
        }
        guard let power = circuit.powerPerPhase else { return rows }
        for phase in 1...3 {
            func share(_ phases: [Int]) -> Double? {
                phases.contains(phase) ? 1 / Double(phases.count) : nil
            }
            rows.append(
                LimitRow(
                    name: "circuit \(circuit.name), phase \(phase)",
                    loads: loads.reduce(into: [:]) { $0[$1] = share(problem.loads[$1].phases) },
                    batteries: batteries.reduce(into: [:]) { $0[$1] = share(problem.batteries[$1].phases) },
                    pvShare: circuit.carriesBaseLoad ? 1.0 / 3 : 0,
                    room: grid.origin.indices.map {
                        let base = problem.slots[grid.origin[$0]].baseLoad[phase - 1]
                        return max(0, power - (circuit.carriesBaseLoad ? base - grid.pv[$0] / 3 : 0))
                    }))
        }
        return rows
    }

    /// All that is on the circuit or on one that it feeds.
    private static func names(on circuit: Circuit, _ problem: PlanProblem) -> Set<String> {
        let circuits = problem.limits.circuits
        guard let own = circuit.members else {
            // The main fuse: what is on no other circuit, and what is on circuits below it.
            let below = circuits.filter { $0.name != circuit.name && !isBelow($0, circuit, circuits) }
            let elsewhere = Set(below.flatMap { $0.members ?? [] })
            let all = problem.loads.map(\.name) + problem.batteries.map(\.name)
            return Set(all).subtracting(elsewhere)
        }
        return circuits.reduce(into: Set(own)) { names, other in
            if other.name != circuit.name, isBelow(other, circuit, circuits) { names.formUnion(other.members ?? []) }
        }
    }

    private static func isBelow(_ circuit: Circuit, _ other: Circuit, _ circuits: [Circuit]) -> Bool {
        var (current, steps) = (circuit, 0)
        while let parent = current.parent, steps <= circuits.count {
            if parent == other.name { return true }
            guard let next = circuits.first(where: { $0.name == parent }) else { return false }
            current = next
            steps += 1
        }
        return false
    }
}
