internal import ArgumentParser
internal import EnergyModel
internal import Foundation

// Days of the week, dates and absences as people type them.

/// `daily`, `mon-fri`, `sat,sun`; a range may run over Sunday: `fri-mon`.
@Sendable func weekdays(_ text: String) throws -> Weekdays {
    guard let days = Weekdays(words: text) else {
        throw ValidationError("'\(text)' are no days. Say daily, mon-fri or sat,sun.")
    }
    return days
}

/// `2026-12-24`, as days since 1970-01-01.
@Sendable func civilDay(_ text: String) throws -> Int64 {
    guard let date = CivilDate(text) else { throw ValidationError("'\(text)' is no date. Say it like 2026-12-24.") }
    return Int64(date.dayNumber)
}

/// `mon-fri 08:00-17:30`, or `2026-12-20T10:00/2026-12-27T18:00`.
struct AbsenceWords: Hashable {
    private enum Form: Hashable {
        case weekly(Absence)
        case once(TimeExpression, TimeExpression)
    }
    private let form: Form

    init?(_ text: String) {
        let ends = text.split(separator: "/", omittingEmptySubsequences: false)
        if ends.count == 2, let start = TimeExpression(String(ends[0])), let end = TimeExpression(String(ends[1])) {
            form = .once(start, end)
            return
        }
        let words = text.split(separator: " ")
        guard words.count == 2, let days = Weekdays(words: String(words[0])) else { return nil }
        let times = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard times.count == 2, let start = ClockReading(times[0]) else { return nil }
        guard let end = times[1] == "24:00" ? 1440 : ClockReading(times[1]).map({ $0.hour * 60 + $0.minute })
        else { return nil }
        form = .weekly(.weekly(days, startMinute: start.hour * 60 + start.minute, endMinute: end))
    }

    func absence(now: Timestamp, in zone: TimeZone) throws(CommandFailure) -> Absence {
        switch form {
        case .weekly(let absence): return absence
        case .once(let start, let end):
            let first = start.timestamp(now: now, in: zone, toward: .future)
            guard let interval = Interval(start: first, end: end.timestamp(now: first, in: zone, toward: .future))
            else { throw .usage("--away ends before it begins.") }
            return .once(interval)
        }
    }
}

@Sendable func absenceWords(_ text: String) throws -> AbsenceWords {
    guard let words = AbsenceWords(text) else {
        throw ValidationError(
            "'\(text)' is no absence. Say 'mon-fri 08:00-17:30' or '2026-12-20T10:00/2026-12-27T18:00'.")
    }
    return words
}

extension Weekdays {
    private static let dayNames = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// From Monday, 0: `mon` or `monday`.
    static func day(named word: Substring) -> Int? { dayNames.firstIndex { word == $0.prefix(3) || word == $0 } }

    init?(words text: String) {
        if text.lowercased() == "daily" {
            self = .every
            return
        }
        var bits: UInt32 = 0
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Self.day(named: $0) }
            guard 1...2 ~= ends.count, let first = ends.first ?? nil, let last = ends.last ?? nil else { return nil }
            var day = first
            bits |= 1 << UInt32(day)
            while day != last {
                day = (day + 1) % 7
                bits |= 1 << UInt32(day)
            }
        }
        self.init(rawValue: bits)
    }

    /// `daily`, `mon-fri`, `mon,wed`
    var words: String {
        if self == .every { return "daily" }
        var parts: [String] = []
        var day = 0
        while day < 7 {
            defer { day += 1 }
            guard contains(day: day) else { continue }
            let first = day
            while day < 6, contains(day: day + 1) { day += 1 }
            let ends = first == day ? [first] : [first, day]
            parts.append(ends.map { String(Self.dayNames[$0].prefix(3)) }.joined(separator: "-"))
        }
        return parts.joined(separator: ",")
    }
}
