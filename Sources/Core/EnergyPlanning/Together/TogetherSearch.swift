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

    /// - Parameters:
    ///   - ceiling: only plans that cost less are looked for.
    ///   - width: most states at a time.
    ///   - drops: whether to go on with the most promising where there are more, or to give up.
    func run(ceiling: Double, width: Int, drops: Bool) -> Outcome {
        var start = JointStates.Key(repeating: 0)
        for load in loads.courses.indices { start[load] = loads.courses[load].start }
        var layers = [[JointStates.Label(key: start, cost: 0, bound: 0, parent: -1)]]
        var steps = JointSteps(loads)
        var (followed, isComplete) = (0, true)
        for slot in 0..<loads.slots {
            steps.begin(slot, ceiling: ceiling, worth: worthAfter[slot + 1])
            for (parent, label) in layers[slot].enumerated() {
                if parent % 64 == 0, timer.isUp { return Outcome() }
                steps.follow(label, parent)
                if !drops, steps.next.labels.count > width { return Outcome() }
            }
            if steps.keep(width) { isComplete = false }
            guard !steps.next.labels.isEmpty else { return Outcome(isComplete: isComplete) }
            followed += steps.next.labels.count
            if followed > Self.statesMax { return Outcome() }
            layers.append(steps.next.labels)
        }
        return Outcome(found: best(layers, ceiling), isComplete: isComplete)
    }

    private func best(_ layers: [[JointStates.Label]], _ ceiling: Double) -> Found? {
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
}
