internal import EnergyFeeds
public import EnergyModel
public import EnergyStore
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
public import Logging

/// Plans when the devices of its venues run, and plans again when the guidance, the devices or the goals change.
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
    let store: any ScheduleStore
    private let replanner = Replanner()

    var records: [DeviceKey: DeviceRecord]
    let loadedProgress: LogProgress
    /// Devices whose progress changed since they were last looked at.
    var changed: Set<DeviceKey> = []
    /// When each device with a goal must be looked at again, whatever happens.
    var dueAt: [DeviceKey: Timestamp] = [:]
    var guidance: [FeedKey: Guidance] = [:]
    var venues: [UUID: Venue] = [:]
    /// Running, or about to.
    var feeds: Set<FeedKey> = []
    /// The log has been read to its end once since the start.
    var isCaughtUp = false
    let feedRequests: AsyncStream<FeedKey>
    private let feedRequest: AsyncStream<FeedKey>.Continuation
    private var gate = TaskGate()

    /// Reads the store. Nothing else happens until ``run()``.
    ///
    /// - Parameter clock: for waiting; `wallClock` tells the time of day.
    /// - Throws: ``EnergyError`` `.unavailable` when the store cannot be read.
    public init(
        store: any ScheduleStore, connections: SchedulerConnections, wallClock: any WallClock,
        clock: any Clock<Duration>, logger: Logger
    ) async throws(EnergyError) {
        let content = try await store.load()
        self.store = store
        self.connections = connections
        self.wallClock = wallClock
        self.clock = clock
        self.logger = logger
        alarm = Alarm(clock: clock)
        records = Dictionary(content.records.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        loadedProgress = LogProgress(logID: content.logID, heads: content.positions)
        (feedRequests, feedRequest) = AsyncStream.makeStream()
        for (key, record) in records where record.goal != nil { noteGoal(of: record, key) }
    }

    // MARK: Planning

    /// Looks at devices, one task at a time: plans anew where the schedule no longer holds, stores, then publishes.
    func evaluate(_ keys: some Collection<DeviceKey>) async {
        await exclusively {
            let now = wallClock.now
            var replanned: [DeviceRecord] = []
            for key in keys.sorted() {
                guard var record = records[key], let goal = record.goal else { continue }
                let guidance = guidance[FeedKey(venueID: key.venueID, action: goal.target.action)]
                switch replanner.decide(record, guidance: guidance, now: now) {
                case .keep: note(record, key, now: now)
                case .plan(let plan):
                    record.adopt(plan, now: now)
                    replanned.append(record)
                case .expire:
                    record.goal = nil
                    record.schedule = nil
                    replanned.append(record)
                }
            }
            do throws(EnergyError) { try await commit(replanned, positions: [], now: now) } catch {
                logger.error("schedules not stored", metadata: ["error": "\(error.message)"])
                // Tried again soon, rather than left with plans that no longer hold.
                for record in replanned { dueAt[record.key] = now.advanced(byMilliseconds: 10_000) }
                alarm.ring()
            }
        }
    }

    /// Stores the records, and only then makes them known.
    func commit(_ changed: [DeviceRecord], positions: [LogHead], now: Timestamp) async throws(EnergyError) {
        guard !changed.isEmpty else { return }
        try await store.save(changed, positions: positions)
        for record in changed {
            let before = records[record.key]
            records[record.key] = record
            if record.goal == nil { dueAt[record.key] = nil } else { noteGoal(of: record, record.key) }
            note(record, record.key, now: now)
            if let schedule = record.schedule, schedule.id != before?.schedule?.id { publish(schedule) }
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

    private func note(_ record: DeviceRecord, _ key: DeviceKey, now: Timestamp) {
        guard let goal = record.goal else { return }
        var due = goal.readyBy
        for block in record.schedule?.blocks ?? [] where block.interval.end > now {
            due = min(due, block.interval.end)
            // A device that should run reports it; one that does not is noticed after the tolerance.
            if block.power > .zero, block.interval.start <= now {
                due = min(due, now.advanced(byMilliseconds: Replanner.toleranceMilliseconds + 60_000))
            }
            break
        }
        dueAt[key] = due
    }

    private func noteGoal(of record: DeviceRecord, _ key: DeviceKey) {
        guard let goal = record.goal else { return }
        if dueAt[key] == nil { dueAt[key] = goal.created }
        let feed = FeedKey(venueID: key.venueID, action: goal.target.action)
        if feeds.insert(feed).inserted { feedRequest.yield(feed) }
    }
}

extension DeviceRecord {
    var key: Scheduler.DeviceKey { .init(venueID: device.venueID, deviceID: device.device.id) }

    /// Makes a plan the device's schedule.
    mutating func adopt(_ plan: DevicePlan, now: Timestamp) {
        guard let goal else { return }
        progress.reducedSinceGoal = reducedMilliseconds(until: now)
        revision += 1
        schedule = Schedule(
            id: UUID(), venueID: device.venueID, deviceID: device.device.id, goal: goal, revision: revision,
            planned: now, guidanceToken: plan.guidanceToken, blocks: plan.blocks, required: plan.required,
            plannedEnergy: plan.planned, explanation: plan.explanation)
    }
}
