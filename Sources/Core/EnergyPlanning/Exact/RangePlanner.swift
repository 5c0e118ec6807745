import EnergyModel

/// Plans a load that may draw any power in a range, or one of a few and slower near full, with all rules for its runs: which
/// slots, at which powers.
///
/// Exact: a dynamic programme over the slots and for how long the load still has to run or rest, with the lowest cost for
/// each energy taken before as lines between the energies at which it bends (``CostCurve``). Only the last slot may be used in
/// part; with no rules for its runs any may.
///
/// - Source: Frangioni and Gentile, "Solving nonlinear single-unit commitment problems with ramping constraints", 2006, for
///   programmes whose values are functions.
struct RangePlanner {
    let work: PlanWork
    let load: PlannedLoad
    let need: EnergyNeed
    let slots: UsableSlots
    let timer: PlanTimer

    /// Powers of a load with steps: with more the solver is quicker.
    private static let stepsMax = 40.0

    /// - Returns: kWh in each slot of the load's window; `nil` if the method does not apply, or there are too many ways, or no time.
    func plan() -> [Double]? {
        let isFree = load.shape.isFree
        guard need.partialSlots != .any || isFree, !slots.power.isEmpty,
            need.taper == nil || !slots.isForced.contains(true),
            need.powerMax / (need.powerStep ?? need.powerMax) < Self.stepsMax
        else { return nil }
        let problem = RangeProblem(work, load, need, slots)
        guard let table = RangeTable(problem, RunTiming(problem.rules, isFree: isFree), timer),
            let end = RangeEnd.best(table, partFrom: partFrom, isPartOfRun: need.hasOnePower),
            var energies = table.energies(to: end.place, end.before)
        else { return nil }
        energies += Array(repeating: 0, count: slots.power.count - energies.count)
        if let part = end.part { energies[end.place.slot] = part }
        return energies
    }

    /// kWh in all from which on the last slot may be used in part: what is full ends by itself, also where slots are used whole.
    private var partFrom: Double? {
        switch need.partialSlots {
        case .any: nil
        case .last: 0
        case .never: need.taper.flatMap { need.energyMax > $0.energyAtFull - 1e-9 ? $0.energyAtFull : nil }
        }
    }
}
