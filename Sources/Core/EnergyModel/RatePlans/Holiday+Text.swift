extension Holiday.Rule {
    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// What ``init(text:)`` reads, for help and refusals.
    public static let forms = "2026-12-24, 12-25, '4 thu nov', 'last mon may', or easter-2"

    /// Reads `2026-12-24` (once), `12-25` (every year), `4 thu nov` (the fourth Thursday of November), `last mon may`,
    /// `easter`, `easter+1`, `easter-2`.
    ///
    /// - Returns: `nil` for anything else, and for days that no year has.
    public init?(text: String) {
        let text = text.lowercased()
        if text.hasPrefix("easter") {
            let rest = text.dropFirst("easter".count)
            guard let days = rest.isEmpty ? 0 : Int(rest), rest.isEmpty || "+-".contains(rest.first ?? " "),
                -100...100 ~= days
            else { return nil }
            self = .easter(days: days)
            return
        }
        let words = text.split(separator: " ")
        if words.count == 3 {
            guard let occurrence = words[0] == "last" ? -1 : Int(words[0]), occurrence == -1 || 1...5 ~= occurrence,
                let weekday = Self.weekdays.firstIndex(of: String(words[1])),
                let month = Self.months.firstIndex(of: String(words[2]))
            else { return nil }
            self = .nthWeekday(occurrence: occurrence, weekday: weekday, month: month + 1)
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, parts.allSatisfy({ $0.allSatisfy { "0"..."9" ~= $0 } }),
            parts.suffix(2).allSatisfy({ 1...2 ~= $0.count }), let month = Int(parts[parts.count - 2]),
            let number = Int(parts[parts.count - 1]), let day = Season.Day(month: month, day: number)
        else { return nil }
        if parts.count == 2 {
            self = .yearly(day)
        } else {
            guard parts[0].count == 4, let year = Int(parts[0]), 1970...9999 ~= year else { return nil }
            self = .date(year: year, day)
        }
    }

    /// The shortest text that ``init(text:)`` reads as this rule.
    public var text: String {
        switch self {
        case .date(let year, let day): "\(Self.padded(year, 4))-\(day)"
        case .yearly(let day): "\(day)"
        case .nthWeekday(let occurrence, let weekday, let month):
            [
                occurrence < 0 ? "last" : "\(occurrence)", Self.word(weekday, Self.weekdays),
                Self.word(month - 1, Self.months),
            ]
            .joined(separator: " ")
        case .easter(let days): days == 0 ? "easter" : days > 0 ? "easter+\(days)" : "easter\(days)"
        }
    }

    /// A rule that breaks the rules still has a text, for the refusal.
    private static func word(_ index: Int, _ words: [String]) -> String {
        words.indices.contains(index) ? words[index] : "\(index)"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
}

extension Season.Day: CustomStringConvertible {
    /// `05-01`.
    public var description: String { (month < 10 ? "0" : "") + "\(month)-" + (day < 10 ? "0" : "") + "\(day)" }

    /// Reads `05-01` and `5-1`.
    public init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ 1...2 ~= $0.count && $0.allSatisfy { "0"..."9" ~= $0 } }),
            let month = Int(parts[0]), let day = Int(parts[1])
        else { return nil }
        self.init(month: month, day: day)
    }
}

extension Season: CustomStringConvertible {
    /// `05-01..10-31`.
    public var description: String { "\(first)..\(last)" }

    /// Reads `05-01..10-31`, both included.
    public init?(text: String) {
        guard let dots = text.firstRange(of: ".."), let first = Day(text: String(text[..<dots.lowerBound])),
            let last = Day(text: String(text[dots.upperBound...]))
        else { return nil }
        self.init(first: first, last: last)
    }
}
