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
    init?(from previous: CountedSession.Mark?, to next: CountedSession) {
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
    /// in a straight line, else evenly. The segment is cut at every quarter of an hour and wherever the terms of its direction change; each
    /// piece gets its exact share, rounded by largest remainder, so the pieces sum to the segment to the mWh and the ms.
    /// A piece's cost and carbon are its energy times its terms, rounded to a millionth and a milligram.
    public func shares(terms: TermsTimeline) -> [Share] {
        let pieces = cut(terms)
        if pieces.count == 1 { return [share(energy.milliwattHours, of: pieces[0])] }
        if pieces.count == 2 {
            let (first, second) = LargestRemainder.split(
                energy.milliwattHours, by: weight(of: pieces[0]), weight(of: pieces[1]))
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
            let last = min(end, quarter.advanced(byMilliseconds: InsightBucket.milliseconds))
            var (terms, termsEnd) = timeline.terms(at: start)
            // What changes for the other direction alone cuts nothing.
            while termsEnd < last {
                let (next, nextEnd) = timeline.terms(at: termsEnd)
                guard next.isAlike(terms, direction) else { break }
                termsEnd = nextEnd
            }
            let end = min(last, termsEnd)
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

    /// Proportional to the energy of the piece: the area of its trapezoid, exactly. Power times twice a duration, times a
    /// length: at most 40, 32 and 31 bits.
    private func weight(of piece: Piece) -> UInt128 {
        let length = UInt128(piece.end.milliseconds(since: piece.start))
        guard let powers else { return length }
        let duration = 2 * end.milliseconds(since: start)
        let edges = piece.start.milliseconds(since: start) + piece.end.milliseconds(since: start)
        let (first, last) = (UInt128(powers.start), UInt128(powers.end))
        return (first * UInt128(duration - edges) + last * UInt128(edges)) * length
    }
}
