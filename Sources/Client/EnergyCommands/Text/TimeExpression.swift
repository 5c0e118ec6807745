internal import EnergyModel
internal import Foundation

/// A time as people type it. Parsed without knowing the zone; a venue gives it one.
///
/// Accepted: `now`, `07:00` (today), `today`, `yesterday`, `tomorrow`, each also with a time (`tomorrow 07:00`); `mon 07:00`,
/// `monday 07:00`, the next or the last one;
/// `2026-11-22`, `2026-11-22 07:00[:00]` or with a `T`, on the venue's clock; the same with `Z` or an offset
/// (`2026-11-22T07:00+01:00`); and a span from now: `2h`, `30m`, `3d`, `1w`.
struct TimeExpression: Hashable {
    /// Whether a span without a sign lies behind or ahead, and where a time of day belongs that has no date.
    enum Direction { case past, future }

    private enum Form: Hashable {
        case span(TimeSpan)
        case dayAndClock(dayOffset: Int?, ClockReading)
        /// From Monday, 0.
        case weekday(Int, ClockReading)
        case date(CivilDate, ClockReading, offsetSeconds: Int?)
        case now
    }
    private let form: Form

    static let help = "now, \(futureHelp)"
    static let futureHelp =
        "07:00, 'tomorrow 07:00', 'mon 07:00', 2026-11-22, 2026-11-22T07:00, 2026-11-22T07:00+01:00, or 2h, 3d"

    /// Whether it means another moment in another zone.
    var dependsOnZone: Bool {
        switch form {
        case .now, .date(_, _, .some): false
        // Days are as long as the zone has them.
        case .span(let span): span.duration == nil
        case .dayAndClock, .weekday, .date: true
        }
    }

    /// Whether it says on which day, and not just a time of day or a span.
    var namesDay: Bool {
        switch form {
        case .date, .weekday: true
        case .dayAndClock(let dayOffset, _): dayOffset != nil
        case .now, .span: false
        }
    }

    init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        if text == "now" {
            form = .now
        } else if let span = TimeSpan(text) {
            form = .span(span)
        } else if let reading = ClockReading(text) {
            form = .dayAndClock(dayOffset: nil, reading)
        } else if let (offset, rest) = TimeExpression.namedDay(text) {
            guard let reading = rest.isEmpty ? .midnight : ClockReading(rest) else { return nil }
            form = .dayAndClock(dayOffset: offset, reading)
        } else if let (day, rest) = TimeExpression.weekday(text) {
            guard let reading = rest.isEmpty ? .midnight : ClockReading(rest) else { return nil }
            form = .weekday(day, reading)
        } else if let dated = TimeExpression.dated(text) {
            form = dated
        } else {
            return nil
        }
    }

    /// Of a time that was typed on the venue's clock, also where that day's clocks skip it; `nil` of others.
    var minuteOfDay: Int? {
        switch form {
        case .dayAndClock(_, let reading), .weekday(_, let reading), .date(_, let reading, nil):
            reading.hour * 60 + reading.minute
        case .now, .span, .date: nil
        }
    }

    func timestamp(now: Timestamp, in zone: TimeZone, toward direction: Direction) -> Timestamp {
        switch form {
        case .now: return now
        case .span(let span): return span.moving(now, in: zone, direction == .past ? -1 : 1)
        case .date(let date, let reading, let offsetSeconds?):
            let local = reading.timestamp(on: date, in: .gmt)
            return local.advanced(byMilliseconds: Int64(-offsetSeconds) * 1000)
        case .date(let date, let reading, nil): return reading.timestamp(on: date, in: zone)
        case .weekday(let day, let reading):
            let today = VenueTime(now, in: zone).date
            let date = today.adding(days: (day - today.weekday + 7) % 7)
            return reading.nearest(to: now, on: date, every: 7, in: zone, toward: direction)
        case .dayAndClock(let dayOffset, let reading):
            let today = VenueTime(now, in: zone).date
            guard let dayOffset else {
                return reading.nearest(to: now, on: today, every: 1, in: zone, toward: direction)
            }
            return reading.timestamp(on: today.adding(days: dayOffset), in: zone)
        }
    }

    private static func namedDay(_ text: String) -> (Int, String)? {
        for (name, offset) in [("yesterday", -1), ("today", 0), ("tomorrow", 1)] where text.hasPrefix(name) {
            let rest = text.dropFirst(name.count)
            guard rest.isEmpty || rest.first == " " else { return nil }
            return (offset, rest.trimmingCharacters(in: .whitespaces))
        }
        return nil
    }

    private static func weekday(_ text: String) -> (Int, String)? {
        let word = text.prefix { $0 != " " }
        guard let day = Weekdays.day(named: word) else { return nil }
        return (day, text.dropFirst(word.count).trimmingCharacters(in: .whitespaces))
    }

    private static func dated(_ text: String) -> Form? {
        guard let date = CivilDate(text.prefix(10)) else { return nil }
        var rest = text.dropFirst(10)
        if rest.isEmpty { return .date(date, .midnight, offsetSeconds: nil) }
        guard let separator = rest.popFirst(), separator == "t" || separator == " " else { return nil }
        var offsetSeconds: Int?
        if rest.hasSuffix("z") {
            rest.removeLast()
            offsetSeconds = 0
        } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let offset = ClockReading(String(rest[rest.index(after: sign)...])) else { return nil }
            offsetSeconds = (rest[sign] == "-" ? -60 : 60) * (offset.hour * 60 + offset.minute)
            rest = rest[..<sign]
        }
        guard let reading = ClockReading(String(rest)) else { return nil }
        return .date(date, reading, offsetSeconds: offsetSeconds)
    }
}

extension CivilDate {
    /// `2026-11-22`
    init?(_ text: some StringProtocol) {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, let year = digits(fields[0], 4), let month = digits(fields[1], 2),
            let day = digits(fields[2], 2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

/// Hours, minutes and seconds on a clock.
struct ClockReading: Hashable {
    let hour: Int
    let minute: Int
    let second: Int

    static let midnight = ClockReading(hour: 0, minute: 0, second: 0)

    private init(hour: Int, minute: Int, second: Int) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// `7:05`, `07:05` or `07:05:09`
    init?(_ text: String) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= fields.count, let hour = digits(fields[0], 2) ?? digits(fields[0], 1),
            let minute = digits(fields[1], 2), let second = fields.count == 3 ? digits(fields[2], 2) : 0,
            hour < 24, minute < 60, second < 60
        else { return nil }
        self.init(hour: hour, minute: minute, second: second)
    }

    func timestamp(on date: CivilDate, in zone: TimeZone) -> Timestamp {
        VenueTime.timestamp(date, hour: hour, minute: minute, second: second, in: zone)
    }

    /// "07:00" is the next one ahead, or the last one behind, of those so many days apart.
    fileprivate func nearest(
        to now: Timestamp, on date: CivilDate, every days: Int, in zone: TimeZone,
        toward direction: TimeExpression.Direction
    ) -> Timestamp {
        let time = timestamp(on: date, in: zone)
        return switch direction {
        case .future where time <= now: timestamp(on: date.adding(days: days), in: zone)
        case .past where time > now: timestamp(on: date.adding(days: -days), in: zone)
        default: time
        }
    }
}

private func digits(_ text: some StringProtocol, _ count: Int) -> Int? {
    guard text.utf8.count == count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
    return Int(text)
}
