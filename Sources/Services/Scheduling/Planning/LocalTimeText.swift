internal import EnergyModel
internal import Foundation

/// Times, durations, power and energy as a person at the venue reads them.
struct LocalTimeText {
    let timeZone: TimeZone
    let now: Timestamp

    private static let words = EnglishActivityWords()

    /// `06:40`; from 24 hours ahead `Tue 06:40`, from 7 days `Tue 8 Dec 06:40`; in an hour that the clock repeats
    /// `01:15 PST`.
    func time(_ point: Timestamp) -> String {
        // Rounded to the minute, as clocks are read.
        let minute = point.advanced(byMilliseconds: 30_000).floored(toMilliseconds: .millisecondsPerMinute)
        let date = minute.date
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.hour, .minute, .weekday, .day, .month], from: date)
        var text = "\(twoDigits(parts.hour ?? 0)):\(twoDigits(parts.minute ?? 0))"
        let ahead = point.milliseconds(since: now)
        if ahead >= 7 * .millisecondsPerDay, let day = parts.day, let month = parts.month {
            text = "\(day) \(Self.words.months[(month - 1) % 12]) \(text)"
        }
        if ahead >= .millisecondsPerDay, let weekday = parts.weekday {
            // A calendar's first day is Sunday.
            text = "\(Self.words.weekdays[(weekday + 5) % 7]) \(text)"
        }
        if ZoneOffsets.of(timeZone).isRepeated(minute) { text += " \(timeZone.abbreviation(for: date) ?? "")" }
        return text
    }

    /// `3 h 20 min`, to the nearest minute, never 0.
    func duration(milliseconds: Int64) -> String {
        let isHalf = milliseconds % .millisecondsPerMinute >= .millisecondsPerMinute / 2
        let minutes = max(1, milliseconds / .millisecondsPerMinute + (isHalf ? 1 : 0))
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return hours == 0 ? "\(rest) min" : rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
    }

    /// `7.4 kW`
    func power(_ power: Power) -> String { "\(oneDecimal(power.milliwatts, of: 1_000_000)) kW" }

    /// `12.3 kWh`; below 100 Wh in Wh, so that something is never told as nothing.
    func energy(_ energy: Energy) -> String {
        energy.milliwattHours < 100_000
            ? "\(max(1, energy.milliwattHours / 1_000)) Wh" : "\(oneDecimal(energy.milliwattHours, of: 1_000_000)) kWh"
    }

    /// `80 % by Tue 07:00`
    func goal(_ goal: Goal) -> String {
        let target =
            switch goal.target {
            case .energy(let energy): self.energy(energy)
            case .stateOfCharge(let percent): "\(percent) %"
            case .reduce(let milliseconds): "up to \(duration(milliseconds: milliseconds)) reduced"
            case .run: "a run"
            }
        return "\(target) by \(time(goal.readyBy))"
    }

    /// `Stopped until 07:00: 80 % by 07:00 is left out`
    func stopped(_ goals: [Goal], until time: Timestamp) -> String {
        "Stopped until \(self.time(time)): \(goals.map(goal).joined(separator: " and ")) "
            + (goals.count == 1 ? "is left out" : "are left out")
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private func oneDecimal(_ value: Int64, of unit: Int64) -> String {
        let tenths = value / (unit / 10) + (value % (unit / 10) >= unit / 20 ? 1 : 0)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
