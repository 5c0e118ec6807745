/// Follows all loads side by side, slot by slot, and keeps what may still become the optimum.
///
/// A dynamic programme over the loads' joint state: of two ways into the same state the cheaper stays. What cannot beat
/// the best plan known, by the bound of ``LimitPrices``, is dropped; so what is left at the end is the optimum. With a
/// limited width it is a quick way to a good plan instead.
struct TogetherSearch {
    /// What each load does in each slot: for fixed courses the option, for runs whether it is on.
    struct Found {
        var cost: Double
        /// By load, then slot: the state after the slot.
        var states: [[UInt32]]
    }

    struct Outcome {
        /// The best that costs less than the ceiling, of those that were followed to the end.
        var found: Found?
        /// Whether all were: if nothing was found, what was known is the optimum.
        var isComplete = false
    }

    typealias Key = SIMD8<UInt32>

    /// In all slots: some 200 MB.
    private static let statesMax = 3_000_000

    let loads: TogetherLoads
    private let timer: PlanTimer
    /// From each slot on.
    private let worthAfter: [Double]

    init(_ prices: LimitPrices, _ timer: PlanTimer) {
        self.timer = timer
        loads = prices.loads
        var after = Array(repeating: 0.0, count: loads.slots + 1)
        for slot in (0..<loads.slots).reversed() { after[slot] = after[slot + 1] + prices.worth(slot) }
        worthAfter = after
    }

    private struct Label {
        var key: Key
        var cost: Double
        var bound: Double
        var parent: Int32
    }

    private struct Option {
        var choice: TogetherChoice
        var bound: Double
    }

    /// - Parameters:
    ///   - ceiling: only plans that cost less are looked for.
    ///   - width: most states at a time.
    ///   - drops: whether to go on with the most promising where there are more, or to give up.
    func run(ceiling: Double, width: Int, drops: Bool) -> Outcome {
        let count = loads.courses.count
        var start = Key(repeating: 0)
        for load in 0..<count { start[load] = loads.courses[load].start }
        var layers: [[Label]] = [[Label(key: start, cost: 0, bound: 0, parent: -1)]]
        var options: [[Option]] = Array(repeating: [], count: count)
        var (followed, isComplete) = (0, true)
        var table = StateTable()
        for slot in 0..<loads.slots {
            var next: [Label] = []
            table.clear()
            let room = Room(loads, slot, ceiling: ceiling + worthAfter[slot + 1], worth: worthAfter[slot + 1])
            for (parent, label) in layers[slot].enumerated() {
                if parent % 64 == 0, timer.isUp { return Outcome() }
                for load in 0..<count {
                    options[load].removeAll(keepingCapacity: true)
                    loads.courses[load].choices(label.key[load], slot) { choice in
                        let bound = loads.courses[load].bound(choice.next, slot + 1)
                        if bound < .infinity { options[load].append(Option(choice: choice, bound: bound)) }
                    }
                }
                combine(options, label, parent, room, &next, &table)
                if !drops, next.count > width { return Outcome() }
            }
            if next.count > width {
                isComplete = false
                Self.keep(width, of: &next)
            }
            guard !next.isEmpty else { return Outcome(isComplete: isComplete) }
            followed += next.count
            if followed > Self.statesMax { return Outcome() }
            layers.append(next)
        }
        return Outcome(found: best(layers, ceiling), isComplete: isComplete)
    }

    /// The most promising, in their order.
    private static func keep(_ width: Int, of labels: inout [Label]) {
        let worst = labels.map(\.bound).sorted()[width - 1]
        var equal = width - labels.count { $0.bound < worst }
        labels.removeAll { label in
            guard label.bound == worst else { return label.bound > worst }
            equal -= 1
            return equal < 0
        }
    }

    /// What a slot leaves room for.
    private struct Room {
        /// Sets of loads that fit; empty where all do.
        let sets: [UInt32]
        /// kW: of each limit, with the share that each load takes of it; empty where the sets say it all.
        var limits: [(shares: SIMD8<Double>, room: Double)] = []
        /// Of cost and bound.
        let ceiling: Double
        /// What the sets pay from the next slot on.
        let worth: Double

        init(_ loads: TogetherLoads, _ slot: Int, ceiling: Double, worth: Double) {
            sets = loads.sets[slot]
            (self.ceiling, self.worth) = (ceiling, worth)
            guard loads.hasVaryingPowers else { return }
            for limit in loads.limits {
                var shares = SIMD8<Double>(repeating: 0)
                for (load, share) in limit.shares.enumerated() { shares[load] = share }
                limits.append((shares, limit.room[slot]))
            }
        }

        /// - Parameter powers: kW of each load.
        func fits(_ on: UInt32, _ powers: SIMD8<Double>) -> Bool {
            if !sets.isEmpty, !sets.contains(where: { on & ~$0 == 0 }) { return false }
            return limits.allSatisfy { ($0.shares * powers).sum() <= $0.room + 1e-9 }
        }
    }

    /// Adds every combination of the loads' options that fits and may still be good enough.
    private func combine(
        _ options: [[Option]], _ label: Label, _ parent: Int, _ room: Room, _ next: inout [Label],
        _ table: inout StateTable
    ) {
        let count = options.count
        // What this load and those after it add at least.
        var rest = SIMD16<Double>(repeating: 0)
        for load in (0..<count).reversed() {
            guard !options[load].isEmpty else { return }
            rest[load] = rest[load + 1] + options[load].reduce(Double.infinity) { min($0, $1.choice.cost + $1.bound) }
        }
        func descend(_ load: Int, _ key: Key, _ cost: Double, _ bound: Double, _ on: UInt32, _ powers: SIMD8<Double>) {
            guard label.cost + cost + bound + rest[load] < room.ceiling else { return }
            guard load < count else {
                guard room.fits(on, powers) else { return }
                let total = label.cost + cost
                table.insert(
                    Label(key: key, cost: total, bound: total + bound - room.worth, parent: Int32(parent)), &next)
                return
            }
            for option in options[load] {
                var (key, powers) = (key, powers)
                key[load] = option.choice.next
                powers[load] = option.choice.power
                descend(
                    load + 1, key, cost + option.choice.cost, bound + option.bound,
                    option.choice.isOn ? on | 1 << UInt32(load) : on, powers)
            }
        }
        descend(0, Key(repeating: 0), 0, 0, 0, SIMD8(repeating: 0))
    }

    private func best(_ layers: [[Label]], _ ceiling: Double) -> Found? {
        guard let last = layers.last, let index = last.indices.min(by: { last[$0].cost < last[$1].cost }),
            last[index].cost < ceiling
        else { return nil }
        let count = loads.courses.count
        var states = Array(repeating: Array(repeating: UInt32(0), count: loads.slots), count: count)
        var at = index
        for slot in (0..<loads.slots).reversed() {
            let label = layers[slot + 1][at]
            for load in 0..<count { states[load][slot] = label.key[load] }
            at = Int(label.parent)
        }
        return Found(cost: last[index].cost, states: states)
    }

    /// Which joint states of a slot are known, by open addressing.
    private struct StateTable {
        private var places: [Int32] = Array(repeating: -1, count: 256)
        private var used: [Int] = []

        mutating func clear() {
            for place in used { places[place] = -1 }
            used.removeAll(keepingCapacity: true)
        }

        /// Keeps the cheaper of two ways into a state.
        mutating func insert(_ label: Label, _ labels: inout [Label]) {
            if used.count * 2 >= places.count { grow(labels) }
            var place = Self.hash(label.key) & (places.count - 1)
            while places[place] >= 0 {
                let index = Int(places[place])
                if labels[index].key == label.key {
                    if label.cost < labels[index].cost { labels[index] = label }
                    return
                }
                place = (place + 1) & (places.count - 1)
            }
            places[place] = Int32(labels.count)
            used.append(place)
            labels.append(label)
        }

        private mutating func grow(_ labels: [Label]) {
            places = Array(repeating: -1, count: places.count * 4)
            used.removeAll(keepingCapacity: true)
            for (index, label) in labels.enumerated() {
                var place = Self.hash(label.key) & (places.count - 1)
                while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
                places[place] = Int32(index)
                used.append(place)
            }
        }

        private static func hash(_ key: Key) -> Int {
            var hash: UInt64 = 0
            for index in 0..<8 {
                hash = (hash ^ UInt64(key[index])) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
            }
            return Int(truncatingIfNeeded: hash >> 7)
        }
    }
}
