internal import EnergyModel
internal import Foundation

/// Writes times on the clock of one zone.
struct LocalStamp: Sendable {
    private let offsets: ZoneOffsets

    init(_ zone: TimeZone) { offsets = ZoneOffsets.of(zone) }

    /// ISO 8601 with the offset, `2026-11-21T07:05:09+01:00`; milliseconds only when there are some.
    func text(_ instant: Timestamp) -> String {
        let offset = offsets.offsetMilliseconds(at: instant)
        let local = instant.advanced(byMilliseconds: offset)
        let midnight = local.floored(toMilliseconds: .millisecondsPerDay)
        let (year, month, day) = CivilDate(dayNumber: midnight.unixMilliseconds / .millisecondsPerDay).components
        let inDay = local.milliseconds(since: midnight)
        let fraction = inDay % 1000 == 0 ? "" : "." + Self.padded(inDay % 1000, 3)
        let minutes = abs(offset) / .millisecondsPerMinute
        return "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))T\(Self.padded(inDay / 3_600_000)):"
            + "\(Self.padded(inDay / 60_000 % 60)):\(Self.padded(inDay / 1000 % 60))\(fraction)"
            + "\(offset < 0 ? "-" : "+")\(Self.padded(minutes / 60)):\(Self.padded(minutes % 60))"
    }

    /// `2026-11`, of the local calendar.
    func monthText(of instant: Timestamp) -> String { String(text(instant).prefix(7)) }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
