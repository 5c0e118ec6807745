import EnergyModel

/// When a load may be on and must be, and what its runs keep to.
struct RunRules {
    /// Milliseconds; one more than there are slots.
    var edges: [Int64]
    var canBeOn: [Bool]
    var isForced: [Bool]
    var runMin: Int64
    var pauseMin: Int64
    var runsMax: Int?
    var startCost: Double
    /// It is on before the first slot; that run is counted only if ``countsGoingOn``.
    var goesOn: Bool
    var countsGoingOn: Bool

    /// In units of the objective: of plans that cost the same the one with fewer starts is taken.
    static let startTie = 1e-8

    var count: Int { canBeOn.count }
    /// What comes before must be on, so that nothing ends there.
    var afterForced: Int { isForced.lastIndex(of: true).map { $0 + 1 } ?? 0 }

    /// - Parameter canBeOn: and `isForced`: of the slots of the load's window, which has some.
    init(_ work: PlanWork, _ load: PlannedLoad, _ need: EnergyNeed, canBeOn: [Bool], isForced: [Bool]) {
        let range = work.grid.range(of: load)
        runMin = LoadModelBuilder(problem: work.problem, grid: work.grid, isLimited: false)
            .runMin(load.shape, need, range)
        // Less than one minimum run is one run.
        let isOneRun = runMin < load.shape.runMin
        edges = Array(work.grid.edges[range.lowerBound...range.upperBound])
        pauseMin = load.shape.pauseMin
        runsMax = isOneRun ? min(1, load.shape.runsMax ?? 1) : load.shape.runsMax
        startCost = load.shape.startCost + Self.startTie
        goesOn = load.shape.goesOn(range)
        countsGoingOn = isOneRun
        (self.canBeOn, self.isForced) = (canBeOn, isForced)
    }
}
