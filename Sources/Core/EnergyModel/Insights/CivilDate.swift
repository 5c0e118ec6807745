/// A day of the proleptic Gregorian calendar, without a place or a clock.
///
/// Arithmetic only, so that cutting five years into hours needs no calendar object.
///
/// - Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`, `civil_from_days`.
package struct CivilDate: Hashable, Comparable {
    /// Since 1970-01-01.
    package let dayNumber: Int64

    package init(dayNumber: Int64) { self.dayNumber = dayNumber }

    /// - Parameter month: `1...12`.
    package init(year: Int64, month: Int64, day: Int64 = 1) {
        let yearFromMarch = month > 2 ? year : year - 1
        let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        dayNumber = era * 146_097 + dayOfEra - 719_468
    }

    /// Month is `1...12`, day `1...31`.
    package var components: (year: Int64, month: Int64, day: Int64) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// 0 is Monday, 6 is Sunday.
    var weekday: Int64 {
        // 1970-01-01 was a Thursday.
        let remainder = (dayNumber + 3) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    func adding(days: Int64) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

    /// The Monday of this week.
    var monday: CivilDate { adding(days: -weekday) }

    package static func < (lhs: CivilDate, rhs: CivilDate) -> Bool { lhs.dayNumber < rhs.dayNumber }
}
