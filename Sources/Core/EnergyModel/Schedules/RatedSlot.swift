/// A part of a window that has one rating.
struct RatedSlot: Hashable, Sendable {
    let interval: Interval
    /// 0 best .. 1 worst; `nil` where the guidance says nothing.
    let rating: Double?

    /// Cuts `window` at the edges of `values`.
    ///
    /// - Returns: sorted, without gaps or overlaps, covering `window`. Where two values overlap the earlier one counts.
    static func cut(_ window: Interval, by values: [GuidanceValue]) -> [RatedSlot] {
        var slots: [RatedSlot] = []
        var cursor = window.start
        for value in values.sorted(by: { $0.interval.start < $1.interval.start }) {
            guard
                let rest = Interval(start: cursor, end: window.end),
                let part = value.interval.intersection(rest)
            else { continue }
            if let gap = Interval(start: cursor, end: part.start) {
                slots.append(RatedSlot(interval: gap, rating: nil))
            }
            // A rating outside 0...1 is none: it came from outside, and comparing with NaN would sort at random.
            slots.append(RatedSlot(interval: part, rating: 0...1 ~= value.rating ? value.rating : nil))
            cursor = part.end
        }
        if let rest = Interval(start: cursor, end: window.end) { slots.append(RatedSlot(interval: rest, rating: nil)) }
        return slots
    }
}
