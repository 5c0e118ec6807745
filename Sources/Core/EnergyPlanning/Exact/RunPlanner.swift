import EnergyModel

/// Plans a load of one power, on for whole slots of equal length, with minimum run and pause, a number of runs and a
/// cost of starting.
///
/// Exact, by dynamic programming over time, slots used and runs begun. A minimum run and a minimum pause are each one
/// step, so that no state counts how long either has lasted.
struct RunPlanner {
    let grid: PlanGrid
    /// Of the table: some 200 MB.
    private static let cellsMax = 10_000_000
    /// Of all slots together, so that fewer starts come before earlier or later ones.
    private static let leanMost = 1e-9

    /// What the programme works on, in slots.
    struct Problem {
        /// Cost of a whole slot.
        var costs: [Double]
        var isUsable: [Bool]
        var isForced: [Bool]
        /// Slots to be used; of the last one only ``lastShare``.
        var need: Int
        var lastShare: Double
        /// Cost of the last slot when used for its share.
        var lastCosts: [Double]
        var runMin: Int
        var pauseMin: Int
        var runsMax: Int?
        var startCost: Double
        /// It is on before the first slot; that run is not counted.
        var goesOn = false
    }

    /// - Returns: kWh in each slot of the window; `nil` if the method does not apply.
    func plan(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots, runMin: Int64) -> [Double]? {
        guard var problem = problem(load, need, slots, runMin: runMin) else { return nil }
        problem.startCost += RunRules.startTie
        guard let on = Self.solve(problem) else { return nil }
        let whole = need.powerMax * (grid.range(of: load).first.map { grid.hours[$0] } ?? 0)
        let (last, count) = (on.lastIndex(of: true), on.count { $0 })
        return on.indices.map { slot in
            guard on[slot] else { return 0 }
            return slot == last && count == problem.need ? whole * problem.lastShare : whole
        }
    }

    /// - Returns: `nil` if the method does not apply.
    private func problem(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots, runMin: Int64) -> Problem? {
        let range = grid.range(of: load)
        guard let first = range.first, need.hasOnePower, need.partialSlots != .any else { return nil }
        let length = grid.edges[first + 1] - grid.edges[first]
        for slot in range where grid.edges[slot + 1] - grid.edges[slot] != length { return nil }
        let whole = need.powerMax * grid.hours[first]
        guard whole > 0, need.energy / whole < 1e6 else { return nil }
        let count = Int((need.energy / whole - 1e-9).rounded(.up))
        let isWhole = need.partialSlots == .never
        let most = isWhole ? Double(count) * whole : need.energy
        // Taking more must not be possible, let alone pay.
        guard most <= need.energyMax + 1e-9, need.energyMax < most + (isWhole ? whole * (1 - 1e-9) : 1e-9),
            range.count * min(count, range.count) * max(1, load.shape.runsMax.map { min($0, count) } ?? 1)
                < Self.cellsMax
        else { return nil }
        let share = count == 0 || isWhole ? 1 : min(1, (need.energy - Double(count - 1) * whole) / whole)
        // A tie is decided by less than any price can differ by.
        let leanest = Self.leanMost / Double(max(1, range.count * count))
        let lean = load.shape.ties == .earlier ? leanest : -leanest
        return Problem(
            costs: range.map { grid.cost($0, whole) + Double($0) * lean },
            isUsable: slots.isUsable, isForced: slots.isForced, need: count, lastShare: share,
            lastCosts: range.map { grid.cost($0, whole * share) + Double($0) * lean },
            runMin: max(1, Int((runMin + length - 1) / length)),
            pauseMin: max(1, Int((load.shape.pauseMin + length - 1) / length)), runsMax: load.shape.runsMax,
            startCost: load.shape.startCost, goesOn: load.shape.goesOn(range))
    }

    /// - Returns: which slots are on: as many as can be of those needed, at the lowest cost; `nil` if the forced ones
    ///   cannot all be on.
    static func solve(_ problem: Problem) -> [Bool]? {
        let (count, need) = (problem.costs.count, min(problem.need, problem.costs.count))
        guard need > 0 else { return Array(repeating: false, count: count) }
        let layers = min(problem.runsMax ?? 1, (need + problem.runMin - 1) / problem.runMin)
        guard problem.goesOn || problem.runsMax != 0, problem.goesOn || layers > 0 || need < problem.runMin else {
            return Array(repeating: false, count: count)
        }
        return RunTable(problem, need: need, layers: problem.runsMax == nil ? 1 : max(problem.goesOn ? 0 : 1, layers))
            .trace()
    }
}

/// The table of ``RunPlanner``: for each time, number of slots used and runs begun, the lowest cost while on and off.
private struct RunTable {
    private let problem: RunPlanner.Problem
    private let count: Int
    private let need: Int
    /// Of runs begun, if they are counted.
    private let layers: Range<Int>
    private let countsRuns: Bool
    /// From a layer to the next.
    private let stride: Int
    private let width: Int
    private var on: [Double]
    private var off: [Double]

    init(_ problem: RunPlanner.Problem, need: Int, layers: Int) {
        self.problem = problem
        self.need = need
        count = problem.costs.count
        countsRuns = problem.runsMax != nil
        self.layers = 0..<(countsRuns ? layers + 1 : 1)
        stride = need + 1
        width = stride * self.layers.count
        on = Array(repeating: .infinity, count: (count + 1) * width)
        off = on
        // One that is on pauses before it is off.
        if problem.goesOn { on[0] = 0 } else { off[0] = 0 }
        fill()
    }

    private mutating func fill() {
        var sums = Array(repeating: 0.0, count: count + 1)
        var (blocked, forced) = (Array(repeating: 0, count: count + 1), Array(repeating: 0, count: count + 1))
        for slot in 0..<count {
            sums[slot + 1] = sums[slot] + problem.costs[slot]
            blocked[slot + 1] = blocked[slot] + (problem.isUsable[slot] ? 0 : 1)
            forced[slot + 1] = forced[slot] + (problem.isForced[slot] ? 1 : 0)
        }
        let (run, pause, need) = (problem.runMin, problem.pauseMin, need)
        let (width, layers, stride, layerStep) = (width, layers, stride, countsRuns ? stride : 0)
        on.withUnsafeMutableBufferPointer { on in
            off.withUnsafeMutableBufferPointer { off in
                guard let on = on.baseAddress, let off = off.baseAddress else { return }
                for time in 1...count {
                    let row = time * width
                    if !problem.isForced[time - 1] { (off + row).lower(to: off + row - width, count: width) }
                    if time >= pause, forced[time] == forced[time - pause] {
                        (off + row).lower(to: on + row - pause * width, count: width)
                    }
                    guard problem.isUsable[time - 1] else { continue }
                    let (cost, last) = (problem.costs[time - 1], problem.lastCosts[time - 1])
                    for layer in layers {
                        let (to, from) = (on + row + layer * stride + 1, on + row - width + layer * stride)
                        to.lower(to: from, plus: cost, count: need - 1)
                        (to + need - 1).lower(to: from + need - 1, plus: last, count: 1)
                    }
                    guard time >= run, run <= need, blocked[time] == blocked[time - run] else { continue }
                    let whole = sums[time] - sums[time - run] + problem.startCost
                    for layer in layers.dropFirst(countsRuns ? 1 : 0) {
                        let to = on + row + layer * stride + run
                        let from = off + row - run * width + layer * stride - layerStep
                        to.lower(to: from, plus: whole, count: need - run)
                        (to + need - run).lower(to: from + need - run, plus: whole + last - cost, count: 1)
                    }
                }
            }
        }
    }

    /// Walks back from the best end.
    func trace() -> [Bool]? {
        guard var (_, time, state) = end else { return nil }
        var result = Array(repeating: false, count: count)
        var isOn = state % stride > 0
        while time > 0 {
            let at = time * width + state
            if !isOn {
                let isOffBefore = !problem.isForced[time - 1] && off[at] == off[at - width]
                time -= isOffBefore ? 1 : problem.pauseMin
                isOn = !isOffBefore
            } else if isOnBefore(time, state) {
                time -= 1
                result[time] = true
                state -= 1
            } else {
                for slot in time - problem.runMin..<time { result[slot] = true }
                time -= problem.runMin
                state -= problem.runMin + (countsRuns ? stride : 0)
                isOn = false
            }
        }
        return result
    }

    /// Whether a state that is on goes on, and does not begin with a minimum run.
    private func isOnBefore(_ time: Int, _ state: Int) -> Bool {
        guard state % stride > 0 else { return false }
        let cost = state % stride == need ? problem.lastCosts[time - 1] : problem.costs[time - 1]
        return on[time * width + state] == on[(time - 1) * width + state - 1] + cost
    }

    /// The cheapest end of those that use most.
    private var end: (cost: Double, time: Int, state: Int)? {
        let firstEnd = (problem.isForced.lastIndex(of: true) ?? -1) + 1
        var best: (cost: Double, time: Int, state: Int)?
        for used in Swift.stride(from: need, through: 0, by: -1) where best == nil {
            for time in firstEnd...count {
                for layer in layers {
                    let state = layer * stride + used
                    let at = time * width + state
                    let cost = used == 0 ? min(on[at], off[at]) : on[at]
                    if cost < (best?.cost ?? .infinity) { best = (cost, time, state) }
                }
            }
        }
        return best
    }
}
