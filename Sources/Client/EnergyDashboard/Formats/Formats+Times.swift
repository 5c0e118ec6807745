internal import EnergyModel
internal import Foundation

/// Times on the venue's clocks. What is ahead is told to the nearest minute, as schedules say it; what happened by the minute
/// that the clocks showed. With its offset where the clocks show a reading twice.
extension Formats {
    /// `01:15`, or `1:15 AM` where people write so.
    func clock(_ instant: Timestamp) -> String {
        let local = local(instant)
        let text = clock(hour: local.hour, minute: local.minuteOfDay % 60)
        return offsets.offsetOfRepeated(instant).map { "\(text) (\($0))" } ?? text
    }

    func clock(hour: Int, minute: Int) -> String {
        hasHalfDays ? "\(halfDay(hour)):\(two(minute))\(half(hour))" : "\(two(hour)):\(two(minute))"
    }

    /// `13`, or `1 PM`: of an axis.
    func hour(_ instant: Timestamp) -> String {
        let hour = local(instant).hour
        return hasHalfDays ? "\(halfDay(hour))\(half(hour))" : two(hour)
    }

    private func halfDay(_ hour: Int) -> Int { (hour + 11) % 12 + 1 }
    /// Kept on one line with its number.
    private func half(_ hour: Int) -> String { hour < 12 ? "\u{A0}AM" : "\u{A0}PM" }

    /// `06:30`, as forms and machines have it.
    func isoClock(_ instant: Timestamp) -> String {
        isoClock(minuteOfDay: local(instant).minuteOfDay)
    }

    func isoClock(minuteOfDay: Int) -> String { "\(two(minuteOfDay / 60)):\(two(minuteOfDay % 60))" }

    /// `13:00–14:00`
    func span(_ interval: Interval) -> String { "\(clock(interval.start))–\(clock(interval.end))" }

    /// `Mon 13:00–14:00`, the day as of a ``moment(_:seen:)``.
    func span(_ interval: Interval, seen now: Timestamp) -> String {
        let (start, end) = (told(interval.start, seen: now), told(interval.end, seen: now))
        let isWithin = local(start).day == local(end.advanced(byMilliseconds: -1)).day
        return "\(moment(start, seen: now))–\(isWithin ? clock(end) : moment(end, seen: start))"
    }

    func local(_ instant: Timestamp) -> LocalTime {
        LocalTime(instant, offsetMilliseconds: offsets.offsetMilliseconds(at: instant))
    }

    /// `01:15` on the same day, otherwise with the weekday, from a week on with the date, far away with the year.
    func moment(_ instant: Timestamp, seen now: Timestamp) -> String {
        let instant = told(instant, seen: now)
        let days = local(instant).day - local(now).day
        if days == 0 { return clock(instant) }
        let date = days.magnitude < 7 ? weekday(instant) : days.magnitude < 180 ? shortDate(instant) : fullDate(instant)
        return date + " " + clock(instant)
    }

    private func told(_ instant: Timestamp, seen now: Timestamp) -> Timestamp {
        instant > now ? instant.nearestMinute : instant
    }

    /// A sentence of the services, whose clocks have 24 hours, with the reader's.
    func told(_ sentence: String) -> String {
        guard hasHalfDays else { return sentence }
        return sentence.replacing(#/\b([01]\d|2[0-3]):([0-5]\d)\b(?!:)/#) { match in
            clock(hour: Int(match.1) ?? 0, minute: Int(match.2) ?? 0)
        }
    }

    func weekday(_ instant: Timestamp) -> String { date(instant, "EEE") }
    func shortDate(_ instant: Timestamp) -> String { date(instant, "d MMM") }
    func fullDate(_ instant: Timestamp) -> String { date(instant, "d MMM y") }
    /// `Mon 23 Nov`
    func dayAndDate(_ instant: Timestamp) -> String { "\(weekday(instant)) \(shortDate(instant))" }
    func longDate(_ instant: Timestamp) -> String { date(instant, "EEEE d MMMM y") }
    func month(_ instant: Timestamp) -> String { date(instant, "MMM") }
    func monthAndYear(_ instant: Timestamp) -> String { date(instant, "MMM y") }
    /// - Parameter number: 1 to 12.
    func month(number: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        let names = calendar.shortStandaloneMonthSymbols
        return names.indices.contains(number - 1) ? names[number - 1] : "\(number)"
    }

    func longMonth(_ instant: Timestamp) -> String { date(instant, "MMMM y") }
    func year(_ instant: Timestamp) -> String { "\(CivilDate(dayNumber: local(instant).day).components.year)" }

    /// `1 – 6 Nov 2021`: what both ends share is said once.
    func dates(_ first: Timestamp, _ last: Timestamp) -> String {
        let formatter = DateIntervalFormatter()
        (formatter.locale, formatter.timeZone, formatter.dateTemplate) = (locale, timeZone, "d MMM y")
        return formatter.string(from: first.date, to: last.date)
    }

    /// `2026-11-22`, as forms and machines have it.
    func isoDate(_ instant: Timestamp) -> String {
        let (year, month, day) = CivilDate(dayNumber: local(instant).day).components
        return "\(year)-\(two(Int(month)))-\(two(Int(day)))"
    }

    /// The days of a week, 0 is Monday, in the order that the country counts them.
    var week: [Int] { (0..<7).map { ($0 + firstWeekday) % 7 } }

    /// `3 h 20 min` in the language's words.
    func length(milliseconds: Int64) -> String {
        let minutes = (max(0, milliseconds) + .millisecondsPerMinute / 2) / .millisecondsPerMinute
        // Of many hours nobody counts the minutes.
        if minutes >= 6_000 { return language(.hours, number(Double(minutes) / 60)) }
        return language.activityWords.length(days: 0, hours: minutes / 60, minutes: minutes % 60)
    }

    private func date(_ instant: Timestamp, _ parts: String) -> String {
        DateTexts.shared.text(instant, parts, locale, timeZone)
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Formats: ActivityFormats {
    /// Tells what happened as the rest of the page is written.
    var teller: ActivityTeller { ActivityTeller(in: timeZone, words: language.activityWords, formats: self) }

    func decimal(_ value: Int64, decimals: Int) -> String { number(Double(value) / 1_000_000, decimals: decimals) }
    func percent(_ number: Int) -> String { percent(Double(number) / 100) }
}

extension Timestamp {
    /// As times ahead are told.
    var nearestMinute: Timestamp {
        advanced(byMilliseconds: .millisecondsPerMinute / 2).floored(toMilliseconds: .millisecondsPerMinute)
    }
}
