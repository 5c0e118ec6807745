internal import EnergyModel
internal import Foundation

/// Which periods a question about the past is about.
enum InsightPeriods {
    /// What is shown when nothing is said.
    static func defaultSpan(_ granularity: Granularity) -> TimeSpan {
        switch granularity {
        case .quarterHourly: TimeSpan(6, .h)
        case .hourly: TimeSpan(24, .h)
        case .daily: TimeSpan(14, .d)
        case .weekly: TimeSpan(12, .w)
        case .monthly: TimeSpan(12, .mo)
        case .yearly: TimeSpan(5, .y)
        }
    }

    /// The last `span`, with the present hour, day, week, month or year as its last: `14d` on a Friday at noon begins
    /// with the Saturday before last, at midnight.
    static func range(last span: TimeSpan, now: Timestamp, in zone: TimeZone) -> Interval {
        let today = VenueTime(now, in: zone).date
        let start: Timestamp
        switch span.unit {
        case .s, .m: start = span.moving(now, in: zone, -1)
        case .h:
            let hour = CalendarPeriods(.hourly, timeZone: zone).period(containing: now)
            start = hour.start.advanced(byMilliseconds: Int64(1 - span.count) * .millisecondsPerHour)
        case .d: start = VenueTime.timestamp(today.adding(days: 1 - span.count), in: zone)
        case .w:
            start = VenueTime.timestamp(today.adding(days: -today.weekday - 7 * (span.count - 1)), in: zone)
        case .mo: start = VenueTime.timestamp(today.firstOfMonth(adding: 1 - span.count), in: zone)
        case .y:
            let january = today.firstOfMonth(adding: 1 - today.month)
            start = VenueTime.timestamp(january.firstOfMonth(adding: -12 * (span.count - 1)), in: zone)
        }
        return Interval(start: start, end: now) ?? Interval(start: now, milliseconds: 1)
    }
}
