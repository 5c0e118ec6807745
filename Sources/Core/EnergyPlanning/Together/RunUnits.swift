import EnergyModel

/// What a load of one power may do on slots of any lengths, with its energy counted in units that divide all of them.
struct RunUnits {
    /// Of each slot, when it is used as a whole.
    let units: [Int]
    /// In all; of the last slot only what is left of it is used, unless all are used as a whole.
    let need: Int
    /// Cost of a whole slot.
    let costs: [Double]
    /// Cost of a slot that is the last, by the units left to be taken when it begins, less one; infinite where that is too much.
    let lastCosts: [[Double]]
    let isUsable: [Bool]
    let isForced: [Bool]
    /// Slots that a run lasts at least which begins with a slot, 1 or more; `nil` where none may begin.
    let runs: [Int?]
    /// Slots that a rest lasts at least, 1 or more.
    let rests: [Int]
    let runsMax: Int?
    let startCost: Double
    /// It is on before the first slot; that run is not counted.
    let goesOn: Bool
    private let isWhole: Bool
    /// kWh
    private let energy: Double
    private let unit: Double

    /// Of a table by slots and units.
    private static let cellsMax = 2_000_000
    private static let unitsMax = 1 << 12

    /// - Returns: `nil` for a load of another kind, or one with too many units.
    init?(_ work: PlanWork, _ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots, _ ties: TieCosts) {
        let (grid, range) = (work.grid, work.grid.range(of: load))
        guard !range.isEmpty, need.hasOnePower, need.powerMax > 0, need.goals.count == 1, need.taper == nil,
            need.partialSlots != .any, load.shape.countsOnce
        else { return nil }
        let lengths = range.map { grid.edges[$0 + 1] - grid.edges[$0] }
        let used = lengths.indices.filter { slots.isUsable[$0] }.map { lengths[$0] }
        let length = used.reduce(Int64(0)) { $0.commonDivisor($1) }
        guard length > 0 else { return nil }
        let unit = need.powerMax * Double(length) / Double(Int64.millisecondsPerHour)
        guard need.energy / unit < Double(Self.unitsMax) else { return nil }
        let count = Int((need.energy / unit - 1e-9).rounded(.up))
        let isWhole = need.partialSlots == .never
        guard count > 0, count * range.count < Self.cellsMax, need.energyMax / unit < 2 * Double(Self.unitsMax) else {
            return nil
        }
        let most = isWhole ? Int(need.energyMax / unit + 1e-9) : count
        // Another slot must not fit, let alone pay.
        let shortest = Int((used.min() ?? length) / length)
        guard count <= most, isWhole ? most < count + shortest : need.energyMax < need.energy + 1e-9 else { return nil }
        let rules = RunRules(work, load, need, canBeOn: slots.isUsable, isForced: slots.isForced)
        // A run that goes on is not counted here.
        guard !rules.goesOn || !rules.countsGoingOn || used.allSatisfy({ $0 == length }) else { return nil }
        let timing = RunTiming(rules, isFree: false)

        func cost(_ index: Int, _ energy: Double) -> Double {
            let slot = range.lowerBound + index
            return grid.cost(slot, energy) + ties.lean(load, energy, slot)
        }
        let units = lengths.map { max(1, Int($0 / length)) }
        func lastCost(_ index: Int, _ left: Int) -> Double {
            guard isWhole else {
                return cost(index, min(Double(left) * unit, need.energy - Double(count - left) * unit))
            }
            return count - left + units[index] <= most ? cost(index, Double(units[index]) * unit) : .infinity
        }
        self.units = units
        costs = lengths.indices.map { cost($0, Double(units[$0]) * unit) }
        // More than is needed is never left: a slot may have millions of units.
        lastCosts = lengths.indices.map { index in (1...min(units[index], count)).map { lastCost(index, $0) } }
        runs = timing.runs.map { $0.map { max(1, $0) } }
        (rests, runsMax, startCost) = (timing.rests, rules.runsMax, rules.startCost)
        (isUsable, isForced, goesOn) = (slots.isUsable, slots.isForced, rules.goesOn)
        (self.need, self.unit, self.isWhole, energy) = (count, unit, isWhole, need.energy)
    }

    /// kWh of a slot that is the last.
    ///
    /// - Parameter used: units before it.
    func last(_ slot: Int, after used: Int) -> Double { isWhole ? whole(slot) : energy - Double(used) * unit }

    /// kWh of a slot that is used as a whole.
    func whole(_ slot: Int) -> Double { Double(units[slot]) * unit }
}
