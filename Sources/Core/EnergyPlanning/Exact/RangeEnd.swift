/// Where a way through a ``RangeTable`` ends: after the last slot, or with a slot of which only a part is used.
struct RangeEnd {
    var place: RangeTable.Place
    /// kWh that were taken when the place begins.
    var before: Double
    /// kWh of the slot that begins there, and nothing after it; `nil`: after the last slot.
    var part: Double?
    private var cost: Double

    /// The cheapest, with what is lacking; `nil` if what must be on cannot be.
    ///
    /// - Parameters:
    ///   - partFrom: kWh in all from which on the last slot may be used in part; `nil`: it may not.
    ///   - isPartOfRun: whether the slot that is used in part is one of those that a run lasts at least.
    static func best(_ table: RangeTable, partFrom: Double?, isPartOfRun: Bool) -> RangeEnd? {
        var best: RangeEnd?
        let (problem, timing) = (table.problem, table.timing)
        let count = problem.rules.count
        for layer in 0..<timing.layers {
            for state in 0...timing.running {
                let place = RangeTable.Place(slot: count, layer: layer, state: state)
                each(table[place].lines, problem.bends(after: count - 1, upTo: count)) { energy, cost in
                    let lack = problem.lack(energy, after: count - 1, upTo: count)
                    guard best.map({ cost + lack < $0.cost }) ?? true else { return }
                    best = RangeEnd(place: place, before: energy, cost: cost + lack)
                }
            }
        }
        guard let partFrom else { return best }
        for slot in problem.rules.afterForced..<count where problem.rules.canBeOn[slot] {
            for (state, isStart) in timing.endings(slot, isPartOfRun: isPartOfRun) {
                for layer in 0..<timing.layers where timing.mayBeOn(slot, layer, isStart: isStart, problem.rules) {
                    let place = RangeTable.Place(slot: slot, layer: layer, state: state)
                    endInPart(table, place, from: partFrom, startCost: isStart ? problem.rules.startCost : 0, &best)
                }
            }
        }
        return best
    }

    private static func endInPart(
        _ table: RangeTable, _ place: RangeTable.Place, from least: Double, startCost: Double, _ best: inout RangeEnd?
    ) {
        let problem = table.problem
        let bends = problem.bends(after: place.slot, upTo: problem.rules.count)
        for part in problem.inPart[place.slot] {
            let lines = part.window.costs(
                after: table[place], price: part.price, cost: part.cost + startCost, full: problem.most
            ).flatMap(\.lines)
            each(lines, bends) { energy, cost in
                let cost = cost + problem.lack(energy, after: place.slot, upTo: problem.rules.count)
                guard energy > least - CostCurve.rounding, best.map({ cost < $0.cost }) ?? true,
                    let way = part.window.way(to: energy, from: table[place], price: part.price)
                else { return }
                best = RangeEnd(place: place, before: energy - way.energy, part: way.energy, cost: cost)
            }
        }
    }

    /// The energies at which a sum of lines and goals may be the least.
    private static func each(_ lines: [CostCurve.Line], _ bends: [Double], _ body: (Double, Double) -> Void) {
        for line in lines {
            body(line.start, line.atStart)
            body(line.end, line.atEnd)
            for bend in bends where bend > line.start && bend < line.end { body(bend, line.cost(bend)) }
        }
    }
}
