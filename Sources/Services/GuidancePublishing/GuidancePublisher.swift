public import EnergyModel
public import EnergyStore
public import EnergyTransport
internal import EnergyWire
internal import Foundation
public import Logging

/// Keeps the guidance of every venue fresh: makes it, publishes it, answers for it.
///
/// Work is done once per region, contract and time zone; a venue adds a token and a topic. One refresh at a time. Tokens
/// are sealed with a key that is durable before the first is issued.
public actor GuidancePublisher {
    let store: any GuidanceStore
    /// Shared with other publishers; `nil` where there are none.
    let journal: (any GuidanceJournal)?
    let configuration: GuidanceConfiguration
    let wallClock: any WallClock
    let logger: Logger
    let publisher: any Publisher
    let clock: any Clock<Duration>
    private let authentication: @Sendable ([UInt8]) throws(EnergyError) -> any MessageAuthenticator
    private let onNote: @Sendable (String?) -> Void
    let archive = SignalArchive()
    var ledger = ForecastLedger()

    // What the store holds, as of now.
    var roster = VenueRoster()
    private(set) var authenticator: (any MessageAuthenticator)?
    /// Those that the configuration names.
    private(set) var configuredVenueIDs: Set<UUID> = []
    var ratePlans: [String: RatePlan] = [:]
    /// Not listed, and of no venue that is there.
    var removedRatePlans: [String: RatePlan] = [:]
    /// All that touch the time since 31 days ago, also those that were cancelled or replaced.
    var demandResponse: [DemandResponseEvent] = []
    var lastIssue = Timestamp(unixMilliseconds: 0)
    /// When each principal's asking was last written down.
    var asked: [UUID: [String: Timestamp]] = [:]
    /// Why the venues of a place have no fresh guidance.
    var problems: [Place: EnergyError] = [:]
    var sources = SourceReport() {
        didSet { if sources.note != oldValue.note { onNote(sources.note) } }
    }

    /// Whether the store was read, and anything can be answered.
    private var isStarted = false
    /// Whether it makes guidance, and not another.
    public private(set) var leads = false
    /// Up to where the journal was read, or written.
    var position: JournalPosition?
    var unwritten: [Unwritten] = []
    /// The last attempt failed.
    var isUnwritable = false
    /// Whether it could not be read when it was tried last.
    var isJournalAway = false
    /// How many times it was begun to be read.
    var journalReads = 0
    private var lastHour = Timestamp(unixMilliseconds: .min)
    private var lastPruned = Timestamp(unixMilliseconds: .min)
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - journal: of publishers that share the store, in which the one that leads tells the others what it does.
    ///   - publisher: where guidance is published, on `Topics.guidance`.
    ///   - authentication: what seals tokens, by a key of ``GuidanceLimits/tokenKeyByteCount`` bytes.
    ///   - wallClock: tells the time that guidance is for.
    ///   - clock: what ``run()`` waits on.
    ///   - onNote: told what guidance does without, for example a source that broke; `nil` when all is well again. For
    ///     health.
    public init(
        store: any GuidanceStore, journal: (any GuidanceJournal)? = nil, configuration: GuidanceConfiguration,
        publisher: any Publisher,
        authentication: @escaping @Sendable ([UInt8]) throws(EnergyError) -> any MessageAuthenticator,
        wallClock: any WallClock, clock: any Clock<Duration> = ContinuousClock(), logger: Logger,
        onNote: @escaping @Sendable (String?) -> Void = { _ in }
    ) {
        self.store = store
        self.journal = journal
        self.configuration = configuration
        self.publisher = publisher
        self.authentication = authentication
        self.wallClock = wallClock
        self.clock = clock
        self.logger = logger
        self.onNote = onNote
    }

    /// Begins to lead: reads the store, ensures what the configuration names, and publishes guidance for every venue. Once; ``run()``
    /// does it if nobody did.
    ///
    /// - Throws: ``EnergyError`` when the store cannot be used, or the configuration breaks a rule. A region without a
    ///   signal is no reason to stop.
    public func start() async throws(EnergyError) {
        await enter()
        defer { leave() }
        guard !leads else { return }
        try await readStore()
        ledger = ForecastLedger(try await store.forecasts())
        try await beginEpoch()
        for plan in configuration.ratePlans { _ = try await store(plan) }
        if roster.count == 0, roster.removed.isEmpty {
            for draft in configuration.exampleVenues { _ = try await store(draft) }
        }
        for draft in configuration.venues {
            var draft = draft
            draft.id =
                draft.id
                ?? roster.venues.filter { $0.name == draft.name }.map(\.id).min { $0.uuidString < $1.uuidString }
            configuredVenueIDs.insert(try await store(draft).venue.id)
        }
        for note in configuration.notes { logger.info("settings", metadata: [GuidanceKeys.reason: "\(note)"]) }
        leads = true
        await readDemandResponse()
        updateNeededSources()
        await hourly(wallClock.now)
    }

    /// Only inside enter() and leave().
    func readStore() async throws(EnergyError) {
        for plan in try await store.ratePlans() { keep(plan) }
        authenticator = try authentication(try await store.tokenKey(orNew: Self.newKey()))
        let (venues, numbers) = (try await store.venues(), try await store.venueNumbers())
        for id in roster.allIDs.subtracting(venues.map(\.id)) { forget(id) }
        for venue in venues {
            if let number = numbers[venue.id] { roster.put(venue, number: number) }
        }
        demandResponse = try await store.demandResponse(in: Self.timeOfDemandResponse(wallClock.now))
        isStarted = true
    }

    /// Publishes all guidance at the top of each hour, and what changed in between. Returns when its task is cancelled.
    ///
    /// - Throws: what ``start()`` throws. Later failures are logged, and tried again at the next occasion.
    public func run() async throws(EnergyError) {
        try await start()
        while !Task.isCancelled {
            let now = wallClock.now
            // Never less than a second: a wrong setting must not make this loop spin.
            let check = max(configuration.checkInterval, .seconds(1))
            let wait = min(.milliseconds(now.nextHour.milliseconds(since: now)), check)
            do { try await clock.sleep(for: unwritten.isEmpty ? wait : .seconds(1)) } catch { return }
            await refresh()
        }
    }

    /// Looks at every source: publishes all guidance if an hour has begun since the last time, otherwise what differs
    /// from what was published by more than the hysteresis. For sources that are pushed to, call it when they change.
    public func refresh() async {
        await enter()
        defer { leave() }
        // What was made before is told first: while the store is away nothing piles up.
        await writeDown()
        guard unwritten.isEmpty else { return }
        await readDemandResponse()
        let now = wallClock.now
        if now.floored(toMilliseconds: .millisecondsPerHour) != lastHour {
            await hourly(now)
        } else {
            await refresh(roster.groups, force: false)
        }
    }

    /// Why some venue has no fresh guidance, `nil` if all have. For health.
    public var problem: String? {
        if !isStarted { return "starting" }
        guard let error = problems.values.min(by: { $0.message < $1.message }) else { return nil }
        let count = roster.groups.reduce(0) { $0 + (problems[$1.key.place] == nil ? 0 : $1.value.count) }
        return "\(count) of \(roster.count) venues have no fresh guidance: \(error.message)"
    }

    /// - Throws: ``EnergyError`` `.unavailable` before the store was read.
    func requireStarted() throws(EnergyError) {
        if isStarted { return }
        if journal != nil { throw .forAnother("this replica does not know yet what another does") }
        throw EnergyError(.unavailable, "the service is starting", retryAfterMilliseconds: 1_000)
    }

    private func hourly(_ now: Timestamp) async {
        lastHour = now.floored(toMilliseconds: .millisecondsPerHour)
        await refresh(roster.groups, force: true)
        await pruneJournal(now)
        let today = now.floored(toMilliseconds: .millisecondsPerDay)
        guard today != lastPruned else { return }
        do throws(EnergyError) {
            try await store.prune(
                forecastsBefore: now.advanced(byMilliseconds: -GuidanceLimits.forecastMilliseconds),
                signalsBefore: now.advanced(byMilliseconds: -GuidanceLimits.signalMilliseconds))
            lastPruned = today
            asked.removeAll()
        } catch { logger.error("old guidance cannot be pruned", metadata: [GuidanceKeys.reason: "\(error.message)"]) }
    }

    /// Waits for one's turn: refreshes and changes come one after the other, in the order they were asked for.
    func enter() async {
        if !isBusy {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
}

/// Names of the values in log lines.
enum GuidanceKeys {
    static let region = "region"
    static let source = "source"
    static let reason = "reason"
    static let count = "count"
}
