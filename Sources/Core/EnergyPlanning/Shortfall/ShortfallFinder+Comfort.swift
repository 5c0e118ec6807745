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
            func isEnough(_ change: (inout PlannedLoad) -> Void) -> Bool {
                isComfortable {
                    isAlone(&$0)
                    $0.limits = PlanLimits()
                    change(&$0.loads[0])
                } == true
            }
            if let blame = ceilingBlame(remedies, isEnough) ?? shapeBlame(remedies, isEnough) { return blame }
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
            if isPrice, let price = least(range.map { grid.prices[$0] }, { price in isEnough { $0.priceMax = price } })
            {
                changes.append(.priceCeiling(load: load, price))
            }
            if isCarbon,
                let carbon = least(range.map { grid.carbon[$0] }, { carbon in isEnough { $0.carbonMax = carbon } })
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
    private func shapeBlame(_ remedies: Remedies, _ isEnough: @escaping ((inout PlannedLoad) -> Void) -> Bool) -> Blame?
    {
        guard isEnough({ $0.freeShape(withAnyPower: true) }) else { return nil }
        return Blame(cause: .shape) { remedies.shape + remedies.comfort }
    }

    /// The least of some values that suffices, where more of it is never worse.
    private func least(_ values: [Double], _ suffices: (Double) -> Bool) -> Double? {
        let values = Array(Set(values.map(\.roundedUp))).sorted()
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if suffices(values[middle]) { high = middle } else { low = middle + 1 }
        }
        return low < values.count ? values[low] : nil
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
