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
    /// - Returns: `nil` if they keep to all. Batteries count as idle, or as what runs anyway.
    public func brokenLimit(_ problem: PlanProblem, by courses: [Course]) -> String? {
        guard courses.count == problem.loads.count, !problem.slots.isEmpty else { return nil }
        let grid = PlanGrid(problem)
        let rows = LimitRow.rows(problem, grid)
        guard !rows.isEmpty || !problem.limits.exclusive.isEmpty || problem.limits.exportPower != nil else {
            return nil
        }
        // Between these nothing changes.
        let edges = Set(courses.flatMap { $0.runs.flatMap { [$0.start, $0.end] } })
            .union(problem.slots.map(\.interval.start))
        for time in edges.sorted() where time.unixMilliseconds < grid.edges[grid.count] {
            let slot = grid.index(at: time.unixMilliseconds + 1) - 1
            guard 0..<grid.count ~= slot else { continue }
            let powers = courses.map { $0.power(at: time) }
            for row in rows {
                let sum = row.loads.reduce(0) { $0 + powers[$1.key] * $1.value }
                // What runs anyway may take more than there is by itself: nothing that is planned can help that.
                if sum > row.room[slot] + 1e-3, sum > 0 { return row.name }
                if !row.anyway.isEmpty,
                    Self.gives(row.anyway[slot] + sum, row.pvShare, slot, grid) > row.givenMax + 1e-3,
                    mayChange(problem, grid, slot, powers, on: row)
                {
                    return row.name
                }
            }
            let net = grid.base[slot] - grid.pv[slot] + powers.reduce(0, +)
            if Self.gives(net, 1, slot, grid) > grid.exportMax + 1e-3, mayChange(problem, grid, slot, powers) {
                return "export limit"
            }
            for group in problem.limits.exclusive {
                let isOn = problem.loads.indices.filter { group.contains(problem.loads[$0].name) && powers[$0] > 0 }
                if isOn.count > 1 { return PlanLimits.name(ofGroup: group) }
            }
        }
        return nil
    }

    /// kW toward the grid that cannot be thrown away.
    private static func gives(_ net: Double, _ pvShare: Double, _ slot: Int, _ grid: PlanGrid) -> Double {
        -net - (grid.canWaste(slot) ? pvShare * grid.pv[slot] : 0)
    }

    /// Whether something that is planned gives, or could take more: photovoltaics by themselves may be too much.
    private func mayChange(
        _ problem: PlanProblem, _ grid: PlanGrid, _ slot: Int, _ powers: [Double], on row: LimitRow? = nil
    ) -> Bool {
        grid.base[slot] < 0
            || problem.loads.indices.contains { index in
                (row.map { $0.loads[index] != nil } ?? true) && grid.range(of: problem.loads[index]).contains(slot)
                    && grid.allows(problem.loads[index], slot) && powers[index] < problem.loads[index].powerMost - 1e-3
            }
    }
}
