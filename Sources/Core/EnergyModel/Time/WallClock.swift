internal import Foundation

/// Tells the time of day. Passed in everywhere, so that a test, or a replay of recorded data, decides what time it is.
public protocol WallClock: Sendable {
    var now: Timestamp { get }
}

/// The machine's clock, moved by a constant: 0 except when recorded data are replayed as if they were of today.
public struct SystemWallClock: WallClock {
    public let offsetMilliseconds: Int64

    public init(offsetMilliseconds: Int64 = 0) { self.offsetMilliseconds = offsetMilliseconds }

    public var now: Timestamp { Timestamp(Date()).advanced(byMilliseconds: offsetMilliseconds) }
}
