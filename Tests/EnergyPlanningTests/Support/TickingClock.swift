import Synchronization

/// A clock on which a millisecond passes each time it is read, so that a time limit is a number of looks at it.
final class TickingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private let reads = Mutex(0)

    var now: Instant {
        reads.withLock { reads in
            reads += 1
            return Instant(offset: .milliseconds(reads))
        }
    }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws { throw CancellationError() }
}
