internal import CCbc
internal import Dispatch
public import EnergyPlanning

/// Solves with COIN-OR CBC's branch and bound over Clp's simplex.
///
/// CBC's preprocessing, cuts and heuristics are off: with them CBC 2.10.8 has called plans optimal that cost 0.2 %
/// more than the optimum. What they would do for speed the model brings itself (covers, and columns for starts).
///
/// CBC's C interface keeps its parameters in variables of the process: two models at once give wrong answers. So one
/// model is solved at a time, and a caller's time limit counts what it waits for others.
public struct CBCSolver: PlanSolver {
    private static let turn = DispatchSemaphore(value: 1)
    /// Seconds for each number in the matrix of what cannot be interrupted: the first relaxation, which has been seen to
    /// take 9 us of them on a busy core.
    private static let secondsPerNumber = 1.2e-5

    public init() {}

    /// - Returns: `.unknown` without trying if the time would not even suffice for the relaxation.
    public func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
        let seconds = timeLimit / .seconds(1)
        let begin = DispatchTime.now()
        guard seconds > 0, Self.turn.wait(timeout: begin + seconds) == .success else { return .nothing }
        defer { Self.turn.signal() }
        let left = seconds - Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
        let numbers = Double(model.factors.count)
        // Nodes of the tree are not interrupted either.
        let first = numbers * Self.secondsPerNumber * (1 + numbers / 500_000)
        guard left > first else { return .nothing }
        return Self.solveAlone(model, max(left / 2, left - first / 4))
    }

    private static func solveAlone(_ model: LinearModel, _ seconds: Double) -> LinearSolution {
        guard let cbc = Cbc_newModel() else { return .nothing }
        defer { Cbc_deleteModel(cbc) }
        load(model, into: cbc)
        Cbc_setLogLevel(cbc, 0)
        for (name, value) in settings { Cbc_setParameter(cbc, name, value) }
        Cbc_setMaximumSeconds(cbc, max(0.01, seconds))
        Cbc_setAllowableGap(cbc, 0)
        Cbc_setAllowableFractionGap(cbc, 0)
        _ = Cbc_solve(cbc)
        return solution(of: cbc, model)
    }

    private static let settings = [
        ("timeMode", "elapsed"), ("preprocess", "off"), ("cuts", "off"), ("heuristicsOnOff", "off"),
        ("increment", "1e-9"),
        ("integerTolerance", "1e-9"), ("primalTolerance", "1e-9"), ("dualTolerance", "1e-9"),
    ]

    private static func load(_ model: LinearModel, into cbc: UnsafeMutableRawPointer) {
        // Infinity is the largest number to Clp.
        func finite(_ values: [Double]) -> [Double] {
            values.map {
                $0 == .infinity ? .greatestFiniteMagnitude : $0 == -.infinity ? -.greatestFiniteMagnitude : $0
            }
        }
        let (starts, rows, factors) = byColumn(model)
        Cbc_loadProblem(
            cbc, Int32(model.columnCount), Int32(model.rowCount), starts, rows, factors, finite(model.lower),
            finite(model.upper), model.costs, finite(model.rowLower), finite(model.rowUpper))
        for column in 0..<model.columnCount where model.isInteger[column] { Cbc_setInteger(cbc, Int32(column)) }
    }

    /// CBC takes the matrix column by column.
    private static func byColumn(_ model: LinearModel) -> ([Int32], [Int32], [Double]) {
        var starts = Array(repeating: Int32(0), count: model.columnCount + 1)
        for column in model.columns { starts[Int(column) + 1] += 1 }
        for column in 0..<model.columnCount { starts[column + 1] += starts[column] }
        var next = starts
        var rows = Array(repeating: Int32(0), count: model.columns.count)
        var factors = Array(repeating: 0.0, count: model.columns.count)
        for row in 0..<model.rowCount {
            for index in Int(model.rowStarts[row])..<Int(model.rowStarts[row + 1]) {
                let column = Int(model.columns[index])
                rows[Int(next[column])] = Int32(row)
                factors[Int(next[column])] = model.factors[index]
                next[column] += 1
            }
        }
        return (starts, rows, factors)
    }

    private static func solution(of cbc: UnsafeMutableRawPointer, _ model: LinearModel) -> LinearSolution {
        let hasIntegers = model.isInteger.contains(true)
        if Cbc_isProvenInfeasible(cbc) != 0 || Cbc_isInitialSolveProvenPrimalInfeasible(cbc) != 0 {
            return LinearSolution(status: .infeasible, values: [], cost: .infinity, bound: .infinity)
        }
        let isOptimal = hasIntegers ? Cbc_isProvenOptimal(cbc) != 0 : Cbc_isInitialSolveProvenOptimal(cbc) != 0
        guard let best = Cbc_getColSolution(cbc), isOptimal || Cbc_numberSavedSolutions(cbc) > 0 else {
            // Before the relaxation is solved this is no bound.
            guard Cbc_isInitialSolveProvenOptimal(cbc) != 0 else { return .nothing }
            return LinearSolution(
                status: .unknown, values: [], cost: .infinity,
                bound: Cbc_getBestPossibleObjValue(cbc) + model.constant)
        }
        let values = (0..<model.columnCount).map { best[$0] }
        let cost = zip(values, model.costs).reduce(model.constant) { $0 + $1.0 * $1.1 }
        return LinearSolution(
            status: isOptimal ? .optimal : .feasible, values: values, cost: cost,
            bound: isOptimal ? cost : min(cost, Cbc_getBestPossibleObjValue(cbc) + model.constant))
    }
}
