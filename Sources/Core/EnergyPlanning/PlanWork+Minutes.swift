/// What a load of one power costs where every minute counts.
///
/// It takes its power or none: in a part of a slot it leaves a part of what photovoltaics give, and draws from the grid
/// what is above. So each kWh of a slot costs the same, how much of the slot it ever uses.
extension PlanWork {
    /// The same work with these costs and no photovoltaics beside them; `nil` where slots' means are all there is: several
    /// loads share them, or something is counted by slots anyway.
    var byMinute: PlanWork? {
        guard problem.countsMinutes, problem.loads.count == 1, isSeparable, grid.surplus.contains(where: { $0 > 0 }),
            PlanDecisions(grid, rows).curtailed.allSatisfy({ $0 == 0 }), let power = problem.loads[0].onePower
        else { return nil }
        var work = self
        work.grid.countMinutes(at: power)
        work.problem.loads[0].useAnySlotInPart()
        return work
    }
}

extension PlanGrid {
    fileprivate mutating func countMinutes(at power: Double) {
        for slot in 0..<count {
            importWeight[slot] = cost(slot, power * hours[slot]) / (power * hours[slot])
            (surplus[slot], pv[slot]) = (0, 0)
        }
    }
}

extension PlannedLoad {
    /// kW while it runs; `nil` if it may take more than one power.
    fileprivate var onePower: Double? {
        switch need {
        case .energy(let need): need.hasOnePower && need.powerMax > 0 ? need.powerMax : nil
        case .profile(let profile): profile.steps.count == 1 ? profile.steps.first.map(\.power) : nil
        case .comfort: nil
        }
    }

    /// With nothing to gain from whole slots, the dearest is the one of which a part is left.
    fileprivate mutating func useAnySlotInPart() {
        guard case .energy(var need) = need, need.partialSlots == .last, shape.isFree else { return }
        need.partialSlots = .any
        self.need = .energy(need)
    }
}
