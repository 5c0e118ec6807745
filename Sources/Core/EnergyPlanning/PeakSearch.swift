import EnergyModel

/// Solves the model of a home with a demand charge by ranges of its peak.
///
/// Branch and bound decides about whole numbers only. The peak is none, though most follows from it: in which slots a load
/// has room for its least, and which loads run beside each other. So its range is halved where most is promised: at the least
/// the lowest peak of a part is paid, and what is cheapest below its highest. That, where no peak is paid for, is found soon,
/// and is a plan as well. What is left when parts are short the solver decides.
struct PeakSearch {
    let home: HomeModel
    /// The column.
    let peak: Int
    let solver: any PlanSolver
    let timer: PlanTimer

    /// Halvings of the whole range.
    private static let depthMax = 8
    /// Longer parts are halved by what the relaxation says alone: below their highest peak all is as cheap as anywhere.
    private static let weighDepth = 3
    private static let tolerance = 1e-9
    /// Of the time that is left, for a part.
    private static let weighShare = 0.08

    private struct Part {
        var range: ClosedRange<Double>
        var depth = 0
        /// No solution with its peak in the range costs less.
        var bound = -Double.infinity
        /// What no solution below its highest peak costs less than beside its peak; `nil` as long as nobody looked.
        var beside: Double?
    }

    private struct Progress {
        var best: LinearSolution?
        /// What costs as much or more is none of the solutions.
        var costMost: Double
        /// Still to be looked at.
        var parts: [Part] = []
        /// Of what the time was not enough for.
        var openBound = Double.infinity

        /// What is of interest costs less.
        var known: Double { min(costMost, best?.cost ?? .infinity) }

        /// Keeps a part to be looked at, if it may have a better solution than the best.
        mutating func keep(_ part: Part) { if mayBetter(part) { parts.append(part) } }

        func mayBetter(_ part: Part) -> Bool { part.bound < known - PeakSearch.tolerance }

        /// No solution costs less.
        var bound: Double { parts.reduce(min(openBound, known)) { min($0, $1.bound) } }
    }

    func solve(_ model: LinearModel) -> LinearSolution {
        guard model.costs[peak] > 0, model.isInteger.contains(true), let range = range(model) else {
            return solver.solve(model, timeLimit: timer.left)
        }
        var progress = Progress(costMost: model.costMost)
        add(Part(range: range), model, &progress)
        while let next = progress.parts.indices.min(by: { progress.parts[$0].bound < progress.parts[$1].bound }) {
            if !progress.mayBetter(progress.parts[next]) || timer.isUp { break }
            var part = progress.parts.remove(at: next)
            if part.beside == nil, part.depth >= Self.weighDepth {
                weigh(&part, model, &progress)
                progress.keep(part)
            } else if part.depth < Self.depthMax {
                let middle = (part.range.lowerBound + part.range.upperBound) / 2
                // Only above the middle is the highest peak the same.
                for (range, beside) in [
                    (part.range.lowerBound...middle, nil), (middle...part.range.upperBound, part.beside),
                ] {
                    add(Part(range: range, depth: part.depth + 1, bound: part.bound, beside: beside), model, &progress)
                }
            } else {
                decide(part, model, &progress)
            }
        }
        return solution(progress)
    }

    /// From what nobody can help to what all draw together; `nil` where that is one value.
    private func range(_ model: LinearModel) -> ClosedRange<Double>? {
        let grid = home.grid
        let least = grid.parts.reduce(model.lower[peak]) { max($0, home.boughtAnyway($1) / grid.hours(of: $1)) }
        let most = grid.parts.reduce(least) { most, part in
            max(most, part.reduce(0) { $0 + home.powerBounds($1).most } / grid.hours(of: part))
        }
        return least < most && most < .infinity ? least...most : nil
    }

    /// Adds a part that may have a better solution than the best.
    private func add(_ part: Part, _ model: LinearModel, _ progress: inout Progress) {
        var relaxed = PeakRoom.narrowed(model, of: home, peak, to: part.range)
        relaxed.makeContinuous()
        let solution = solver.solve(relaxed, timeLimit: timer.left)
        guard solution.status != .infeasible else { return }
        var part = part
        if solution.status == .optimal { part.bound = max(part.bound, solution.cost) }
        if let beside = part.beside { part.bound = max(part.bound, beside + paid(part, model)) }
        progress.keep(part)
    }

    /// For its lowest peak.
    private func paid(_ part: Part, _ model: LinearModel) -> Double { model.costs[peak] * part.range.lowerBound }

    /// Finds what is cheapest below a part's highest peak, and what that costs with its own.
    private func weigh(_ part: inout Part, _ model: LinearModel, _ progress: inout Progress) {
        let paid = paid(part, model)
        var own = PeakRoom.narrowed(model, of: home, peak, to: part.range)
        var below = own
        below.setCost(peak, 0)
        below.costMost = progress.known - paid
        let found = StepSearch(home: home, solver: solver, timer: timer.part(Self.weighShare)).solve(below)
        let beside = found.status == .infeasible ? Double.infinity : found.bound
        (part.beside, part.bound) = (beside, max(part.bound, beside + paid))
        guard !found.values.isEmpty else { return }
        for column in found.values.indices where own.isInteger[column] {
            let value = found.values[column].rounded()
            own.setBounds(column, value, value)
        }
        let plan = solver.solve(own, timeLimit: timer.left)
        if plan.status == .optimal, plan.cost < progress.known { progress.best = plan }
    }

    private func decide(_ part: Part, _ model: LinearModel, _ progress: inout Progress) {
        var narrow = PeakRoom.narrowed(model, of: home, peak, to: part.range)
        if let best = progress.best {
            // Nearly all of the other parts have nothing better: this shows it sooner.
            narrow.keep(below: best.cost)
        }
        let found = solver.solve(narrow, timeLimit: timer.left)
        if found.status == .feasible || found.status == .unknown {
            progress.openBound = min(progress.openBound, max(part.bound, found.bound))
        }
        if !found.values.isEmpty, found.cost < progress.best?.cost ?? .infinity { progress.best = found }
    }

    private func solution(_ progress: Progress) -> LinearSolution {
        let bound = progress.bound
        guard var best = progress.best else {
            let isOpen = bound < progress.costMost - Self.tolerance
            return LinearSolution(status: isOpen ? .unknown : .infeasible, values: [], cost: .infinity, bound: bound)
        }
        let isProven = bound >= best.cost - Self.tolerance
        (best.status, best.bound) = (isProven ? .optimal : .feasible, isProven ? best.cost : bound)
        return best
    }
}
