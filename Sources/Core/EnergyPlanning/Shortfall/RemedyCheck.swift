/// Tries what is said to help, on the whole home.
///
/// A remedy that was not seen to help is not told.
final class RemedyCheck {
    /// In a plan's notes.
    static let note = "There was no time to try all that might help who lacks something."

    /// Of tries in one plan, so that explaining many loads does not take longer than planning them.
    private var left: Int
    private let isUp: () -> Bool
    private let excludes: (PlanProblem, Int, [Double]) -> Bool
    private let lacks: (PlanProblem) -> Lacks?
    /// What was tried already: loads that lack the same are helped by the same.
    private var known: [PlanChange: Lacks] = [:]
    /// Whether something was not tried, or not to its end.
    private(set) var isCut = false

    struct Lacks {
        /// Of each load, then of each battery.
        var values: [Double]
        /// Whether no plan lacks less.
        var isProven = true
    }

    /// - Parameters:
    ///   - isUp: whether the plan's time is up.
    ///   - excludes: whether no plan of a problem has all that a load needs, with the others lacking no more than they may.
    ///   - lacks: in the best plan of a problem that was found in time.
    init(
        tries: Int, isUp: @escaping () -> Bool, excludes: @escaping (PlanProblem, Int, [Double]) -> Bool,
        lacks: @escaping (PlanProblem) -> Lacks?
    ) {
        left = tries
        self.isUp = isUp
        self.excludes = excludes
        self.lacks = lacks
    }

    /// Whether anything more can be tried.
    var isOpen: Bool {
        let isOpen = left > 0 && !isUp()
        if !isOpen { isCut = true }
        return isOpen
    }

    /// Whether a load has all it needs in another problem; `nil` if that was not found in time.
    func isEnough(for name: String, in problem: PlanProblem) -> Bool? {
        guard isOpen, let index = problem.loads.firstIndex(where: { $0.name == name }) else { return nil }
        left -= 1
        guard let found = lacks(problem) else { return nil }
        return found.values[index] < 1e-5 ? true : found.isProven ? false : nil
    }

    /// Whether no plan after a change has all that a load needs with nobody lacking more than before: known at once.
    func isExcluded(_ change: PlanChange, load: Int, _ problem: PlanProblem, lacking before: [Double]) -> Bool {
        excludes(problem.with(change), load, before)
    }

    /// Whether a load has all it needs after a change, and others of each priority lack no more than before: who of them does
    /// may be another, where plans are as good.
    ///
    /// - Parameters:
    ///   - load: its index; that of a battery is counted on from the loads.
    ///   - problem: always the same.
    func helps(_ change: PlanChange, load: Int, _ problem: PlanProblem, lacking before: [Double]) -> Bool {
        guard isOpen, !isExcluded(change, load: load, problem, lacking: before) else { return false }
        guard let after = known[change] ?? tried(change, problem) else { return false }
        let priorities = problem.loads.map(\.priority) + problem.batteries.map(\.priority)
        guard after.values.count == before.count, priorities.count == before.count, after.values[load] < 1e-5 else {
            return false
        }
        return Set(priorities).allSatisfy { priority in
            let others = priorities.indices.filter { priorities[$0] == priority && $0 != load }
            return others.reduce(0) { $0 + after.values[$1] - before[$1] } <= 1e-5
        }
    }

    private func tried(_ change: PlanChange, _ problem: PlanProblem) -> Lacks? {
        left -= 1
        let after = lacks(problem.with(change))
        // Shorter slots make a larger problem, which is looked at quickly.
        if after?.isProven != true, !change.isFinerSlots { isCut = true }
        known[change] = after
        return after
    }
}

extension PlanProblem {
    fileprivate func with(_ change: PlanChange) -> PlanProblem {
        var changed = self
        change.apply(to: &changed)
        return changed
    }
}
