/// A load that is on or off, seen slot by slot, so that several can be followed side by side.
///
/// Its state is a number: done, or off, or on, with how many slots the minimum run or pause still lasts, how many runs were
/// begun and how many units were used. A class, because the search looks at it some million times: a value's tables would
/// each be retained at every look.
final class RunCourse {
    let problem: RunUnits
    /// First slot of its window in the grid.
    let first: Int
    let power: Double
    private let count: Int
    private let need: Int
    private let layers: Int
    private let stride: Int
    /// Units before each slot.
    private let units: [Int]
    // Looked at some million times, and changed by `price` only.
    @exclusivity(unchecked) private var sums: [Double]
    private let blocked: [Int]
    private let forced: [Int]
    /// Least cost from a time on, by time, runs begun and units used.
    @exclusivity(unchecked) private var fromOn: [Double]
    @exclusivity(unchecked) private var fromOff: [Double]

    /// Of a table: some 160 MB with both.
    private static let cellsMax = 10_000_000

    static let done: UInt32 = .max
    /// Off, and never on yet.
    static let unused = code(isOn: false, left: 0, layer: 0, used: 0)

    init?(_ problem: RunUnits, first: Int, power: Double) {
        self.problem = problem
        self.first = first
        self.power = power
        count = problem.costs.count
        need = problem.need
        // Without further runs there is nothing to count, and no number would say so.
        guard problem.runsMax != 0 else { return nil }
        let longest = max(problem.runs.reduce(0) { max($0, $1 ?? 0) }, problem.rests.max() ?? 0)
        guard count < 4096, longest < 512 else { return nil }
        func sums(_ value: (Int) -> Int) -> [Int] {
            problem.costs.indices.reduce(into: [0]) { $0.append($0[$1] + value($1)) }
        }
        units = sums { problem.units[$0] }
        blocked = sums { problem.isUsable[$0] ? 0 : 1 }
        forced = sums { problem.isForced[$0] ? 1 : 0 }
        // Runs are counted only where their number could bind.
        let shortest =
            problem.runs.indices.compactMap { [units] slot in
                problem.runs[slot].map { units[slot + $0] - units[slot] }
            }.min() ?? 1
        let possible = (need + shortest - 1) / shortest
        layers = problem.runsMax.map { $0 < possible ? $0 : 0 } ?? 0
        guard layers < 64 else { return nil }
        stride = need + 1
        guard (count + 1) * (layers + 1) * stride < Self.cellsMax else { return nil }
        self.sums = Array(repeating: 0, count: count + 1)
        fromOn = Array(repeating: .infinity, count: (count + 1) * (layers + 1) * stride)
        fromOff = fromOn
    }

    private func index(_ time: Int, _ layer: Int, _ used: Int) -> Int { (time * (layers + 1) + layer) * stride + used }

    /// The time until which a run lasts that begins with a slot; `nil` where none may begin.
    private func runEnd(_ time: Int) -> Int? {
        guard let run = problem.runs[time], blocked[time + run] == blocked[time] else { return nil }
        return time + run
    }

    private func isFree(_ time: Int, until end: Int) -> Bool { forced[end] == forced[time] }

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
        let (on, off) = (allOn + index(time, layer, 0), allOff + index(time, layer, 0))
        on.update(repeating: .infinity, count: need)
        off.update(repeating: .infinity, count: need)
        on[need] = isFree(time, until: count) ? 0 : .infinity
        off[need] = on[need]
        guard time < count else { return }
        if isFree(time, until: time + 1) { off.lower(to: allOff + index(time + 1, layer, 0), count: need) }
        if layers == 0 || layer < layers, let end = runEnd(time) {
            let row = allOn + index(end, layers > 0 ? layer + 1 : 0, 0)
            lower(off, to: row, running: time..<end, plus: problem.startCost)
        }
        let rest = time + problem.rests[time]
        if rest <= count, isFree(time, until: rest) {
            on.lower(to: allOff + index(rest, layer, 0), count: need)
        }
        if problem.isUsable[time] { lower(on, to: allOn + index(time + 1, layer, 0), running: time..<time + 1) }
    }

    /// Lowers the costs of a row to those of being on in some slots, of which the last may be used in part.
    ///
    /// - Parameter end: the row after them.
    private func lower(
        _ row: UnsafeMutablePointer<Double>, to end: UnsafeMutablePointer<Double>, running slots: Range<Int>,
        plus extra: Double = 0
    ) {
        let last = slots.upperBound - 1
        let (before, all) = (units[last] - units[slots.lowerBound], units[slots.upperBound] - units[slots.lowerBound])
        let cost = sums[slots.upperBound] - sums[slots.lowerBound] + extra
        if need > all { row.lower(to: end + all, plus: cost, count: need - all) }
        guard need > before else { return }
        let rest = cost - problem.costs[last] + end[need]
        for used in max(0, need - all)..<need - before {
            row[used] = min(row[used], rest + problem.lastCosts[last][need - before - used - 1])
        }
    }

    var least: Double { problem.goesOn ? fromOn[index(0, 0, 0)] : fromOff[index(0, 0, 0)] }

    /// Which slots of the grid are on at the least cost.
    func trace(_ mark: (Int) -> Void) {
        var (time, layer, used, isOn) = (0, 0, 0, problem.goesOn)
        while used < need, time < count {
            let rest = time + problem.rests[time]
            if isOn, rest <= count, isFree(time, until: rest),
                fromOff[index(rest, layer, used)] == fromOn[index(time, layer, used)]
            {
                (time, isOn) = (rest, false)
            } else if !isOn, isFree(time, until: time + 1),
                fromOff[index(time + 1, layer, used)] == fromOff[index(time, layer, used)]
            {
                time += 1
            } else {
                let end = isOn ? time + 1 : runEnd(time) ?? count
                for slot in time..<end { mark(first + slot) }
                if !isOn, layers > 0 { layer += 1 }
                used += units[end] - units[time]
                (time, isOn) = (end, true)
            }
        }
    }

    // MARK: States

    private static func code(isOn: Bool, left: Int, layer: Int, used: Int) -> UInt32 {
        UInt32(isOn ? 1 : 0) | UInt32(left) << 1 | UInt32(layer) << 10 | UInt32(used) << 16
    }

    var start: UInt32 { Self.code(isOn: problem.goesOn, left: 0, layer: 0, used: 0) }

    private static func parts(_ state: UInt32) -> (isOn: Bool, left: Int, layer: Int, used: Int) {
        (state & 1 == 1, Int(state >> 1 & 511), Int(state >> 10 & 63), Int(state >> 16))
    }

    /// Adds what can be done in a slot of the grid; at most two things.
    func choices(_ state: UInt32, _ slot: Int, _ choices: inout [TogetherChoice]) {
        func add(isOn: Bool, _ cost: Double, _ next: UInt32) {
            choices.append(
                TogetherChoice(
                    isOn: isOn, power: isOn ? power : 0, cost: cost, next: next, bound: bound(next, slot + 1)))
        }
        let time = slot - first
        guard state != Self.done, time >= 0, time < count else { return add(isOn: false, 0, state) }
        let (isOn, left, layer, used) = Self.parts(state)
        let after = used + problem.units[time]
        func on(_ left: Int, _ layer: Int, _ extra: Double) {
            let isLast = after >= need
            add(
                isOn: true, (isLast ? problem.lastCosts[time][need - used - 1] : problem.costs[time]) + extra,
                isLast ? Self.done : Self.code(isOn: true, left: left, layer: layer, used: after))
        }
        func off(_ left: Int) { add(isOn: false, 0, Self.code(isOn: false, left: left, layer: layer, used: used)) }
        if isOn {
            if left > 0 { return on(left - 1, layer, 0) }
            if problem.isUsable[time] { on(0, layer, 0) }
            if !problem.isForced[time] { off(problem.rests[time] - 1) }
            return
        }
        if !problem.isForced[time] { off(max(0, left - 1)) }
        guard left == 0, layers == 0 || layer < layers, let end = runEnd(time),
            used + units[end - 1] - units[time] < need
        else { return }
        on(end - time - 1, layers > 0 ? layer + 1 : 0, problem.startCost)
    }

    /// The least cost from a slot of the grid on, at the prices last set.
    private func bound(_ state: UInt32, _ slot: Int) -> Double {
        let time = max(0, slot - first)
        if state == Self.done { return time >= count || isFree(time, until: count) ? 0 : .infinity }
        guard time <= count else { return .infinity }
        let (isOn, left, layer, used) = Self.parts(state)
        let end = time + left
        guard end <= count else { return .infinity }
        guard isOn else { return isFree(time, until: end) ? fromOff[index(end, layer, used)] : .infinity }
        guard left > 0, used + units[end] - units[time] >= need else {
            return sums[end] - sums[time] + fromOn[index(end, layer, used + units[end] - units[time])]
        }
        let before = used + units[end - 1] - units[time]
        return sums[end] - sums[time] - problem.costs[end - 1] + problem.lastCosts[end - 1][need - before - 1]
            + fromOn[index(end, layer, need)]
    }

    /// kWh that a slot of the grid is used for between two states.
    func energy(_ slot: Int, from before: UInt32, to after: UInt32) -> Double {
        guard before != Self.done else { return 0 }
        if after == Self.done { return problem.last(slot - first, after: Self.parts(before).used) }
        return Self.parts(after).isOn ? problem.whole(slot - first) : 0
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
