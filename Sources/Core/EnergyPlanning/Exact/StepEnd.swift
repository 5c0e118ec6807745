/// Where a way through a ``StepTable`` ends: after the last slot, or with a slot of which only a part is used.
struct StepEnd {
    var place: StepTable.Place
    /// Steps x milliseconds that are taken of the slot that begins there, and nothing after it; `nil`: after the last slot.
    var part: Double?
    /// Steps x milliseconds.
    private var missing: Double
    private var cost: Double

    /// kWh, by which a slot is on: no plan differs by what that costs.
    private static let energyLeast = 1e-6

    /// The one that lacks least, and of these the cheapest; `nil` if what must be on cannot be.
    ///
    /// - Parameter isPartOfRun: whether the slot that is used in part is one of those that a run lasts at least.
    static func best(_ table: StepTable, isLastInPart: Bool, isPartOfRun: Bool) -> StepEnd? {
        var best: StepEnd?
        let problem = table.problem
        for state in 0...table.timing.running {
            each(table, problem.count, state) { place in
                let missing = problem.lack(Double(table.amount(place)), after: problem.count - 1, upTo: problem.count)
                keep(StepEnd(place: place, missing: missing, cost: table[place]), &best, problem)
            }
        }
        guard isLastInPart else { return best }
        for slot in problem.rules.afterForced..<problem.count where problem.rules.canBeOn[slot] {
            for (state, isStart) in table.timing.endings(slot, isPartOfRun: isPartOfRun) {
                endInPart(table, slot, from: state, isStart: isStart, &best)
            }
        }
        return best
    }

    private static func endInPart(
        _ table: StepTable, _ slot: Int, from state: Int, isStart: Bool, _ best: inout StepEnd?
    ) {
        let problem = table.problem
        let whole = Double(problem.length(slot)) * Double(problem.steps[slot]?.upperBound ?? 0)
        let wanted = problem.goals.reduce(0) { $1.end > slot ? max($0, $1.amount) : $0 }
        each(table, slot, state) { place in
            // Of those that have begun as often as they may no more begin.
            guard table.timing.mayBeOn(slot, place.layer, isStart: isStart, problem.rules) else { return }
            let taken = Double(table.amount(place))
            let least = min(max(wanted - taken, 0), whole)
            let most = min(max(problem.most - taken, least), whole)
            let bend = min(max(problem.bends[slot], least), most)
            // Beyond what is needed only what pays, and between these the cost is a line. Where nothing is needed, next to
            // nothing makes the slot one of those that the run lasts.
            let next = max(least, Self.energyLeast / problem.energy)
            for part in [next, bend, most] where part > 0 && part <= most {
                let missing = problem.lack(taken + part, after: slot, upTo: problem.count)
                let start = isStart ? problem.rules.startCost : 0
                let cost = table[place] + problem.cost(slot, part) + start
                keep(StepEnd(place: place, part: part, missing: missing, cost: cost), &best, problem)
            }
        }
    }

    private static func each(_ table: StepTable, _ slot: Int, _ state: Int, _ body: (StepTable.Place) -> Void) {
        for layer in 0..<table.timing.layers {
            for remainder in table.units.remainders[slot].indices {
                for units in 0..<table.count(slot, remainder) {
                    let place = StepTable.Place(
                        slot: slot, layer: layer, state: state, remainder: remainder, units: units)
                    if table[place] < .infinity { body(place) }
                }
            }
        }
    }

    private static func keep(_ end: StepEnd, _ best: inout StepEnd?, _ problem: StepProblem) {
        var end = end
        if problem.goals.count > 1 {
            // As what goals before it lack, so that their sum is made small.
            end.cost += problem.penalty * end.missing
            end.missing = 0
        }
        guard let known = best else {
            best = end
            return
        }
        let saved = (known.missing - end.missing) * problem.energy
        if saved > 1e-9 || (saved > -1e-9 && end.cost < known.cost) { best = end }
    }
}
