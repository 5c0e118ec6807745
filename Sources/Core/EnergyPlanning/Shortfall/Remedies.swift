import EnergyModel

/// What may help a load that lacks something. Candidates: whether they do is tried elsewhere.
struct Remedies {
    let work: PlanWork
    let finder: LackFinder
    let load: Int
    /// Up to the first goal that it misses.
    let due: PlannedLoad
    let goal: Int
    /// kWh
    let missing: Double
    /// Whether there is time to look for more.
    let isOpen: () -> Bool

    private var grid: PlanGrid { work.grid }

    // MARK: By cause

    var window: [PlanChange] { there + later() + less + faster }

    /// - Parameter power: kW that limits leave.
    func window(within power: Double) -> [PlanChange] { later(power) + less }

    var shape: [PlanChange] { rules + [.freeShape(load: load)] + less }

    /// Each rule for its runs left out.
    private var rules: [PlanChange] {
        var changes: [PlanChange] = []
        if due.shape.runMin > 0 { changes.append(.noRunMin(load: load)) }
        if due.shape.pauseMin > 0 { changes.append(.noPauseMin(load: load)) }
        if due.shape.runsMax != nil { changes.append(.anyRuns(load: load)) }
        if case .energy(let need) = due.need, need.partialSlots != .any { changes.append(.partialSlots(load: load)) }
        return changes
    }

    /// The lowest that is enough for all of its goals beside the others, or else without them, or for the first that it misses.
    private func lowest(_ values: [Double], _ change: (inout PlannedLoad, Double) -> Void) -> Double? {
        let whole = work.problem.loads[load]
        return lowest(values, whole, .excluding, change) ?? lowest(values, whole, .unlimited, change)
            ?? lowest(values, due, .unlimited, change)
    }

    private func lowest(
        _ values: [Double], _ planned: PlannedLoad, _ others: LackFinder.Others,
        _ change: (inout PlannedLoad, Double) -> Void
    ) -> Double? {
        // The more is allowed the less is missing.
        Self.lowest(values) { value in
            var changed = planned
            change(&changed, value)
            return finder.lack(changed, work.problem, beside: others) <= 1e-6
        }
    }

    /// The lowest of some values that suffices, as it is told; where one does, so do all above it.
    static func lowest(_ values: [Double], _ suffices: (Double) -> Bool) -> Double? {
        let values = Array(Set(values)).sorted()
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if suffices(values[middle].roundedUp) { high = middle } else { low = middle + 1 }
        }
        return low < values.count ? values[low].roundedUp : nil
    }

    var ceiling: [PlanChange] {
        let range = grid.range(of: due)
        var changes: [PlanChange] = []
        if due.priceMax != nil, let price = lowest(range.map { grid.prices[$0] }, { $0.priceMax = $1 }) {
            changes.append(.priceCeiling(load: load, price))
        }
        if due.carbonMax != nil, let carbon = lowest(range.map { grid.carbon[$0] }, { $0.carbonMax = $1 }) {
            changes.append(.carbonCeiling(load: load, carbon))
        }
        return (changes.isEmpty ? [.noCeilings(load: load)] : changes) + less + later()
    }

    /// - Parameters:
    ///   - limits: to be raised, all of them.
    ///   - base: whether the base load is in the way.
    ///   - enough: kWh that may be missing after it, because of something else.
    func limit(
        _ limits: [LimitReference], _ others: LackFinder.Others, base: Bool = false, _ enough: Double = 1e-6
    ) -> [PlanChange] {
        var changes: [PlanChange] = []
        if let raises = raises(limits, others, enough) { changes.append(.raise(raises)) }
        if base, let power = least({ .lessBaseLoad(power: $0) }, others, enough) {
            changes.append(.lessBaseLoad(power: power))
        }
        return changes + slower(others) + looser(others, enough) + less + later()
    }

    /// Each limit raised by no more than it must be beside the others.
    private func raises(
        _ limits: [LimitReference], _ others: LackFinder.Others, _ enough: Double
    ) -> [PlanChange.Raise]? {
        guard !limits.isEmpty, let power = least({ .raise(limits, power: $0) }, others, enough) else { return nil }
        var raises = limits.map { PlanChange.Raise(limit: $0, power: power) }
        guard limits.count > 1 else { return raises }
        for index in raises.indices {
            func changed(_ power: Double) -> PlanChange {
                var less = raises
                less[index].power = power
                return .raise(less)
            }
            if let own = least(changed, others, enough) { raises[index].power = min(own, power) }
        }
        return raises.filter { $0.power > 0 }
    }

    /// Rules for runs without which the limits would leave enough.
    private func looser(_ others: LackFinder.Others, _ enough: Double) -> [PlanChange] {
        rules.filter { change in
            var problem = work.problem
            problem.loads[load] = due
            change.apply(to: &problem)
            return finder.lack(problem.loads[load], work.problem, beside: others) <= enough
        }
    }

    func exclusion(_ others: [String]) -> [PlanChange] {
        [.beside(load: load, others: others)] + less + later()
    }

    /// Of a building.
    var comfort: [PlanChange] {
        guard case .comfort(let need) = due.need else { return [] }
        let outside = finder.decisions.loads[load].temperatures.enumerated().map { slot, temperature in
            let origin = grid.origin[slot]
            return max(need.comfortMin[origin] - temperature, temperature - need.comfortMax[origin])
        }
        var changes: [PlanChange] = []
        if let most = outside.max(), most > 0 { changes.append(.widerBand(load: load, kelvin: most.roundedUp)) }
        if let last = finder.decisions.loads[load].temperatures.last, need.lacks(last) > 1e-6 {
            // The nearest that can be had.
            changes.append(.final(load: load, need.isCooling ? last.roundedUp : last.roundedDown))
        }
        return changes + (changes.count > 1 ? [.together(changes)] : [])
    }

    // MARK: One by one

    private var less: [PlanChange] {
        guard case .energy(let need) = due.need else { return [] }
        return lessOfEach ?? need.less(missing).map { [.less(load: load, goal: goal, energy: $0)] } ?? []
    }

    /// For as long as what is missing takes.
    private var there: [PlanChange] {
        guard case .energy(let need) = due.need, let time = need.milliseconds(forLast: missing, within: .infinity),
            time > 0
        else { return [] }
        return work.problem.stays(of: load, until: due.window?.end).filter { $0.most >= time }.map { $0.change(time) }
    }

    private func later(_ power: Double = .infinity) -> [PlanChange] {
        if let changes = laterForEach(power) { return changes }
        guard let first = work.problem.slots.first, let last = work.problem.slots.last else { return [] }
        let window = due.window ?? Interval(start: first.interval.start, end: last.interval.end)
        var goals = 1
        if case .energy(let need) = work.problem.loads[load].need { goals = need.goals.count }
        guard let window else { return [] }
        let milliseconds: Int64
        switch due.need {
        case .energy(let need):
            guard let time = need.milliseconds(forLast: missing, within: power) else { return [] }
            milliseconds = time
        case .profile(let profile):
            milliseconds = (max(1, profile.milliseconds - window.milliseconds) + 59_999) / 60_000 * 60_000
        case .comfort: return []
        }
        let number = goals > 1 ? goal : nil
        var changes: [PlanChange] = []
        if goal == goals - 1 || work.hasTime(load, after: goal, milliseconds) {
            changes.append(.later(load: load, goal: number, milliseconds: milliseconds))
        }
        if window.start.milliseconds(since: first.interval.start) >= milliseconds {
            changes.append(.earlier(load: load, milliseconds: milliseconds))
        }
        return changes
    }

    /// Enough for each of its goals.
    private var faster: [PlanChange] {
        guard case .energy(let need) = work.problem.loads[load].need else { return [] }
        guard need.taper == nil else {
            return least({ .strongerConnection(load: load, power: $0) }, .unlimited, 1e-6).map {
                [.strongerConnection(load: load, power: need.steppedUp($0).roundedUp)]
            } ?? []
        }
        guard !work.problem.loads[load].isHurried else { return [] }
        let range = grid.range(of: work.problem.loads[load])
        var power = 0.0
        for (index, goal) in need.goals.enumerated() where goal.energy > 0 {
            let isLast = index == need.goals.count - 1
            let end = isLast ? range.upperBound : min(range.upperBound, grid.index(at: goal.by.unixMilliseconds))
            let hours = range.reduce(0) { $1 < end && grid.allows(due, $1) ? $0 + grid.hours[$1] : $0 }
            guard hours > 0 else { return [] }
            power = max(power, goal.energy / hours)
        }
        // Nobody has one that is so strong.
        guard power > 0, power <= OtherRemedies.strongest(work.problem.loads[load]) || need.powerMax == 0 else {
            return []
        }
        return [.strongerConnection(load: load, power: need.steppedUp(power).roundedUp)]
    }

    /// One that is too strong for its circuit.
    private func slower(_ others: LackFinder.Others) -> [PlanChange] {
        guard case .energy(let need) = due.need, need.powerMin > 0 else { return [] }
        let rooms = Set(
            finder.capacity(work.problem, beside: others).map {
                need.steppedDown(min($0, need.powerMax)).roundedDown
            })
        for power in rooms.sorted(by: >).prefix(8) where power > 0 && power < need.powerMax {
            let change = PlanChange.lowerPower(load: load, power: power)
            var problem = work.problem
            problem.loads[load] = due
            change.apply(to: &problem)
            if finder.lack(problem.loads[load], work.problem, beside: others) <= 1e-6 { return [change] }
        }
        return []
    }

    /// The least kW of a change with which the load lacks nothing, for all of its goals if that can be had.
    private func least(
        _ change: (Double) -> PlanChange, _ others: LackFinder.Others, _ enough: Double
    ) -> Double? {
        let whole = work.problem.loads[load]
        return least(change, whole, others, enough) ?? (whole == due ? nil : least(change, due, others, enough))
    }

    private func least(
        _ change: (Double) -> PlanChange, _ planned: PlannedLoad, _ others: LackFinder.Others, _ enough: Double
    ) -> Double? {
        func suffices(_ power: Double) -> Bool {
            var problem = work.problem
            change(power).apply(to: &problem)
            return finder.lack(planned, problem, beside: others) <= enough
        }
        return Self.least(work.problem.mostPower(planned.powerMost), isOpen, suffices)
    }

    /// The least kW that suffices; `nil` if `high` does not, or the time is up.
    static func least(_ high: Double, _ isOpen: () -> Bool, _ suffices: (Double) -> Bool) -> Double? {
        var (low, high) = (0.0, high)
        guard isOpen(), suffices(high) else { return nil }
        while high - low > 1e-5 {
            guard isOpen() else { return nil }
            let middle = (low + high) / 2
            if suffices(middle) { high = middle } else { low = middle }
        }
        // Numbers that people wrote have few digits.
        return [(high - 2e-5).roundedUp, high.roundedUp].first(where: suffices) ?? (high + 1e-3).roundedUp
    }
}

extension PlannedLoad {
    /// Its ceilings do not count for a time that is as long as a part of its need takes with the power that it has: with more
    /// power that would be another time.
    var isHurried: Bool {
        (priceMax != nil || carbonMax != nil)
            && ceilingsOff.contains { off in window.map { $0.intersection(off) != $0 } ?? true }
    }
}

extension PlanProblem {
    /// What a load may be asked to be there for: it leaves later, or is back earlier, the last two times that it is away.
    ///
    /// - Parameter end: `nil`: until its last goal is due.
    /// - Returns: the milliseconds that each may be at most, and what changes.
    func stays(of load: Int, until end: Timestamp?) -> [(most: Int64, change: (Int64) -> PlanChange)] {
        guard let first = slots.first?.interval.start, let last = slots.last?.interval.end else { return [] }
        let own = loads[load].window
        guard let window = Interval(start: max(first, own?.start ?? first), end: end ?? own?.end ?? last) else {
            return []
        }
        let times = loads[load].absences.compactMap(window.intersection).joined.suffix(2)
        return times.flatMap { away -> [(most: Int64, change: (Int64) -> PlanChange)] in
            let leave = { PlanChange.there(load: load, Interval(start: away.start, milliseconds: $0), isReturn: false) }
            let back = { (length: Int64) in
                let start = away.end.advanced(byMilliseconds: -length)
                return PlanChange.there(load: load, Interval(start: start, milliseconds: length), isReturn: true)
            }
            return (away.start > window.start ? [(away.milliseconds, leave)] : [])
                + (away.end < window.end ? [(away.milliseconds, back)] : [])
        }
    }

    /// kW: a limit that is raised by so much is none for something that draws `power` beside what runs anyway.
    func mostPower(_ power: Double) -> Double {
        (power + (slots.map { $0.baseLoad.reduce(0, +) }.max() ?? 0)) * 4 + 1
    }
}

extension PlanWork {
    /// Whether a goal that is due so much later is still due before the next one.
    fileprivate func hasTime(_ load: Int, after goal: Int, _ milliseconds: Int64) -> Bool {
        guard case .energy(let need) = problem.loads[load].need, goal + 1 < need.goals.count else { return true }
        return need.goals[goal].by.advanced(byMilliseconds: milliseconds) < need.goals[goal + 1].by
    }
}
