public import EnergyModel
public import EnergyTransport
internal import EnergyWire

/// Follows the event log: hands over every record after a position, in the order of its partition, each once; then waits
/// to be woken and hands over what has come.
///
/// It is woken by any publication under `events/`, by a subscription that is joined (again) or that missed something;
/// between wake-ups it asks nothing. When the log or the handler fails it waits, longer each time, and goes on from the
/// last record that was handled; a subscription that is joined again ends the wait early. A failing record holds up its
/// own partition only.
public struct LogFollower: Sendable {
    private let log: any EventLogReader
    private let subscriber: any Subscriber
    private let clock: any Clock<Duration>
    private let backoff: Backoff
    private let onFailure: @Sendable (EnergyError, _ nextTryIn: Duration) -> Void

    /// - Parameters:
    ///   - subscriber: to the publications of the log's owner.
    ///   - clock: for the waits after failures only.
    ///   - onFailure: told of each failure and of the wait that follows; for logs and health.
    public init(
        log: any EventLogReader, subscriber: any Subscriber, clock: any Clock<Duration>, backoff: Backoff = Backoff(),
        onFailure: @escaping @Sendable (EnergyError, _ nextTryIn: Duration) -> Void = { _, _ in }
    ) {
        self.log = log
        self.subscriber = subscriber
        self.clock = clock
        self.backoff = backoff
        self.onFailure = onFailure
    }

    public init(
        client: any RequestClient, subscriber: any Subscriber, clock: any Clock<Duration>,
        reader: String = "", backoff: Backoff = Backoff(),
        onFailure: @escaping @Sendable (EnergyError, _ nextTryIn: Duration) -> Void = { _, _ in }
    ) {
        self.init(
            log: RemoteEventLog(client: client, reader: reader), subscriber: subscriber, clock: clock, backoff: backoff,
            onFailure: onFailure)
    }

    /// Follows until the task is cancelled.
    ///
    /// - Parameters:
    ///   - positions: the newest record handled before, per partition; a partition that is not named starts at its first.
    ///   - whenCaughtUp: called each time everything up to the heads has been handled.
    ///   - handle: when it throws, the same record comes again after a wait.
    public func run(
        from positions: [LogHead] = [], whenCaughtUp: () async -> Void = {},
        handle: (LogRecord) async throws(EnergyError) -> Void
    ) async {
        await follow(from: positions, whenCaughtUp: whenCaughtUp) { (page, position) async throws(EnergyError) in
            for record in page {
                try await handle(record)
                position = record.sequence
            }
        }
    }

    /// As ``run(from:whenCaughtUp:handle:)``, with several records at a time: of one partition, in order, without gaps,
    /// never none. When `handlePage` throws, all of the page's records come again, perhaps in a page of another size.
    public func runByPage(
        from positions: [LogHead] = [], whenCaughtUp: () async -> Void = {},
        handlePage: ([LogRecord]) async throws(EnergyError) -> Void
    ) async {
        await follow(from: positions, whenCaughtUp: whenCaughtUp) { (page, position) async throws(EnergyError) in
            try await handlePage(page)
            if let last = page.last { position = last.sequence }
        }
    }

    private typealias Handle = ([LogRecord], inout UInt64) async throws(EnergyError) -> Void

    private func follow(from positions: [LogHead], whenCaughtUp: () async -> Void, _ handle: Handle) async {
        let wakeUps = WakeUps()
        await withDiscardingTaskGroup { group in
            group.addTask { await forward(to: wakeUps) }
            var positions = Dictionary(positions.map { ($0.partition, $0.sequence) }, uniquingKeysWith: max)
            var backoff = backoff
            while !Task.isCancelled {
                let before = positions
                let failure = await catchUp(&positions, handle)
                if Task.isCancelled { break }
                guard let failure else {
                    backoff.succeeded()
                    await whenCaughtUp()
                    await wakeUps.wait(for: [.news, .joined])
                    continue
                }
                if positions != before { backoff.succeeded() }
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
            case .publication, .missed: wakeUps.wake(.news)
            }
        }
    }

    /// Reads every partition that has news up to its head.
    ///
    /// - Returns: the first failure; the other partitions are read all the same.
    private func catchUp(_ positions: inout [Int: UInt64], _ handle: Handle) async -> EnergyError? {
        let heads: [LogHead]
        do { heads = try await log.heads() } catch { return error }
        var failure: EnergyError?
        for head in heads where head.sequence != positions[head.partition, default: 0] {
            if Task.isCancelled { break }
            do throws(EnergyError) {
                try await read(to: head, &positions[head.partition, default: 0], handle)
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }

    private func read(to head: LogHead, _ position: inout UInt64, _ handle: Handle) async throws(EnergyError) {
        guard position <= head.sequence else {
            throw EnergyError(
                .conflict,
                "the log's partition \(head.partition) ends at \(head.sequence), before position \(position): "
                    + "it is not the log that was followed")
        }
        // Who has handled nothing begins with the oldest that is kept.
        var reached = position == 0 ? head.removedSequence : position
        defer { position = reached }
        try await log.read(partition: head.partition, after: reached) { (records) async throws(EnergyError) in
            // A page that was sent twice counts once.
            let news = records.filter { $0.sequence > reached }
            guard !news.isEmpty else { return }
            for (index, record) in news.enumerated()
            where record.partition != head.partition || record.sequence != reached &+ UInt64(index) &+ 1 {
                throw EnergyError(.unavailable, "the log's partition \(head.partition) has a gap after \(reached)")
            }
            try await handle(news, &reached)
        }
        if reached < head.sequence {
            throw EnergyError(.unavailable, "the log's partition \(head.partition) ended before its head")
        }
    }
}
