import EnergyModel

/// Plans a load that draws one of a few powers all through each slot that it uses, with all rules for its runs: which slots,
/// at which steps.
///
/// Exact: a dynamic programme over the slots, the energy taken before and for how long the load still has to run or rest
/// (``StepTable``). Energy is counted in a unit that divides what a step takes of nearly every slot (``StepUnits``). Only the
/// last slot may be used in part: it takes what those before it leave, so every slot is tried as the last one.
struct StepPlanner {
    let work: PlanWork
    let load: PlannedLoad
    let need: EnergyNeed
    let slots: UsableSlots

    /// Steps up to the highest power: with more the solver is quicker.
    private static let stepsMax = 1_000.0
    /// Of all energy and slots together, so that fewer starts come before earlier or later ones.
    private static let leanMost = 1e-9

    /// - Parameter step: kW.
    /// - Returns: kWh in each slot of the load's window; `nil` if the method does not apply, or there are too many ways to go
    ///   through them all.
    func plan(step: Double) -> [Double]? {
        let isFree = load.shape.isFree
        guard step > 0, need.taper == nil, need.partialSlots != .any,
            need.powerMax / step < Self.stepsMax, let problem = problem(step)
        else { return nil }
        let timing = RunTiming(problem.rules, isFree: isFree)
        guard let units = StepUnits(problem, states: timing.states) else { return nil }
        let table = StepTable(problem, timing, units)
        let isLastInPart = need.partialSlots == .last
        guard let end = StepEnd.best(table, isLastInPart: isLastInPart, isPartOfRun: need.hasOnePower) else {
            return nil
        }
        return table.amounts(to: end).map { $0 * problem.energy }
    }

    private func problem(_ step: Double) -> StepProblem? {
        let (grid, range) = (work.grid, work.grid.range(of: load))
        guard !range.isEmpty else { return nil }
        let energy = step / Double(Int64.millisecondsPerHour)
        let most = max(need.energyMax, need.energy) / energy
        // A power may be next to nothing, of which any energy is more than can be counted.
        guard most < 1e15 else { return nil }
        let leanest = Self.leanMost / Double(range.count) / max(1, most)
        let goals = grid.dues(need, in: range).map { StepProblem.Goal(end: $0.end, amount: $0.energy / energy) }
        let steps = range.indices.map { powers(at: $0 - range.lowerBound, step) }
        let rules = RunRules(work, load, need, canBeOn: steps.map { $0 != nil }, isForced: slots.isForced)
        return StepProblem(
            steps: steps, rules: rules, goals: goals, most: most, penalty: work.penalty * energy, energy: energy,
            bends: range.map { grid.surplus[$0] * grid.hours[$0] / energy },
            weights: range.map { (grid.surplusWeight($0) * energy, grid.importWeight[$0] * energy) },
            lean: load.shape.ties == .earlier ? leanest : -leanest)
    }

    /// Steps that it may draw in a slot while it is on; `nil`: it has to be off.
    private func powers(at index: Int, _ step: Double) -> ClosedRange<Int>? {
        guard slots.isUsable[index] else { return nil }
        let most = Int((slots.power[index] / step + 1e-6).rounded(.down))
        let least = max(1, Int((need.powerMin / step - 1e-6).rounded(.up)))
        guard least <= most else { return nil }
        return slots.isForced[index] ? most...most : least...most
    }
}
