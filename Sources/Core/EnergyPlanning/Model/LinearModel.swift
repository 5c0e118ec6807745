/// A linear problem, some of whose columns are whole numbers: find the lowest cost within all bounds.
public struct LinearModel: Sendable {
    public struct Term: Sendable {
        public var column: Int
        public var factor: Double

        public init(_ column: Int, _ factor: Double) {
            self.column = column
            self.factor = factor
        }
    }

    public private(set) var costs: [Double] = []
    public private(set) var lower: [Double] = []
    public private(set) var upper: [Double] = []
    public private(set) var isInteger: [Bool] = []
    public private(set) var rowLower: [Double] = []
    public private(set) var rowUpper: [Double] = []
    /// Where each row's terms begin in ``columns`` and ``factors``; one more than there are rows.
    public private(set) var rowStarts: [Int32] = [0]
    public private(set) var columns: [Int32] = []
    public private(set) var factors: [Double] = []
    /// Added to every solution's cost.
    public var constant = 0.0
    /// Only what costs less is a solution: with that of a plan that is known most of what is to be looked at falls away.
    public var costMost = Double.infinity
    /// Whether the solver may cut by the flow through rows. CBC's cuts of that kind left no solution in a model that
    /// ``PeakRoom`` had narrowed and that has one, of three loads that exclude each other; such models are solved as soon
    /// without, those of cars in steps take a hundred times as long.
    public var mayCutFlow = true

    public init() {}

    public var columnCount: Int { costs.count }
    public var rowCount: Int { rowLower.count }

    public mutating func column(
        _ lower: Double = 0, _ upper: Double = .infinity, cost: Double = 0, isInteger: Bool = false
    ) -> Int {
        costs.append(cost)
        self.lower.append(lower)
        self.upper.append(upper)
        self.isInteger.append(isInteger)
        return costs.count - 1
    }

    /// What sums of factors leave of 0: a solver that takes it for a number, and cuts by it, has called plans optimal that
    /// were not.
    private static let roundingMost = 1e-12

    /// - Parameter terms: a column may come several times; its factors add up.
    public mutating func row(_ terms: [Term], _ lower: Double = -.infinity, _ upper: Double = .infinity) {
        var sums: [Int: Double] = [:]
        for term in terms { sums[term.column, default: 0] += term.factor }
        var seen: Set<Int> = []
        for term in terms where seen.insert(term.column).inserted {
            guard let factor = sums[term.column], abs(factor) > Self.roundingMost else { continue }
            columns.append(Int32(term.column))
            factors.append(factor)
        }
        rowStarts.append(Int32(columns.count))
        rowLower.append(lower)
        rowUpper.append(upper)
    }

    /// In units of the objective. Less is a solver's rounding.
    private static let leastGain = 1e-7

    /// From now on only what costs less is a solution.
    mutating func keep(below cost: Double) { costMost = cost - Self.leastGain }

    public mutating func setCost(_ column: Int, _ cost: Double) { costs[column] = cost }

    public mutating func addCost(_ column: Int, _ cost: Double) { costs[column] += cost }

    public mutating func setBounds(_ column: Int, _ lower: Double, _ upper: Double) {
        self.lower[column] = lower
        self.upper[column] = upper
    }

    public mutating func clearCosts() {
        for column in costs.indices { costs[column] = 0 }
        constant = 0
    }

    public mutating func makeContinuous(_ column: Int) { isInteger[column] = false }

    public mutating func makeContinuous() { for column in isInteger.indices { isInteger[column] = false } }
}

/// What a solver found.
public struct LinearSolution: Sendable {
    public enum Status: Hashable, Sendable {
        /// Proven: there is nothing better.
        case optimal
        /// The time was up; ``LinearSolution/bound`` says how much better the best could be.
        case feasible
        case infeasible
        /// The time was up before any solution was found.
        case unknown
    }

    public var status: Status
    public var values: [Double]
    public var cost: Double
    /// No solution costs less.
    public var bound: Double

    /// The time was up before anything was known.
    public static let nothing = LinearSolution(status: .unknown, values: [], cost: .infinity, bound: -.infinity)

    public init(status: Status, values: [Double], cost: Double, bound: Double) {
        self.status = status
        self.values = values
        self.cost = cost
        self.bound = bound
    }
}

/// Solves ``LinearModel``s to the optimum. Deterministic as long as the time suffices.
public protocol PlanSolver: Sendable {
    func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution
}
