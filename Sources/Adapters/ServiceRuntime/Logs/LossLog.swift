internal import EnergyTransport
internal import Logging
internal import Synchronization

/// Logs what the transport gives up: of each kind and source at most one line in ten seconds, which says how many losses it
/// stands for. The metrics count all of them.
final class LossLog: Sendable {
    private struct Source: Hashable {
        let kind: TransportLoss.Kind
        let name: String?
    }

    private struct Entry {
        var silentUntil: ContinuousClock.Instant
        var lossCount = 0
        var frameCount = 0
    }

    private static let interval = Duration.seconds(10)
    /// Beyond, what comes new is told as of nobody.
    private static let sourcesMax = 100

    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let entries = Mutex<[Source: Entry]>([:])

    init(_ logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
        self.logger = logger
        self.now = now
    }

    func note(_ loss: TransportLoss) {
        let now = now()
        let (source, due) = entries.withLock { entries -> (Source, Entry?) in
            var source = Source(kind: loss.kind, name: loss.name)
            if entries[source] == nil, entries.count >= Self.sourcesMax {
                entries = entries.filter { $0.value.silentUntil > now || $0.value.lossCount > 0 }
                if entries.count >= Self.sourcesMax { source = Source(kind: loss.kind, name: nil) }
            }
            var entry = entries[source] ?? Entry(silentUntil: now)
            entry.lossCount += 1
            entry.frameCount += loss.frameCount
            guard now >= entry.silentUntil else {
                entries[source] = entry
                return (source, nil)
            }
            entries[source] = Entry(silentUntil: now + Self.interval)
            return (source, entry)
        }
        guard let due else { return }
        var metadata: Logger.Metadata = [
            ServiceKeys.count: "\(due.frameCount)", ServiceKeys.losses: "\(due.lossCount)",
        ]
        if let name = source.name { metadata[ServiceKeys.principal] = "\(name)" }
        switch loss.kind {
        case .unread: logger.warning("replies lost: a caller does not read them", metadata: metadata)
        case .gone: logger.info("replies lost: their caller is gone", metadata: metadata)
        case .publication:
            logger.warning("publications missed by a slow subscriber, which has to fetch them", metadata: metadata)
        }
    }
}
