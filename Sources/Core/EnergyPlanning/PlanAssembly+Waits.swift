import EnergyModel

extension PlanAssembly {
    /// Why a load waits, in all the time that it does not run in; also in what it leaves of a slot.
    ///
    /// - Parameter runs: of the load, in the order of time.
    func waits(beside runs: [LoadPlan.Run], _ reasons: PlanReasons) -> [LoadPlan.Wait] {
        var waits: [LoadPlan.Wait] = []
        for gap in gaps(between: runs) {
            let (reason, limit) = reasons.waiting(gap)
            if let last = waits.last, last.reason == reason, last.limit == limit,
                last.interval.end == gap.interval.start,
                let joined = Interval(start: last.interval.start, end: gap.interval.end)
            {
                waits[waits.count - 1].interval = joined
            } else {
                waits.append(.init(interval: gap.interval, reason: reason, limit: limit))
            }
        }
        return waits
    }

    /// A slot, or what runs leave of it.
    struct Gap {
        let slot: Int
        let interval: Interval
        /// Whether a run begins later in the slot.
        let isBeforeRun: Bool
        /// Whether no run follows those that there are.
        let isAfterAll: Bool
    }

    private func gaps(between runs: [LoadPlan.Run]) -> [Gap] {
        let edges = grid.edges
        guard let first = edges.first, let last = edges.last else { return [] }
        let starts = [first] + runs.map(\.interval.end.unixMilliseconds)
        let ends = runs.map(\.interval.start.unixMilliseconds) + [last]
        var (gaps, slot): ([Gap], Int) = ([], 0)
        gaps.reserveCapacity(edges.count)
        for (index, (start, end)) in zip(starts, ends).enumerated() {
            var cursor = start
            while cursor < end, slot + 1 < edges.count {
                let slotEnd = edges[slot + 1]
                if cursor < slotEnd,
                    let part = Interval(
                        start: Timestamp(unixMilliseconds: cursor), end: Timestamp(unixMilliseconds: min(end, slotEnd)))
                {
                    gaps.append(
                        Gap(
                            slot: slot, interval: part, isBeforeRun: end < slotEnd,
                            isAfterAll: index > 0 && index == runs.count))
                    cursor = min(end, slotEnd)
                }
                if slotEnd <= end { slot += 1 }
            }
        }
        return gaps
    }
}
