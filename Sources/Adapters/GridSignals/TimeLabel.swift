internal import EnergyModel
internal import Foundation

/// A time as a file writes it: `2021-07-01T00:00:00Z`, `2021-07-01 00:00`, `2021-07-01T00:00+02:00`, seconds and
/// fractions optional. A parser of its own, because the strict ones refuse times without seconds.
struct TimeLabel: Hashable {
    static let allowed = "2021-07-01T00:00:00Z, or 2021-07-01 00:00 with the time zone of the configuration"

    /// As the clock reads, in milliseconds as if it were UTC.
    let local: Int64
    /// `nil` when the label does not say.
    let offsetMilliseconds: Int64?

    /// - Returns: `nil` for anything else.
    init?(_ text: some StringProtocol) {
        var parser = Parser(bytes: Array(text.utf8.prefix(40)))
        guard text.utf8.count <= 40, let year = parser.number(4), parser.take("-"), let month = parser.number(2),
            parser.take("-"), let day = parser.number(2), parser.take("T") || parser.take(" "),
            let hour = parser.number(2), parser.take(":"), let minute = parser.number(2),
            1...12 ~= month, 1...Self.days(inMonth: month, year: year) ~= day, hour <= 23, minute <= 59
        else { return nil }
        var milliseconds: Int64 = 0
        if parser.take(":") {
            guard let second = parser.number(2), second <= 59 else { return nil }
            milliseconds = second * 1000
            if parser.take(".") { parser.skipDigits() }
        }
        guard let offset = parser.offset(), parser.isAtEnd else { return nil }
        local =
            Self.dayNumber(year: year, month: month, day: day) * .millisecondsPerDay + hour * .millisecondsPerHour
            + minute * .millisecondsPerMinute + milliseconds
        offsetMilliseconds = offset.milliseconds
    }

    /// The instant it names.
    ///
    /// - Parameters:
    ///   - timeZone: of labels that do not say.
    ///   - previous: the instant of the row before: in an hour that repeats, the second pass follows the first.
    /// - Returns: `nil` for a time that the zone's clocks skip.
    func instant(in timeZone: TimeZone, after previous: Timestamp?) -> Timestamp? {
        if let offsetMilliseconds { return Timestamp(unixMilliseconds: local - offsetMilliseconds) }
        let probe = Timestamp(unixMilliseconds: local)
        // No zone is further from UTC than a day: the offsets a day before and after are all there can be.
        let offsets = Set(
            [-1, 1].map {
                timeZone.offsetMilliseconds(at: probe.advanced(byMilliseconds: $0 * .millisecondsPerDay))
            })
        let candidates = offsets.map { Timestamp(unixMilliseconds: local - $0) }
            .filter { $0.unixMilliseconds + timeZone.offsetMilliseconds(at: $0) == local }.sorted()
        return candidates.first { instant in previous.map { instant > $0 } ?? true } ?? candidates.first
    }

    /// - Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(inMonth month: Int64, year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
    }

    private struct Parser {
        var bytes: [UInt8]
        var index = 0

        var isAtEnd: Bool { index == bytes.count }

        mutating func take(_ character: Character) -> Bool {
            guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
            index += 1
            return true
        }

        mutating func number(_ digits: Int) -> Int64? {
            guard index + digits <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[index..<index + digits] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            index += digits
            return value
        }

        mutating func skipDigits() {
            while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= bytes[index] { index += 1 }
        }

        /// `Z`, `+01:00`, `-0800`, or nothing.
        mutating func offset() -> (milliseconds: Int64?, Void)? {
            if isAtEnd { return (nil, ()) }
            if take("Z") { return (0, ()) }
            let isNegative = take("-")
            guard isNegative || take("+"), let hours = number(2) else { return nil }
            _ = take(":")
            guard let minutes = number(2), hours <= 18, minutes <= 59 else { return nil }
            let milliseconds = hours * .millisecondsPerHour + minutes * .millisecondsPerMinute
            return (isNegative ? -milliseconds : milliseconds, ())
        }
    }
}
