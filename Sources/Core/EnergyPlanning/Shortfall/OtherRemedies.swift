import EnergyModel

/// Looks for one thing that helps by itself, where what is to blame suggested none: each kind of change is tried on the whole
/// home as large as it may be, and then made smaller.
struct OtherRemedies {
    let finder: ShortfallFinder
    let check: RemedyCheck
    /// Of each load, then of each battery.
    let lacks: [Double]

    /// So many of them are told.
    private static let countMax = 2
    /// kW: more is not tried. What heats may have to do in a slot what would take it a night.
    static func strongest(_ load: PlannedLoad) -> Double {
        if load.isBuilding { load.powerMost * 32 } else { load.powerMost * 8 }
    }

    /// Tries to make one smaller once it is large enough.
    private static let stepsMax = 3

    private var problem: PlanProblem { finder.work.problem }
    private var load: Int { finder.load }

    /// Things that help each by itself.
    var changes: [PlanChange] {
        var found: [PlanChange] = []
        for kind in kinds + stronger where found.count < Self.countMax && check.isOpen {
            if let change = narrowed(kind) { found.append(change) }
        }
        return found
    }

    /// Things that help only together: all of them, without those that are not needed, each made smaller.
    var together: PlanChange? {
        // More time is a longer plan, in which others may need more.
        let (kinds, laters) = (kinds, [self.laters] + (laterTogether.map { [[$0]] } ?? []) + [[]])
        guard var parts = laters.map({ $0 + kinds }).first(where: { helps(.together($0.map(\.most))) }) else {
            return nil
        }
        // What is dear to change comes last in the list, and is left out first.
        for index in parts.indices.reversed() where parts.count > 1 {
            var fewer = parts
            fewer.remove(at: index)
            if helps(.together(fewer.map(\.most))) { parts = fewer }
        }
        var changes = parts.map(\.most)
        for (index, kind) in parts.enumerated() {
            changes.remove(at: index)
            guard let least = narrowed(kind, beside: changes) else { return nil }
            changes.insert(least, at: index)
        }
        return .together(changes.flatMap(\.parts))
    }

    /// A change that may be larger or smaller.
    private struct Kind {
        /// From the least to the most.
        var values = [0.0]
        /// Whether the values are the ends of all that may be tried.
        var isSmooth = false
        var change: (Double) -> PlanChange

        var most: PlanChange { change(values[values.count - 1]) }
    }

    /// A longer time is no help to anybody.
    private static let minutes: [Double] = [
        5, 10, 15, 20, 30, 40, 50, 60, 75, 90, 105, 120, 150, 180, 240, 300, 360, 480, 720, 960,
    ]

    /// For each goal that it misses, if there are several, before the next is due.
    private var laters: [Kind] {
        guard let need = needOfSeveral else { return [later(nil)].compactMap(\.self) }
        return missedGoals.compactMap { goal in
            let next = goal + 1 < need.goals.count ? need.goals[goal + 1].by : nil
            return later(goal, below: next.map { $0.milliseconds(since: need.goals[goal].by) } ?? .max)
        }
    }

    /// For all goals that it misses by the same, as far as those that it does not miss let them.
    private var laterTogether: Kind? {
        guard let need = needOfSeveral, case let missed = missedGoals, missed.count > 1 else { return nil }
        let others = missed.map { $0 + 1 }.filter { $0 < need.goals.count && !missed.contains($0) }
        let room = others.map { need.goals[$0].by.milliseconds(since: need.goals[$0 - 1].by) }.min()
        return moved(below: room ?? .max) { milliseconds in
            .together(missed.map { .later(load: load, goal: $0, milliseconds: milliseconds) })
        }
    }

    private func later(_ goal: Int?, below most: Int64 = .max) -> Kind? {
        moved(below: most) { .later(load: load, goal: goal, milliseconds: $0) }
    }

    private var missedGoals: [Int] { finder.work.missedGoals(load, finder.decisions.loads[load]).map(\.goal) }

    private var needOfSeveral: EnergyNeed? {
        guard case .energy(let need) = problem.loads[load].need, need.goals.count > 1 else { return nil }
        return need
    }

    /// Than it may begin, from when the plan does.
    private var earlier: Kind? {
        guard let first = problem.slots.first, let window = problem.loads[load].window else { return nil }
        let most = window.start.milliseconds(since: first.interval.start)
        return moved(below: most + 1) { .earlier(load: load, milliseconds: $0) }
    }

    /// Than its owner wants to be away.
    private var stays: [Kind] {
        problem.stays(of: load, until: nil).compactMap { moved(below: $0.most + 1, $0.change) }
    }

    /// By one of the times that are tried.
    ///
    /// - Parameters:
    ///   - most: milliseconds.
    ///   - change: by milliseconds.
    private func moved(below most: Int64, _ change: @escaping (Int64) -> PlanChange) -> Kind? {
        let minutes = Self.minutes.filter { Int64($0) * .millisecondsPerMinute < most }
        return minutes.isEmpty ? nil : Kind(values: minutes) { change(Int64($0) * .millisecondsPerMinute) }
    }

    private var kinds: [Kind] {
        let planned = problem.loads[load]
        // Room for all: those that come first take of it too.
        let most = problem.mostPower(
            problem.loads.reduce(0) { $0 + $1.powerMost } + problem.batteries.reduce(0) { $0 + $1.chargeMax })
        let base = problem.slots.map { $0.baseLoad.reduce(0, +) }.max() ?? 0
        var kinds = [earlier].compactMap(\.self) + stays
        kinds += ceilings
        kinds += finder.ownLimits.map { limit in
            Kind(values: [0, most.roundedUp], isSmooth: true) { .raise([limit], power: $0) }
        }
        if base > 0 { kinds.append(Kind(values: [0, base.roundedUp], isSmooth: true) { .lessBaseLoad(power: $0) }) }
        kinds += single(planned).map { change in Kind { _ in change } }
        return kinds
    }

    private var ceilings: [Kind] {
        let planned = problem.loads[load]
        // Also of slots after its deadline: it may have more time besides.
        func kind(_ now: Double?, _ values: [Double], _ change: @escaping (Double) -> PlanChange) -> Kind? {
            let above = Set(values.map(\.roundedUp)).filter { $0 > now ?? .infinity }.sorted()
            return above.isEmpty ? nil : Kind(values: above, change: change)
        }
        return [
            kind(planned.priceMax, finder.grid.prices) { .priceCeiling(load: load, $0) },
            kind(planned.carbonMax, finder.grid.carbon) { .carbonCeiling(load: load, $0) },
        ].compactMap(\.self)
    }

    /// A connection that is strong enough, or nearly the weakest that is.
    var strongEnough: [PlanChange] { stronger.compactMap { narrowed($0) } }

    /// Not for ``together``: with all the power it may have, no limit would leave room for it.
    private var stronger: [Kind] {
        let most = problem.loads[load].powerMost
        if case .profile = problem.loads[load].need { return [] }
        guard most > 0, !problem.loads[load].isHurried else { return [] }
        return [
            Kind(values: [most, Self.strongest(problem.loads[load]).roundedUp], isSmooth: true) { power in
                guard case .energy(let need) = problem.loads[load].need else {
                    return .strongerConnection(load: load, power: power.roundedUp)
                }
                return .strongerConnection(load: load, power: need.steppedUp(power).roundedUp)
            }
        ]
    }

    /// No more of what helps than is needed: others may move, so that less is enough than beside them where they are.
    func least(_ change: PlanChange) -> PlanChange {
        guard case .together(var parts) = change else { return least(change, beside: []) }
        for index in parts.indices {
            var others = parts
            others.remove(at: index)
            parts[index] = least(parts[index], beside: others)
        }
        return .together(parts)
    }

    private func least(_ change: PlanChange, beside others: [PlanChange]) -> PlanChange {
        leastRaise(change, beside: others) ?? lowestCeiling(change, beside: others) ?? change
    }

    private func lowestCeiling(_ change: PlanChange, beside others: [PlanChange]) -> PlanChange? {
        for kind in ceilings {
            guard let most = kind.values.firstIndex(where: { kind.change($0) == change }) else { continue }
            return first(Array(kind.values[...most])) { helps(kind.change($0).with(others)) }.map(kind.change)
        }
        return nil
    }

    /// Of limits that others share, or that are raised for one thing among several.
    private func leastRaise(_ change: PlanChange, beside others: [PlanChange]) -> PlanChange? {
        guard case .raise(var raises) = change, raises.allSatisfy({ $0.power > 0 }) else { return nil }
        let isShared = finder.work.rows.contains { row in
            row.loads.count > 1 && raises.contains { $0.limit == row.source }
        }
        guard isShared || !others.isEmpty else { return nil }
        for index in raises.indices {
            func changed(_ power: Double) -> PlanChange {
                var less = raises
                less[index].power = power
                return .raise(less).with(others)
            }
            guard let power = least([0, raises[index].power], changed) else { return nil }
            raises[index].power = power
        }
        return .raise(raises)
    }

    /// Those that are made or not.
    private func single(_ planned: PlannedLoad) -> [PlanChange] {
        var single: [PlanChange] = []
        if planned.shape.runMin > 0 { single.append(.noRunMin(load: load)) }
        if planned.shape.pauseMin > 0 { single.append(.noPauseMin(load: load)) }
        if planned.shape.runsMax != nil { single.append(.anyRuns(load: load)) }
        if case .energy(let need) = planned.need, need.partialSlots != .any { single.append(.partialSlots(load: load)) }
        let excluders = finder.excluders
        if !excluders.isEmpty { single.append(.beside(load: load, others: excluders)) }
        if planned.priceMax != nil, planned.carbonMax != nil { single.append(.noCeilings(load: load)) }
        return planned.withFreeShape == planned ? single : single + [.freeShape(load: load)]
    }

    private func helps(_ change: PlanChange) -> Bool {
        check.isOpen && check.helps(change, load: load, problem, lacking: lacks)
    }

    /// The least that helps, or nearly that, if the most does.
    private func narrowed(_ kind: Kind, beside others: [PlanChange] = []) -> PlanChange? {
        func change(_ value: Double) -> PlanChange { kind.change(value).with(others) }
        guard helps(change(kind.values[kind.values.count - 1])) else { return nil }
        let value = kind.isSmooth ? least(kind.values, change) : first(kind.values) { helps(change($0)) }
        return value.map(kind.change)
    }

    /// - Returns: `nil` if the time was up: far more than is needed is not told.
    private func first(_ values: [Double], _ helps: (Double) -> Bool) -> Double? {
        var (low, high) = (0, values.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if helps(values[middle]) { high = middle } else { low = middle + 1 }
            guard check.isOpen else { return nil }
        }
        return values[high]
    }

    /// In tenths. From what is not known to be too little it grows, twice as far each time: more may help others instead, so
    /// that what helps need not begin at one value.
    ///
    /// - Returns: `nil` if the time was up.
    private func least(_ values: [Double], _ change: (Double) -> PlanChange) -> Double? {
        let most = values[values.count - 1]
        func middle(_ low: Double, _ high: Double) -> Double { ((low + high) / 2 * 10).rounded(.up) / 10 }
        var (low, high) = (values[0], most)
        while case let value = middle(low, high), value > low, value < high {
            if check.isExcluded(change(value), load: load, problem, lacking: lacks) {
                low = value
            } else {
                high = value
            }
        }
        var step = 0.1
        while high < most, !helps(change(high)) {
            guard check.isOpen else { return nil }
            (low, high) = (high, min(most, ((high + step) * 10).rounded() / 10))
            step *= 2
        }
        for _ in 0..<Self.stepsMax {
            guard case let value = middle(low, high), value > low, value < high else { break }
            if helps(change(value)) { high = value } else { low = value }
        }
        return high
    }
}

extension PlanChange {
    fileprivate func with(_ others: [PlanChange]) -> PlanChange { others.isEmpty ? self : .together(others + [self]) }
}

extension EnergyNeed {
    /// kW: the least that it can run at of at least so much.
    func steppedUp(_ power: Double) -> Double { powerStep.map { Self.stepUp(power, $0) } ?? power }

    /// kW: the most that it can run at of at most so much.
    func steppedDown(_ power: Double) -> Double { powerStep.map { Self.stepDown(power, $0) } ?? power }
}
