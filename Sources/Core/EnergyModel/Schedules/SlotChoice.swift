/// Which of several equally rated times to take.
public enum TieBreak: String, Hashable, Sendable, CaseIterable {
    /// A device that is slower than planned still meets its deadline.
    case earlier
    /// The battery stands full for a shorter time.
    case later
}

/// Takes a given length of time from a window at the lowest sum of rating x time.
///
/// Exact: every rating better than the worst one used is taken whole; only the last rating is taken in part, and which
/// part does not change the sum. That freedom goes to fewer starts: a part next to other taken time comes first, then
/// a span that holds all that is left, then ``TieBreak``.
struct SlotChoice {
    /// A run of equally rated, adjacent slots.
    private struct Span {
        let interval: Interval
        var touchesBefore: Bool
        var touchesAfter: Bool
    }

    /// Sorted, without gaps or overlaps.
    let slots: [RatedSlot]
    let ties: TieBreak

    /// - Parameters:
    ///   - milliseconds: how much to take; all of the window if it is longer than that.
    ///   - cost: what decides; lowest first.
    /// - Returns: the taken parts, sorted by start, each inside one slot.
    func take(milliseconds: Int64, cost: (RatedSlot) -> Double) -> [RatedSlot] {
        guard milliseconds > 0 else { return [] }
        var left = milliseconds
        var taken: [RatedSlot] = []
        let byCost = Dictionary(grouping: slots, by: cost)
        for key in byCost.keys.sorted() {
            let level = byCost[key] ?? []
            let length = level.reduce(0) { $0 + $1.interval.milliseconds }
            if length > left {
                taken += fill(level, left, besides: taken)
                break
            }
            taken += level
            left -= length
            if left == 0 { break }
        }
        return taken.sorted { $0.interval.start < $1.interval.start }
    }

    /// Takes `milliseconds`, which is less than the whole, from slots of one cost.
    private func fill(_ level: [RatedSlot], _ milliseconds: Int64, besides taken: [RatedSlot]) -> [RatedSlot] {
        let ends = Set(taken.map(\.interval.end))
        let starts = Set(taken.map(\.interval.start))
        var left = milliseconds
        var parts: [Interval] = []
        var spans = spans(of: level).map { interval in
            Span(
                interval: interval, touchesBefore: ends.contains(interval.start),
                touchesAfter: starts.contains(interval.end))
        }
        while left > 0, let index = spans.indices.min(by: { isBetter(spans[$0], spans[$1], left) }) {
            let span = spans.remove(at: index)
            let part = min(left, span.interval.milliseconds)
            let atStart = span.touchesBefore != span.touchesAfter ? span.touchesBefore : ties == .earlier
            let start = atStart ? span.interval.start : span.interval.end.advanced(byMilliseconds: -part)
            parts.append(Interval(start: start, milliseconds: part))
            left -= part
        }
        return parts.flatMap { part in
            level.compactMap { slot in
                slot.interval.intersection(part).map { RatedSlot(interval: $0, rating: slot.rating) }
            }
        }
    }

    private func isBetter(_ a: Span, _ b: Span, _ left: Int64) -> Bool {
        let (aTouches, bTouches) = (a.touchesBefore || a.touchesAfter, b.touchesBefore || b.touchesAfter)
        if aTouches != bTouches { return aTouches }
        let (aHolds, bHolds) = (a.interval.milliseconds >= left, b.interval.milliseconds >= left)
        if aHolds != bHolds { return aHolds }
        return ties == .earlier ? a.interval.start < b.interval.start : a.interval.start > b.interval.start
    }

    private func spans(of level: [RatedSlot]) -> [Interval] {
        var spans: [Interval] = []
        for slot in level.sorted(by: { $0.interval.start < $1.interval.start }) {
            if let last = spans.last, last.end == slot.interval.start,
                let joined = Interval(start: last.start, end: slot.interval.end)
            {
                spans[spans.count - 1] = joined
            } else {
                spans.append(slot.interval)
            }
        }
        return spans
    }
}
