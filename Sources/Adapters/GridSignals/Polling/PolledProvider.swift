public import EnergyModel
public import EnergyStore

/// A web service as a source of signals: asks it no more often than it allows, keeps what it said, and goes on with that
/// while it does not answer.
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
    private var plan: PollPlan
    private var series = SignalSeries.empty
    private var issued: Timestamp?
    private var lastSuccess: Timestamp?
    private var lastError: EnergyError?
    private var skew: Int64?
    private var asking: Task<Void, Never>?

    /// Asks nobody yet.
    ///
    /// - Parameters:
    ///   - clock: what ``run()`` waits on.
    ///   - seed: of the jitter of waits after failures.
    ///   - onChange: called after a fetch that changed something.
    public init(
        _ source: any GridSource, http: any HTTPFetching, wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock(), seed: UInt64 = .random(in: .min ... .max),
        onChange: @escaping @Sendable () -> Void = {}
    ) {
        self.source = source
        self.http = http
        self.wallClock = wallClock
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

    private func begin() {
        guard asking == nil, plan.next(wallClock.now) != nil else { return }
        asking = Task { await ask() }
    }

    private func ask() async {
        var isChanged = false
        while let part = plan.next(wallClock.now), !Task.isCancelled {
            let observed = ObservedHTTP(http, wallClock)
            do throws(EnergyError) {
                let fetched = try await source.fetch(part.interval, now: wallClock.now, from: observed)
                isChanged = try merge(fetched, part) || isChanged
                plan.succeeded(part, wallClock.now)
                lastSuccess = wallClock.now
                lastError = nil
            } catch {
                plan.failed(part, error, wallClock.now)
                // Without a part of its history a source is as good as it was.
                if case .news = part { lastError = error }
            }
            if let seen = await observed.skew { skew = seen }
        }
        asking = nil
        if isChanged { onChange() }
    }

    private func merge(_ fetched: FetchedSignals, _ part: PollPlan.Part) throws(EnergyError) -> Bool {
        guard fetched.points.count <= Self.pointsMax else {
            throw EnergyError(.invalidInput, "the answer has \(fetched.points.count) values, more than are taken")
        }
        let range = source.kind.quantity.range
        for point in fetched.points
        where !range.contains(point.value) || point.interval.milliseconds > .millisecondsPerDay {
            throw EnergyError(
                .invalidInput, "the value \(point.value) for \(point.interval) in the answer makes no sense")
        }
        let before = series
        let oldest = wallClock.now.advanced(byMilliseconds: -PollPlan.historyMilliseconds - .millisecondsPerDay)
        series = series.corrected(by: SignalSeries(fetched.points)).ending(after: oldest)
        if case .news = part { issued = fetched.issued ?? issued }
        return series != before
    }

    public func signals(
        region: String, in interval: Interval, now: Timestamp
    ) async throws(EnergyError) -> SignalReport {
        begin()
        if lastSuccess == nil, lastError == nil { await asking?.value }
        guard !series.points.isEmpty else {
            throw lastError ?? EnergyError(.unavailable, "has said nothing yet")
        }
        return SignalReport(
            series: SignalSeries(Array(series.overlapping(interval))),
            stepMilliseconds: series.points.last.map { min($0.interval.milliseconds, .millisecondsPerDay) }
                ?? source.stepMilliseconds,
            newestMeasured: series.newestKnown(kind.quantity, at: now), currency: source.currency, issued: issued)
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
