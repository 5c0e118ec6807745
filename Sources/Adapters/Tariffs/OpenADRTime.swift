internal import EnergyModel
internal import Foundation

/// An `intervalPeriod` of OpenADR 3: when something begins, and how long it lasts.
struct OpenADRPeriod {
    /// `nil` when the document has none.
    let start: Timestamp?
    /// `nil` when the document has none.
    let length: Length?

    enum Length: Equatable {
        case milliseconds(Int64)
        /// `P9999Y`.
        case endless
    }

    init(_ node: DocumentNode) throws(EnergyError) {
        if let text = try node["start"].textIfPresent() {
            guard let time = Self.time(text) else {
                throw node["start"].refusal("must be a time like 2026-07-01T16:00:00Z, 1970 or later")
            }
            start = time
        } else {
            start = nil
        }
        if let text = try node["duration"].textIfPresent() {
            guard let length = Self.length(text) else {
                throw node["duration"].refusal("must be a duration like PT1H, P1D or P9999Y")
            }
            self.length = length
        } else {
            length = nil
        }
    }

    static func time(_ text: String) -> Timestamp? {
        Timestamp(iso8601: text).flatMap { $0.unixMilliseconds >= 0 ? $0 : nil }
    }

    /// ISO 8601 of weeks, days, hours, minutes and seconds; a day is 24 hours. Of years only 9999, which are endless.
    static func length(_ text: String) -> Length? {
        if text == "P9999Y" { return .endless }
        guard
            let match = text.wholeMatch(
                of: #/P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?/#)
        else { return nil }
        let parts = [match.1, match.2, match.3, match.4, match.5]
        let seconds: [Int64] = [604_800, 86_400, 3_600, 60, 1]
        let total = zip(parts, seconds).reduce(0) { $0 + ($1.0.flatMap { Int64($0) } ?? 0) * $1.1 }
        return total > 0 ? .milliseconds(total * 1000) : nil
    }

    static func text(milliseconds: Int64) -> String {
        milliseconds % .millisecondsPerDay == 0
            ? "P\(milliseconds / .millisecondsPerDay)D"
            : milliseconds % .millisecondsPerHour == 0
                ? "PT\(milliseconds / .millisecondsPerHour)H" : "PT\(milliseconds / 1000)S"
    }
}
