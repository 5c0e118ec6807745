internal import CCbc
package import Dispatch
public import EnergyPlanning

/// Solves with COIN-OR CBC's branch and bound over Clp's simplex.
///
/// CBC's preprocessing and its heuristics are off: with them it has called plans optimal that were not.
///
/// CBC keeps its parameters in variables of the process: two models at once give wrong answers. So one model is solved
/// at a time, and a caller's time limit counts what it waits for others.
public struct CBCSolver: PlanSolver {
    package static let turn = DispatchSemaphore(value: 1)

    public init() {}

    public func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
        let seconds = timeLimit / .seconds(1)
        let begin = DispatchTime.now()
        guard seconds > 0, Self.turn.wait(timeout: begin + seconds) == .success else { return .nothing }
        defer { Self.turn.signal() }
        let left = seconds - Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
        return left > 0 ? Self.solveAlone(model, left) : .nothing
    }

    package static func solveAlone(_ model: LinearModel, _ seconds: Double) -> LinearSolution {
        guard let problem = load(unroundable(model)) else { return .nothing }
        defer { ccbc_delete(problem) }
        // The last is of the column that is CBC's alone.
        var (values, bound) = (Array(repeating: 0.0, count: model.columnCount + 1), -Double.infinity)
        let status = ccbc_solve(problem, seconds, model.costMost - model.constant, &values, &bound)
        values.removeLast()
        let cost = zip(values, model.costs).reduce(model.constant) { $0 + $1.0 * $1.1 }
        // What costs more was not looked at.
        bound = min(bound + model.constant, model.costMost)
        switch status {
        case CCBC_OPTIMAL: return LinearSolution(status: .optimal, values: values, cost: cost, bound: cost)
        case CCBC_FEASIBLE:
            return LinearSolution(status: .feasible, values: values, cost: cost, bound: min(cost, bound))
        case CCBC_INFEASIBLE:
            return LinearSolution(status: .infeasible, values: [], cost: .infinity, bound: .infinity)
        default: return LinearSolution(status: .unknown, values: [], cost: .infinity, bound: bound)
        }
    }

    /// With a column and a row more, of no meaning, whose bounds are no whole numbers.
    ///
    /// CBC takes the costs of all solutions for multiples of a number where all bounds and factors beside what costs something
    /// are whole, and then looks only for what costs that much less than what it has: `CbcModel::analyzeObjective` does not
    /// see that what stands in the same row need not be whole. So 1.02 K h outside a comfort band of whole degrees was
    /// called the least there can be, though 0.85 can.
    private static func unroundable(_ model: LinearModel) -> LinearModel {
        var model = model
        let column = model.column(0, 0.5, cost: 1)
        model.row([LinearModel.Term(column, 1)], -.infinity, 0.5)
        return model
    }

    private static func load(_ model: LinearModel) -> OpaquePointer? {
        // Infinity is the largest number to Clp.
        func finite(_ values: [Double]) -> [Double] {
            values.map { max(-.greatestFiniteMagnitude, min($0, .greatestFiniteMagnitude)) }
        }
        let (starts, rows, factors) = byColumn(model)
        let problem = ccbc_new(
            Int32(model.columnCount), Int32(model.rowCount), starts, rows, factors, finite(model.lower),
            finite(model.upper), model.costs, finite(model.rowLower), finite(model.rowUpper))
        guard let problem else { return nil }
        for column in 0..<model.columnCount where model.isInteger[column] {
            ccbc_set_integer(problem, Int32(column))
        }
        if !model.mayCutFlow { ccbc_omit_flow_cuts(problem) }
        return problem
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
}
