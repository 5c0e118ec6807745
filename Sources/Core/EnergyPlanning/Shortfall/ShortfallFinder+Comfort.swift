/// Buildings: no closed method says what one lacks, so the home is planned without one thing after the other.
extension ShortfallFinder {
    func comfortBlame(_ remedies: Remedies) -> Blame {
        func isComfortable(_ change: (inout PlanProblem) -> Void) -> Bool? {
            var problem = work.problem
            change(&problem)
            return check?.isEnough(for: work.problem.loads[load].name, in: problem)
        }
        func isAlone(_ problem: inout PlanProblem) { (problem.loads, problem.batteries) = ([problem.loads[load]], []) }
        let unknown = Blame(cause: .timeLimit) { remedies.comfort }
        let isPossible = isComfortable {
            isAlone(&$0)
            $0.limits = PlanLimits()
        }
        guard let isPossible else { return unknown }
        guard isPossible else {
            let isStrengthened = isComfortable {
                isAlone(&$0)
                $0.limits = PlanLimits()
                $0.loads[0].strengthen(to: OtherRemedies.strongest($0.loads[0]))
            }
            guard isStrengthened == true || isTooWeak else { return Blame(cause: .window) { remedies.comfort } }
            // Not even the strongest has it warm before its first slot ends.
            let also: [Shortfall.Part] = isStrengthened == false ? [.init(cause: .window, who: [])] : []
            return Blame(cause: .power, also: also) { remedies.comfort }
        }
        /// So that full power always fits.
        func raised(beside others: LackFinder.Others) -> [PlanChange] {
            let room = finder.capacity(work.problem, beside: others).min() ?? .infinity
            let power = work.problem.loads[load].powerMost - room
            return (power > 0 ? [.raise(ownLimits, power: power.roundedUp)] : []) + remedies.comfort
        }
        guard let isAlonePossible = isComfortable(isAlone) else { return unknown }
        guard isAlonePossible else { return Blame(cause: .limit, who: names(ownLimits)) { raised(beside: .nobody) } }
        let others = work.problem.loads.indices.filter { $0 != load && decisions.loads[$0].energy.contains { $0 > 0 } }
        guard isProven, let isExcluded = isComfortable({ $0.limits.exclusive = [] }) else { return unknown }
        if isExcluded {
            let excluders = others.filter(finder.excluders.contains).map { work.problem.loads[$0].name }
            return Blame(cause: .exclusion, who: excluders) {
                [.beside(load: load, others: excluders)] + remedies.comfort
            }
        }
        return Blame(cause: .otherLoads, who: others.map { work.problem.loads[$0].name }) { raised(beside: .running) }
    }

    /// Whether full power all the time would not do: what it comes to rest at is outside its band.
    private var isTooWeak: Bool {
        guard case .comfort(let need) = work.problem.loads[load].need else { return false }
        let lift = need.resistance * need.performance * need.powerMax
        return need.outdoor.indices.contains { slot in
            need.isCooling
                ? need.outdoor[slot] - lift > need.comfortMax[slot] : need.outdoor[slot] + lift < need.comfortMin[slot]
        }
    }
}
