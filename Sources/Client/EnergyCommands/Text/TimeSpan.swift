internal import EnergyModel
internal import Foundation

/// A length of time as people type it: `45s`, `30m`, `2h`, `14d`, `8w`, `12mo`, `2y`.
///
/// Seconds, minutes and hours are fixed lengths. Days and longer are counted on a calendar, so a day is 23 to 25 hours.
struct TimeSpan: Hashable {
    enum Unit: String, CaseIterable { case s, m, h, d, w, mo, y }

    let count: Int
    let unit: Unit

    static let help = "45s, 30m, 2h, 14d, 8w, 12mo, 2y"
    /// 100,000 of a unit is more than anything here can hold.
    static let countMax = 99_999

    init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    init?(_ text: String) {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(number), 1...TimeSpan.countMax ~= count,
            let unit = Unit(rawValue: String(text.dropFirst(number.count)))
        else { return nil }
        self.init(count, unit)
    }

    /// Fixed length, `nil` for the units of a calendar.
    var duration: Duration? {
        switch unit {
        case .s: .seconds(count)
        case .m: .seconds(count * 60)
        case .h: .seconds(count * 3600)
        case .d, .w, .mo, .y: nil
        }
    }

    /// `time` moved by this span, on the calendar of `zone`. A month has the day of the month that it has: 31 January
    /// and a month is the last of February.
    func moving(_ time: Timestamp, in zone: TimeZone, _ sign: Int) -> Timestamp {
        if let duration { return time.advanced(byMilliseconds: Int64(sign) * duration.components.seconds * 1000) }
        let local = VenueTime(time, in: zone)
        let date =
            switch unit {
            case .w: local.date.adding(days: sign * count * 7)
            case .mo: local.date.movingMonths(sign * count)
            case .y: local.date.movingMonths(sign * count * 12)
            default: local.date.adding(days: sign * count)
            }
        return VenueTime.timestamp(date, hour: local.hour, minute: local.minute, second: local.second, in: zone)
    }
}

extension CivilDate {
    fileprivate func movingMonths(_ months: Int) -> CivilDate {
        let first = firstOfMonth(adding: months)
        let last = first.firstOfMonth(adding: 1).adding(days: -1)
        return first.adding(days: min(day, last.day) - 1)
    }
}
