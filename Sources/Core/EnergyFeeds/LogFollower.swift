public import EnergyModel
public import EnergyTransport
internal import EnergyWire
public import Foundation

/// Follows the event log: hands over every record after a position, in the order of its partition, each once; then waits
/// to be woken and hands over what has come.
///
/// It is woken by any publication under `events/`, by a subscription that is joined (again) or that missed something;
/// between wake-ups it asks nothing. When the log or the handler fails it waits, longer each time, and goes on from the
/// last record that was handled; a subscription that is joined again ends the wait early. A failing record holds up its
/// own partition only.
///
/// A log that was restored from a backup is another log: it has another identity, or ends before a position, or has
/// another record there. The follower says so before it hands over anything, and begins at the other log's beginning.
public struct LogFollower: Sendable {
    private let log: any EventLogReader
    private let partitions: Set<Int>
    private let subscriber: any Subscriber
    private let clock: any Clock<Duration>
    private let backoff: Backoff
    private let onFailure: @Sendable (EnergyError, _ nextTryIn: Duration) -> Void

    /// - Parameters:
    ///   - partitions: those that it follows; it is not woken by what is published of others.
    ///   - subscriber: to the publications of the log's owner.
    ///   - clock: for the waits after failures only.
    ///   - onFailure: told of each failure and of the wait that follows; for logs and health.
    public init(
        log: any EventLogReader, partitions: Set<Int> = LogPartition.all, subscriber: any Subscriber,
        clock: any Clock<Duration>, backoff: Backoff = Backoff(),
        onFailure: @escaping @Sendable (EnergyError, _ nextTryIn: Duration) -> Void = { _, _ in }
    ) {
        self.log = log
        self.partitions = partitions
        self.subscriber = subscriber
        self.clock = clock
        self.backoff = backoff
        self.onFailure = onFailure
    }

    public init(
        client: any RequestClient, partitions: Set<Int> = LogPartition.all, subscriber: any Subscriber,
        clock: any Clock<Duration>, reader: String = "", backoff: Backoff = Backoff(),
        onFailure: @escaping @Sendable (EnergyError, _ nextTryIn: Duration) -> Void = { _, _ in }
    ) {
        self.init(
            log: RemoteEventLog(client: client, reader: reader), partitions: partitions, subscriber: subscriber,
            clock: clock, backoff: backoff, onFailure: onFailure)
    }

    /// Follows until the task is cancelled.
    ///
    /// - Parameters:
    ///   - progress: the newest record handled before, per partition, and of which log; a partition that is not named
    ///     starts at its first.
    ///   - adopt: told of a log that is not that of the progress, before any of its records. When it throws, it is told
    ///     again after a wait.
    ///   - whenMissed: told of records of a partition that are gone before they were handled: the log has given this reader
    ///     up, after a long time. The next one comes after them. When it throws, it is told again after a wait.
    ///   - whenCaughtUp: called each time everything up to the heads has been handled.
    ///   - handle: when it throws, the same record comes again after a wait.
    public func run(
        from progress: LogProgress = LogProgress(), adopt: (FoundLog) async throws(EnergyError) -> Void = { _ in },
        whenMissed: (_ partition: Int, ClosedRange<UInt64>) async throws(EnergyError) -> Void = { _, _ in },
        whenCaughtUp: () async -> Void = {}, handle: (LogRecord) async throws(EnergyError) -> Void
    ) async {
        await follow(from: progress, pageEvents: 1, adopt, whenMissed, whenCaughtUp) {
            (page, position) async throws(EnergyError) in
            for record in page {
                try await handle(record)
                position = LogHead(record)
            }
        }
    }

    /// As ``run(from:adopt:whenCaughtUp:handle:)``, with several records at a time: of one partition, in order, without gaps,
    /// never none. When `handlePage` throws, all of the page's records come again, perhaps in a page of another size.
    ///
    /// - Parameters:
    ///   - pageEvents: while there is more to catch up with, a page is handed over as soon as it has as many events: what
    ///     each page costs its reader, once, is then shared by more of them. A record is never divided.
    public func runByPage(
        from progress: LogProgress = LogProgress(), pageEvents: Int = 8_000,
        adopt: (FoundLog) async throws(EnergyError) -> Void = { _ in },
        whenMissed: (_ partition: Int, ClosedRange<UInt64>) async throws(EnergyError) -> Void = { _, _ in },
        whenCaughtUp: () async -> Void = {}, handlePage: ([LogRecord]) async throws(EnergyError) -> Void
    ) async {
        await follow(from: progress, pageEvents: pageEvents, adopt, whenMissed, whenCaughtUp) {
            (page, position) async throws(EnergyError) in
            try await handlePage(page)
            if let last = page.last { position = LogHead(last) }
        }
    }

    private typealias Adopt = (FoundLog) async throws(EnergyError) -> Void
    private typealias Miss = (_ partition: Int, ClosedRange<UInt64>) async throws(EnergyError) -> Void
    private typealias Handle = ([LogRecord], inout LogHead) async throws(EnergyError) -> Void

    private func follow(
        from progress: LogProgress, pageEvents: Int, _ adopt: Adopt, _ miss: Miss, _ whenCaughtUp: () async -> Void,
        _ handle: Handle
    ) async {
        let wakeUps = WakeUps()
        await withDiscardingTaskGroup { group in
            group.addTask { await forward(to: wakeUps) }
            var progress = progress
            var backoff = backoff
            while !Task.isCancelled {
                let before = progress
                let failure = await catchUp(&progress, pageEvents, adopt, miss, handle)
                if Task.isCancelled { break }
                guard let failure else {
                    backoff.succeeded()
                    await whenCaughtUp()
                    await wakeUps.wait(for: [.news, .joined])
                    continue
                }
                if progress != before { backoff.succeeded() }
                let wait = backoff.failed(atLeast: .milliseconds(max(0, failure.retryAfterMilliseconds ?? 0)))
                onFailure(failure, wait)
                let timer = wakeUps.armTimer()
                group.addTask {
                    // Cancelled only with the whole follower: then nobody waits for the timer.
                    try? await clock.sleep(for: wait)
                    wakeUps.timerFired(timer)
                }
                await wakeUps.wait(for: [.timer, .joined])
            }
            group.cancelAll()
        }
    }

    private func forward(to wakeUps: WakeUps) async {
        for await event in subscriber.subscribe(Topics.allEvents) {
            switch event {
            case .joined: wakeUps.wake(.joined)
            case .missed: wakeUps.wake(.news)
            case .publication(let publication):
                if let venue = Topics.venueID(of: publication.topic),
                    !partitions.contains(LogPartition.of(venueID: venue))
                {
                    continue
                }
                wakeUps.wake(.news)
            }
        }
    }

    /// Reads every partition that has news up to its head.
    ///
    /// - Returns: the first failure; the other partitions are read all the same.
    private func catchUp(
        _ progress: inout LogProgress, _ pageEvents: Int, _ adopt: Adopt, _ miss: Miss, _ handle: Handle
    ) async -> EnergyError? {
        do throws(EnergyError) {
            let found = try await log.heads()
            if let difference = progress.difference(from: found) {
                try await adopt(FoundLog(id: found.logID, difference: difference))
                progress = LogProgress(logID: found.logID)
            } else if let id = found.logID, progress.logID == nil {
                try await adopt(FoundLog(id: id, difference: nil))
                progress.logID = id
            }
            var failure: EnergyError?
            for head in found.heads where partitions.contains(head.partition) {
                if Task.isCancelled { break }
                var position = progress.position(inPartition: head.partition)
                guard position.sequence != head.sequence else { continue }
                if position.sequence > 0, position.sequence < head.removedSequence {
                    try await miss(head.partition, position.sequence + 1...head.removedSequence)
                    position = LogHead(partition: head.partition, sequence: head.removedSequence)
                    progress.moveForward(to: position)
                }
                let result = await read(to: head, &position, of: progress.logID, pageEvents, handle)
                if position.sequence > 0 { progress.moveForward(to: position) }
                if let difference = result.difference {
                    try await adopt(FoundLog(id: found.logID, difference: difference.message))
                    progress = LogProgress(logID: found.logID)
                    return difference
                }
                failure = failure ?? result.failure
            }
            return failure
        } catch { return error }
    }

    /// - Returns: what failed; `difference` when the log's owner says that the position is in another log.
    private func read(
        to head: LogHead, _ position: inout LogHead, of logID: UUID?, _ pageEvents: Int, _ handle: Handle
    ) async -> (failure: EnergyError?, difference: EnergyError?) {
        // Who has handled nothing begins with the oldest that is kept.
        var reached =
            position.sequence == 0 ? LogHead(partition: head.partition, sequence: head.removedSequence) : position
        defer { position = reached }
        var page = GatheredPage(after: reached)
        var (failure, isHandling): (EnergyError?, Bool) = (nil, false)
        do throws(EnergyError) {
            try await log.read(after: reached, logID: logID) { (records) async throws(EnergyError) in
                try page.add(records)
                guard page.events >= pageEvents else { return }
                isHandling = true
                try await handle(page.take(), &reached)
                isHandling = false
            }
            if page.end.sequence < head.sequence {
                throw EnergyError(.unavailable, "the log's partition \(head.partition) ended before its head")
            }
        } catch { failure = error }
        if isHandling { return (failure, nil) }
        // Also what came before the log failed: it is not asked for twice.
        do throws(EnergyError) { if !page.isEmpty { try await handle(page.take(), &reached) } } catch {
            return (error, nil)
        }
        return (failure, failure?.code == .conflict ? failure : nil)
    }
}

/// Records of one partition that wait to be handed over together.
private struct GatheredPage {
    /// The newest that was added, though it may be taken out already.
    private(set) var end: LogHead
    /// Of the records that wait; one without events counts as one.
    private(set) var events = 0
    private var records: [LogRecord] = []

    init(after position: LogHead) { end = position }

    var isEmpty: Bool { records.isEmpty }

    /// Adds those that are new, so that a page that was sent twice counts once.
    ///
    /// - Throws: at the first that does not follow the one before it; those before it are added.
    mutating func add(_ page: [LogRecord]) throws(EnergyError) {
        for record in page where record.sequence > end.sequence {
            guard record.partition == end.partition, record.sequence == end.sequence &+ 1 else {
                throw EnergyError(.unavailable, "the log's partition \(end.partition) has a gap after \(end.sequence)")
            }
            records.append(record)
            events += max(1, record.events.count)
            end = LogHead(record)
        }
    }

    mutating func take() -> [LogRecord] {
        defer { (records, events) = ([], 0) }
        return records
    }
}

/// A log that is not the one whose progress was known.
public struct FoundLog: Hashable, Sendable {
    /// `nil` where its owner does not say.
    public let id: UUID?
    /// Why it is another than the one that was followed: everything that was handled is not of this log, and its records
    /// come from its beginning on. `nil` for the first that is found.
    public let difference: String?
}

extension LogHead {
    fileprivate init(_ record: LogRecord) {
        self.init(partition: record.partition, sequence: record.sequence, checksum: record.checksum)
    }
}

extension LogProgress {
    fileprivate func position(inPartition partition: Int) -> LogHead {
        heads.first { $0.partition == partition } ?? LogHead(partition: partition, sequence: 0)
    }

    fileprivate mutating func moveForward(to position: LogHead) {
        heads.removeAll { $0.partition == position.partition }
        heads.append(position)
    }
}
