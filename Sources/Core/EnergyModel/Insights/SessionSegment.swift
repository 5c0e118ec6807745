/// What a session did between two consecutive load events.
public struct SessionSegment: Hashable, Sendable {
    /// Longer silences are not believed, so that one event touches a bounded number of buckets: their energy, and run
    /// time, is counted in the last 14 days before the event that reports it.
    public static let millisecondsMax: Int64 = 14 * .millisecondsPerDay

    public let series: InsightSeries
    public let start: Timestamp
    /// Not inside the segment, unless it equals `start`: then all energy came in that instant.
    public let end: Timestamp
    public let energy: Energy
    /// mW at `start` and `end`; `nil` unless both are known.
    public let powers: Powers?
    /// The whole segment is run time.
    public let isRunning: Bool

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
        series = next.series
        self.energy = energy
        if let first = previous?.powerMilliwatts, let last = next.powerMilliwatts, first > 0 || last > 0 {
            powers = Powers(start: first, end: last)
        } else {
            powers = nil
        }
    }

    /// Every bucket's share.
    ///
    /// The energy is spread over the segment: where the power is known at both ends, as if it went from one to the other
    /// in a straight line, else evenly. The segment is cut at every quarter of an hour and at every edge of a class; each
    /// piece gets its exact share, rounded by largest remainder, so the pieces sum to the segment to the mWh and the ms.
    public func shares(classes: ClassTimeline) -> [(bucket: InsightBucket, amount: InsightAmount)] {
        let pieces = cut(classes)
        if pieces.count == 1 { return [(pieces[0].bucket, amount(energy, of: pieces[0]))] }
        let energies = LargestRemainder.split(energy.milliwattHours, by: pieces.map(weight))
        return zip(pieces, energies).map { ($0.bucket, amount(Energy(milliwattHours: $1), of: $0)) }
    }

    private struct Piece {
        let start: Timestamp
        let end: Timestamp
        let bucket: InsightBucket
    }

    private func cut(_ classes: ClassTimeline) -> [Piece] {
        var pieces: [Piece] = []
        var start = start
        repeat {
            let bucketStart = start.floored(toMilliseconds: InsightBucket.milliseconds)
            let (`class`, classEnd) = classes.class(at: start)
            let end = min(end, bucketStart.advanced(byMilliseconds: InsightBucket.milliseconds), classEnd)
            let bucket = InsightBucket(series: series, start: bucketStart, class: `class`)
            pieces.append(Piece(start: start, end: end, bucket: bucket))
            start = end
        } while start < end
        return pieces
    }

    private func amount(_ energy: Energy, of piece: Piece) -> InsightAmount {
        InsightAmount(
            energy: energy, runtimeMilliseconds: isRunning ? piece.end.milliseconds(since: piece.start) : 0)
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
