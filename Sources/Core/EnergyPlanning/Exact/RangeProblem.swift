import EnergyModel

/// What ``RangePlanner``'s programme works on, for each slot of a load's window.
struct RangeProblem {
    /// What a slot may take at one price.
    struct Part {
        var window: EnergyWindow
        /// In units of the objective for each kWh.
        var price: Double
        /// In units of the objective, besides that.
        var cost: Double
    }

    let rules: RunRules
    /// Of slots that are used all through.
    let whole: [[Part]]
    /// Of a slot that is used in part.
    let inPart: [[Part]]
    /// kWh that must have come in before the slot `end`, in order of time.
    let goals: [(end: Int, energy: Double)]
    /// kWh that may be taken in all.
    let most: Double
    /// In units of the objective for each kWh that is lacking.
    let penalty: Double

    /// kWh: so little is not lacking.
    private static let lackMost = 1e-9
    /// Of what models count with: so that no start is worth what is told to be missing.
    private static let penaltyShare = 1000.0
    /// Of all energy and slots together: for plans that cost the same, less than a start.
    private static let leanMost = 1e-9

    init(_ work: PlanWork, _ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots) {
        let range = work.grid.range(of: load)
        rules = RunRules(work, load, need, canBeOn: slots.isUsable, isForced: slots.isForced)
        most = max(need.energyMax, need.energy) + Self.lackMost
        penalty = Self.penaltyShare * work.penalty
        goals = work.grid.dues(need, in: range)
        let lean = Self.leanMost / Double(max(1, range.count)) / max(1e-9, most)
        let cutter = PartCutter(need: need, grid: work.grid, lean: load.shape.ties == .earlier ? lean : -lean)
        let isAny = need.partialSlots == .any
        whole = range.enumerated().map { index, slot in
            let most = slots.power[index]
            let least = slots.isForced[index] ? most : isAny ? 0 : min(need.powerMin, most)
            guard let step = need.powerStep, !isAny else { return cutter.parts(slot, index, least: least, most: most) }
            return Self.steps(step, least, most).flatMap { cutter.parts(slot, index, least: $0, most: $0) }
        }
        inPart = range.enumerated().map { cutter.parts($1, $0, least: 0, most: slots.power[$0]) }
    }

    /// kW
    private static func steps(_ step: Double, _ least: Double, _ most: Double) -> [Double] {
        let (first, last) = (EnergyNeed.stepUp(least, step), EnergyNeed.stepDown(most, step))
        return Array(stride(from: first, through: last + step / 2, by: step)).map { min($0, most) }
    }

    /// In units of the objective: what goals cost that are due after `first` slots and within `last`.
    func lack(_ taken: Double, after first: Int, upTo last: Int) -> Double {
        goals.reduce(0) { sum, goal in
            let lack = goal.energy - taken
            return goal.end > first && goal.end <= last && lack > Self.lackMost ? sum + penalty * lack : sum
        }
    }

    /// kWh at which ``lack(_:after:upTo:)`` bends.
    func bends(after first: Int, upTo last: Int) -> [Double] {
        goals.filter { $0.end > first && $0.end <= last }.map(\.energy).sorted()
    }
}

/// Cuts what a slot may take where its price changes.
private struct PartCutter {
    let need: EnergyNeed
    let grid: PlanGrid
    /// In units of the objective for each kWh and slot that it comes later.
    let lean: Double

    /// - Parameters: kW; the slot of the grid and of the window.
    func parts(_ slot: Int, _ index: Int, least: Double, most: Double) -> [RangeProblem.Part] {
        let hours = grid.hours[slot]
        let (least, most) = (least * hours, most * hours)
        let spare = grid.surplus[slot] * hours
        let (own, bought) = (grid.surplusWeight(slot), grid.importWeight[slot])
        let lean = lean * Double(index)
        var parts: [RangeProblem.Part] = []
        if spare > 0, own != bought, least < spare || need.taper != nil {
            let window = EnergyWindow(need, hours, least: least, most: min(most, spare))
            parts.append(.init(window: window, price: own + lean, cost: 0))
        }
        if spare <= 0 || own == bought || most > spare {
            let from = own == bought ? 0 : spare
            let window = EnergyWindow(need, hours, least: max(least, from), most: most, floor: from)
            parts.append(.init(window: window, price: bought + lean, cost: from * (own - bought)))
        }
        return parts
    }
}

extension EnergyWindow {
    /// - Parameters:
    ///   - least: kWh that the slot takes at least, or all that it can near full.
    ///   - most: kWh that it takes at most.
    ///   - floor: kWh that it takes at least also near full.
    fileprivate init(_ need: EnergyNeed, _ hours: Double, least: Double, most: Double, floor: Double = 0) {
        guard let taper = need.taper, taper.slope(from: need.powerMax) > 0 else {
            self.init(least: { _ in least }, most: { _ in most })
            return
        }
        let curve = TaperCurve(taper, need, power: need.powerMax)
        self.init(
            least: { max(floor, min(least, curve.energy(after: $0, hours: hours))) },
            most: { min(most, curve.energy(after: $0, hours: hours)) },
            knots: curve.knots(hours: hours, levels: [least, most, floor]))
    }
}
