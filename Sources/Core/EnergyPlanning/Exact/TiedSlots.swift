/// Slots that cost the same, of which a load needs some: those that take the fewest starts, then the earliest or latest.
///
/// Exact for the starts. First gaps between running time are closed, the smallest first, since each saves a start; then
/// energy goes where it runs or next to it; only then to as few runs of their own as can be, from the earliest or latest on.
struct TiedSlots {
    /// kWh that each slot has room for, at the same cost.
    var spare: [Double]

    /// kWh. What floating point leaves of an energy is no reason for another slot.
    private static let crumb = 1e-10
    private var energies: [Double]
    private let isOnBefore: Bool
    private let isEarly: Bool
    private var left = 0.0

    /// - Parameters:
    ///   - energies: kWh that are placed already, at a lower cost.
    ///   - isOnBefore: a run goes on when the slots begin.
    init(_ energies: [Double], isOnBefore: Bool, isEarly: Bool) {
        self.energies = energies
        self.isOnBefore = isOnBefore
        self.isEarly = isEarly
        spare = Array(repeating: 0, count: energies.count)
    }

    /// - Parameter energy: kWh, no more than there is room for.
    /// - Returns: kWh in each slot.
    mutating func taking(_ energy: Double) -> [Double] {
        left = energy
        for gap in gaps.filter({ isOn($0.lowerBound - 1) && isOn($0.upperBound) }).sorted(by: isSmaller)
        where room(gap) <= left + Self.crumb {
            fill(gap)
        }
        for slots in ordered(running + gaps.filter { isOn($0.lowerBound - 1) || isOn($0.upperBound) }) {
            // From where it runs already.
            let (after, before) = (isOn(slots.lowerBound - 1), isOn(slots.upperBound))
            fill(slots, forward: after == before ? isEarly : after)
        }
        for gap in ordered(fewest(gaps.filter { !isOn($0.lowerBound - 1) && !isOn($0.upperBound) })) {
            fill(gap, forward: isEarly)
        }
        return energies
    }

    /// As few as have room for what is left: none of them stays empty, whichever is filled last.
    private func fewest(_ gaps: [Range<Int>]) -> [Range<Int>] {
        var (open, chosen, rest) = (ordered(gaps), [Range<Int>](), left)
        while rest > Self.crumb {
            let index = open.firstIndex { room($0) >= rest - Self.crumb }
            guard let index = index ?? open.indices.max(by: { isSmaller(open[$0], open[$1]) }) else { break }
            rest -= room(open[index])
            chosen.append(open.remove(at: index))
        }
        return chosen
    }

    private func isOn(_ slot: Int) -> Bool {
        slot < 0 ? isOnBefore : slot < energies.count && energies[slot] > 0
    }

    /// Slots that are on and have room.
    private var running: [Range<Int>] {
        energies.indices.filter { energies[$0] > 0 && spare[$0] > 0 }.map { $0..<$0 + 1 }
    }

    /// Slots side by side that are off and have room.
    private var gaps: [Range<Int>] {
        var gaps: [Range<Int>] = []
        for slot in energies.indices where spare[slot] > 0 && energies[slot] == 0 {
            if let last = gaps.last, last.upperBound == slot {
                gaps[gaps.count - 1] = last.lowerBound..<slot + 1
            } else {
                gaps.append(slot..<slot + 1)
            }
        }
        return gaps
    }

    private func ordered(_ slots: [Range<Int>]) -> [Range<Int>] {
        slots.sorted { isEarly ? $0.lowerBound < $1.lowerBound : $0.lowerBound > $1.lowerBound }
    }

    private func isSmaller(_ slots: Range<Int>, _ other: Range<Int>) -> Bool { room(slots) < room(other) }

    private func room(_ slots: Range<Int>) -> Double { slots.reduce(0) { $0 + spare[$1] } }

    private mutating func fill(_ slots: Range<Int>, forward: Bool = true) {
        for offset in 0..<slots.count where left > Self.crumb {
            let slot = forward ? slots.lowerBound + offset : slots.upperBound - 1 - offset
            let energy = min(left, spare[slot])
            energies[slot] += energy
            spare[slot] -= energy
            left -= energy
        }
    }
}
