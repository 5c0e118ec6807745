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
    /// In units of the objective: of plans that cost the same the one with fewer starts is taken.
    private static let startTie = 1e-8
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
        problem.startCost += Self.startTie
        guard let on = Self.solve(problem) else { return nil }
        let whole = need.powerMax * (grid.range(of: load).first.map { grid.hours[$0] } ?? 0)
        let (last, count) = (on.lastIndex(of: true), on.count { $0 })
        return on.indices.map { slot in
            guard on[slot] else { return 0 }
            return slot == last && count == problem.need ? whole * problem.lastShare : whole
        }
    }

    /// - Returns: `nil` if the method does not apply.
    func problem(_ load: PlannedLoad, _ need: EnergyNeed, _ slots: UsableSlots, runMin: Int64) -> Problem? {
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
    private let layers: Int
    private let countsRuns: Bool
    private let width: Int
    private var on: [Double]
    private var off: [Double]
    /// 0 unreachable, 1 goes on, 2 begins with a minimum run.
    private var onFrom: [UInt8]
    /// 1 stays off, 2 begins with a minimum pause.
    private var offFrom: [UInt8]

    init(_ problem: RunPlanner.Problem, need: Int, layers: Int) {
        self.problem = problem
        self.need = need
        self.layers = layers
        count = problem.costs.count
        countsRuns = problem.runsMax != nil
        // Runs begun: 0...layers when they are counted, one layer otherwise.
        let width = (need + 1) * (countsRuns ? layers + 1 : 1)
        self.width = width
        on = Array(repeating: .infinity, count: (count + 1) * width)
        off = on
        onFrom = Array(repeating: 0, count: (count + 1) * width)
        offFrom = onFrom
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
        let (run, pause, stride) = (problem.runMin, problem.pauseMin, need + 1)
        let (width, need, startCost) = (width, need, problem.startCost)
        let layerStep = countsRuns ? stride : 0
        let layerCount = countsRuns ? layers + 1 : 1
        let firstLayer = countsRuns ? 1 : 0
        // One that is on pauses before it is off.
        if problem.goesOn { on[0] = 0 } else { off[0] = 0 }
        on.withUnsafeMutableBufferPointer { on in
            off.withUnsafeMutableBufferPointer { off in
                onFrom.withUnsafeMutableBufferPointer { onFrom in
                    offFrom.withUnsafeMutableBufferPointer { offFrom in
                        for time in 1...count {
                            let (row, before) = (time * width, (time - 1) * width)
                            let cost = problem.costs[time - 1]
                            let saved = problem.lastCosts[time - 1] - cost
                            let isUsable = problem.isUsable[time - 1]
                            if !problem.isForced[time - 1] {
                                for state in 0..<width where off[before + state] < .infinity {
                                    off[row + state] = off[before + state]
                                    offFrom[row + state] = 1
                                }
                            }
                            if time >= pause, forced[time] == forced[time - pause] {
                                let earlier = (time - pause) * width
                                for state in 0..<width where on[earlier + state] < off[row + state] {
                                    off[row + state] = on[earlier + state]
                                    offFrom[row + state] = 2
                                }
                            }
                            guard isUsable else { continue }
                            for layer in 0..<layerCount {
                                let base = layer * stride
                                for used in 0..<need where on[before + base + used] < .infinity {
                                    let value = on[before + base + used] + cost + (used + 1 == need ? saved : 0)
                                    on[row + base + used + 1] = value
                                    onFrom[row + base + used + 1] = 1
                                }
                            }
                            guard time >= run, run <= need, blocked[time] == blocked[time - run] else { continue }
                            let earlier = (time - run) * width
                            let whole = sums[time] - sums[time - run] + startCost
                            for layer in firstLayer..<layerCount {
                                let (base, from) = (layer * stride, (layer * stride) - layerStep)
                                for used in run...need {
                                    let value =
                                        off[earlier + from + used - run] + whole + (used == need ? saved : 0)
                                    if value < on[row + base + used] {
                                        on[row + base + used] = value
                                        onFrom[row + base + used] = 2
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Walks back from the best end.
    func trace() -> [Bool]? {
        var forcedAfter = Array(repeating: false, count: count + 1)
        for slot in stride(from: count - 1, through: 0, by: -1) {
            forcedAfter[slot] = forcedAfter[slot + 1] || problem.isForced[slot]
        }
        var best: (cost: Double, time: Int, state: Int)?
        let stride = need + 1
        for used in Swift.stride(from: need, through: 0, by: -1) where best == nil {
            for time in 0...count where !forcedAfter[time] {
                for layer in 0..<(countsRuns ? layers + 1 : 1) {
                    let state = layer * stride + used
                    let at = time * width + state
                    let cost = used == 0 ? min(on[at], off[at]) : on[at]
                    if cost < (best?.cost ?? .infinity) { best = (cost, time, state) }
                }
            }
        }
        guard var (_, time, state) = best else { return nil }
        var result = Array(repeating: false, count: count)
        var isOn = state % stride > 0
        while time > 0 {
            if isOn {
                if onFrom[time * width + state] == 2 {
                    for slot in time - problem.runMin..<time { result[slot] = true }
                    time -= problem.runMin
                    state -= problem.runMin + (countsRuns ? stride : 0)
                    isOn = false
                } else {
                    time -= 1
                    result[time] = true
                    state -= 1
                }
            } else if offFrom[time * width + state] == 2 {
                time -= problem.pauseMin
                isOn = true
            } else {
                time -= 1
            }
        }
        return result
    }
}
