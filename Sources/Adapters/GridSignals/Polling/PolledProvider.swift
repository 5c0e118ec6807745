public import EnergyModel
public import EnergyStore

/// A web service as a source of signals: asks it no more often than it allows, keeps what it said, and goes on with that
/// while it does not answer.
///
/// With a store, what it said outlives the process: after a restart only what is new, or may have been corrected, is
/// asked for, and each correction is a revision of its own.
///
/// Asking is never waited for, except before the first answer: whoever wants signals gets what is there.
public actor PolledProvider: SignalProvider {
    public nonisolated let name: String
    public nonisolated let kind: SignalKind
    public nonisolated let isTimeless = false
    public nonisolated let isRepublishable: Bool

    /// More than this is no answer but a mistake: 35 days of five minutes are 10,080.
    static let pointsMax = 50_000
    /// A clock that differs by more than this is worth a word.
    static let skewMax: Int64 = .millisecondsPerMinute

    private let source: any GridSource
    private let http: any HTTPFetching
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let onChange: @Sendable () -> Void
    private let history: SourceHistory?
    private var isResumed = false
    private var plan: PollPlan
    private var series = SignalSeries.empty
    private var issued: Timestamp?
    private var lastSuccess: Timestamp?
    private var lastError: EnergyError?
    private var skew: Int64?
    private var asking: Task<Void, Never>?
    /// Those who wait for the end of what is being asked for.
    private var looking: [CheckedContinuation<Void, Never>] = []
    /// Likewise, but not for longer than ``patience``.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// For a first answer: one that does not come must not keep everybody from everything else.
    static let patience: Duration = .seconds(2)

    /// Asks nobody yet.
    ///
    /// - Parameters:
    ///   - store: keeps what the source said; `nil` forgets it with the process.
    ///   - clock: what ``run()`` waits on.
    ///   - seed: of the jitter of waits after failures.
    ///   - onChange: called after a fetch that changed something.
    public init(
        _ source: any GridSource, http: any HTTPFetching, store: (any GuidanceStore)? = nil,
        wallClock: any WallClock, clock: any Clock<Duration> = ContinuousClock(),
        seed: UInt64 = .random(in: .min ... .max),
        onChange: @escaping @Sendable () -> Void = {}
    ) {
        self.source = source
        self.http = http
        self.wallClock = wallClock
        history = store.map { SourceHistory(source, $0) }
        self.clock = clock
        self.onChange = onChange
        name = source.name
        kind = source.kind
        isRepublishable = source.isRepublishable
        plan = PollPlan(source.polling, stepMilliseconds: source.stepMilliseconds, seed: seed)
    }

    /// Asks whenever it is time, until its task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await poll()
            let wait = max(1_000, plan.nextAttempt.milliseconds(since: wallClock.now))
            // A wall clock may be set: look again at least once an hour.
            do { try await clock.sleep(for: .milliseconds(min(wait, .millisecondsPerHour))) } catch { return }
        }
    }

    /// Asks all of them, each when it is time, until the task is cancelled.
    public static func run(_ providers: [PolledProvider]) async {
        await withTaskGroup { group in
            for provider in providers { group.addTask { await provider.run() } }
        }
    }

    /// Asks if it is time, and waits for the answer; for what is being asked already, too.
    public func poll() async {
        begin()
        await asking?.value
    }

    public func look() async -> SourceLook {
        plan.hasten(wallClock.now)
        begin()
        let isAsked = asking != nil
        // History may follow what is newest, and takes long.
        if isAsked { await withCheckedContinuation { looking.append($0) } }
        return SourceLook(isAsked: isAsked, failure: lastError)
    }

    private func begin() {
        guard asking == nil, plan.next(wallClock.now) != nil else { return }
        asking = Task { await ask() }
    }

    private func ask() async {
        var isChanged = false
        do throws(EnergyError) { try await resume() } catch {
            lastError = error
            if let part = plan.next(wallClock.now) { plan.failed(part, error, wallClock.now) }
        }
        while let part = plan.next(wallClock.now), !Task.isCancelled {
            let observed = ObservedHTTP(http, wallClock)
            do throws(EnergyError) {
                let fetched = try await source.fetch(part.interval, now: wallClock.now, from: observed)
                isChanged = try await merge(fetched, part) || isChanged
                lastSuccess = wallClock.now
                lastError = nil
            } catch {
                plan.failed(part, error, wallClock.now)
                // Without a part of its history a source is as good as it was.
                if case .news = part { lastError = error }
            }
            if let seen = await observed.skew { skew = seen }
            endLooks()
        }
        asking = nil
        endLooks()
        if isChanged { onChange() }
    }

    private func endLooks() {
        for look in looking { look.resume() }
        looking = []
        endWaits()
    }

    private func endWaits() {
        for wait in waiting { wait.resume() }
        waiting = []
    }

    private func awaitFirstAnswer() async {
        guard asking != nil, lastSuccess == nil, lastError == nil else { return }
        let limit = Task {
            do { try await clock.sleep(for: Self.patience) } catch { return }
            endWaits()
        }
        await withCheckedContinuation { waiting.append($0) }
        limit.cancel()
    }

    /// Takes up what was stored before the process began; once.
    private func resume() async throws(EnergyError) {
        guard let history, !isResumed else { return }
        let now = wallClock.now
        let ahead = 15 * Int64.millisecondsPerDay
        let stored = try await history.series(
            in: Interval(start: oldest(now), milliseconds: now.milliseconds(since: oldest(now)) + ahead))
        let progress = try await history.progress()
        // Who wants signals may have come here at the same time.
        guard !isResumed else { return }
        isResumed = true
        // Without knowing how far it was asked, stored values are asked for again, and compared.
        if let progress { plan.resume(progress, now) }
        (series, issued) = (stored.series, stored.issued)
    }

    private func oldest(_ now: Timestamp) -> Timestamp {
        now.advanced(byMilliseconds: -PollPlan.historyMilliseconds - .millisecondsPerDay)
    }

    private func merge(_ fetched: FetchedSignals, _ part: PollPlan.Part) async throws(EnergyError) -> Bool {
        guard fetched.points.count <= Self.pointsMax else {
            throw EnergyError(.invalidInput, "the answer has \(fetched.points.count) values, more than are taken")
        }
        let range = source.kind.quantity.range
        for point in fetched.points
        where !range.contains(point.value) || point.interval.milliseconds > .millisecondsPerDay {
            throw EnergyError(
                .invalidInput, "the value \(point.value) for \(point.interval) in the answer makes no sense")
        }
        let now = wallClock.now
        let merged = series.corrected(by: SignalSeries(fetched.points)).ending(after: oldest(now))
        var newer = issued
        if case .news = part { newer = fetched.issued ?? issued }
        var next = plan
        next.succeeded(part, now)
        // Durable before anybody sees it, so that what guidance was made of can be looked up.
        try await history?.keep(merged, over: series, issued: newer, progress: next.progress, now: now)
        let isChanged = merged != series
        (plan, series, issued) = (next, merged, newer)
        return isChanged
    }

    public func signals(
        region: String, in interval: Interval, now: Timestamp
    ) async throws(EnergyError) -> SignalReport {
        begin()
        await awaitFirstAnswer()
        guard !series.points.isEmpty else {
            throw lastError ?? EnergyError(.unavailable, "has said nothing yet")
        }
        return SignalReport(
            series: SignalSeries(try await older(interval) + series.overlapping(interval)),
            stepMilliseconds: series.points.last.map { min($0.interval.milliseconds, .millisecondsPerDay) }
                ?? source.stepMilliseconds,
            newestMeasured: series.newestKnown(kind.quantity, at: now), currency: source.currency, issued: issued)
    }

    /// What is stored of the time before that which is kept in memory: a forecast learns from a year.
    private func older(_ interval: Interval) async throws(EnergyError) -> [SignalPoint] {
        let start = series.points.first?.interval.start ?? interval.end
        guard let history, interval.start < oldest(wallClock.now),
            let older = Interval(start: interval.start, end: min(start, interval.end))
        else { return [] }
        return try await history.series(in: older).series.ended(by: older.end).points
    }

    public func status() async -> SignalSourceStatus {
        SignalSourceStatus(
            name: name, kind: kind, currency: source.currency,
            newestValue: series.points.last { !$0.isEstimated }?.interval.end, issued: issued,
            lastSuccess: lastSuccess, lastError: lastError?.message, nextAttempt: plan.nextAttempt,
            clockSkewMilliseconds: skew.flatMap { abs($0) > Self.skewMax ? $0 : nil })
    }
}

/// Compares the clock of whoever answers with ours.
private actor ObservedHTTP: HTTPFetching {
    private let http: any HTTPFetching
    private let wallClock: any WallClock
    /// Positive when theirs is ahead.
    private(set) var skew: Int64?

    init(_ http: any HTTPFetching, _ wallClock: any WallClock) {
        self.http = http
        self.wallClock = wallClock
    }

    func send(_ request: HTTPRequest) async throws(EnergyError) -> HTTPResponse {
        let response = try await http.send(request)
        if let date = response.date { skew = date.milliseconds(since: wallClock.now) }
        return response
    }
}
