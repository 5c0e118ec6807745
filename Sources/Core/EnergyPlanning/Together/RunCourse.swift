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
    // Looked at some million times, and changed by `price` only.
    @exclusivity(unchecked) private var sums: [Double]
    private let blocked: [Int]
    private let forced: [Int]
    /// Least cost from a time on, by time, runs begun and slots used.
    @exclusivity(unchecked) private var fromOn: [Double]
    @exclusivity(unchecked) private var fromOff: [Double]

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
        var blocked = Array(repeating: 0, count: count + 1)
        var forced = blocked
        for slot in 0..<count {
            blocked[slot + 1] = blocked[slot] + (problem.isUsable[slot] ? 0 : 1)
            forced[slot + 1] = forced[slot] + (problem.isForced[slot] ? 1 : 0)
        }
        (self.blocked, self.forced) = (blocked, forced)
        fromOn = Array(repeating: .infinity, count: (count + 1) * (layers + 1) * stride)
        fromOff = fromOn
    }

    private func index(_ time: Int, _ layer: Int, _ used: Int) -> Int { (time * (layers + 1) + layer) * stride + used }

    // MARK: Least costs

    /// Fills the least costs for prices on being on, added to what it costs anyway.
    func price(_ extra: UnsafePointer<Double>) {
        for slot in 0..<count { sums[slot + 1] = sums[slot] + problem.costs[slot] + extra[first + slot] }
        fromOn.withUnsafeMutableBufferPointer { on in
            fromOff.withUnsafeMutableBufferPointer { off in
                guard let on = on.baseAddress, let off = off.baseAddress else { return }
                for time in Swift.stride(from: count, through: 0, by: -1) {
                    for layer in 0...layers { price(time, layer, allOn: on, allOff: off) }
                }
            }
        }
    }

    /// Fills the row of a time and a layer from those of later times.
    ///
    /// - Parameters:
    ///   - allOn: all rows of being on.
    ///   - allOff: all rows of being off.
    private func price(
        _ time: Int, _ layer: Int, allOn: UnsafeMutablePointer<Double>, allOff: UnsafeMutablePointer<Double>
    ) {
        let (need, run) = (need, run)
        let (on, off) = (allOn + index(time, layer, 0), allOff + index(time, layer, 0))
        on.update(repeating: .infinity, count: need)
        off.update(repeating: .infinity, count: need)
        on[need] = forced[count] == forced[time] ? 0 : .infinity
        off[need] = on[need]
        guard time < count else { return }
        if forced[time + 1] == forced[time] { off.lower(to: allOff + index(time + 1, layer, 0), count: need) }
        if time + run <= count, blocked[time + run] == blocked[time], layers == 0 || layer < layers {
            let end = allOn + index(time + run, layers > 0 ? layer + 1 : 0, run)
            let cost = sums[time + run] - sums[time] + problem.startCost
            let saved = problem.lastCosts[time + run - 1] - problem.costs[time + run - 1]
            off.lower(to: end, plus: cost, count: need - run)
            (off + need - run).lower(to: end + need - run, plus: cost + saved, count: 1)
        }
        if time + pause <= count, forced[time + pause] == forced[time] {
            on.lower(to: allOff + index(time + pause, layer, 0), count: need)
        }
        if blocked[time + 1] == blocked[time] {
            let (end, cost) = (allOn + index(time + 1, layer, 1), sums[time + 1] - sums[time])
            let saved = problem.lastCosts[time] - problem.costs[time]
            on.lower(to: end, plus: cost, count: need - 1)
            (on + need - 1).lower(to: end + need - 1, plus: cost + saved, count: 1)
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

    /// Adds what can be done in a slot of the grid; at most two things.
    func choices(_ state: UInt32, _ slot: Int, _ choices: inout [TogetherChoice]) {
        func add(isOn: Bool, _ cost: Double, _ next: UInt32) {
            choices.append(
                TogetherChoice(
                    isOn: isOn, power: isOn ? power : 0, cost: cost, next: next, bound: bound(next, slot + 1)))
        }
        let time = slot - first
        guard state != Self.done, time >= 0, time < count else { return add(isOn: false, 0, state) }
        let isOn = state & 1 == 1
        let (left, layer, used) = (Int(state >> 1 & 511), Int(state >> 10 & 63), Int(state >> 16))
        func on(_ left: Int, _ layer: Int, _ extra: Double) {
            let isLast = used + 1 == need
            add(
                isOn: true, (isLast ? problem.lastCosts[time] : problem.costs[time]) + extra,
                isLast ? Self.done : Self.code(isOn: true, left: left, layer: layer, used: used + 1))
        }
        func off(_ left: Int) { add(isOn: false, 0, Self.code(isOn: false, left: left, layer: layer, used: used)) }
        if isOn {
            if left > 0 { return on(left - 1, layer, 0) }
            if problem.isUsable[time] { on(0, layer, 0) }
            if !problem.isForced[time] { off(pause - 1) }
            return
        }
        if !problem.isForced[time] { off(max(0, left - 1)) }
        guard left == 0, time + run <= count, blocked[time + run] == blocked[time], used + run <= need,
            layers == 0 || layer < layers
        else { return }
        on(run - 1, layers > 0 ? layer + 1 : 0, problem.startCost)
    }

    /// The least cost from a slot of the grid on, at the prices last set.
    private func bound(_ state: UInt32, _ slot: Int) -> Double {
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
    /// The least cost from the next slot on, at the prices last set.
    var bound: Double
}
