/// A limit in the form that planning needs: a weighted sum of powers stays between two numbers in each slot.
struct LimitRow: Sendable {
    /// For people: "import limit", "circuit garage, phase 2".
    let name: String
    /// What it is a part of: of a circuit's three phases each has a row.
    let source: LimitReference
    /// By index of the load, then of the battery, in the problem; members that are not on it are absent.
    var loads: [Int: Double]
    let batteries: [Int: Double]
    /// What photovoltaics that are thrown away take from it; 0 where they are elsewhere.
    let pvShare: Double
    /// kW left for loads in each cut slot, never below 0.
    var room: [Double]
    /// kW that the sum must at least be in each cut slot, so that no more flows toward the grid than the limit: mostly
    /// below 0, what batteries may give; above 0 where photovoltaics alone are too much for it.
    var floor: [Double]
    /// kW that it may carry toward the grid.
    var givenMax = Double.infinity
    /// kW that it carries without what is planned, in each cut slot; empty where nothing limits what is given.
    var anyway: [Double] = []

    /// kW that loads take of it while they run.
    func used(_ decisions: PlanDecisions, _ slot: Int) -> Double {
        loads.reduce(0) { $0 + decisions.loads[$1.key].running[slot] * $1.value }
    }

    static func rows(_ problem: PlanProblem, _ grid: PlanGrid) -> [LimitRow] {
        var rows: [LimitRow] = []
        if let limit = problem.limits.importPower {
            rows.append(
                LimitRow(
                    name: LimitReference.importPower.name(problem), source: .importPower,
                    loads: problem.loads.indices.reduce(into: [:]) { $0[$1] = 1 },
                    batteries: problem.batteries.indices.reduce(into: [:]) { $0[$1] = 1 }, pvShare: 1,
                    room: grid.origin.indices.map { max(0, limit - grid.base[$0] + grid.pv[$0]) },
                    // What may be given has a limit of its own.
                    floor: Array(repeating: -.infinity, count: grid.count)))
        }
        for index in problem.limits.circuits.indices { rows += self.rows(of: index, problem, grid) }
        for slot in 0..<grid.count where rows.contains(where: { $0.floor[slot] > 0 }) {
            // Where more is thrown away another phase may draw too much: there is no more than both leave.
            let most = rows.reduce(grid.pv[slot]) { $1.pvShare > 0 ? min($0, $1.room[slot] / $1.pvShare) : $0 }
            for index in rows.indices {
                rows[index].floor[slot] = min(rows[index].floor[slot], rows[index].pvShare * most)
            }
        }
        return rows
    }

    private static func rows(of index: Int, _ problem: PlanProblem, _ grid: PlanGrid) -> [LimitRow] {
        let circuit = problem.limits.circuits[index]
        let members = names(on: circuit, problem)
        let loads = problem.loads.indices.filter { members.contains(problem.loads[$0].name) }
        let batteries = problem.batteries.indices.filter { members.contains(problem.batteries[$0].name) }
        /// - Parameter anyway: kW that it carries without what is planned, in each cut slot.
        func row(
            _ source: LimitReference, phase: Int? = nil, _ most: Double, share: ([Int]) -> Double?, pvShare: Double,
            anyway: (Int) -> Double
        ) -> LimitRow {
            LimitRow(
                name: source.name(problem) + (phase.map { ", phase \($0)" } ?? ""), source: source,
                loads: loads.reduce(into: [:]) { $0[$1] = share(problem.loads[$1].phases) },
                batteries: batteries.reduce(into: [:]) { $0[$1] = share(problem.batteries[$1].phases) },
                pvShare: pvShare, room: grid.origin.indices.map { max(0, most - anyway($0)) },
                // Where what runs anyway gives too much, and none of it can be thrown away, nothing may add to it.
                floor: grid.origin.indices.map {
                    min(-most - anyway($0), grid.isPVCurtailable ? pvShare * grid.pv[$0] : 0)
                }, givenMax: most, anyway: grid.origin.indices.map(anyway))
        }
        var rows: [LimitRow] = []
        let carries = circuit.carriesBaseLoad
        if let power = circuit.power {
            rows.append(
                row(.power(index), power, share: { _ in 1 }, pvShare: carries ? 1 : 0) {
                    carries ? grid.base[$0] - grid.pv[$0] : 0
                })
        }
        guard let power = circuit.powerPerPhase else { return rows }
        for phase in 1...3 {
            rows.append(
                row(
                    .perPhase(index), phase: phase, power,
                    share: { $0.contains(phase) ? 1 / Double($0.count) : nil }, pvShare: carries ? 1.0 / 3 : 0
                ) {
                    carries ? problem.slots[grid.origin[$0]].baseLoad[phase - 1] - grid.pv[$0] / 3 : 0
                })
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
