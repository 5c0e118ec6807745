import EnergyModel

/// Limits and exclusion count by slots, and so do runs that are not one block: what would fit one after the other inside a slot
/// may need shorter ones.
extension PlanProblem {
    private static let finestMinutes: Int64 = 5
    private static let slotsMax: Int64 = 600

    /// Milliseconds of slots that divide all slots, all courses and blocks that may begin inside one, and all minimum runs and
    /// pauses; `nil` where there is no such load, the slots are so short already, or there would be too many.
    var finerSlots: Int64? {
        guard let begin = slots.first?.interval.start, let end = slots.last?.interval.end,
            let longest = slots.map(\.interval.milliseconds).max()
        else { return nil }
        // One block alone is exact already.
        let blocks = loads.count > 1 ? loads.compactMap(\.blockMilliseconds) : []
        let lengths = blocks + loads.flatMap { $0.ruledMilliseconds(isAlone: loads.count == 1) }
        guard !lengths.isEmpty else { return nil }
        var length = slots.reduce(longest) { $0.commonDivisor($1.interval.milliseconds) }
        for other in lengths { length = length.commonDivisor(other) }
        length = max(length, Self.finestMinutes * 60_000)
        return length < longest && end.milliseconds(since: begin) / length <= Self.slotsMax ? length : nil
    }

    mutating func cutSlots(every milliseconds: Int64) {
        var (cut, origin): ([PlanSlot], [Int]) = ([], [])
        for (index, slot) in slots.enumerated() {
            var start = slot.interval.start
            while start < slot.interval.end {
                var piece = slot
                let end = min(slot.interval.end, start.advanced(byMilliseconds: milliseconds))
                piece.interval = Interval(start: start, milliseconds: end.milliseconds(since: start))
                cut.append(piece)
                origin.append(index)
                start = end
            }
        }
        slots = cut
        for load in loads.indices { loads[load].cutSlots(origin) }
    }
}

extension PlannedLoad {
    /// Of one that may begin between the edges of slots.
    fileprivate var blockMilliseconds: Int64? {
        guard shape.startsAnywhere else { return nil }
        var whole = self
        whole.isSplit = false
        switch need {
        case .profile(let profile): return profile.milliseconds
        case .energy(let need) where whole.isBlock: return need.millisecondsAtMost
        default: return nil
        }
    }

    /// Of the runs and pauses of one that is planned by whole slots, and of all that it needs. Beside others one power takes its
    /// room in the whole of a slot that it uses in part.
    fileprivate func ruledMilliseconds(isAlone: Bool) -> [Int64] {
        guard !isBlock, case .energy(let need) = need, need.powerMax > 0,
            !shape.isFree || (!isAlone && need.hasOnePower)
        else { return [] }
        let whole = need.hasOnePower ? need.millisecondsAtMost : 0
        return [shape.runMin, shape.pauseMin, whole].filter { $0 > 0 }
    }

    /// - Parameter origin: which slot each new one is a part of.
    fileprivate mutating func cutSlots(_ origin: [Int]) {
        isSplit = false
        guard case .comfort(var comfort) = need else { return }
        comfort.outdoor = origin.map { comfort.outdoor[$0] }
        comfort.comfortMin = origin.map { comfort.comfortMin[$0] }
        comfort.comfortMax = origin.map { comfort.comfortMax[$0] }
        need = .comfort(comfort)
    }
}

extension EnergyNeed {
    private static let hoursMost = 1e6

    /// How long it takes at its highest power; next to no power takes no longer than 1e6 hours.
    fileprivate var millisecondsAtMost: Int64 {
        Int64((min(energy / max(powerMax, 1e-9), Self.hoursMost) * 3_600_000).rounded())
    }
}
