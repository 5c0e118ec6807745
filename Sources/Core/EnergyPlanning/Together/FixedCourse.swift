internal import EnergyModel

/// A load with a fixed course, seen slot by slot, so that several can be followed side by side.
final class FixedCourse {
    struct Option {
        /// Unix milliseconds.
        var start: Int64
        var slot: Int
        var costs: [Double]
        var powers: [Double]
    }

    let options: [Option]
    let startCost: Double
    /// The least power of its course: what it can be counted on to use of a limit.
    let power: Double
    private let slots: Int
    /// Where the options that begin in a slot are.
    private let beginning: [Range<Int>]
    private var extraSums: [Double]
    private var totals: [Double]
    /// Least cost if it has not begun by a slot.
    private var waiting: [Double]

    private static let idle: UInt32 = .max - 1

    init?(_ load: PlannedLoad, _ profile: LoadProfile, _ grid: PlanGrid, capacity: [Double], _ ties: TieCosts) {
        let planner = CoursePlanner(grid: grid)
        var options: [Option] = []
        for start in planner.starts(load, profile, capacity: capacity) {
            let parts = planner.parts(profile, from: start)
            guard let slot = parts.first?.slot else { continue }
            let option = Option(
                start: start, slot: slot,
                costs: parts.map { grid.cost($0.slot, $0.energy) + ties.lean(load, $0.energy, $0.slot) },
                powers: parts.map(\.power))
            // Of starts that use limits alike only the cheapest matters.
            if let same = options.lastIndex(where: { $0.slot == slot && $0.powers == option.powers }) {
                let (old, new) = (options[same].costs.reduce(0, +), option.costs.reduce(0, +))
                if new < old - 1e-12 || (load.shape.ties == .later && new < old + 1e-12) { options[same] = option }
            } else {
                options.append(option)
            }
        }
        guard !options.isEmpty, options.count < 1 << 16, options.allSatisfy({ $0.costs.count < 1 << 12 }) else {
            return nil
        }
        options.sort { $0.slot < $1.slot }
        var beginning = Array(repeating: 0..<0, count: grid.count + 1)
        var index = 0
        for slot in 0...grid.count {
            let from = index
            while index < options.count, options[index].slot == slot { index += 1 }
            beginning[slot] = from..<index
        }
        self.options = options
        self.beginning = beginning
        startCost = load.shape.startCost + RunRules.startTie
        power = options.flatMap(\.powers).min() ?? 0
        slots = grid.count
        extraSums = Array(repeating: 0, count: grid.count + 1)
        totals = Array(repeating: 0, count: options.count)
        waiting = Array(repeating: .infinity, count: grid.count + 1)
    }

    func price(_ extra: UnsafePointer<Double>) {
        for slot in 0..<slots { extraSums[slot + 1] = extraSums[slot] + extra[slot] }
        for (index, option) in options.enumerated() {
            totals[index] =
                option.costs.reduce(startCost, +) + extraSums[option.slot + option.costs.count]
                - extraSums[option.slot]
        }
        waiting[slots] = .infinity
        for slot in stride(from: slots - 1, through: 0, by: -1) {
            waiting[slot] = beginning[slot].reduce(waiting[slot + 1]) { min($0, totals[$1]) }
        }
    }

    var least: Double { waiting[0] }

    func trace(_ mark: (Int) -> Void) {
        guard let best = options.indices.min(by: { totals[$0] < totals[$1] }) else { return }
        for slot in options[best].slot..<options[best].slot + options[best].costs.count { mark(slot) }
    }

    var start: UInt32 { Self.idle }

    func choices(_ state: UInt32, _ slot: Int, _ choices: inout [TogetherChoice]) {
        func wait(_ state: UInt32) {
            choices.append(
                TogetherChoice(isOn: false, power: 0, cost: 0, next: state, bound: bound(state, slot + 1)))
        }
        func go(_ index: Int, _ offset: Int, _ extra: Double) {
            let option = options[index]
            let isLast = offset + 1 == option.costs.count
            let next = isLast ? RunCourse.done : UInt32(index) | UInt32(offset + 1) << 16
            choices.append(
                TogetherChoice(
                    isOn: option.powers[offset] > 0, power: option.powers[offset], cost: option.costs[offset] + extra,
                    next: next, bound: bound(next, slot + 1)))
        }
        if state == RunCourse.done { return wait(state) }
        guard state == Self.idle else { return go(Int(state & 0xFFFF), Int(state >> 16), 0) }
        wait(state)
        for index in beginning[slot] { go(index, 0, startCost) }
    }

    private func bound(_ state: UInt32, _ slot: Int) -> Double {
        if state == RunCourse.done { return 0 }
        if state == Self.idle { return waiting[slot] }
        let (option, offset) = (options[Int(state & 0xFFFF)], Int(state >> 16))
        return option.costs[offset...].reduce(0, +) + extraSums[option.slot + option.costs.count] - extraSums[slot]
    }
}
