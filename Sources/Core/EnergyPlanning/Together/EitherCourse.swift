/// A load that runs by slots or takes all that it needs in one block: until it begins it may do either.
final class EitherCourse {
    let run: RunCourse
    let block: FixedCourse

    /// Is set in the states of a block that has begun.
    private static let isBlock: UInt32 = 1 << 31

    /// - Returns: `nil` where it must run in some slots.
    init?(_ run: RunCourse, _ block: FixedCourse) {
        guard !run.problem.isForced.contains(true) else { return nil }
        (self.run, self.block) = (run, block)
    }

    var least: Double { min(run.least, block.least) }

    var start: UInt32 { block.start }

    func price(_ extra: UnsafePointer<Double>) {
        run.price(extra)
        block.price(extra)
    }

    func trace(_ mark: (Int) -> Void) {
        if run.least <= block.least { run.trace(mark) } else { block.trace(mark) }
    }

    func choices(_ state: UInt32, _ slot: Int, _ choices: inout [TogetherChoice]) {
        // A run that goes on has ended where neither runs after the first slot.
        if state == start, run.problem.goesOn, slot > run.first {
            let first = choices.count
            block.choices(start, slot, &choices)
            return mark(&choices, from: first)
        }
        guard state == start else {
            guard state != RunCourse.done, state & Self.isBlock != 0 else { return run.choices(state, slot, &choices) }
            let first = choices.count
            block.choices(state & ~Self.isBlock, slot, &choices)
            return mark(&choices, from: first)
        }
        let first = choices.count
        block.choices(start, slot, &choices)
        mark(&choices, from: first)
        let middle = choices.count
        run.choices(run.start, slot, &choices)
        guard let idle = choices[middle...].firstIndex(where: { $0.next == run.start }) else { return }
        // To wait is the same for both, and comes first with a block.
        choices[first].bound = min(choices[first].bound, choices[idle].bound)
        choices.remove(at: idle)
    }

    private func mark(_ choices: inout [TogetherChoice], from first: Int) {
        for index in first..<choices.count where choices[index].next != start && choices[index].next != RunCourse.done {
            choices[index].next |= Self.isBlock
        }
    }

    /// The states of a plan without the block.
    func runStates(_ states: [UInt32]) -> [UInt32] { states.map { $0 == start ? RunCourse.unused : $0 } }

    /// The block among the states of a plan; `nil` where it runs by slots, or in one slot, which is the same.
    ///
    /// - Parameter states: after each slot.
    func chosen(_ states: [UInt32]) -> FixedCourse.Option? {
        states.first { $0 & Self.isBlock != 0 && $0 != start && $0 != RunCourse.done }
            .map { block.options[Int($0 & 0xFFFF)] }
    }
}
