public import Foundation
internal import Synchronization

/// What a zone's clocks are off from UTC, as a table: answering a year by the hour asks thousands of times.
public struct ZoneOffsets: Sendable {
    /// 1990 to 2060 is in the table, the rest is asked of the zone.
    private static let known = Interval(
        start: Timestamp(unixMilliseconds: 631_152_000_000), milliseconds: 25_567 * .millisecondsPerDay)
    private static let tablesMax = 700
    private static let tables = Mutex<[String: ZoneOffsets]>([:])

    private let timeZone: TimeZone
    private let spans: [OffsetSpan]

    /// Made once per zone and process: a table takes some milliseconds and kilobytes.
    public static func of(_ timeZone: TimeZone) -> ZoneOffsets {
        if let known = tables.withLock({ $0[timeZone.identifier] }) { return known }
        let table = ZoneOffsets(timeZone: timeZone, spans: timeZone.offsetSpans(in: known))
        tables.withLock { if $0.count < tablesMax { $0[timeZone.identifier] = table } }
        return table
    }

    public func offsetMilliseconds(at instant: Timestamp) -> Int64 {
        span(at: instant)?.offsetMilliseconds ?? timeZone.offsetMilliseconds(at: instant)
    }

    /// Whether the clocks show the instant's reading twice, as they go back around then.
    public func isRepeated(_ instant: Timestamp) -> Bool {
        let offset = offsetMilliseconds(at: instant)
        // The other instant with the same reading would have the offset in force a day before or after.
        return [-Int64.millisecondsPerDay, .millisecondsPerDay].contains { shift in
            let other = offsetMilliseconds(at: instant.advanced(byMilliseconds: shift))
            return other != offset
                && offsetMilliseconds(at: instant.advanced(byMilliseconds: offset - other)) == other
        }
    }

    /// `-07:00`, where the clocks show the instant's reading twice; `nil` where they show it once.
    public func offsetOfRepeated(_ instant: Timestamp) -> String? {
        guard isRepeated(instant) else { return nil }
        let offset = offsetMilliseconds(at: instant)
        let clock = PlainActivityFormats()
        let minutes = Int(offset.magnitude / 60_000)
        return (offset < 0 ? "-" : "+") + clock.clock(hour: minutes / 60, minute: minutes % 60)
    }

    /// The number, since 1970-01-01, of the local day that the instant is in.
    public func dayNumber(at instant: Timestamp) -> Int64 { day(at: instant).number }

    /// The local day that the instant is in: its number since 1970-01-01, and where it ends.
    public func day(at instant: Timestamp) -> (number: Int64, end: Timestamp) {
        if let span = span(at: instant), isPlain(instant, in: span) {
            let number = Self.day(instant, in: span)
            let end = Timestamp(unixMilliseconds: (number + 1) * .millisecondsPerDay)
            return (number, end.advanced(byMilliseconds: -span.offsetMilliseconds))
        }
        let day = CalendarPeriods(.daily, timeZone: timeZone).day(containing: instant)
        return (day.date.dayNumber, day.interval.end)
    }

    /// Until when every hour on the clocks is a full one, if one begins at the instant.
    func fullHoursEnd(at instant: Timestamp) -> Timestamp? {
        guard let span = span(at: instant) else { return nil }
        let reading = instant.advanced(byMilliseconds: span.offsetMilliseconds)
        return reading.floored(toMilliseconds: .millisecondsPerHour) == reading ? span.interval.end : nil
    }

    /// Until when days have 24 hours, if they have at the instant.
    func plainEnd(at instant: Timestamp) -> Timestamp? {
        guard let span = span(at: instant), isPlain(instant, in: span) else { return nil }
        return span.interval.end.advanced(byMilliseconds: -.millisecondsPerDay)
    }

    /// The number, since 1970-01-01, of the local day that the instant is in, where no change of the clocks is near;
    /// where one is, use ``CalendarPeriods``.
    ///
    /// - Returns: `nil` within a day of a change, and outside the table.
    public func plainDay(at instant: Timestamp) -> Int64? {
        guard let span = span(at: instant), isPlain(instant, in: span) else { return nil }
        return Self.day(instant, in: span)
    }

    private static func day(_ instant: Timestamp, in span: OffsetSpan) -> Int64 {
        instant.advanced(byMilliseconds: span.offsetMilliseconds)
            .floored(toMilliseconds: .millisecondsPerDay).unixMilliseconds / .millisecondsPerDay
    }

    /// The instant at which a local day begins, likewise.
    func plainStart(ofDay day: Int64) -> Timestamp? {
        let reading = Timestamp(unixMilliseconds: day * .millisecondsPerDay)
        guard let span = span(at: reading), isPlain(reading, in: span) else { return nil }
        let start = reading.advanced(byMilliseconds: -span.offsetMilliseconds)
        return isPlain(start, in: span) ? start : nil
    }

    private func isPlain(_ instant: Timestamp, in span: OffsetSpan) -> Bool {
        instant.milliseconds(since: span.interval.start) > .millisecondsPerDay
            && span.interval.end.milliseconds(since: instant) > .millisecondsPerDay
    }

    private func span(at instant: Timestamp) -> OffsetSpan? {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].interval.end <= instant { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].interval.contains(instant) ? spans[low] : nil
    }
}
