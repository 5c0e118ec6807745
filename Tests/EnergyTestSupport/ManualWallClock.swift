public import EnergyModel

/// The time of day that goes with a ``ManualClock``: it moves when the test moves the clock.
public struct ManualWallClock: WallClock {
    private let start: Timestamp
    private let clock: ManualClock

    public init(start: Timestamp = EventSamples.now, clock: ManualClock) {
        self.start = start
        self.clock = clock
    }

    public var now: Timestamp {
        let (seconds, attoseconds) = clock.now.offset.components
        return start.advanced(byMilliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
