public import Foundation

/// A point in time.
///
/// - Unit: whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let unixMilliseconds: Int64

    public init(unixMilliseconds: Int64) { self.unixMilliseconds = unixMilliseconds }

    /// Rounded down to a millisecond.
    public init(_ date: Date) {
        self.init(unixMilliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }

    public var date: Date { Date(timeIntervalSince1970: Double(unixMilliseconds) / 1000) }

    public func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: unixMilliseconds + milliseconds)
    }

    /// From `other` to this point, negative if this one is earlier.
    public func milliseconds(since other: Timestamp) -> Int64 { unixMilliseconds - other.unixMilliseconds }

    /// The last multiple of `step` since 1970 that is not after this point.
    public func floored(toMilliseconds step: Int64) -> Timestamp {
        let remainder = unixMilliseconds % step
        return Timestamp(unixMilliseconds: unixMilliseconds - (remainder < 0 ? remainder + step : remainder))
    }

    /// The first full hour of UTC after this point.
    public var nextHour: Timestamp {
        floored(toMilliseconds: .millisecondsPerHour).advanced(byMilliseconds: .millisecondsPerHour)
    }

    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.unixMilliseconds < rhs.unixMilliseconds }

    /// ISO 8601 in UTC, for example `2026-11-21T07:16:35Z`.
    public var description: String { date.formatted(.iso8601) }
}

extension Int64 {
    public static let millisecondsPerMinute: Int64 = 60_000
    public static let millisecondsPerHour: Int64 = 3_600_000
    public static let millisecondsPerDay: Int64 = 86_400_000
}
