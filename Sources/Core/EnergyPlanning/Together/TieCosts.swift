import EnergyModel

/// What tells plans apart that cost the same: less than any price can differ by. First come fewer starts, then earlier or
/// later energy, as each load asks.
struct TieCosts {
    /// In units of the objective, of all loads together: less than a start's.
    private static let leanMost = RunRules.startTie / 4

    /// For 1 kWh, an hour later.
    private let lean: Double
    /// Hours of each slot from the first one.
    private let hours: [Double]

    init(_ work: PlanWork) {
        let edges = work.grid.edges
        hours = work.grid.hours.indices.map { Double(edges[$0] - edges[0]) / 3_600_000 }
        let most = work.problem.loads.reduce(0) { $0 + $1.energyMost(work.grid) } * (hours.last ?? 0)
        lean = Self.leanMost / max(1e-9, most)
    }

    func lean(_ load: PlannedLoad, _ energy: Double, _ slot: Int) -> Double {
        (load.shape.ties == .earlier ? lean : -lean) * energy * hours[slot]
    }
}
