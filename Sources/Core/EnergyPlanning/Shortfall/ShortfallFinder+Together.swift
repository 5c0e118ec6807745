/// Things that are in the way only together.
extension ShortfallFinder {
    /// Each can be left out, but for too little time.
    private static let known: [Shortfall.Cause] = [.priceCeiling, .carbonCeiling, .shape, .limit, .exclusion]

    /// The blame with all that has to change besides: as few things as that takes.
    func completed(_ blame: Blame, _ due: PlannedLoad, _ remedies: Remedies) -> Blame {
        let named = Set(([blame.part] + blame.also).map { Self.family(of: $0.cause) })
        guard !named.contains(.timeLimit) else { return blame }
        // Too little time takes what nothing else can give back.
        let least = lack(due, without: Set(Self.known)) + 1e-6
        let isShort = least > 2e-6 && !named.contains(.window)
        var missing = Self.known.filter { !named.contains($0) && isThere($0, due) }
        guard isShort || lack(due, without: named) > least,
            lack(due, without: named.union(missing)) <= least
        else { return blame }
        for cause in missing {
            let fewer = missing.filter { $0 != cause }
            if lack(due, without: named.union(fewer)) <= least { missing = fewer }
        }
        guard isShort || !missing.isEmpty else { return blame }
        var blame = blame
        let all = named.union(missing)
        blame.also += missing.map { part($0, due, besides: all) }
        if isShort { blame.also.append(.init(cause: .window, who: [])) }
        let changes = blame.changes
        blame.changes = {
            let lifts = Self.known.filter(all.contains).flatMap { self.changes(leavingOut: $0, due, besides: all) }
            return changes() + (isShort || lifts.count < 2 ? [] : [.together(lifts)])
        }
        return blame
    }

    /// What runs anyway and other loads are in the way through limits.
    static func family(of cause: Shortfall.Cause) -> Shortfall.Cause {
        cause == .baseLoad || cause == .otherLoads ? .limit : cause
    }

    private func isThere(_ cause: Shortfall.Cause, _ due: PlannedLoad) -> Bool {
        switch cause {
        case .priceCeiling: due.priceMax != nil
        case .carbonCeiling: due.carbonMax != nil
        case .limit: !ownLimits.isEmpty
        case .exclusion: !excluders.isEmpty
        case .shape: due.hasShape
        default: true
        }
    }

    /// kWh
    private func lack(
        _ due: PlannedLoad, without causes: Set<Shortfall.Cause>, _ change: (inout PlannedLoad) -> Void = { _ in }
    ) -> Double {
        var problem = work.problem
        if causes.contains(.limit) { (problem.limits.importPower, problem.limits.circuits) = (nil, []) }
        var planned = lifted(due, causes)
        change(&planned)
        return lack(planned, causes.contains(.exclusion) ? .running : .excluding, problem)
    }

    /// The lowest ceiling with which a load lacks no more than with none, without all else that is in the way.
    private func lowest(
        _ values: [Double], _ due: PlannedLoad, without causes: Set<Shortfall.Cause>,
        _ change: (inout PlannedLoad, Double) -> Void
    ) -> Double {
        let values = Set(grid.range(of: due).map { values[$0].roundedUp }).sorted()
        let least = lack(due, without: causes) + 1e-6
        return values.first { value in lack(due, without: causes) { change(&$0, value) } <= least } ?? values.last ?? 0
    }

    private func lifted(_ due: PlannedLoad, _ causes: Set<Shortfall.Cause>) -> PlannedLoad {
        var load = due
        if causes.contains(.priceCeiling) { load.priceMax = nil }
        if causes.contains(.carbonCeiling) { load.carbonMax = nil }
        if causes.contains(.shape) { load.freeShape() }
        return load
    }

    private func part(
        _ cause: Shortfall.Cause, _ due: PlannedLoad, besides causes: Set<Shortfall.Cause>
    ) -> Shortfall.Part {
        switch cause {
        case .limit:
            .init(cause: cause, who: crowd(lifted(due, causes)))
        case .exclusion: .init(cause: cause, who: runningExcluders)
        default: .init(cause: cause, who: [])
        }
    }

    /// Who may not run beside it.
    var excluders: [String] {
        finder.excluders.map { work.problem.loads[$0].name }
            + finder.excludingBatteries.map { work.problem.batteries[$0].name }
    }

    var runningExcluders: [String] {
        finder.excluders.filter { decisions.loads[$0].energy.contains { $0 > 0 } }.map { work.problem.loads[$0].name }
            + finder.excludingBatteries.filter { battery in grid.hours.indices.contains { decisions.moves(battery, $0) }
            }
            .map { work.problem.batteries[$0].name }
    }

    private func changes(
        leavingOut cause: Shortfall.Cause, _ due: PlannedLoad, besides causes: Set<Shortfall.Cause>
    ) -> [PlanChange] {
        switch cause {
        case .priceCeiling:
            [.priceCeiling(load: load, lowest(grid.prices, due, without: causes) { $0.priceMax = $1 })]
        case .carbonCeiling:
            [.carbonCeiling(load: load, lowest(grid.carbon, due, without: causes) { $0.carbonMax = $1 })]
        case .shape: [.freeShape(load: load)]
        case .limit: [.raise(binding(lifted(due, causes), .running), power: due.powerMost.roundedUp)]
        case .exclusion: [.beside(load: load, others: runningExcluders)]
        default: []
        }
    }
}
