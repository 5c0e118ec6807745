public import EnergyModel
public import EnergyStore
public import EnergyTransport
public import EnergyWire

/// Takes in events: judged, appended to the log, durable, then acknowledged, then published.
///
/// Batches wait in one queue. Whenever the writer is free it takes all that wait and commits them in one transaction, so
/// that one flush of the disk serves all; a batch that is refused does not hurt the others. Batches whose tokens are
/// known are stored in the order ``submit(_:encoded:principal:)`` was called; others after the publisher's answer.
public final class EventIngestor: Sendable {
    let store: any EventLogStore
    private let admission: EventAdmission
    let queue: IngestQueue
    let publications: EventPublications
    let venues: any VenueChecker
    let metrics: IngestMetrics
    let watch: StoreWatch
    private let rates: RateLimiter
    private let executor: (any TaskExecutor)?
    let clock: any WallClock
    private let stopwatch: any Clock<Duration>

    /// - Parameters:
    ///   - store: the log. The caller closes it, after ``run()`` has returned.
    ///   - tokens: who knows guidance tokens, usually a ``GuidanceDirectory``.
    ///   - venues: who knows venues, usually the same.
    ///   - publisher: gets every stored event once, in log order per venue.
    ///   - clock: the time of day that events are judged and stamped by.
    ///   - stopwatch: measures commits, and the rates of senders.
    ///   - whenLogChanges: told when the log no longer takes events, takes them again, or turns out to be damaged; in
    ///     order, and without calling back.
    ///   - executor: runs the writer; `nil` is the shared pool. For simulations.
    public init(
        store: any EventLogStore, tokens: any TokenChecker, venues: any VenueChecker, publisher: any Publisher,
        clock: any WallClock = SystemWallClock(), stopwatch: any Clock<Duration> = ContinuousClock(),
        rules: EventRules = EventRules(), limits: IngestLimits = IngestLimits(),
        whenLogChanges: @escaping @Sendable (LogCondition) -> Void = { _ in },
        executor: (any TaskExecutor)? = nil
    ) {
        self.store = store
        self.clock = clock
        self.stopwatch = stopwatch
        self.executor = executor
        self.venues = venues
        admission = EventAdmission(rules: rules, clock: clock, tokens: tokens, venues: venues)
        queue = IngestQueue(limits: limits)
        metrics = IngestMetrics()
        watch = StoreWatch(whenChanged: whenLogChanges)
        rates = RateLimiter(limits: limits, elapsed: Self.started(stopwatch))
        publications = EventPublications(publisher: publisher, metrics: metrics)
    }

    /// Stores what is submitted, until the task is cancelled; then refuses what is new, finishes what waits and returns.
    /// To be called once.
    public func run() async {
        await withTaskCancellationHandler {
            // A task of its own: a commit must not be cancelled half way, its senders would be told nothing.
            await Task(executorPreference: executor) { await self.write() }.value
        } onCancel: {
            queue.close()
        }
    }

    /// Returns when the batch is on disk and will be in the insights.
    ///
    /// - Parameters:
    ///   - encoded: the batch as it was sent, if it was: then it is stored and published without encoding it again.
    ///   - principal: whom the transport has authenticated.
    /// - Throws: `.invalidInput` with index, field, rule and value of what is wrong; `.conflict` when an id was used for
    ///   another event before; `.rateLimited` when too much waits or comes from one sender; `.unavailable` when it cannot be stored or checked
    ///   now; `.dataLoss` when the log is damaged. Nothing of the batch is stored then, except perhaps after a cancellation: send it again.
    public func submit(
        _ batch: EventBatch, encoded: [UInt8]? = nil, principal: String
    ) async throws(EnergyError) -> SubmitResult {
        do throws(EnergyError) {
            let bytes = batch.approximateBytes
            try queue.reserve(bytes: bytes)
            metrics.inFlight.add(1)
            defer {
                metrics.inFlight.add(-1)
                queue.release(bytes: bytes)
            }
            try rates.take(batch, principal: principal)
            let admitted = try await admission.admit(batch, encoded: encoded, principal: principal, bytes: bytes)
            let result = try await queue.submit(admitted)
            metrics.accepted(result)
            return result
        } catch {
            metrics.refused(error)
            throw error
        }
    }

    @concurrent
    private func write() async {
        while let group = await queue.next() {
            let deadline = group.compactMap(\.deadline).max()
            let outcomes = await RequestDeadline.$current.withValue(deadline) { await commit(group) }
            for (entry, outcome) in zip(group, outcomes) { entry.answer(outcome.map(\.result)) }
            for case .success(let appended) in outcomes {
                for record in appended.records { publications.publish(record) }
            }
        }
    }

    /// One outcome per entry, in order.
    private func commit(_ group: [IngestQueue.Entry]) async -> [Result<AppendedBatch, EnergyError>] {
        let batches = group.map(\.batch)
        do throws(EnergyError) {
            return try await commitTogether(batches)
        } catch {
            watch.failed(error)
            // Not the disk: some batch is one that the store cannot take. Alone, it fails alone.
            guard error.code != .unavailable, error.code != .dataLoss, batches.count > 1 else {
                return batches.map { _ in .failure(error) }
            }
            var outcomes: [Result<AppendedBatch, EnergyError>] = []
            for batch in batches {
                do throws(EnergyError) { outcomes += try await commitTogether([batch]) } catch {
                    outcomes.append(.failure(error))
                }
            }
            return outcomes
        }
    }

    private func commitTogether(
        _ batches: [AdmittedBatch]
    ) async throws(EnergyError) -> [Result<AppendedBatch, EnergyError>] {
        let received = clock.now
        let elapsed = Self.started(stopwatch)
        defer { metrics.committed(batches: batches.count, in: elapsed()) }
        return try await store.write { log in
            try log.expect(batches.map(\.events))
            return try batches.map { try BatchAppender.append($0, received: received, to: log) }
        }
    }

    private static func started(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
