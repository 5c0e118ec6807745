internal import EnergyModel

extension Timestamp {
    /// A date, a time and an offset: `2026-11-21T07:05:09.120Z`, `2026-11-21T08:05:09+01:00`. What is finer than a
    /// millisecond is cut.
    init?(iso8601 text: String) {
        let pattern =
            #/([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))/#
        guard text.utf8.count <= 40, let match = text.wholeMatch(of: pattern)?.output else { return nil }
        func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        let (offsetHours, offsetMinutes) = (number(match.9), number(match.10))
        guard let date = CivilDate(year: number(match.1), month: number(match.2), day: number(match.3)),
            hour < 24, minute < 60, second < 60, offsetHours < 24, offsetMinutes < 60
        else { return nil }
        let fraction = (match.7 ?? "").prefix(3)
        let milliseconds = number(fraction + String(repeating: "0", count: 3 - fraction.count))
        let offset = (match.8 == "-" ? -60 : 60) * (offsetHours * 60 + offsetMinutes)
        let seconds = date.dayNumber * 86_400 + (hour * 60 + minute) * 60 + second - offset
        self.init(unixMilliseconds: Int64(seconds) * 1_000 + Int64(milliseconds))
    }
}
