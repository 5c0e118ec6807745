public import Foundation

/// The calendar periods of one granularity on the clocks of one zone: quarters of an hour, hours, days, weeks from Monday,
/// months or years.
///
/// They cover all time, without gaps or overlaps. A day has 23, 24 or 25 hours, or what the zone makes of it. Hours begin
/// on the local full hour and wherever the clocks change: an hour that the clocks repeat is two periods, and a change by
/// half an hour leaves a period of half an hour.
public struct CalendarPeriods: Hashable, Sendable {
    /// What can be asked about: 1970 to 9998, so that every period has a start and an end.
    public static let supported: ClosedRange<Timestamp> =
        Timestamp(unixMilliseconds: 0)...Timestamp(unixMilliseconds: 253_370_764_800_000)

    public let granularity: Granularity
    private let clock: LocalClock

    public init(_ granularity: Granularity, timeZone: TimeZone) {
        self.granularity = granularity
        clock = LocalClock(timeZone: timeZone)
    }

    public var timeZone: TimeZone { clock.timeZone }

    /// The period that holds the instant, which is in ``supported``.
    public func period(containing instant: Timestamp) -> Interval {
        if granularity == .quarterHourly {
            return Interval(
                start: instant.floored(toMilliseconds: InsightBucket.milliseconds),
                milliseconds: InsightBucket.milliseconds)
        }
        let day = self.day(containing: instant)
        switch granularity {
        case .quarterHourly: return day.interval
        case .hourly: return hour(containing: instant, of: day.interval)
        case .daily: return day.interval
        case .weekly: return period(containing: instant, from: day.date.monday) { $0.adding(days: 7) }
        case .monthly:
            let (year, month, _) = day.date.components
            return period(containing: instant, from: CivilDate(year: year, month: month)) { date in
                let (year, month, _) = date.components
                return month == 12 ? CivilDate(year: year + 1, month: 1) : CivilDate(year: year, month: month + 1)
            }
        case .yearly:
            return period(containing: instant, from: CivilDate(year: day.date.components.year, month: 1)) { date in
                CivilDate(year: date.components.year + 1, month: 1)
            }
        }
    }

    /// The periods that touch `range`, joined.
    public func exactWindow(of range: Interval) -> Interval {
        let last = range.end.advanced(byMilliseconds: -1)
        return Interval(start: period(containing: range.start).start, end: period(containing: last).end) ?? range
    }

    /// What an answer to `range` covers when the caller did not ask for the exact range.
    ///
    /// Whole days for quarters of an hour, weeks for hours, months for days, half-years between first Mondays of January and July for weeks, years for
    /// months and years. A window ends at its calendar end even where data end sooner: a period without data has no
    /// record, so both readings of the documentation give the same records.
    ///
    /// - Source: EnergyKit `ElectricityInsightQuery.Granularity`.
    public func window(of range: Interval) -> Interval {
        switch granularity {
        case .quarterHourly: CalendarPeriods(.daily, timeZone: timeZone).exactWindow(of: range)
        case .hourly: CalendarPeriods(.weekly, timeZone: timeZone).exactWindow(of: range)
        case .daily: CalendarPeriods(.monthly, timeZone: timeZone).exactWindow(of: range)
        case .weekly: halfYears(of: range)
        case .monthly, .yearly: CalendarPeriods(.yearly, timeZone: timeZone).exactWindow(of: range)
        }
    }

    func day(containing instant: Timestamp) -> (date: CivilDate, interval: Interval) {
        var date = clock.date(at: instant)
        // Where clocks go back over midnight, the date on them is not yet, or no longer, the day that has begun.
        while clock.start(of: date) > instant { date = date.adding(days: -1) }
        while clock.start(of: date.adding(days: 1)) <= instant { date = date.adding(days: 1) }
        return (date, interval(clock.start(of: date), clock.start(of: date.adding(days: 1))))
    }

    private func hour(containing instant: Timestamp, of day: Interval) -> Interval {
        let offset = clock.offsetMilliseconds(at: instant)
        let start = instant.advanced(byMilliseconds: offset).floored(toMilliseconds: .millisecondsPerHour)
            .advanced(byMilliseconds: -offset)
        let hour = Interval(start: start, milliseconds: .millisecondsPerHour)
        var within = day
        if let change = clock.change(after: day.start, notAfter: day.end.advanced(byMilliseconds: -1)) {
            within = change <= instant ? interval(change, day.end) : interval(day.start, change)
        }
        return hour.intersection(within) ?? hour
    }

    private func period(
        containing instant: Timestamp, from first: CivilDate, _ next: (CivilDate) -> CivilDate
    ) -> Interval {
        interval(clock.start(of: first), clock.start(of: next(first)))
    }

    private func halfYears(of range: Interval) -> Interval {
        let (first, last) = (
            day(containing: range.start).date, day(containing: range.end.advanced(byMilliseconds: -1)).date
        )
        return interval(clock.start(of: halfYear(of: first).start), clock.start(of: halfYear(of: last).end))
    }

    /// From a first Monday of January or July to the next one.
    private func halfYear(of date: CivilDate) -> (start: CivilDate, end: CivilDate) {
        let year = date.components.year
        let starts = [(year - 1, 7), (year, 1), (year, 7), (year + 1, 1)].map { (year, month) in
            // The first Monday is the Monday of the week that holds the 7th.
            CivilDate(year: year, month: Int64(month), day: 7).monday
        }
        let index = starts.lastIndex { $0 <= date } ?? 0
        return (starts[index], starts[index + 1])
    }

    /// Periods are never empty: their edges are days apart, or an hour's on either side of an instant.
    private func interval(_ start: Timestamp, _ end: Timestamp) -> Interval {
        Interval(start: start, end: end) ?? Interval(start: start, milliseconds: 1)
    }
}
