public import Foundation

/// What a clock on the wall reads, for an instant whose offset from UTC is known.
///
/// Arithmetic only, so that pricing a year or averaging a month needs no calendar.
public struct LocalTime: Hashable, Sendable {
    /// Days since 1970-01-01, local.
    public let day: Int64
    /// `0...1439`.
    public let minuteOfDay: Int

    public init(_ instant: Timestamp, offsetMilliseconds: Int64) {
        let local = instant.advanced(byMilliseconds: offsetMilliseconds)
        let midnight = local.floored(toMilliseconds: .millisecondsPerDay)
        day = midnight.unixMilliseconds / .millisecondsPerDay
        minuteOfDay = Int(local.milliseconds(since: midnight) / .millisecondsPerMinute)
    }

    public var hour: Int { minuteOfDay / 60 }

    /// 0 is Monday, 6 is Sunday.
    public var weekday: Int { Self.weekday(ofDay: day) }

    /// `1...12`.
    public var month: Int { Self.month(ofDay: day) }

    public static func weekday(ofDay day: Int64) -> Int {
        // 1970-01-01 was a Thursday.
        let remainder = Int((day + 3) % 7)
        return remainder < 0 ? remainder + 7 : remainder
    }

    /// Month of the proleptic Gregorian calendar.
    ///
    /// - Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    public static func month(ofDay day: Int64) -> Int {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        return Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    }
}

/// A span of time during which a zone's offset from UTC does not change.
public struct OffsetSpan: Hashable, Sendable {
    public let interval: Interval
    public let offsetMilliseconds: Int64
}

extension TimeZone {
    /// `interval` cut where the zone's clocks change: one span on most days, two on days of 23 or 25 hours.
    ///
    /// - Parameter interval: at most a few years; the work is one look-up a day.
    public func offsetSpans(in interval: Interval) -> [OffsetSpan] {
        var spans: [OffsetSpan] = []
        var (spanStart, probe) = (interval.start, interval.start)
        var offset = offsetMilliseconds(at: probe)
        while probe < interval.end {
            // The last instant asked about is inside the interval: what happens at its end is not of interest.
            let next = min(probe.advanced(byMilliseconds: .millisecondsPerDay), interval.end)
            let nextOffset = offsetMilliseconds(at: next)
            if nextOffset != offset {
                let change = firstChange(after: probe, notAfter: next, from: offset)
                if let span = Interval(start: spanStart, end: min(change, interval.end)) {
                    spans.append(OffsetSpan(interval: span, offsetMilliseconds: offset))
                }
                spanStart = change
                offset = nextOffset
            }
            probe = next
        }
        if let last = Interval(start: spanStart, end: interval.end) {
            spans.append(OffsetSpan(interval: last, offsetMilliseconds: offset))
        }
        return spans
    }

    public func offsetMilliseconds(at instant: Timestamp) -> Int64 {
        Int64(secondsFromGMT(for: instant.date)) * 1000
    }

    /// Clocks change on whole minutes.
    private func firstChange(after start: Timestamp, notAfter end: Timestamp, from offset: Int64) -> Timestamp {
        var (low, high) = (start, end)
        while high.milliseconds(since: low) > .millisecondsPerMinute {
            let middle = low.advanced(byMilliseconds: high.milliseconds(since: low) / 2)
                .floored(toMilliseconds: .millisecondsPerMinute)
            // Flooring may fall back to the lower end when less than two minutes are left.
            guard middle > low else { break }
            if offsetMilliseconds(at: middle) == offset { low = middle } else { high = middle }
        }
        let candidate = high.floored(toMilliseconds: .millisecondsPerMinute)
        return candidate > start && offsetMilliseconds(at: candidate) != offset ? candidate : high
    }
}
