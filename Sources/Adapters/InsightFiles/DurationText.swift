internal import EnergyModel

/// How long something was, as tables say it: hours as a number, or as Go writes a duration.
enum DurationText {
    /// `2.5`, `2h30m0s`, `1m30.5s`, `350ms`: rounded.
    ///
    /// - Returns: `nil` for anything else, and for what is too long to be one session.
    static func milliseconds(_ text: String) -> Int64? {
        // Ten-millionths of an hour, 0.36 ms each.
        if let hours = ExactNumber.read(text, places: 7) {
            return 0...hoursMax * 10_000_000 ~= hours ? (hours * 9 + 12) / 25 : nil
        }
        let form =
            #/(?:(?<hours>[0-9]{1,4})h)?(?:(?<minutes>[0-9]{1,6})m)?(?:(?<seconds>[0-9]{1,8}(?:\.[0-9]{1,9})?)s)?/#
        if !text.isEmpty, let match = text.wholeMatch(of: form)?.output {
            func number(_ digits: Substring?) -> Int64 { digits.flatMap { Int64($0) } ?? 0 }
            let seconds = match.seconds.flatMap { ExactNumber.read(String($0), places: 3) } ?? 0
            return number(match.hours) * .millisecondsPerHour + number(match.minutes) * .millisecondsPerMinute + seconds
        }
        // Go says what is below a second in smaller units.
        guard let match = text.wholeMatch(of: #/([0-9]{1,3}(?:\.[0-9]{1,9})?)(ms|µs|μs|us|ns)/#)?.output else {
            return nil
        }
        return match.2 == "ms" ? ExactNumber.read(String(match.1), places: 0) : 0
    }

    private static let hoursMax: Int64 = 10_000
}
