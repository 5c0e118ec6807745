import EnergyPlanning

/// Finds nothing, and that at once: what is planned without a solver is left.
struct NoSolver: PlanSolver {
    func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution { .nothing }
}
