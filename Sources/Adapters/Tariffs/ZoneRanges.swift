/// evcc's short texts for days, hours and months.
///
/// - Source: evcc's documentation, "Tariffs", `fixed`.
public enum ZoneRanges {
    private static let dayWords = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let monthWords = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    public static let dayForms = "days like mon-fri or sat,sun"
    public static let monthForms = "months like jan-mar or nov,dec"
    public static let hourForms = "hours like 0-5, 7:30-16 or 0-5,23-0, each ending after it starts, or at 0"

    /// Reads `mon-fri`, `sat,sun`, `fri-mon`; full names too.
    ///
    /// - Returns: bits 0 (Monday) to 6 (Sunday); `nil` for anything else.
    public static func days(_ text: String) -> UInt32? { bits(text, dayWords) }

    /// Reads `jan-mar`, `nov,dec`, `oct-feb`.
    ///
    /// - Returns: bits 0 (January) to 11 (December).
    public static func months(_ text: String) -> UInt32? { bits(text, monthWords) }

    /// Reads `0-5`, `7:30-16`, `0-5,23-0`.
    ///
    /// - Returns: minutes of the day; `nil` for anything else, and for ranges over midnight other than to 0.
    public static func hours(_ text: String) -> [Range<Int>]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let ranges = parts.compactMap { part -> Range<Int>? in
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(minute)
            guard ends.count == 2, let start = ends[0], let end = ends[1] else { return nil }
            let last = end == 0 ? 1440 : end
            return start < last ? start..<last : nil
        }
        return ranges.count == parts.count && !ranges.isEmpty ? ranges : nil
    }

    /// The shortest text that ``days(_:)`` reads as these.
    static func dayText(_ bits: UInt32) -> String { text(bits, dayWords) }
    static func monthText(_ bits: UInt32) -> String { text(bits, monthWords) }

    static func hourText(_ minutes: Range<Int>) -> String {
        func clock(_ minute: Int) -> String {
            let (hour, rest) = (minute / 60 % 24, minute % 60)
            return rest == 0 ? "\(hour)" : "\(hour):\(rest < 10 ? "0" : "")\(rest)"
        }
        return "\(clock(minutes.lowerBound))-\(clock(minutes.upperBound))"
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = trimmed(text).split(separator: ":", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.allSatisfy({ 1...2 ~= $0.count && $0.allSatisfy { "0"..."9" ~= $0 } }),
            let hour = Int(parts[0]), let minute = parts.count == 2 ? Int(parts[1]) : 0, 0...59 ~= minute
        else { return nil }
        let total = hour * 60 + minute
        return total <= 1440 ? total : nil
    }

    private static func bits(_ text: String, _ words: [String]) -> UInt32? {
        var result: UInt32 = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { index($0, words) }
            guard 1...2 ~= ends.count, let first = ends[0], let last = ends[ends.count - 1] else { return nil }
            // From Friday to Monday goes over the end of the week.
            let count = (last - first + words.count) % words.count
            for step in 0...count { result |= 1 << UInt32((first + step) % words.count) }
        }
        return result == 0 ? nil : result
    }

    /// `Mon` and `Monday`, but not `Monster`.
    private static func index(_ text: Substring, _ words: [String]) -> Int? {
        let long = [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february",
            "march",
            "april", "may", "june", "july", "august", "september", "october", "november", "december",
        ]
        let word = trimmed(text).lowercased()
        return words.firstIndex { $0 == word || word.hasPrefix($0) && long.contains(word) }
    }

    private static func text(_ bits: UInt32, _ words: [String]) -> String {
        var runs: [ClosedRange<Int>] = []
        for index in words.indices where bits >> UInt32(index) & 1 == 1 {
            if let last = runs.last, last.upperBound + 1 == index {
                runs[runs.count - 1] = last.lowerBound...index
            } else {
                runs.append(index...index)
            }
        }
        return runs.map { run in
            run.count == 1 ? words[run.lowerBound] : "\(words[run.lowerBound])-\(words[run.upperBound])"
        }
        .joined(separator: ",")
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }
}
