import EnergyModel

extension PlanWork {
    /// Says where there is no plan at all: only what flows toward the grid, and cannot be thrown away, may leave none.
    var noPlan: EnergyError {
        let excess = (0..<grid.count).map { slot in
            grid.isPVCurtailable ? 0 : grid.pv[slot] - grid.base[slot] - grid.exportMax
        }
        guard let worst = excess.indices.max(by: { excess[$0] < excess[$1] }), excess[worst] > 0 else {
            return EnergyError(
                .invalidInput,
                "no plan keeps all limits, whatever the loads do: look at the export limit and at what runs anyway")
        }
        let most = problem.loads.reduce(0) { $1.powerMost(in: worst, grid) + $0 }
        let stored = problem.batteries.reduce(0) { $0 + $1.chargeMax }
        let start = Timestamp(unixMilliseconds: grid.edges[worst])
        return EnergyError(
            .invalidInput,
            "no plan keeps the export limit of \(grid.exportMax.plainText) kW: in the slot from \(problem.timeText(start)) "
                + "photovoltaics give \(excess[worst].roundedUp.plainText) kW too much, which may not be thrown away, and "
                + "loads and batteries, which draw up to \((most + stored).plainText) kW then, cannot take all of it in time. "
                + "Raise export_kw, or let pv_curtailable be true.")
    }
}

extension PlannedLoad {
    /// kW that it may draw in a slot.
    fileprivate func powerMost(in slot: Int, _ grid: PlanGrid) -> Double {
        grid.range(of: self).contains(slot) && grid.allows(self, slot) ? powerMost : 0
    }
}
