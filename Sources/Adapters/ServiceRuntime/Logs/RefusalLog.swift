internal import Logging
internal import Synchronization
internal import ZeroMQTransport

/// Logs who is not let in: each source once a minute, and at most a hundred sources in that time; the metrics count all.
final class RefusalLog: Sendable {
    private static let interval = Duration.seconds(60)
    private static let sourcesMax = 100

    private struct State {
        var start: ContinuousClock.Instant
        var sources: Set<String> = []
    }

    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    init(_ logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
        self.logger = logger
        self.now = now
        state = Mutex(State(start: now()))
    }

    func note(_ refusal: Refusal) {
        let now = now()
        let isDue = state.withLock { state in
            if now >= state.start + Self.interval { state = State(start: now) }
            guard state.sources.count < Self.sourcesMax else { return false }
            return state.sources.insert("\(refusal.address) \(refusal.isKnown)").inserted
        }
        guard isDue else { return }
        let metadata: Logger.Metadata = [
            ServiceKeys.address: "\(refusal.address)", ServiceKeys.key: "\(refusal.key ?? "none")",
        ]
        if refusal.isKnown {
            logger.notice("a client that is limited to venues may call, but not subscribe", metadata: metadata)
        } else {
            logger.warning("connection refused: its key is not known", metadata: metadata)
        }
    }
}
