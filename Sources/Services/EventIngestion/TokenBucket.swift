/// Events that may be submitted at a steady rate, with a reserve for bursts.
public struct RateLimit: Hashable, Sendable {
    /// Events per second, `1...100_000_000`.
    public let eventsPerSecond: Int
    /// Events at once after a pause, at least a whole batch.
    public let burst: Int

    /// Both are clamped to their range.
    public init(eventsPerSecond: Int, burst: Int) {
        self.eventsPerSecond = min(max(1, eventsPerSecond), 100_000_000)
        self.burst = min(max(1_000, burst), 1_000_000_000)
    }
}

/// What one sender has left of a ``RateLimit``. Counts in millionths of an event, so that no time is lost to rounding.
struct TokenBucket: Sendable {
    private var level: Int64
    private var filled: Duration

    /// Full.
    init(_ limit: RateLimit, at now: Duration) {
        level = Int64(limit.burst) * 1_000_000
        filled = now
    }

    /// - Parameter now: on a clock that never goes back.
    mutating func fill(_ limit: RateLimit, at now: Duration) {
        let full = Int64(limit.burst) * 1_000_000
        // Ten years and more are as good as the time that fills it: the product stays far from 64 bits' end.
        let microseconds = min(max(0, (now - filled).wholeMicroseconds), full / Int64(limit.eventsPerSecond) + 1)
        level = min(full, level + microseconds * Int64(limit.eventsPerSecond))
        filled = now
    }

    /// How long until `events` can be taken; zero if they can now.
    func wait(for events: Int, _ limit: RateLimit) -> Duration {
        let missing = Int64(events) * 1_000_000 - level
        return missing <= 0 ? .zero : .microseconds(missing / Int64(limit.eventsPerSecond) + 1)
    }

    /// - Precondition: ``wait(for:_:)`` is zero.
    mutating func take(_ events: Int) { level -= Int64(events) * 1_000_000 }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds > Int64.max / 2_000_000 ? .max : seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
