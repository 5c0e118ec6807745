/// The terms that a venue's use of one UTC day is counted by.
///
/// A quarter of an hour is frozen when something is first counted in it: from then on its terms are what was known at
/// that moment, whatever is said later. Only what was unknown may be filled in, once, by ``filled(from:)``.
public struct FrozenDay: Hashable, Sendable {
    public static let quarters = Int(.millisecondsPerDay / InsightBucket.milliseconds)

    /// Midnight UTC.
    public let start: Timestamp
    /// Bit 0 of the first is the first quarter; 48 bits of each.
    public private(set) var isFrozen: (UInt64, UInt64)
    /// Of the frozen quarters only.
    public private(set) var terms: TermsTimeline
    /// It was rated among its UTC day, as was done once, and is to be rated among the venue's own.
    public let needsRating: Bool

    public init(
        start: Timestamp, isFrozen: (UInt64, UInt64) = (0, 0), terms: TermsTimeline = TermsTimeline(),
        needsRating: Bool = false
    ) {
        self.start = start
        self.isFrozen = isFrozen
        self.terms = terms
        self.needsRating = needsRating
    }

    public var interval: Interval { Interval(start: start, milliseconds: .millisecondsPerDay) }

    /// Every quarter that the part of `interval` on this day touches is frozen.
    public func covers(_ interval: Interval) -> Bool { mask(interval).map { isSubset($0) } ?? true }

    /// Freezes the quarters that `interval` touches and that are not yet, by what is known now.
    public mutating func freeze(_ interval: Interval, from known: TermsTimeline) {
        guard let wanted = mask(interval), !isSubset(wanted) else { return }
        let new = (wanted.0 & ~isFrozen.0, wanted.1 & ~isFrozen.1)
        let (first, last) = (Self.lowest(new), Self.highest(new))
        if first > Self.highest(isFrozen) {
            // Mostly time goes on: what comes is added to what is there.
            let end = quarter(last).end
            terms.append(
                known.clamped(to: Interval(start: quarter(first).start, end: end) ?? quarter(first)))
            isFrozen = (isFrozen.0 | wanted.0, isFrozen.1 | wanted.1)
            return
        }
        var result = TermsTimeline()
        for quarter in 0..<Self.quarters {
            let isOld = Self.contains(isFrozen, quarter)
            guard isOld || Self.contains(wanted, quarter) else { continue }
            result.append((isOld ? terms : known).clamped(to: self.quarter(quarter)))
        }
        terms = result
        isFrozen = (isFrozen.0 | wanted.0, isFrozen.1 | wanted.1)
    }

    /// Something about a frozen quarter is not known.
    public var isIncomplete: Bool {
        for quarter in 0..<Self.quarters where Self.contains(isFrozen, quarter) {
            var start = self.quarter(quarter).start
            while start < self.quarter(quarter).end {
                let (found, end) = terms.terms(at: start)
                if !found.imported.isComplete { return true }
                start = end
            }
        }
        return false
    }

    /// The day with what was unknown filled in from what is known by now; `nil` if nothing more is known.
    public func filled(from later: TermsTimeline) -> FrozenDay? {
        var result = TermsTimeline()
        for quarter in 0..<Self.quarters where Self.contains(isFrozen, quarter) {
            result.append(terms.joined(with: later, in: self.quarter(quarter)) { $0.filled(from: $1) })
        }
        return result == terms
            ? nil : FrozenDay(start: start, isFrozen: isFrozen, terms: result, needsRating: needsRating)
    }

    /// The times of which `later` knows something that ratings are made of, and these terms do not: sorted, without
    /// overlaps. What was rated among such times was rated by less than is known by then.
    public func newlyRatable(by later: TermsTimeline) -> [Interval] {
        var result = TermsTimeline()
        for quarter in 0..<Self.quarters where Self.contains(isFrozen, quarter) {
            result.append(
                terms.joined(with: later, in: self.quarter(quarter)) { $0.isRatable(less: $1) ? $1 : .unknown })
        }
        return result.spans.compactMap { Interval(start: $0.start, end: $0.end) }
    }

    /// The day with the ratings of `known` in the quarters that begin in one of `intervals`, and everything else as it is
    /// frozen. What `known` does not rate keeps its rating.
    public func rated(as known: TermsTimeline, in intervals: [Interval]) -> FrozenDay {
        var result = TermsTimeline()
        for index in 0..<Self.quarters where Self.contains(isFrozen, index) {
            let quarter = quarter(index)
            result.append(
                intervals.contains { $0.contains(quarter.start) }
                    ? terms.joined(with: known, in: quarter) { $0.rated(as: $1) } : terms.clamped(to: quarter))
        }
        return FrozenDay(start: start, isFrozen: isFrozen, terms: result, needsRating: needsRating)
    }

    /// The day with the ratings of `known`, and everything else as it is frozen. What `known` does not rate keeps its
    /// rating.
    public func rated(as known: TermsTimeline) -> FrozenDay {
        var result = TermsTimeline()
        for quarter in 0..<Self.quarters where Self.contains(isFrozen, quarter) {
            result.append(terms.joined(with: known, in: self.quarter(quarter)) { $0.rated(as: $1) })
        }
        return FrozenDay(start: start, isFrozen: isFrozen, terms: result)
    }

    public static func == (lhs: FrozenDay, rhs: FrozenDay) -> Bool {
        lhs.start == rhs.start && lhs.isFrozen == rhs.isFrozen && lhs.terms == rhs.terms
            && lhs.needsRating == rhs.needsRating
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(start)
        hasher.combine(isFrozen.0)
        hasher.combine(isFrozen.1)
        hasher.combine(terms)
    }

    private func quarter(_ index: Int) -> Interval {
        Interval(
            start: start.advanced(byMilliseconds: Int64(index) * InsightBucket.milliseconds),
            milliseconds: InsightBucket.milliseconds)
    }

    /// `nil` if the interval lies outside the day.
    private func mask(_ interval: Interval) -> (UInt64, UInt64)? {
        guard let part = interval.intersection(self.interval) else { return nil }
        let first = Int(part.start.milliseconds(since: start) / InsightBucket.milliseconds)
        let last = Int((part.end.milliseconds(since: start) - 1) / InsightBucket.milliseconds)
        func bits(_ range: ClosedRange<Int>) -> UInt64 {
            let (low, high) = (max(first, range.lowerBound), min(last, range.upperBound))
            guard low <= high else { return 0 }
            return (~0 >> UInt64(63 - (high - low))) << UInt64(low - range.lowerBound)
        }
        return (bits(0...47), bits(48...95))
    }

    private func isSubset(_ mask: (UInt64, UInt64)) -> Bool {
        mask.0 & ~isFrozen.0 == 0 && mask.1 & ~isFrozen.1 == 0
    }

    private static func lowest(_ mask: (UInt64, UInt64)) -> Int {
        mask.0 != 0 ? mask.0.trailingZeroBitCount : 48 + mask.1.trailingZeroBitCount
    }

    /// -1 for none.
    private static func highest(_ mask: (UInt64, UInt64)) -> Int {
        mask.1 != 0 ? 48 + 63 - mask.1.leadingZeroBitCount : 63 - mask.0.leadingZeroBitCount
    }

    private static func contains(_ mask: (UInt64, UInt64), _ quarter: Int) -> Bool {
        (quarter < 48 ? mask.0 >> UInt64(quarter) : mask.1 >> UInt64(quarter - 48)) & 1 == 1
    }
}
