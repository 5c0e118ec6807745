/// ISO 8601 instants, without a calendar library: reading a thousand of them takes no time, and what is no time is not taken
/// for one. Foundation's parser reads `2026-02-31T25:00:00Z, or so` as a time.
package enum InstantText {
    /// - Returns: Unix milliseconds and the offset in minutes; `nil` unless it is a date and time with an offset, such as
    ///   `2026-11-21T07:05Z` or `2026-11-21T08:05:09.120+01:00`. What is finer than a millisecond is cut.
    package static func parse(_ text: String) -> (milliseconds: Int64, offset: Int)? {
        var rest = Substring(text).utf8
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            var value = 0
            for byte in rest.prefix(count) {
                guard 48...57 ~= byte else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            rest = rest.dropFirst(count)
            return value
        }
        func take(_ choices: String) -> UInt8? {
            guard let first = rest.first, choices.utf8.contains(first) else { return nil }
            rest = rest.dropFirst()
            return first
        }
        guard let year = digits(4), take("-") != nil, let month = digits(2), take("-") != nil, let day = digits(2),
            take("Tt ") != nil, let hour = digits(2), take(":") != nil, let minute = digits(2),
            1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60
        else { return nil }
        var (second, fraction) = (0, 0)
        if take(":") != nil {
            guard let value = digits(2), value < 60 else { return nil }
            second = value
            if take(".,") != nil {
                var count = 0
                while let digit = rest.first, 48...57 ~= digit {
                    if count < 3 { fraction = fraction * 10 + Int(digit - 48) }
                    count += 1
                    rest = rest.dropFirst()
                }
                guard count > 0 else { return nil }
                for _ in min(count, 3)..<3 { fraction *= 10 }
            }
        }
        var offset = 0
        if take("Zz") == nil {
            guard let sign = take("+-"), let hours = digits(2), hours < 24 else { return nil }
            _ = take(":")
            let minutes = rest.isEmpty ? 0 : digits(2)
            guard let minutes, minutes < 60 else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        guard rest.isEmpty, let days = days(year, month, day) else { return nil }
        let minutes = (days * 24 + Int64(hour)) * 60 + Int64(minute) - Int64(offset)
        return (minutes * 60_000 + Int64(second * 1000 + fraction), offset)
    }

    package static func text(_ milliseconds: Int64, offset: Int) -> String {
        let local = milliseconds + Int64(offset) * 60_000
        var (days, rest) = local.quotientAndRemainder(dividingBy: 86_400_000)
        if rest < 0 { (days, rest) = (days - 1, rest + 86_400_000) }
        let (year, month, day) = CivilDate(dayNumber: days).components
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let fraction = rest % 1000
        let digits = String(fraction + 1000).dropFirst()
        let zone =
            offset == 0
            ? "Z" : "\(offset < 0 ? "-" : "+")\(two(Int64(abs(offset)) / 60)):\(two(Int64(abs(offset)) % 60))"
        return "\(year)-\(two(month))-\(two(day))T\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):"
            + "\(two(rest / 1000 % 60))\(fraction == 0 ? "" : ".\(digits)")\(zone)"
    }

    /// Days since 1970-01-01; `nil` for a day that the month does not have.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
        let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
        let back = date.components
        return back.month == Int64(month) && back.day == Int64(day) ? date.dayNumber : nil
    }
}

extension Timestamp {
    /// A date, a time and an offset, as ``InstantText/parse(_:)`` reads them; at most 40 bytes.
    package init?(iso8601 text: String) {
        guard text.utf8.count <= 40, let instant = InstantText.parse(text) else { return nil }
        self.init(unixMilliseconds: instant.milliseconds)
    }
}
