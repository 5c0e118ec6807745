/// A load of ``RunPlanner``'s kind, seen slot by slot, so that several can be followed side by side.
///
/// Its state is a number: done, or off, or on, with how many slots the minimum run or pause still lasts, how many slots
/// were used and how many runs were begun. A class, because the search looks at it some million times: a value's tables
/// would each be retained at every look.
final class RunCourse {
    let problem: RunPlanner.Problem
    /// First slot of its window in the grid.
    let first: Int
    let power: Double
    private let count: Int
    private let need: Int
    private let layers: Int
    private let stride: Int
    private let run: Int
    private let pause: Int
    private var sums: [Double]
    private var blocked: [Int]
    private var forced: [Int]
    /// Least cost from a time on, by time, runs begun and slots used.
    private var fromOn: [Double]
    private var fromOff: [Double]

    static let done: UInt32 = .max

    init?(_ problem: RunPlanner.Problem, first: Int, power: Double) {
        self.problem = problem
        self.first = first
        self.power = power
        count = problem.costs.count
        need = problem.need
        // Without further runs there is nothing to count, and no number would say so.
        guard problem.runsMax != 0 else { return nil }
        guard need > 0, need < 1024, count < 4096, problem.runMin <= need, problem.runMin < 512, problem.pauseMin < 512
        else { return nil }
        // Runs are counted only where their number could bind.
        let possible = (need + problem.runMin - 1) / problem.runMin
        layers = problem.runsMax.map { $0 < possible ? $0 : 0 } ?? 0
        guard layers < 64 else { return nil }
        (run, pause, stride) = (problem.runMin, problem.pauseMin, need + 1)
        sums = Array(repeating: 0, count: count + 1)
        blocked = Array(repeating: 0, count: count + 1)
        forced = blocked
        for slot in 0..<count {
            blocked[slot + 1] = blocked[slot] + (problem.isUsable[slot] ? 0 : 1)
            forced[slot + 1] = forced[slot] + (problem.isForced[slot] ? 1 : 0)
        }
        fromOn = Array(repeating: .infinity, count: (count + 1) * (layers + 1) * stride)
        fromOff = fromOn
    }

    private func index(_ time: Int, _ layer: Int, _ used: Int) -> Int { (time * (layers + 1) + layer) * stride + used }

    // MARK: Least costs

    /// Fills the least costs for prices on being on, added to what it costs anyway.
    func price(_ extra: UnsafePointer<Double>) {
        for slot in 0..<count { sums[slot + 1] = sums[slot] + problem.costs[slot] + extra[first + slot] }
        let (count, need, run, pause, layers, stride) = (count, need, run, pause, layers, stride)
        let (problem, sums, blocked, forced) = (problem, sums, blocked, forced)
        let counts = layers > 0
        fromOn.withUnsafeMutableBufferPointer { on in
            fromOff.withUnsafeMutableBufferPointer { off in
                for time in Swift.stride(from: count, through: 0, by: -1) {
                    let isDone = forced[count] == forced[time]
                    for layer in 0...layers {
                        let row = (time * (layers + 1) + layer) * stride
                        let after = ((time + 1) * (layers + 1) + layer) * stride
                        let runEnd = ((time + run) * (layers + 1) + layer + (counts ? 1 : 0)) * stride
                        let pauseEnd = ((time + pause) * (layers + 1) + layer) * stride
                        let mayRest = time < count && forced[time + 1] == forced[time]
                        let mayPause = time + pause <= count && forced[time + pause] == forced[time]
                        let mayStart =
                            time + run <= count && blocked[time + run] == blocked[time] && (!counts || layer < layers)
                        let mayGo = time < count && blocked[time + 1] == blocked[time]
                        let cost = time < count ? sums[time + 1] - sums[time] : 0
                        let saved = time < count ? problem.lastCosts[time] - problem.costs[time] : 0
                        let runCost = mayStart ? sums[time + run] - sums[time] + problem.startCost : 0
                        let runSaved =
                            mayStart ? problem.lastCosts[time + run - 1] - problem.costs[time + run - 1] : 0
                        on[row + need] = isDone ? 0 : .infinity
                        off[row + need] = on[row + need]
                        for used in 0..<need {
                            var best = mayRest ? off[after + used] : .infinity
                            if mayStart, used + run <= need {
                                let value = on[runEnd + used + run] + runCost + (used + run == need ? runSaved : 0)
                                if value < best { best = value }
                            }
                            off[row + used] = best
                            best = mayPause && pause > 0 ? off[pauseEnd + used] : .infinity
                            if mayGo {
                                let value = on[after + used + 1] + cost + (used + 1 == need ? saved : 0)
                                if value < best { best = value }
                            }
                            on[row + used] = best
                        }
                    }
                }
            }
        }
    }

    var least: Double { problem.goesOn ? fromOn[index(0, 0, 0)] : fromOff[index(0, 0, 0)] }

    /// Which slots of the grid are on at the least cost.
    func trace(_ mark: (Int) -> Void) {
        var (time, layer, used, isOn) = (0, 0, 0, problem.goesOn)
        let step = layers > 0 ? 1 : 0
        while used < need, time < count {
            if isOn {
                let value = fromOn[index(time, layer, used)]
                if time + pause <= count, forced[time + pause] == forced[time],
                    fromOff[index(time + pause, layer, used)] == value
                {
                    time += pause
                    isOn = false
                } else {
                    mark(first + time)
                    time += 1
                    used += 1
                }
            } else if forced[time + 1] == forced[time],
                fromOff[index(time + 1, layer, used)] == fromOff[index(time, layer, used)]
            {
                time += 1
            } else {
                for slot in time..<min(count, time + run) { mark(first + slot) }
                time += run
                used += run
                layer += step
                isOn = true
            }
        }
    }

    // MARK: States

    private static func code(isOn: Bool, left: Int, layer: Int, used: Int) -> UInt32 {
        UInt32(isOn ? 1 : 0) | UInt32(left) << 1 | UInt32(layer) << 10 | UInt32(used) << 16
    }

    var start: UInt32 { Self.code(isOn: problem.goesOn, left: 0, layer: 0, used: 0) }

    /// What can be done in a slot of the grid; at most two things.
    func choices(_ state: UInt32, _ slot: Int, _ add: (TogetherChoice) -> Void) {
        let time = slot - first
        guard state != Self.done, time >= 0, time < count else {
            add(TogetherChoice(isOn: false, power: 0, cost: 0, next: state))
            return
        }
        let isOn = state & 1 == 1
        let (left, layer, used) = (Int(state >> 1 & 511), Int(state >> 10 & 63), Int(state >> 16))
        func on(_ left: Int, _ layer: Int, _ extra: Double) {
            let isLast = used + 1 == need
            add(
                TogetherChoice(
                    isOn: true, power: power, cost: (isLast ? problem.lastCosts[time] : problem.costs[time]) + extra,
                    next: isLast ? Self.done : Self.code(isOn: true, left: left, layer: layer, used: used + 1)))
        }
        if isOn {
            if left > 0 { return on(left - 1, layer, 0) }
            if problem.isUsable[time] { on(0, layer, 0) }
            if !problem.isForced[time] {
                let next = Self.code(isOn: false, left: pause - 1, layer: layer, used: used)
                add(TogetherChoice(isOn: false, power: 0, cost: 0, next: next))
            }
            return
        }
        if !problem.isForced[time] {
            let next = Self.code(isOn: false, left: max(0, left - 1), layer: layer, used: used)
            add(TogetherChoice(isOn: false, power: 0, cost: 0, next: next))
        }
        guard left == 0, time + run <= count, blocked[time + run] == blocked[time], used + run <= need,
            layers == 0 || layer < layers
        else { return }
        on(run - 1, layers > 0 ? layer + 1 : 0, problem.startCost)
    }

    /// The least cost from a slot of the grid on, at the prices last set.
    func bound(_ state: UInt32, _ slot: Int) -> Double {
        let time = max(0, slot - first)
        if state == Self.done { return time >= count || forced[count] == forced[time] ? 0 : .infinity }
        guard time <= count else { return .infinity }
        let (left, layer, used) = (Int(state >> 1 & 511), Int(state >> 10 & 63), Int(state >> 16))
        guard time + left <= count else { return .infinity }
        if state & 1 == 0 {
            return forced[time + left] == forced[time] ? fromOff[index(time + left, layer, used)] : .infinity
        }
        var cost = sums[time + left] - sums[time] + fromOn[index(time + left, layer, used + left)]
        if left > 0, used + left == need {
            cost += problem.lastCosts[time + left - 1] - problem.costs[time + left - 1]
        }
        return cost
    }
}

/// What a load can do in one slot.
struct TogetherChoice {
    var isOn: Bool
    /// kW
    var power: Double
    var cost: Double
    var next: UInt32
}
