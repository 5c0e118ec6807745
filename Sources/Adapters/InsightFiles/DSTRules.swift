internal import EnergyModel
internal import Foundation

/// How ESPI writes down when a zone's clocks change: one rule for spring, one for autumn.
///
/// - Source: NAESB REQ.21 ESPI, `TimeConfiguration`, `DstRuleType`.
struct DSTRules: Hashable {
    /// Of standard time, east of UTC.
    let standardSeconds: Int64
    /// What is added while daylight saving is in force; 0 in a zone without.
    let savingSeconds: Int64
    let start: UInt32
    let end: UInt32

    private static let none = UInt32.max
    /// A rule is what holds in all of these years around the one in question, as far as one does.
    private static let yearsAround: Int64 = 6

    /// - Parameter instant: the rules of that year.
    init(of zone: TimeZone, at instant: Timestamp) {
        let year = CivilDate(dayNumber: instant.unixMilliseconds / .millisecondsPerDay).components.year
        let now = Self.changes(of: zone, in: year)
        guard now.count == 2, let spring = now.first(where: { $0.isForward }),
            let autumn = now.first(where: { !$0.isForward })
        else {
            standardSeconds = Int64(zone.secondsFromGMT(for: instant.date))
            (savingSeconds, start, end) = (0, Self.none, Self.none)
            return
        }
        standardSeconds = autumn.offsetAfter
        savingSeconds = spring.offsetAfter - autumn.offsetAfter
        let years = (year - Self.yearsAround...year + Self.yearsAround).map { Self.changes(of: zone, in: $0) }
        start = Self.rule(spring, years.compactMap { $0.first(where: \.isForward) })
        end = Self.rule(autumn, years.compactMap { $0.first(where: { !$0.isForward }) })
    }

    /// When the clocks of a year changed, as they read right before.
    private struct Change {
        let isForward: Bool
        /// Seconds east of UTC.
        let offsetAfter: Int64
        let date: CivilDate
        let secondsOfDay: Int64

        /// 1 is Monday, 7 is Sunday.
        var weekday: Int64 { Int64(LocalTime.weekday(ofDay: date.dayNumber)) + 1 }
        var isLastOfMonth: Bool { CivilDate(dayNumber: date.dayNumber + 7).components.month != date.components.month }
        /// 1 is the first such weekday of the month.
        var occurrence: Int64 { (date.components.day - 1) / 7 + 1 }
    }

    private static func changes(of zone: TimeZone, in year: Int64) -> [Change] {
        func start(_ year: Int64) -> Timestamp {
            Timestamp(unixMilliseconds: CivilDate(year: year, month: 1).dayNumber * .millisecondsPerDay)
        }
        guard let interval = Interval(start: start(year), end: start(year + 1)) else { return [] }
        let spans = zone.offsetSpans(in: interval)
        return zip(spans, spans.dropFirst()).map { before, after in
            let local = after.interval.start.advanced(byMilliseconds: before.offsetMilliseconds)
            let midnight = local.floored(toMilliseconds: .millisecondsPerDay)
            return Change(
                isForward: after.offsetMilliseconds > before.offsetMilliseconds,
                offsetAfter: after.offsetMilliseconds / 1000,
                date: CivilDate(dayNumber: midnight.unixMilliseconds / .millisecondsPerDay),
                secondsOfDay: local.milliseconds(since: midnight) / 1000)
        }
    }

    /// Bits 0 to 11 seconds of the hour, 12 to 16 hour, 17 to 19 weekday, 20 to 24 day of the month, 25 to 27 operator, 28
    /// to 31 month.
    private static func rule(_ change: Change, _ years: [Change]) -> UInt32 {
        let (_, month, day) = change.date.components
        let isRegular = years.allSatisfy {
            $0.date.components.month == month && $0.weekday == change.weekday
                && $0.secondsOfDay == change.secondsOfDay
        }
        let (operation, monthDay, weekday): (Int64, Int64, Int64) =
            if isRegular, years.allSatisfy(\.isLastOfMonth) {
                (7, 0, change.weekday)
            } else if isRegular, years.allSatisfy({ $0.occurrence == change.occurrence }) {
                (change.occurrence + 1, 0, change.weekday)
            } else if isRegular, let first = years.map(\.date.components.day).min(), day - first < 7 {
                // For example the Friday before the last Sunday: the first Friday from the 23rd on.
                (1, first, change.weekday)
            } else {
                (0, day, 0)
            }
        let seconds = change.secondsOfDay % 3_600 | (change.secondsOfDay / 3_600) << 12
        return UInt32(truncatingIfNeeded: seconds | weekday << 17 | monthDay << 20 | operation << 25 | month << 28)
    }
}
