public import Foundation

/// Days of the week. Bit 0 is Monday, bit 6 Sunday.
public struct Weekdays: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let every = Weekdays(rawValue: 0b111_1111)

    /// - Parameter day: 0 is Monday, 6 is Sunday.
    public func contains(day: Int) -> Bool { rawValue & 1 << UInt32(day) != 0 }
}

/// A time of day on some days of the week, as the venue's clocks read.
///
/// On a day that skips it, it is the instant at which the clocks jump; on a day that has it twice, the first.
public struct WeeklyTime: Hashable, Sendable {
    public static let exceptionsMax = 100
    /// How far ahead the next time is looked for.
    public static let daysMax: Int64 = 60

    /// Not empty.
    public let weekdays: Weekdays
    /// `0...1439`.
    public let minuteOfDay: Int
    /// Days that are left out, since 1970-01-01; sorted.
    public let exceptions: [Int64]

    public init(weekdays: Weekdays, minuteOfDay: Int, exceptions: [Int64] = []) {
        self.weekdays = weekdays
        self.minuteOfDay = minuteOfDay
        self.exceptions = Set(exceptions).sorted()
    }

    /// The first time after `instant`; `nil` if the next ``daysMax`` days have none.
    public func next(after instant: Timestamp, in timeZone: TimeZone) -> Timestamp? {
        let clock = LocalClock(timeZone: timeZone)
        let today = clock.date(at: instant)
        for days in 0...Self.daysMax {
            let date = today.adding(days: days)
            guard weekdays.contains(day: Int(date.weekday)), !exceptions.contains(date.dayNumber) else { continue }
            let time = clock.instant(of: date, minute: minuteOfDay)
            if time > instant { return time }
        }
        return nil
    }

    /// Without the day on which `instant` falls; exceptions that are long over are forgotten.
    public func skipping(_ instant: Timestamp, in timeZone: TimeZone) -> WeeklyTime {
        let day = LocalClock(timeZone: timeZone).date(at: instant).dayNumber
        return WeeklyTime(
            weekdays: weekdays, minuteOfDay: minuteOfDay, exceptions: exceptions.filter { $0 > day - 31 } + [day])
    }
}

/// A time at which a vehicle is not there.
public enum Absence: Hashable, Sendable {
    case once(Interval)
    /// From one time of day to another, on some days; over midnight if the end is not after the start.
    case weekly(Weekdays, startMinute: Int, endMinute: Int)

    public static let countMax = 50

    /// The absences of the kind that fall into `window`, cut to it.
    public func intervals(in window: Interval, _ timeZone: TimeZone) -> [Interval] {
        switch self {
        case .once(let interval): return interval.intersection(window).map { [$0] } ?? []
        case .weekly(let weekdays, let start, let end):
            let clock = LocalClock(timeZone: timeZone)
            var (date, found): (CivilDate, [Interval]) = (clock.date(at: window.start).adding(days: -1), [])
            let last = clock.date(at: window.end)
            while date <= last {
                defer { date = date.adding(days: 1) }
                guard weekdays.contains(day: Int(date.weekday)) else { continue }
                let until = clock.instant(of: end > start ? date : date.adding(days: 1), minute: end)
                let span = Interval(start: clock.instant(of: date, minute: start), end: until)
                if let part = span?.intersection(window) { found.append(part) }
            }
            return found
        }
    }
}
