internal import EnergyModel
internal import Foundation

/// A date and a time as a file has them.
struct ClockText: Hashable {
    /// As if the clocks showed UTC.
    let reading: Timestamp
    /// Of the clocks, where the file says it.
    let offsetMilliseconds: Int64?

    /// `2026-11-21 07:05:09`, `2026-11-21T07:05:09.120+01:00`, `2026-11-21T06:05:09Z`.
    init?(_ text: String) {
        let pattern =
            #/([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(?:(Z)|([+-])([0-9]{2}):([0-9]{2}))?/#
        guard text.utf8.count <= 40, let match = text.wholeMatch(of: pattern)?.output else { return nil }
        func number(_ digits: Substring?) -> Int64 { digits.flatMap { Int64($0) } ?? 0 }
        let date = CivilDate(year: number(match.1), month: max(1, min(number(match.2), 12)), day: number(match.3))
        // A day that the month does not have would be one of the next.
        guard date.components == (number(match.1), number(match.2), number(match.3)), number(match.4) < 24,
            number(match.5) < 60, number(match.6) < 60, number(match.10) < 24, number(match.11) < 60
        else { return nil }
        let seconds = (number(match.4) * 60 + number(match.5)) * 60 + number(match.6)
        let fraction = number(((match.7 ?? "") + "000").prefix(3))
        reading = Timestamp(
            unixMilliseconds: date.dayNumber * .millisecondsPerDay + seconds * 1000 + fraction)
        if match.8 != nil {
            offsetMilliseconds = 0
        } else if let sign = match.9 {
            offsetMilliseconds = (sign == "-" ? -60_000 : 60_000) * (number(match.10) * 60 + number(match.11))
        } else {
            offsetMilliseconds = nil
        }
    }
}

/// Finds the instants at which a zone's clocks show a reading.
struct ZoneReader: Sendable {
    let zone: TimeZone
    private let offsets: ZoneOffsets

    init(_ zone: TimeZone) {
        self.zone = zone
        offsets = ZoneOffsets.of(zone)
    }

    /// None where the clocks skip it, two where they show it twice, the earlier first.
    func times(_ text: ClockText) -> [Timestamp] {
        if let offset = text.offsetMilliseconds { return [text.reading.advanced(byMilliseconds: -offset)] }
        // No zone is more than a day from UTC.
        let around = [-Int64.millisecondsPerDay, .millisecondsPerDay].map {
            offsets.offsetMilliseconds(at: text.reading.advanced(byMilliseconds: $0))
        }
        return Set(around).map { text.reading.advanced(byMilliseconds: -$0) }.sorted().filter {
            $0.advanced(byMilliseconds: offsets.offsetMilliseconds(at: $0)) == text.reading
        }
    }
}
