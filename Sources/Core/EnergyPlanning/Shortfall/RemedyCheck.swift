/// Tries what is said to help, on the whole home.
///
/// A remedy that was not seen to help is not told.
final class RemedyCheck {
    /// Of tries in one plan, so that explaining many loads does not take longer than planning them.
    private var left: Int
    private let isUp: () -> Bool
    private let lacks: (PlanProblem) -> Lacks?

    struct Lacks {
        /// Of each load, then of each battery.
        var values: [Double]
        /// Whether no plan lacks less.
        var isProven = true
    }

    /// - Parameters:
    ///   - isUp: whether the plan's time is up.
    ///   - lacks: in the best plan of a problem that was found in time.
    init(tries: Int, isUp: @escaping () -> Bool, lacks: @escaping (PlanProblem) -> Lacks?) {
        left = tries
        self.isUp = isUp
        self.lacks = lacks
    }

    /// Whether anything more can be tried.
    var isOpen: Bool { left > 0 && !isUp() }

    /// Whether a load has all it needs in another problem; `nil` if that was not found in time.
    func isEnough(for name: String, in problem: PlanProblem) -> Bool? {
        guard left > 0, let index = problem.loads.firstIndex(where: { $0.name == name }) else { return nil }
        left -= 1
        guard let found = lacks(problem) else { return nil }
        return found.values[index] < 1e-5 ? true : found.isProven ? false : nil
    }

    /// Whether a load has all it needs after a change, and nobody lacks more than before.
    ///
    /// - Parameter load: its index; that of a battery is counted on from the loads.
    func helps(_ change: PlanChange, load: Int, _ problem: PlanProblem, lacking before: [Double]) -> Bool {
        guard left > 0 else { return false }
        left -= 1
        var changed = problem
        change.apply(to: &changed)
        guard let after = lacks(changed)?.values, after.count == before.count, after[load] < 1e-5 else { return false }
        return zip(after, before).allSatisfy { $0 <= $1 + 1e-5 }
    }
}
