internal import EnergyModel

extension Schedule {
    /// The same plan with the ratings of the guidance now valid: a plan that still holds is kept when guidance changes,
    /// but what its blocks say of the grid must not be out of date.
    ///
    /// What is past, and what `guidance` does not rate as a whole, keeps the rating that it was planned by.
    func rated(by guidance: Guidance?, now: Timestamp) -> Schedule {
        guard let guidance, guidance.token != guidanceToken else { return self }
        let slots = guidance.values.filter { 0...1 ~= $0.rating }
        var schedule = self
        schedule.blocks = blocks.map { block in
            guard let rest = Interval(start: max(block.interval.start, now), end: block.interval.end),
                let rating = Self.mean(of: slots, during: rest)
            else { return block }
            var block = block
            block.rating = rating
            return block
        }
        return schedule
    }

    /// Weighted by time; `nil` unless all of `interval` is rated.
    private static func mean(of values: [GuidanceValue], during interval: Interval) -> Double? {
        var (sum, length) = (0.0, Int64(0))
        for value in values {
            guard let part = value.interval.intersection(interval) else { continue }
            sum += value.rating * Double(part.milliseconds)
            length += part.milliseconds
        }
        return length == interval.milliseconds ? min(1, sum / Double(length)) : nil
    }
}
