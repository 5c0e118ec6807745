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
            // Not by key: who makes one up can make up many.
            return state.sources.insert("\(refusal.reason) \(refusal.address) \(refusal.name ?? "")").inserted
        }
        guard isDue else { return }
        var metadata: Logger.Metadata = [:]
        if !refusal.address.isEmpty { metadata[ServiceKeys.address] = "\(refusal.address)" }
        if let key = refusal.key { metadata[ServiceKeys.key] = "\(key)" }
        if let name = refusal.name { metadata[ServiceKeys.principal] = "\(name)" }
        switch refusal.reason {
        case .notSubscriber:
            logger.notice(
                "a client may call, but not subscribe: it is limited to venues, or may not read what is published",
                metadata: metadata)
        case .handshake:
            logger.notice("connection refused: no handshake with this service's key", metadata: metadata)
        case .unknownKey: logger.warning("connection refused: its key is not known", metadata: metadata)
        case .revoked: logger.warning("requests refused: the key is no longer admitted", metadata: metadata)
        case .chosenName: logger.warning("messages dropped: the client chose its routing id", metadata: metadata)
        case .malformed: logger.warning("messages refused: they are none of this contract", metadata: metadata)
        case .excessive:
            logger.warning("requests refused: too large, too many, or replies not read", metadata: metadata)
        case .denied: logger.warning("requests refused: not allowed", metadata: metadata)
        case .tooManySubscriptions:
            logger.warning("subscriber shut out for a minute: too many subscriptions", metadata: metadata)
        }
    }
}
