/// A half-open span of time, `start..<end`. Never empty.
public struct Interval: Hashable, Sendable, CustomStringConvertible {
    public let start: Timestamp
    /// Not inside the interval.
    public let end: Timestamp

    /// - Returns: `nil` unless `start` is before `end`.
    public init?(start: Timestamp, end: Timestamp) {
        guard start < end else { return nil }
        self.start = start
        self.end = end
    }

    /// - Precondition: `milliseconds` is positive.
    @inlinable public init(start: Timestamp, milliseconds: Int64) {
        precondition(milliseconds > 0, "an interval is never empty")
        self.start = start
        self.end = start.advanced(byMilliseconds: milliseconds)
    }

    public var milliseconds: Int64 { end.milliseconds(since: start) }

    public func contains(_ point: Timestamp) -> Bool { start <= point && point < end }

    public func overlaps(_ other: Interval) -> Bool { start < other.end && other.start < end }

    /// The part that both have, `nil` if they only touch or are apart.
    public func intersection(_ other: Interval) -> Interval? {
        Interval(start: max(start, other.start), end: min(end, other.end))
    }

    public var description: String { "\(start)/\(end)" }
}

extension [Interval] {
    /// By time; those that touch or overlap are one.
    public var joined: [Interval] {
        sorted { $0.start < $1.start }.reduce(into: []) { joined, time in
            guard let last = joined.last, time.start <= last.end else { return joined.append(time) }
            joined[joined.count - 1] = Interval(start: last.start, end: Swift.max(last.end, time.end)) ?? last
        }
    }
}
