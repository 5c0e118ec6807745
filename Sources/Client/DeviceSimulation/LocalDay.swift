internal import EnergyModel
internal import Foundation

/// A day on a venue's calendar: 23, 24 or 25 hours long.
struct LocalDay {
    let start: Date
    /// 1 Sunday .. 7 Saturday.
    let weekday: Int
    /// For example `2026-03-08`.
    let name: String
    private let calendar: Calendar

    init(containing point: Timestamp, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.init(calendar.startOfDay(for: point.date), calendar)
    }

    private init(_ start: Date, _ calendar: Calendar) {
        self.start = start
        self.calendar = calendar
        let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: start)
        weekday = parts.weekday ?? 1
        name = "\(parts.year ?? 0)-\(parts.month ?? 0)-\(parts.day ?? 0)"
    }

    var isWeekend: Bool { weekday == 1 || weekday == 7 }

    var next: LocalDay {
        // Noon exists once on every day; half a day further is the next day, however long this one is.
        let tomorrow = calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
        return LocalDay(calendar.startOfDay(for: tomorrow), calendar)
    }

    /// When the clock shows this time; a time that the clock skips is the moment of the skip.
    func at(minute: Int) -> Timestamp {
        let date = calendar.date(bySettingHour: minute / 60, minute: minute % 60, second: 0, of: start)
        return Timestamp(date ?? start.addingTimeInterval(Double(minute) * 60))
    }
}

extension Timestamp {
    /// Hours of the local clock, `0..<24`, with fraction.
    func localHour(in timeZone: TimeZone) -> Double {
        let shifted = unixMilliseconds + Int64(timeZone.secondsFromGMT(for: date)) * 1_000
        let inDay = (shifted % .millisecondsPerDay + .millisecondsPerDay) % .millisecondsPerDay
        return Double(inDay) / Double(Int64.millisecondsPerHour)
    }

    /// The next multiple of 15 minutes after this point.
    var nextQuarter: Timestamp {
        let quarter = 15 * Int64.millisecondsPerMinute
        return floored(toMilliseconds: quarter).advanced(byMilliseconds: quarter)
    }
}
