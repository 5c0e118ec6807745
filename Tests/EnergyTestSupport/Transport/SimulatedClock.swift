public import EnergyModel
internal import EnergyTransport

/// The virtual time of a simulated network, to wait on.
public struct SimulatedClock: Clock {
    public struct Instant: InstantProtocol {
        let elapsed: Duration
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.elapsed < rhs.elapsed }
    }

    private let network: SimulatedTransport

    public init(_ network: SimulatedTransport) { self.network = network }

    public var now: Instant { Instant(elapsed: .nanoseconds(network.state.withLock(\.now).nanoseconds)) }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits to the end also when the task is cancelled: time passes as soon as nobody has anything to do.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let wait = now.duration(to: deadline)
        if wait > .zero { await network.sleep(wait) }
        try Task.checkCancellation()
    }
}

/// The same as a time of day.
public struct SimulatedWallClock: WallClock {
    private let network: SimulatedTransport
    private let start: Timestamp

    /// - Parameter start: when the network began.
    public init(_ network: SimulatedTransport, start: Timestamp = EventSamples.now) {
        self.network = network
        self.start = start
    }

    public var now: Timestamp {
        start.advanced(byMilliseconds: network.state.withLock(\.now).nanoseconds / 1_000_000)
    }
}

extension SimulatedTransport {
    /// Where the world's work is done; for tasks that nobody awaits.
    public var taskExecutor: any TaskExecutor { executor }
}
