/// Looks for one thing that helps by itself, where what is to blame suggested none: each kind of change is tried on the whole
/// home as large as it may be, and then made smaller.
struct OtherRemedies {
    let finder: ShortfallFinder
    let check: RemedyCheck
    /// Of each load, then of each battery.
    let lacks: [Double]

    /// So many of them are told.
    private static let countMax = 2
    /// Tries to make one smaller.
    private static let stepsMax = 8

    private var problem: PlanProblem { finder.work.problem }
    private var load: Int { finder.load }

    var changes: [PlanChange] {
        var found: [PlanChange] = []
        for kind in kinds where found.count < Self.countMax && check.isOpen {
            if let change = kind() { found.append(change) }
        }
        return found
    }

    private var kinds: [() -> PlanChange?] {
        let planned = problem.loads[load]
        let range = finder.grid.range(of: planned)
        // Room for all: those that come first take of it too.
        let most = problem.mostPower(
            problem.loads.reduce(0) { $0 + $1.powerMost } + problem.batteries.reduce(0) { $0 + $1.chargeMax })
        let base = problem.slots.map { $0.baseLoad.reduce(0, +) }.max() ?? 0
        var kinds: [() -> PlanChange?] = []
        if let now = planned.priceMax {
            let prices = Set(range.map { finder.grid.prices[$0].roundedUp }).filter { $0 > now }.sorted()
            kinds.append { first(of: prices) { .priceCeiling(load: load, $0) } }
        }
        if let now = planned.carbonMax {
            let carbon = Set(range.map { finder.grid.carbon[$0].roundedUp }).filter { $0 > now }.sorted()
            kinds.append { first(of: carbon) { .carbonCeiling(load: load, $0) } }
        }
        for limit in finder.ownLimits { kinds.append { least(most) { .raise([limit], power: $0) } } }
        if base > 0 { kinds.append { least(base) { .lessBaseLoad(power: $0) } } }
        var single: [PlanChange] = []
        if planned.shape.runMin > 0 { single.append(.noRunMin(load: load)) }
        if planned.shape.pauseMin > 0 { single.append(.noPauseMin(load: load)) }
        if planned.shape.runsMax != nil { single.append(.anyRuns(load: load)) }
        if case .energy(let need) = planned.need, need.partialSlots != .any { single.append(.partialSlots(load: load)) }
        let excluders = finder.excluders
        if !excluders.isEmpty { single.append(.beside(load: load, others: excluders)) }
        if planned.priceMax != nil, planned.carbonMax != nil { single.append(.noCeilings(load: load)) }
        single.append(.freeShape(load: load))
        kinds += single.map { change in { helps(change) ? change : nil } }
        if case .energy(let need) = planned.need {
            kinds.append {
                least(need.powerMax * 8, from: need.powerMax) { .strongerConnection(load: load, power: $0) }
            }
        }
        return kinds
    }

    private func helps(_ change: PlanChange) -> Bool {
        check.isOpen && check.helps(change, load: load, problem, lacking: lacks)
    }

    /// The lowest of the values that helps, if the highest does.
    private func first(of values: [Double], _ change: (Double) -> PlanChange) -> PlanChange? {
        guard let highest = values.last, helps(change(highest)) else { return nil }
        var (low, high) = (0, values.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if helps(change(values[middle])) { high = middle } else { low = middle + 1 }
        }
        return change(values[high])
    }

    /// Nearly the lowest number that helps, if the highest does.
    private func least(_ highest: Double, from lowest: Double = 0, _ change: (Double) -> PlanChange) -> PlanChange? {
        guard helps(change(highest.roundedUp)) else { return nil }
        var (low, high) = (lowest, highest.roundedUp)
        for _ in 0..<Self.stepsMax {
            let middle = ((low + high) / 2 * 10).rounded(.up) / 10
            guard middle > low, middle < high else { break }
            if helps(change(middle)) { high = middle } else { low = middle }
        }
        return change(high)
    }
}
