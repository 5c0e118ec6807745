/// How much a slot may take, by what was taken before.
struct EnergyWindow {
    /// kWh
    var least: (Double) -> Double
    var most: (Double) -> Double
    /// Energies taken before between which both are lines, in order.
    var knots: [Double] = []

    /// The costs after the slot, of which the lowest count.
    ///
    /// - Parameters:
    ///   - curve: the lowest costs before it.
    ///   - price: in units of the objective for each kWh of the slot.
    ///   - cost: in units of the objective, besides that.
    ///   - full: kWh that may be taken in all.
    func costs(after curve: CostCurve, price: Double, cost: Double, full: Double) -> [CostCurve] {
        // Without what the slot itself takes: where that falls as much, where as little as can be was taken before.
        let lines = (knots.isEmpty ? curve.lines : curve.cut(at: knots)).compactMap(slanted(by: -price))
        var (falling, rising, lows): (CostCurve, CostCurve, [CostCurve]) = (.none, .none, [])
        func add(_ start: Double, _ end: Double, _ first: Double, _ last: Double, to curve: inout CostCurve) {
            guard start <= full, start <= end else { return }
            let line = CostCurve.Line(
                start: start, end: end, atStart: first + price * start + cost, atEnd: last + price * end + cost)
            curve.append(end <= full ? line : line.part(start, full))
        }
        func addLow(_ energy: Double, _ cost: Double) {
            var low = CostCurve.none
            add(energy + least(energy), energy + most(energy), cost, cost, to: &low)
            lows.append(low)
        }
        for (index, line) in lines.enumerated() {
            let (start, end) = (line.start, line.end)
            if line.isFalling {
                add(start + least(start), end + least(end), line.atStart, line.atEnd, to: &falling)
                let next = index + 1 < lines.count ? lines[index + 1] : nil
                if next.map({ $0.start > end || $0.atStart > line.atEnd }) ?? true { addLow(end, line.atEnd) }
            } else {
                let before = index > 0 ? lines[index - 1] : nil
                if before.map({ $0.end < start || $0.atEnd > line.atStart || $0.isFalling(to: line) }) ?? true {
                    addLow(start, line.atStart)
                }
                if end > start { add(start + most(start), end + most(end), line.atStart, line.atEnd, to: &rising) }
            }
        }
        return lows + [falling, rising]
    }

    /// A line with its cost for each kWh changed; `nil` where the slot takes nothing that is possible.
    private func slanted(by price: Double) -> (CostCurve.Line) -> CostCurve.Line? {
        { line in
            guard least(line.start) <= most(line.start) + 1e-12, least(line.end) <= most(line.end) + 1e-12 else {
                return nil
            }
            var line = line
            line.atStart += price * line.start
            line.atEnd += price * line.end
            return line
        }
    }

    /// The cheapest way to take `energy` in all by the end of the slot.
    ///
    /// - Returns: kWh of the slot, and the cost of all.
    func way(to energy: Double, from curve: CostCurve, price: Double) -> (energy: Double, cost: Double)? {
        var best: (energy: Double, cost: Double)?
        func attempt(_ before: Double, _ cost: Double) {
            let own = energy - before
            guard own >= least(before) - CostCurve.rounding, own <= most(before) + CostCurve.rounding else { return }
            let sum = cost + price * own
            if best.map({ sum < $0.cost }) ?? true { best = (max(0, own), sum) }
        }
        for line in curve.lines where line.start <= energy + CostCurve.rounding {
            attempt(line.start, line.atStart)
            attempt(line.end, line.atEnd)
            for bound in [least, most] {
                if let before = before(energy, bound, line) { attempt(before, line.cost(before)) }
            }
        }
        return best
    }

    /// What was taken before on a line where a slot that takes `bound` leads to `energy`.
    private func before(_ energy: Double, _ bound: (Double) -> Double, _ line: CostCurve.Line) -> Double? {
        var (low, high) = (line.start, line.end)
        guard low + bound(low) <= energy, high + bound(high) >= energy else { return nil }
        guard !knots.isEmpty else { return min(max(energy - bound(low), low), high) }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if middle + bound(middle) <= energy { low = middle } else { high = middle }
        }
        return low
    }
}

extension CostCurve.Line {
    fileprivate var isFalling: Bool { atEnd < atStart }

    /// Whether the next line begins with the least of this one.
    fileprivate func isFalling(to next: Self) -> Bool { isFalling && atEnd == next.atStart }
}
