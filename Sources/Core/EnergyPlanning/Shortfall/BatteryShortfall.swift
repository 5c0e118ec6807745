import EnergyModel

/// What a battery lacks of its goals when they are due, and why.
struct BatteryShortfall {
    let work: PlanWork
    let decisions: PlanDecisions
    let battery: Int
    /// Whether no plan is better.
    let isProven: Bool
    let check: RemedyCheck?

    private var grid: PlanGrid { work.grid }
    private var traits: HomeBattery { work.problem.batteries[battery] }

    /// The goal that lacks most; `nil` if nothing is missing.
    var worst: (missing: Double, shortfall: Shortfall)? {
        let stored = decisions.stored[battery]
        let dues = traits.dues(grid) + [(grid.count, traits.energyMin)]
        let lacks = dues.map { due in
            (due, missing: due.energy - (due.slots > 0 ? stored[due.slots - 1] : traits.initial))
        }
        guard let worst = lacks.max(by: { $0.missing < $1.missing }), worst.missing > 1e-6 else { return nil }
        return (worst.missing, shortfall(slots: worst.0.slots, energy: worst.0.energy, worst.missing))
    }

    private func shortfall(slots: Int, energy: Double, _ missing: Double) -> Shortfall {
        let less = "ask for \(missing.plainText) kWh less"
        if energy > traits.energyMax + 1e-9 { return Shortfall(cause: .capacity, who: [], remedies: [less]) }
        if reachable(slots, within: []) < energy - 1e-6 {
            let hours = missing / max(1e-9, traits.chargeMax * traits.chargeEfficiency)
            let minutes = Int(min(1e6, (hours * 60).rounded(.up)))
            return Shortfall(cause: .window, who: [], remedies: ["be ready \(minutes) min later", less])
        }
        let rows = work.rows.filter { $0.batteries[battery] != nil }
        let narrow = rows.filter { reachable(slots, within: [$0]) < energy - 1e-6 }.map(\.name)
        if reachable(slots, within: rows) < energy - 1e-6 {
            let raise = raise(rows.filter { narrow.isEmpty || narrow.contains($0.name) }, slots, energy)
            return Shortfall(
                cause: .limit, who: narrow.isEmpty ? rows.map(\.name) : narrow,
                remedies: (raise.map { [$0.text(work.problem)] } ?? []) + [less])
        }
        guard isProven else { return Shortfall(cause: .timeLimit, who: [], remedies: [less]) }
        return Shortfall(cause: .otherLoads, who: rivals(slots, rows), remedies: [less])
    }

    /// kWh that would be stored if it did nothing but charge, beside what runs anyway.
    private func reachable(_ slots: Int, within rows: [LimitRow]) -> Double {
        (0..<slots).reduce(traits.initial) { stored, slot in
            let power = rows.reduce(traits.chargeMax) { power, row in
                row.batteries[battery].map { min(power, row.room[slot] / $0) } ?? power
            }
            return stored + power * grid.hours[slot] * traits.chargeEfficiency
        }
    }

    /// The limits raised by the least that helps; `nil` if that was not seen to help.
    private func raise(_ rows: [LimitRow], _ slots: Int, _ energy: Double) -> PlanChange? {
        guard let check, check.isOpen else { return nil }
        let problem = work.problem
        let limits = LimitReference.all(problem).filter { limit in rows.contains { limit.isSource(of: $0, problem) } }
        func suffices(_ power: Double) -> Bool {
            var raised = problem
            PlanChange.raise(limits, power: power).apply(to: &raised)
            let own = LimitRow.rows(raised, grid).filter { $0.batteries[battery] != nil }
            return reachable(slots, within: own) >= energy - 1e-6
        }
        let most = problem.mostPower(traits.chargeMax)
        guard let power = Remedies.least(most, { check.isOpen }, suffices) else { return nil }
        let change = PlanChange.raise(limits, power: power)
        let index = problem.loads.count + battery
        return check.helps(change, load: index, problem, lacking: work.missing(decisions)) ? change : nil
    }

    private func rivals(_ slots: Int, _ rows: [LimitRow]) -> [String] {
        let loads = work.problem.loads.indices.filter { index in
            rows.contains { $0.loads[index] != nil } && decisions.loads[index].running[..<slots].contains { $0 > 0 }
        }
        return loads.map { work.problem.loads[$0].name }
    }
}
