/// What all loads together can do in a slot, from each state they may be in.
struct JointSteps {
    private let loads: TogetherLoads
    /// The states after the slot.
    private(set) var next = JointStates()
    private var slot = 0
    private var room: JointRoom
    /// Of cost and bound.
    private var ceiling = Double.infinity
    /// What the sets that fit pay from the next slot on.
    private var worth = 0.0
    /// What each load can do, one load's after the other's.
    private var choices: [TogetherChoice] = []
    private var ends: [Int]
    /// What each load and those after it add at least.
    private var rest = SIMD16<Double>(repeating: 0)
    private var parent: Int32 = 0

    init(_ loads: TogetherLoads) {
        self.loads = loads
        room = JointRoom(loads, 0)
        ends = Array(repeating: 0, count: loads.courses.count)
    }

    /// - Parameters:
    ///   - ceiling: only plans that cost less are followed.
    ///   - worth: what the sets that fit pay from the next slot on.
    mutating func begin(_ slot: Int, ceiling: Double, worth: Double) {
        next.removeAll()
        room = JointRoom(loads, slot)
        (self.slot, self.ceiling, self.worth) = (slot, ceiling + worth, worth)
    }

    mutating func keep(_ width: Int) -> Bool { next.keep(width) }

    /// Adds every combination of what the loads can do that fits and may still be good enough.
    ///
    /// - Parameter parent: where the state is in its slot's.
    mutating func follow(_ label: JointStates.Label, _ parent: Int) {
        self.parent = Int32(parent)
        choices.removeAll(keepingCapacity: true)
        for load in ends.indices {
            let first = choices.count
            loads.courses[load].choices(label.key[load], slot, &choices)
            ends[load] = choices.count
            var least = Double.infinity
            for index in first..<choices.count { least = min(least, choices[index].cost + choices[index].bound) }
            rest[load] = least
        }
        for load in ends.indices.reversed() { rest[load] += rest[load + 1] }
        descend(0, Way(cost: label.cost))
    }

    /// What the loads looked at so far do.
    private struct Way {
        var key = JointStates.Key(repeating: 0)
        var cost: Double
        var bound = 0.0
        var on: UInt32 = 0
        /// kW
        var powers = SIMD8<Double>(repeating: 0)
    }

    private mutating func descend(_ load: Int, _ way: Way) {
        guard load < ends.count else {
            guard room.fits(way.powers) else { return }
            let bound = way.cost + way.bound - worth
            return next.insert(JointStates.Label(key: way.key, cost: way.cost, bound: bound, parent: parent))
        }
        for index in (load == 0 ? 0 : ends[load - 1])..<ends[load] {
            var way = way
            let choice = choices[index]
            way.cost += choice.cost
            way.bound += choice.bound
            guard way.cost + way.bound + rest[load + 1] < ceiling else { continue }
            if choice.isOn { way.on |= 1 << UInt32(load) }
            guard room.fits(way.on) else { continue }
            way.key[load] = choice.next
            way.powers[load] = choice.power
            descend(load + 1, way)
        }
    }
}

/// What a slot leaves room for.
private struct JointRoom {
    /// Whether each set of loads, as bits, fits; empty where all do.
    private let fitting: [Bool]
    /// kW: of each limit, with the share that each load takes of it; empty where the sets say it all.
    private var limits: [(shares: SIMD8<Double>, room: Double)] = []

    init(_ loads: TogetherLoads, _ slot: Int) {
        let sets = loads.sets[slot]
        fitting =
            sets.isEmpty
            ? [] : (0..<1 << UInt32(loads.courses.count)).map { on in sets.contains { on & ~$0 == 0 } }
        guard loads.hasVaryingPowers else { return }
        for limit in loads.limits {
            var shares = SIMD8<Double>(repeating: 0)
            for (load, share) in limit.shares.enumerated() { shares[load] = share }
            limits.append((shares, limit.room[slot]))
        }
    }

    /// - Parameter on: the loads that draw power, as bits.
    func fits(_ on: UInt32) -> Bool { fitting.isEmpty || fitting[Int(on)] }

    /// - Parameter powers: kW of each load.
    func fits(_ powers: SIMD8<Double>) -> Bool {
        limits.allSatisfy { ($0.shares * powers).sum() <= $0.room + 1e-9 }
    }
}
