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
        func isPossible(_ change: (inout PlannedLoad) -> Void = { _ in }) -> Bool? {
            isComfortable {
                isAlone(&$0)
                $0.limits = PlanLimits()
                change(&$0.loads[0])
            }
        }
        guard let isPossibleAsItIs = isPossible() else { return unknown }
        guard isPossibleAsItIs else {
            func isEnough(_ change: (inout PlannedLoad) -> Void) -> Bool { isPossible(change) == true }
            if let blame = ceilingBlame(remedies, isEnough) ?? shapeBlame(remedies, isEnough) { return blame }
            let isStrengthened = isPossible { $0.strengthen(to: OtherRemedies.strongest($0)) }
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
        let excluders = others.filter(finder.excluders.contains).map { work.problem.loads[$0].name }
        if isExcluded, !excluders.isEmpty {
            return Blame(cause: .exclusion, who: excluders) {
                [.beside(load: load, others: excluders)] + remedies.comfort
            }
        }
        return Blame(cause: .otherLoads, who: others.map { work.problem.loads[$0].name }) { raised(beside: .running) }
    }

    /// - Parameter isEnough: whether it would be comfortable alone, if it were otherwise.
    /// - Returns: `nil` where ceilings are not what keeps it from that.
    private func ceilingBlame(_ remedies: Remedies, _ isEnough: @escaping ((inout PlannedLoad) -> Void) -> Bool)
        -> Blame?
    {
        let own = work.problem.loads[load]
        guard own.priceMax != nil || own.carbonMax != nil, isEnough({ ($0.priceMax, $0.carbonMax) = (nil, nil) }) else {
            return nil
        }
        let isPrice = own.priceMax != nil && isEnough { $0.priceMax = nil }
        let isCarbon = own.carbonMax != nil && isEnough { $0.carbonMax = nil }
        var blame = Blame(cause: isPrice || !isCarbon && own.priceMax != nil ? .priceCeiling : .carbonCeiling) {
            var changes: [PlanChange] = []
            let range = grid.range(of: own)
            if isPrice,
                let price = Remedies.lowest(
                    range.map { grid.prices[$0] }, { price in isEnough { $0.priceMax = price } })
            {
                changes.append(.priceCeiling(load: load, price))
            }
            if isCarbon,
                let carbon = Remedies.lowest(
                    range.map { grid.carbon[$0] }, { carbon in isEnough { $0.carbonMax = carbon } })
            {
                changes.append(.carbonCeiling(load: load, carbon))
            }
            return (changes.isEmpty ? [.noCeilings(load: load)] : changes) + remedies.comfort
        }
        if !isPrice, !isCarbon { blame.also = [.init(cause: .carbonCeiling, who: [])] }
        if isPrice, isCarbon { blame.also = [.init(cause: .carbonCeiling, who: [], isAnotherWay: true)] }
        return blame
    }

    /// As ``ceilingBlame(_:_:)``, for its rules of runs and the least that it runs with.
    private func shapeBlame(_ remedies: Remedies, _ isEnough: ((inout PlannedLoad) -> Void) -> Bool) -> Blame? {
        guard
            isEnough({
                $0.freeShape()
                $0.dropPowerMin()
            })
        else { return nil }
        return Blame(cause: .shape) { remedies.shape + remedies.comfort }
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
