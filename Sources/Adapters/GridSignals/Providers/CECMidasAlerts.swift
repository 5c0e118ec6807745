public import EnergyModel
public import EnergyStore
internal import Foundation

/// California's alerts as demand-response events of one region: declared when MIDAS names them, withdrawn when it does no
/// longer.
///
/// A Flex Alert asks everybody to use less; nobody has to. MIDAS is asked in its own time, and nobody waits for it, except
/// before its first answer. While it does not answer, what it said stands. Marginal emissions, which MIDAS has besides,
/// are a signal: ``CECMidas``.
///
/// - Source: as ``CECMidas``.
public actor CECMidasAlerts: DemandResponseSource {
    /// An alert for the evening is issued on the day before, or hours before.
    static let every: Int64 = 10 * .millisecondsPerMinute
    /// No answer for so long, and it is said that it is not known.
    static let ageMax: Int64 = 2 * .millisecondsPerHour

    /// The region is in it, because a source withdraws all events of its name that it does no longer say.
    public nonisolated let name: String
    private let rin: String
    private let region: String
    private let endpoint: String
    private let http: any HTTPFetching
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let onChange: @Sendable () -> Void
    private var known: [DemandResponseEvent] = []
    private var lastSuccess: Timestamp?
    private var lastError: EnergyError?
    private var failures = 0
    private var nextAttempt = Timestamp(unixMilliseconds: 0)
    private var asking: Task<Void, Never>?

    /// Asks nobody yet.
    ///
    /// - Parameters:
    ///   - region: whose venues the alerts are for.
    ///   - clock: what ``run()`` waits on.
    ///   - onChange: called after an answer that changed something.
    /// - Throws: ``EnergyError`` `.invalidInput` for a RIN of another form, and a region without a name's letters.
    public init(
        _ rin: String = CECMidas.flexAlert, region: String, http: any HTTPFetching, wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock(), endpoint: String = CECMidas.endpoint,
        onChange: @escaping @Sendable () -> Void = {}
    ) throws(EnergyError) {
        try CECMidas.check(rin: rin)
        guard Venue.isRegion(region) else {
            throw EnergyError(.invalidInput, "a region has letters, digits, - and _, not \(region.prefix(40))")
        }
        self.rin = rin
        self.region = region
        self.http = http
        self.wallClock = wallClock
        self.clock = clock
        self.endpoint = endpoint
        self.onChange = onChange
        name = Self.name(rin, region: region)
    }

    /// What ``name`` is, for whoever looks for two of the same.
    public static func name(_ rin: String, region: String) -> String { "cec-midas:\(rin)@\(region)" }

    /// Asks whenever it is time, until its task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await poll()
            let wait = min(max(1_000, nextAttempt.milliseconds(since: wallClock.now)), .millisecondsPerHour)
            do { try await clock.sleep(for: .milliseconds(wait)) } catch { return }
        }
    }

    /// Asks if it is time, and waits for the answer; for what is being asked already, too.
    public func poll() async {
        if asking == nil, wallClock.now >= nextAttempt { asking = Task { await ask() } }
        await asking?.value
    }

    private func ask() async {
        let before = known
        do throws(EnergyError) {
            known = try await CECMidas.alerts(rin, from: http, endpoint: endpoint).map(event)
            (lastSuccess, lastError, failures) = (wallClock.now, nil, 0)
            nextAttempt = wallClock.now.advanced(byMilliseconds: Self.every)
        } catch {
            lastError = error
            let wait = min(PollPlan.backoffMin << min(failures, 10), Self.every)
            failures += 1
            nextAttempt = wallClock.now.advanced(byMilliseconds: max(wait, error.retryAfterMilliseconds ?? 0))
        }
        asking = nil
        if known != before { onChange() }
    }

    private func event(_ alert: (interval: Interval, name: String)) -> DemandResponseEvent {
        // With another end it is the same alert.
        let id = UUID(naming: "\(name)/\(alert.interval.start.unixMilliseconds)")
        return DemandResponseEvent(
            id: id, kind: .reduce, scope: .region(region),
            interval: alert.interval, reason: String(alert.name.prefix(100)), source: name)
    }

    public func events(now: Timestamp) async throws(EnergyError) -> [DemandResponseEvent] {
        if lastSuccess == nil, lastError == nil { await poll() }
        if let lastSuccess, lastError == nil || now.milliseconds(since: lastSuccess) <= Self.ageMax {
            return known.filter { $0.interval.end > now }
        }
        throw lastError ?? EnergyError(.unavailable, "has said nothing yet")
    }
}
