internal import EnergyModel
internal import Foundation

/// A point in time as a clock and a calendar on a venue's wall show it. Gregorian, without daylight-saving guesswork:
/// the offset is part of it, so that an hour that repeats is two different values.
struct VenueTime: Hashable {
    let date: CivilDate
    /// 0...23
    let hour: Int
    let minute: Int
    let second: Int
    let millisecond: Int
    /// East of Greenwich is positive.
    let offsetSeconds: Int
    /// The zone shows this date, hour and minute twice: clocks went back around now.
    let isRepeated: Bool

    /// Points before the year 0001 and after 9999 are shown as those bounds: what is beyond is no date for people.
    init(_ time: Timestamp, in zone: TimeZone) {
        let bounded = min(max(time.unixMilliseconds, VenueTime.earliest), VenueTime.latest)
        let (instant, offsets) = (Timestamp(unixMilliseconds: bounded), ZoneOffsets.of(zone))
        let offset = offsets.offsetMilliseconds(at: instant)
        let local = bounded + offset
        let day = Int64.floorDivide(local, .millisecondsPerDay)
        let inDay = Int(local - day * .millisecondsPerDay)
        self.date = CivilDate(dayNumber: Int(day))
        self.hour = inDay / 3_600_000
        self.minute = inDay / 60_000 % 60
        self.second = inDay / 1000 % 60
        self.millisecond = inDay % 1000
        self.offsetSeconds = Int(offset / 1000)
        self.isRepeated = offsets.isRepeated(instant)
    }

    /// To the nearest minute, as the scheduler's explanations say when something begins and ends.
    init(rounding time: Timestamp, in zone: TimeZone) {
        let bounded = min(max(time.unixMilliseconds, VenueTime.earliest), VenueTime.latest)
        self.init(
            Timestamp(unixMilliseconds: bounded).advanced(byMilliseconds: .millisecondsPerMinute / 2)
                .floored(toMilliseconds: .millisecondsPerMinute), in: zone)
    }

    /// As ``clock``, with the day in front unless it is `date`, or the midnight at its end: `Sun 11:44`, and from a week
    /// on `Sun 29 Nov 11:44`, far away with the year.
    func clock(on date: CivilDate) -> String {
        if self.date == date || (self.date == date.adding(days: 1) && hour == 0 && minute == 0) { return clock }
        return (self.date < date.adding(days: 7) ? String(self.date.short.prefix(3)) : self.date.told(on: date))
            + " \(clock)"
    }

    /// `07:05`, or `01:30 (-08:00)` when the zone shows that reading twice: `01:30-08:00` would read as a span.
    var clock: String { isRepeated ? clockWithOffset : "\(two(hour)):\(two(minute))" }

    /// `07:05 (+01:00)`
    var clockWithOffset: String { "\(two(hour)):\(two(minute)) (\(offset))" }

    /// `07:05:09`
    var clockWithSeconds: String { "\(two(hour)):\(two(minute)):\(two(second))" + (isRepeated ? offset : "") }

    /// `+01:00`
    var offset: String {
        let minutes = abs(offsetSeconds) / 60
        return (offsetSeconds < 0 ? "-" : "+") + "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    /// ISO 8601 with the offset, `2026-11-21T07:05:09.120+01:00`; milliseconds only when there are some.
    var iso8601: String {
        let fraction = millisecond == 0 ? "" : "." + String(String(1000 + millisecond).dropFirst())
        return "\(date.iso8601)T\(two(hour)):\(two(minute)):\(two(second))\(fraction)\(offset)"
    }

    /// The point in time when the zone shows this reading: the first of two when it repeats; when clocks skip it, the
    /// moment at which they jump. So a deadline is never later than its reading, and the same typed once or every week.
    static func timestamp(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0, in zone: TimeZone)
        -> Timestamp
    {
        let reading =
            Int64(date.dayNumber) * .millisecondsPerDay + Int64((hour * 60 + minute) * 60 + second) * 1000
        return LocalClock(timeZone: zone).instant(reading: Timestamp(unixMilliseconds: reading))
    }

    private static let earliest: Int64 = -62_135_596_800_000
    private static let latest: Int64 = 253_402_300_799_999
}

/// A day of the Gregorian calendar.
struct CivilDate: Hashable, Comparable {
    /// Days since 1970-01-01.
    let dayNumber: Int
    let year: Int
    /// 1...12
    let month: Int
    /// 1...31
    let day: Int

    /// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    init(dayNumber: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.dayNumber = dayNumber
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        self.month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.year = yearOfEra + era * 400 + (monthFromMarch >= 10 ? 1 : 0)
    }

    /// - Returns: `nil` for a day that no calendar has, such as 30 February, and outside the years 1 to 9999.
    init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(dayNumber: era * 146_097 + dayOfEra - 719_468)
        guard self.year == year, self.month == month, self.day == day else { return nil }
    }

    func adding(days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

    /// The first day of the month that is `months` later.
    func firstOfMonth(adding months: Int) -> CivilDate {
        let index = year * 12 + month - 1 + months
        return CivilDate(year: index / 12, month: index % 12 + 1, day: 1) ?? self
    }

    /// 0 Monday ... 6 Sunday; 1970-01-01 was a Thursday.
    var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 }

    /// `2026-11-21`
    var iso8601: String { String(String(10_000 + year).dropFirst()) + "-\(two(month))-\(two(day))" }

    /// `Sat 21 Nov`
    var short: String { "\(CivilDate.weekdays[weekday]) \(day) \(CivilDate.months[month - 1])" }

    /// `Sat 21 Nov 2026`
    var long: String { "\(short) \(year)" }

    /// `Sat 21 Nov`, far away with the year.
    func told(on date: CivilDate) -> String { abs(dayNumber - date.dayNumber) < 180 ? short : long }

    /// `Nov 2026`
    var monthAndYear: String { "\(CivilDate.months[month - 1]) \(year)" }

    static func < (lhs: CivilDate, rhs: CivilDate) -> Bool { lhs.dayNumber < rhs.dayNumber }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension Int64 {
    fileprivate static func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let quotient = dividend / divisor
        return dividend % divisor < 0 ? quotient - 1 : quotient
    }
}

private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
