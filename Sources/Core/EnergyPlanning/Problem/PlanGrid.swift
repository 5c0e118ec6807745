import EnergyModel

/// The problem's slots, cut where a window, a goal or a preconditioning begins or ends, so that within a cut slot
/// everything is either allowed or not.
struct PlanGrid: Sendable {
    /// Unix milliseconds; one more than there are slots.
    let edges: [Int64]
    let hours: [Double]
    /// Which slot of the problem each cut slot is part of.
    let origin: [Int]
    /// The cut slots of each slot of the problem.
    let parts: [Range<Int>]
    /// Objective per imported and per exported kWh.
    var importWeight: [Double]
    let exportWeight: [Double]
    /// kW
    var base: [Double]
    var pv: [Double]
    /// kW that would be exported if no load ran.
    var surplus: [Double]
    /// Currency per imported kWh.
    let prices: [Double]
    /// g CO2 per imported kWh.
    let carbon: [Double]
    let isPVCurtailable: Bool
    /// kW
    let exportMax: Double

    var count: Int { hours.count }

    init(_ problem: PlanProblem) {
        let slots = problem.slots
        var cuts: [Int64] = []
        for load in problem.loads {
            let exceptions = load.priceMax != nil || load.carbonMax != nil ? load.ceilingsOff : []
            for span in load.absences + load.rests + exceptions + (load.window.map { [$0] } ?? []) {
                cuts += [span.start.unixMilliseconds, span.end.unixMilliseconds]
            }
            if case .comfort(let need) = load.need {
                cuts += [need.runsUntil, need.setbackUntil, need.setbackBefore].compactMap { $0?.unixMilliseconds }
            }
            if case .energy(let need) = load.need {
                cuts += need.goals.dropLast().map(\.by.unixMilliseconds)
                if let end = Self.end(load, slots), need.precondition > 0 { cuts.append(end - need.precondition) }
            }
        }
        for battery in problem.batteries { cuts += battery.goals.map(\.by.unixMilliseconds) }
        cuts.sort()
        var (edges, origin): ([Int64], [Int]) = ([], [])
        var next = 0
        for index in slots.indices {
            let interval = slots[index].interval
            let (start, end) = (interval.start.unixMilliseconds, interval.end.unixMilliseconds)
            edges.append(start)
            origin.append(index)
            while next < cuts.count, cuts[next] <= start { next += 1 }
            while next < cuts.count, cuts[next] < end {
                if cuts[next] > edges[edges.count - 1] {
                    edges.append(cuts[next])
                    origin.append(index)
                }
                next += 1
            }
        }
        if let last = slots.last { edges.append(last.interval.end.unixMilliseconds) }
        self.edges = edges
        self.origin = origin
        parts = Self.parts(origin)
        hours = origin.indices.map { Double(edges[$0 + 1] - edges[$0]) / 3_600_000 }
        let weights = slots.map { Self.weights($0, problem.objective) }
        importWeight = origin.map { weights[$0].0 }
        exportWeight = origin.map { weights[$0].1 }
        prices = origin.map { slots[$0].expectedPrice ?? slots[$0].importPrice }
        carbon = origin.map { slots[$0].expectedCarbon ?? slots[$0].carbon }
        base = origin.map { slots[$0].baseLoad.reduce(0, +) }
        pv = origin.map { slots[$0].pv }
        exportMax = problem.limits.exportPower ?? .infinity
        surplus = zip(pv, base).map { max(0, $0 - $1) }
        isPVCurtailable =
            problem.isPVCurtailable
            ?? (problem.limits.exportPower != nil || problem.limits.circuits.contains(where: \.carriesBaseLoad))
    }

    private static func parts(_ origin: [Int]) -> [Range<Int>] {
        origin.indices.reduce(into: []) { parts, slot in
            if slot > 0, origin[slot - 1] == origin[slot] {
                parts[parts.count - 1] = parts[parts.count - 1].lowerBound..<slot + 1
            } else {
                parts.append(slot..<slot + 1)
            }
        }
    }

    static func weights(_ slot: PlanSlot, _ objective: PlanObjective) -> (Double, Double) {
        (
            objective.money * slot.importPrice + objective.carbon * slot.carbon / 1000
                + objective.rating * slot.rating,
            objective.money * slot.exportPrice
        )
    }

    /// When a load's window ends, in Unix milliseconds.
    static func end(_ load: PlannedLoad, _ slots: [PlanSlot]) -> Int64? {
        let end = slots.last?.interval.end.unixMilliseconds
        return load.window.map { min($0.end.unixMilliseconds, end ?? .max) } ?? end
    }

    /// The cut slots inside the load's window.
    func range(of load: PlannedLoad) -> Range<Int> {
        guard let window = load.window else { return 0..<count }
        let first = index(at: window.start.unixMilliseconds)
        return first..<max(first, index(at: window.end.unixMilliseconds))
    }

    /// When each goal of a load is due, in slots of its range, and kWh: the last at its end.
    func dues(_ need: EnergyNeed, in range: Range<Int>) -> [(end: Int, energy: Double)] {
        need.goals.enumerated().map { index, goal in
            let isLast = index == need.goals.count - 1
            let end = isLast ? range.upperBound : self.index(at: goal.by.unixMilliseconds)
            return (min(max(end, range.lowerBound), range.upperBound) - range.lowerBound, goal.energy)
        }
    }

    /// Of each slot in the range; `nil` where they are of different lengths, or there is none.
    func evenHours(_ range: Range<Int>) -> Double? {
        guard let first = range.first else { return nil }
        let length = edges[first + 1] - edges[first]
        return range.allSatisfy { edges[$0 + 1] - edges[$0] == length } ? hours[first] : nil
    }

    /// Of all cut slots that are part of the same slot of the problem.
    func wholeHours(_ slot: Int) -> Double { hours(of: parts[origin[slot]]) }

    func hours(of part: Range<Int>) -> Double { Double(edges[part.upperBound] - edges[part.lowerBound]) / 3_600_000 }

    /// The first cut slot that begins at `time` or later.
    func index(at time: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if edges[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func price(_ slot: Int) -> Double { prices[slot] }

    /// Whether the load is there, and its ceilings are kept, in a slot.
    func allows(_ load: PlannedLoad, _ slot: Int) -> Bool {
        isCheap(load, slot) && isClean(load, slot) && isThere(load, slot)
    }

    func isCheap(_ load: PlannedLoad, _ slot: Int) -> Bool {
        isFree(load, slot) || (load.priceMax.map { prices[slot] <= $0 } ?? true)
    }

    func isClean(_ load: PlannedLoad, _ slot: Int) -> Bool {
        isFree(load, slot) || (load.carbonMax.map { carbon[slot] <= $0 } ?? true)
    }

    private func isFree(_ load: PlannedLoad, _ slot: Int) -> Bool {
        guard !load.ceilingsOff.isEmpty else { return false }
        let start = Timestamp(unixMilliseconds: edges[slot])
        return load.ceilingsOff.contains { $0.contains(start) }
    }

    func isThere(_ load: PlannedLoad, _ slot: Int) -> Bool {
        guard !load.absences.isEmpty || !load.rests.isEmpty else { return true }
        let start = Timestamp(unixMilliseconds: edges[slot])
        return !load.absences.contains { $0.contains(start) } && !load.rests.contains { $0.contains(start) }
    }

    /// What a load by itself pays for `energy` kWh in a slot: first the surplus, then the grid.
    func cost(_ slot: Int, _ energy: Double) -> Double {
        let own = min(energy, surplus[slot] * hours[slot])
        return own * surplusWeight(slot) + (energy - own) * importWeight[slot]
    }

    /// Whether what photovoltaics give too much is worth more than what is imported: the first of a load's energy costs more
    /// than the rest.
    func bendsDown(_ slot: Int) -> Bool { surplus[slot] > 0 && surplusWeight(slot) > importWeight[slot] }

    /// Whether there are photovoltaics that may be thrown away.
    func canWaste(_ slot: Int) -> Bool { isPVCurtailable && pv[slot] > 0 }

    /// kWh of photovoltaics that are best thrown away in a slot in which nothing that is planned runs.
    func idleWaste(_ slot: Int, _ rows: [LimitRow]) -> Double {
        guard canWaste(slot) else { return 0 }
        // Import limits leave room for a part only, what flows out may need one.
        let rooms = rows.filter { $0.pvShare > 0 }.map { ($0.floor[slot] / $0.pvShare, $0.room[slot] / $0.pvShare) }
        let most = rooms.map(\.1).reduce(pv[slot], min)
        let least = min(most, max(rooms.map(\.0).reduce(0, max), surplus[slot] - exportMax))
        return cheapestWaste(slot, least, most, spare: pv[slot] - base[slot]) * hours[slot]
    }

    /// kW of photovoltaics between `least` and `most` that are best thrown away.
    ///
    /// - Parameter spare: kW that the home gives if none are; negative where it draws.
    func cheapestWaste(_ slot: Int, _ least: Double, _ most: Double, spare: Double) -> Double {
        func cost(_ waste: Double) -> Double {
            let net = waste - spare
            return net * (net > 0 ? importWeight[slot] : exportWeight[slot])
        }
        // Between these the cost is a line.
        return [least, min(max(least, spare), most), most].min { cost($0) < cost($1) } ?? least
    }

    /// Whether photovoltaics give more than runs anyway, for no more than the grid.
    func isSunny(_ slot: Int) -> Bool {
        surplus[slot] > 0 && surplusWeight(slot) <= importWeight[slot] + 1e-12
    }

    /// What exporting a kWh would have brought; nothing where it can be thrown away instead of paying for it.
    func surplusWeight(_ slot: Int) -> Double {
        isPVCurtailable ? max(0, exportWeight[slot]) : exportWeight[slot]
    }
}
