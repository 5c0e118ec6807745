/// A day that a contract reads as a Sunday.
public struct Holiday: Hashable, Sendable {
    /// When it is.
    public enum Rule: Hashable, Sendable {
        /// Once. Year `1970...9999`.
        case date(year: Int, Season.Day)
        /// Every year that has the day.
        case yearly(Season.Day)
        /// The nth weekday of a month. Occurrence `1...5` from the first day, or `-1` for the last; weekday 0 (Monday) to
        /// 6; month `1...12`.
        case nthWeekday(occurrence: Int, weekday: Int, month: Int)
        /// Days after Easter Sunday of the western churches, `-100...100`: -2 is Good Friday.
        case easter(days: Int)
    }

    /// What follows when it falls on a weekend.
    public enum Observance: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case onTheDay
        /// From a Sunday it moves to the Monday after. SCE's tariffs.
        case mondayAfterSunday
        /// From a Saturday it moves to the Friday before, from a Sunday to the Monday after. 5 U.S.C. 6103(b).
        case nearestWeekday
    }

    public var rule: Rule
    public var observance: Observance

    public init(_ rule: Rule, observance: Observance = .onTheDay) {
        self.rule = rule
        self.observance = observance
    }
}

extension Holiday {
    /// The day it is observed on that belongs to `year`, as days since 1970-01-01. It may lie in the year before or after.
    ///
    /// - Returns: `nil` when that year has none.
    func dayNumber(in year: Int64) -> Int64? {
        guard let day = unmoved(in: year) else { return nil }
        switch (observance, day.weekday) {
        case (.mondayAfterSunday, 6), (.nearestWeekday, 6): return day.dayNumber + 1
        case (.nearestWeekday, 5): return day.dayNumber - 1
        default: return day.dayNumber
        }
    }

    private func unmoved(in year: Int64) -> CivilDate? {
        switch rule {
        case .date(let only, let day): return Int64(only) == year ? Self.date(year, day) : nil
        case .yearly(let day): return Self.date(year, day)
        case .nthWeekday(let occurrence, let weekday, let month):
            let first = CivilDate(year: year, month: Int64(month))
            if occurrence < 0 {
                // 31 days after the first of a month is in the next one, whichever month it is.
                let later = first.adding(days: 31).components
                let last = CivilDate(year: later.year, month: later.month).adding(days: -1)
                return last.adding(days: -((last.weekday - Int64(weekday) + 7) % 7))
            }
            let found = first.adding(days: (Int64(weekday) - first.weekday + 7) % 7 + 7 * Int64(occurrence - 1))
            return found.components.month == Int64(month) ? found : nil
        case .easter(let days): return Self.easterSunday(year).adding(days: Int64(days))
        }
    }

    private static func date(_ year: Int64, _ day: Season.Day) -> CivilDate? {
        let date = CivilDate(year: year, month: Int64(day.month), day: Int64(day.day))
        return date.components.month == Int64(day.month) ? date : nil
    }

    /// - Source: "anonymous Gregorian algorithm", Nature, 20 April 1876; J. Meeus, Astronomical Algorithms, chapter 8.
    static func easterSunday(_ year: Int64) -> CivilDate {
        let (a, b, c) = (year % 19, year / 100, year % 100)
        let (d, e) = (b / 4, b % 4)
        let g = (b - (b + 8) / 25 + 1) / 3
        let h = (19 * a + b - d - g + 15) % 30
        let (i, k) = (c / 4, c % 4)
        let l = (32 + 2 * e + 2 * i - h - k) % 7
        let m = (a + 11 * h + 22 * l) / 451
        let sum = h + l - 7 * m + 114
        return CivilDate(year: year, month: sum / 31, day: sum % 31 + 1)
    }
}
