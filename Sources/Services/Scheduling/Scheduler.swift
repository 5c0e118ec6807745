internal import EnergyFeeds
public import EnergyModel
public import EnergyStore
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
public import Logging

/// Plans when the devices of its venues run, all of a venue together, and plans again when the guidance, the devices or the goals change.
/// Its venues are those of some partitions, which nobody else plans.
///
/// Everything it says is on disk before it is said. Without the guidance-publisher it charges at once; without the
/// event-ingestor it goes by what it knows; both are followed again as soon as they are there.
public actor Scheduler {
    struct DeviceKey: Hashable, Comparable {
        let venueID: UUID
        let deviceID: String

        static func < (a: DeviceKey, b: DeviceKey) -> Bool {
            (a.venueID.uuidString, a.deviceID) < (b.venueID.uuidString, b.deviceID)
        }
    }
    struct FeedKey: Hashable {
        let venueID: UUID
        let action: SuggestedAction
    }

    /// Of one venue.
    public static let devicesMax = 200

    let connections: SchedulerConnections
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    let logger: Logger
    let alarm: Alarm
    let partitions: Set<Int>
    let store: any ScheduleStore
    let planning: PlanningSettings
    let queues: PlanningQueues
    /// Another plans its venues by now: what is not planned yet is left to it.
    var isOver = false
    /// Venues for which a better plan is looked for.
    var improving: Set<UUID> = []

    var records: [DeviceKey: DeviceRecord]
    /// What was set of venues by request.
    var setups: [UUID: VenueSetup]
    let loadedProgress: LogProgress
    /// Devices whose progress changed since they were last looked at.
    var changed: Set<DeviceKey> = []
    /// When each device with a goal must be looked at again, whatever happens.
    var dueAt: [DeviceKey: Timestamp] = [:]
    /// Whether each vehicle was unplugged when its schedule was made; unknown of those from before this process.
    var wasUnplugged: [DeviceKey: Bool] = [:]
    /// What a vehicle's schedule says of it, while nobody has told that.
    var untold: [DeviceKey: UntoldStatus] = [:]
    /// Since when vehicles should charge and do not: a new schedule does not begin that anew.
    var idleSince: [DeviceKey: Timestamp] = [:]
    /// Since when vehicles are told to wait: a new schedule does not begin that anew either.
    var restrainedSince: [DeviceKey: Timestamp] = [:]
    /// Until when vehicles were told to charge by schedules that were thrown over, and not planned anew yet.
    var toldUntil: [DeviceKey: Timestamp] = [:]
    /// What vehicles take at most in their present session, though they were told more then.
    var slowPowers: [DeviceKey: Power] = [:]
    /// What was against the plans of each venue when it was planned last.
    var deviations: [UUID: [DeviceKey: Deviation]] = [:]
    /// What was told here last.
    var told: [DeviceKey: ScheduledStatus] = [:]
    let statusEvents: AsyncStream<Event>
    let statusEvent: AsyncStream<Event>.Continuation
    var guidance: [FeedKey: Guidance] = [:]
    var venues: [UUID: Venue] = [:]
    var contracts: [UUID: Contract] = [:]
    var contractList: ContractList?
    /// Running, or about to.
    var feeds: Set<FeedKey> = []
    /// The log has been read to its end once since the start.
    var isCaughtUp = false
    let feedRequests: AsyncStream<FeedKey>
    private let feedRequest: AsyncStream<FeedKey>.Continuation
    private var gate = TaskGate()
    /// One venue is planned at a time.
    var planningGate = TaskGate()
    /// Plannings that have not begun.
    var nextRounds: [UUID: Task<Void, Never>] = [:]
    /// How often each venue's goals, rules and limits were changed, in this process.
    var changes: [UUID: Int] = [:]
    /// As many of them were there when each was planned last.
    var changesPlanned: [UUID: Int] = [:]
    /// Why a venue's last planning found nothing.
    var planFailures: [UUID: String] = [:]

    /// Reads the store. Nothing else happens until ``run()``.
    ///
    /// - Parameters:
    ///   - store: of the partitions and no others.
    ///   - queues: on which it works, beside other schedulers.
    ///   - clock: for waiting; `wallClock` tells the time of day.
    /// - Throws: ``EnergyError`` `.unavailable` when the store cannot be read.
    public init(
        store: any ScheduleStore, partitions: Set<Int> = LogPartition.all, connections: SchedulerConnections,
        planning: PlanningSettings, queues: PlanningQueues = PlanningQueues(), wallClock: any WallClock,
        clock: any Clock<Duration>, logger: Logger
    ) async throws(EnergyError) {
        let content = try await store.load()
        (self.partitions, self.queues) = (partitions, queues)
        self.store = store
        self.connections = connections
        self.planning = planning
        self.wallClock = wallClock
        self.clock = clock
        self.logger = logger
        alarm = Alarm(clock: clock)
        records = Dictionary(content.records.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        setups = Dictionary(content.venues.map { ($0.venueID, $0) }, uniquingKeysWith: { $1 })
        loadedProgress = LogProgress(logID: content.logID, heads: content.positions)
        (feedRequests, feedRequest) = AsyncStream.makeStream()
        (statusEvents, statusEvent) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
        for (key, record) in records where record.goal != nil { noteGoal(of: record, key) }
    }

    /// The devices of a venue that have a goal: what they do is planned together.
    func plannedKeys(at venueID: UUID) -> [DeviceKey] {
        records.filter { $0.key.venueID == venueID && $0.value.goal != nil }.keys.sorted()
    }

    func replanner(of venueID: UUID) -> Replanner {
        var replanner = planning.replanner(of: venueID)
        replanner.settings = replanner.settings.with(setups[venueID])
        replanner.settings.contract = contracts[venueID]?.plan
        (replanner.restrainedSince, replanner.slowPowers) = (restrainedSince, slowPowers)
        replanner.toldUntil = toldUntil.filter { $0.key.venueID == venueID }
        replanner.isAsked = changes[venueID, default: 0] != changesPlanned[venueID, default: 0]
        replanner.bystanders = records.values.filter { $0.key.venueID == venueID && $0.goal == nil }
        return replanner
    }

    func knownGuidance(of venueID: UUID) -> [SuggestedAction: Guidance] {
        SuggestedAction.allCases.reduce(into: [:]) { $0[$1] = guidance[FeedKey(venueID: venueID, action: $1)] }
    }

    /// Stores the records, and only then makes them known.
    func commit(_ changed: [DeviceRecord], positions: [LogHead], now: Timestamp) async throws(EnergyError) {
        guard !changed.isEmpty else { return }
        try await store.save(changed, positions: positions)
        for record in changed {
            let before = records[record.key]
            records[record.key] = record
            if record.goal == nil {
                (dueAt[record.key], untold[record.key], wasUnplugged[record.key]) = (nil, nil, nil)
                toldUntil[record.key] = nil
                (idleSince[record.key], restrainedSince[record.key], slowPowers[record.key]) = (nil, nil, nil)
            } else {
                noteGoal(of: record, record.key)
            }
            note(record, record.key, now: now)
            if let schedule = record.schedule, schedule.id != before?.schedule?.id {
                wasUnplugged[record.key] = record.progress.isPluggedIn == false
                toldUntil[record.key] = nil
                publish(schedule)
            }
        }
        alarm.ring()
    }

    func publish(_ schedule: Schedule) {
        let topic = Topics.schedule(venueID: schedule.venueID, deviceID: schedule.deviceID)
        do { try connections.publisher.publish(topic, schedule.encoded()) } catch {
            logger.warning("schedule not published", metadata: ["error": "\(error.message)"])
        }
    }

    /// One at a time, in order: what is decided rests on what was decided before, and reaches the disk in that order.
    func exclusively<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if !gate.enter() { await withCheckedContinuation { gate.wait($0) } }
        defer { gate.leave() }
        return try await body()
    }

    // MARK: When to look again

    func note(_ record: DeviceRecord, _ key: DeviceKey, now: Timestamp) {
        guard let goal = record.goal else { return }
        // One without a schedule is being planned.
        if record.schedule != nil { idleSince[key] = record.idleSince(now).map { idleSince[key] ?? $0 } }
        if let block = record.schedule?.blocks.first(where: { $0.interval.contains(now) }) {
            let isRestrained = block.power == .zero || Excess.power(record, now: now) != nil
            restrainedSince[key] = isRestrained ? restrainedSince[key] ?? block.interval.start : nil
        }
        slowPowers[key] = record.slowPower(now) ?? slowPowers[key].flatMap { record.takesNoMore(than: $0) ? $0 : nil }
        var due = goal.readyBy
        for block in record.schedule?.blocks ?? [] where block.interval.end > now {
            due = min(due, block.interval.end)
            // A device that should run reports it; one that does not is noticed after the tolerance.
            if block.power > .zero, block.interval.start <= now {
                let noticed = idleSince[key]?.advanced(byMilliseconds: Replanner.toleranceMilliseconds)
                let again = now.advanced(byMilliseconds: Replanner.toleranceMilliseconds + 60_000)
                due = min(due, noticed.flatMap { $0 > now ? $0 : nil } ?? again)
                for time in [record.judgedFrom, record.silentFrom].compactMap(\.self) where time > now {
                    due = min(due, time)
                }
            }
            break
        }
        dueAt[key] = due
        noteStatus(of: record, key, now: now)
    }

    private func noteGoal(of record: DeviceRecord, _ key: DeviceKey) {
        guard let goal = record.goal else { return }
        if dueAt[key] == nil { dueAt[key] = goal.created }
        let feed = FeedKey(venueID: key.venueID, action: goal.target.action)
        if feeds.insert(feed).inserted { feedRequest.yield(feed) }
    }
}
