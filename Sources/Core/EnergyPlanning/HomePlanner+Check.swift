public import EnergyModel

extension HomePlanner {
    /// What a load does, as somebody planned it before.
    public struct Course: Hashable, Sendable {
        /// Sorted, without overlaps; between them it does nothing.
        public var runs: [Interval]
        /// kW, one for each run.
        public var powers: [Double]

        public init(runs: [Interval], powers: [Double]) {
            self.runs = runs
            self.powers = powers
        }

        fileprivate func power(at time: Timestamp) -> Double {
            zip(runs, powers).first { $0.0.contains(time) }?.1 ?? 0
        }
    }

    /// The first limit or exclusion that the loads of a problem break when they do something else than its best plan.
    ///
    /// - Parameter courses: one for each load of the problem, in their order.
    /// - Returns: `nil` if they keep to all. Batteries count as idle.
    public func brokenLimit(_ problem: PlanProblem, by courses: [Course]) -> String? {
        guard courses.count == problem.loads.count, !problem.slots.isEmpty else { return nil }
        let grid = PlanGrid(problem)
        let rows = LimitRow.rows(problem, grid)
        guard !rows.isEmpty || !problem.limits.exclusive.isEmpty else { return nil }
        // Between these nothing changes.
        let edges = Set(courses.flatMap { $0.runs.map(\.start) }).union(problem.slots.map(\.interval.start))
        for time in edges.sorted() {
            let slot = grid.index(at: time.unixMilliseconds + 1) - 1
            guard 0..<grid.count ~= slot else { continue }
            let powers = courses.map { $0.power(at: time) }
            for row in rows {
                let sum = row.loads.reduce(0) { $0 + powers[$1.key] * $1.value }
                // What runs anyway may take more than there is by itself: nothing that is planned can help that.
                if sum > row.room[slot] + 1e-3, sum > 0 { return row.name }
            }
            for group in problem.limits.exclusive {
                let isOn = problem.loads.indices.filter { group.contains(problem.loads[$0].name) && powers[$0] > 0 }
                if isOn.count > 1 { return "one at a time: \(group.joined(separator: ", "))" }
            }
        }
        return nil
    }
}
