internal import EnergyTransport
internal import Logging
internal import Synchronization

/// Logs what the transport gives up: of each kind at most one line in ten seconds, which says how many losses it stands
/// for. The metrics count all of them.
final class LossLog: Sendable {
    private struct Kind {
        var silentUntil: ContinuousClock.Instant
        var lossCount = 0
        var frameCount = 0
    }

    private static let interval = Duration.seconds(10)

    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let kinds = Mutex<[TransportLoss.Kind: Kind]>([:])

    init(_ logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
        self.logger = logger
        self.now = now
    }

    func note(_ loss: TransportLoss) {
        let now = now()
        let due = kinds.withLock { kinds -> Kind? in
            var kind = kinds[loss.kind] ?? Kind(silentUntil: now)
            kind.lossCount += 1
            kind.frameCount += loss.frameCount
            guard now >= kind.silentUntil else {
                kinds[loss.kind] = kind
                return nil
            }
            kinds[loss.kind] = Kind(silentUntil: now + Self.interval)
            return kind
        }
        guard let due else { return }
        let metadata: Logger.Metadata = [
            ServiceKeys.count: "\(due.frameCount)", ServiceKeys.losses: "\(due.lossCount)",
        ]
        switch loss.kind {
        case .unread: logger.warning("replies lost: a caller does not read them", metadata: metadata)
        case .gone: logger.info("replies lost: their caller is gone", metadata: metadata)
        case .publication:
            logger.warning("publications missed by a slow subscriber, which has to fetch them", metadata: metadata)
        }
    }
}
