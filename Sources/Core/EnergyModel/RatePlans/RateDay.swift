/// A local day as a contract reads it.
struct RateDay: Hashable {
    /// 0 (Monday) to 6 (Sunday, and holidays).
    let weekday: Int
    let day: Season.Day
    let year: Int64

    /// Any day, without holidays.
    init(weekday: Int, day: Season.Day, year: Int64 = 2000) {
        self.weekday = weekday
        self.day = day
        self.year = year
    }
}

/// Turns day numbers into days of a contract, remembering each year's holidays and the last two days.
struct RateCalendar {
    private let holidays: [Holiday]
    private var years: [Int64: Set<Int64>] = [:]
    private var known: [(number: Int64, day: RateDay)] = []

    init(_ holidays: [Holiday]) { self.holidays = holidays }

    /// - Parameter number: since 1970-01-01.
    mutating func day(_ number: Int64) -> RateDay {
        if let (_, day) = known.first(where: { $0.number == number }) { return day }
        let date = CivilDate(dayNumber: number)
        let parts = date.components
        let weekday = isHoliday(number, year: parts.year) ? 6 : Int(date.weekday)
        // The calendar has no day that Season.Day refuses.
        let inYear = Season.Day(month: Int(parts.month), day: Int(parts.day))
        guard let inYear else { preconditionFailure("a calendar day is a day of the year") }
        let day = RateDay(weekday: weekday, day: inYear, year: parts.year)
        known = known.suffix(1) + [(number, day)]
        return day
    }

    private mutating func isHoliday(_ number: Int64, year: Int64) -> Bool {
        if holidays.isEmpty { return false }
        if let days = years[year] { return days.contains(number) }
        // New Year's Day may be observed in the year before.
        let days = Set(holidays.flatMap { holiday in (year - 1...year + 1).compactMap { holiday.dayNumber(in: $0) } })
        years[year] = days
        return days.contains(number)
    }
}

extension RateZone {
    /// - Parameters:
    ///   - minute: of the local day.
    ///   - yesterday: for zones that run over midnight.
    func matches(minute: Int, on today: RateDay, after yesterday: RateDay) -> Bool {
        if startMinute < endMinute { return startMinute <= minute && minute < endMinute && isOn(today) }
        // Over midnight: the evening of this day, or the morning after the day before.
        if minute >= startMinute { return isOn(today) }
        return minute < endMinute && isOn(yesterday)
    }

    func isOn(_ day: RateDay) -> Bool {
        (weekdays == 0 || weekdays >> UInt32(day.weekday) & 1 == 1) && isOn(day.day)
    }

    func isOn(_ day: Season.Day) -> Bool {
        (months == 0 || months >> UInt32(day.month - 1) & 1 == 1) && season.map { $0.contains(day) } ?? true
    }
}
