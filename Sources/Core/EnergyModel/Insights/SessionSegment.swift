/// What a session did between two consecutive load events.
public struct SessionSegment: Hashable, Sendable {
    /// Longer silences are not believed, so that one event touches a bounded number of buckets: their energy, and run
    /// time, is counted in the last 14 days before the event that reports it.
    public static let millisecondsMax: Int64 = 14 * .millisecondsPerDay

    public let direction: FlowDirection
    public let start: Timestamp
    /// Not inside the segment, unless it equals `start`: then all energy came in that instant.
    public let end: Timestamp
    public let energy: Energy
    /// mW at `start` and `end`; `nil` unless both are known.
    public let powers: Powers?
    /// The whole segment is run time.
    public let isRunning: Bool
    /// `0...100`: what run time counts when it is weighted.
    public let stage: Int

    public struct Powers: Hashable, Sendable {
        public let start: Int64
        public let end: Int64
    }

    /// - Returns: `nil` if nothing was used: no energy and no run time.
    init?(from previous: CountedSession?, to next: CountedSession) {
        let energy = next.energy - (previous?.energy ?? .zero)
        let earliest = next.timestamp.advanced(byMilliseconds: -Self.millisecondsMax)
        start = max(previous?.timestamp ?? next.timestamp, earliest)
        end = next.timestamp
        isRunning = start < end && (energy > .zero || previous?.isRunning == true)
        guard energy > .zero || isRunning else { return nil }
        direction = next.series.direction
        stage = next.series.kind == .hvac ? previous?.stage ?? 0 : 100
        self.energy = energy
        if let first = previous?.powerMilliwatts, let last = next.powerMilliwatts, first > 0 || last > 0 {
            powers = Powers(start: first, end: last)
        } else {
            powers = nil
        }
    }

    /// Energy at one power throughout.
    init(_ interval: Interval, energy: Energy, direction: FlowDirection) {
        (start, end, self.energy, self.direction) = (interval.start, interval.end, energy, direction)
        (powers, isRunning, stage) = (nil, true, 100)
    }

    /// The time that its energy is spread over.
    public var interval: Interval {
        Interval(start: start, end: end) ?? Interval(start: start, milliseconds: 1)
    }

    /// What one piece of a segment adds to one bucket.
    public struct Share: Hashable, Sendable {
        /// Of the bucket: a whole quarter of an hour UTC.
        public let quarter: Timestamp
        public let `class`: InsightClass
        public let tally: InsightTally
    }

    /// Every bucket's share.
    ///
    /// The energy is spread over the segment: where the power is known at both ends, as if it went from one to the other
    /// in a straight line, else evenly. The segment is cut at every quarter of an hour and wherever the terms change; each
    /// piece gets its exact share, rounded by largest remainder, so the pieces sum to the segment to the mWh and the ms.
    /// A piece's cost and carbon are its energy times its terms, rounded to a millionth and a milligram.
    public func shares(terms: TermsTimeline) -> [Share] {
        let pieces = cut(terms)
        if pieces.count == 1 { return [share(energy.milliwattHours, of: pieces[0])] }
        if pieces.count == 2, let (first, second) = halves(weight(of: pieces[0]), weight(of: pieces[1])) {
            return [share(first, of: pieces[0]), share(second, of: pieces[1])]
        }
        let energies = LargestRemainder.split(energy.milliwattHours, by: pieces.map(weight))
        return zip(pieces, energies).map { share($1, of: $0) }
    }

    private struct Piece {
        let start: Timestamp
        let end: Timestamp
        let quarter: Timestamp
        let terms: InsightTerms
    }

    private func cut(_ timeline: TermsTimeline) -> [Piece] {
        var pieces: [Piece] = []
        // Mostly a quarter of an hour at most, between two others.
        pieces.reserveCapacity(2)
        var start = start
        repeat {
            let quarter = start.floored(toMilliseconds: InsightBucket.milliseconds)
            let (terms, termsEnd) = timeline.terms(at: start)
            let end = min(end, quarter.advanced(byMilliseconds: InsightBucket.milliseconds), termsEnd)
            pieces.append(Piece(start: start, end: end, quarter: quarter, terms: terms))
            start = end
        } while start < end
        return pieces
    }

    private func share(_ milliwattHours: Int64, of piece: Piece) -> Share {
        let amount = InsightAmount(
            energy: Energy(milliwattHours: milliwattHours),
            runtimeMilliseconds: isRunning ? piece.end.milliseconds(since: piece.start) : 0,
            weightedRuntimeMilliseconds: isRunning ? weighted(to: piece.end) - weighted(to: piece.start) : 0)
        return Share(
            quarter: piece.quarter, class: piece.terms.class(direction), tally: piece.terms.tally(amount, direction))
    }

    /// Rounded from the segment's start, so that the pieces sum to the whole.
    private func weighted(to instant: Timestamp) -> Int64 { instant.milliseconds(since: start) * Int64(stage) / 100 }

    /// ``LargestRemainder`` of two parts without memory of its own, which most segments are; `nil` where the numbers are
    /// too large for that.
    private func halves(_ first: Int128, _ second: Int128) -> (Int64, Int64)? {
        guard let weight = UInt64(exactly: first), let sum = UInt64(exactly: first + second), sum > 0 else {
            return nil
        }
        let total = UInt64(energy.milliwattHours)
        let (quotient, remainder) = sum.dividingFullWidth(total.multipliedFullWidth(by: weight))
        // The other part's remainder is what is left of the sum.
        let roundsUp = remainder != 0 && remainder >= sum - remainder
        let part = Int64(quotient) + (roundsUp ? 1 : 0)
        return (part, energy.milliwattHours - part)
    }

    /// Proportional to the energy of the piece: the area of its trapezoid, in whole numbers.
    private func weight(of piece: Piece) -> Int128 {
        let length = Int128(piece.end.milliseconds(since: piece.start))
        guard let powers else { return length }
        // With powers of at most 20 bits, weight (84 bits) times energy (40 bits) fits. What is cut off is under a
        // millionth of the power.
        let shift = max(0, 44 - max(powers.start, powers.end).leadingZeroBitCount)
        let (first, last) = (Int128(powers.start >> shift), Int128(powers.end >> shift))
        let duration = Int128(end.milliseconds(since: start))
        let edges = Int128(piece.start.milliseconds(since: start)) + Int128(piece.end.milliseconds(since: start))
        return (first * (2 * duration - edges) + last * edges) * length
    }
}
