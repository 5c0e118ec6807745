internal import EnergyFeeds
internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation
internal import Logging

/// What the scheduler follows by itself.
extension Scheduler {
    /// Follows guidance, the event log and the time of day until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followLog() }
            group.addTask { await self.keepTime() }
            group.addTask { await self.sendStatus() }
            for await key in feedRequests { group.addTask { await self.follow(key) } }
            group.cancelAll()
        }
    }

    /// From now on nothing is planned any more.
    func end() { isOver = true }

    /// Makes the timer look at a device now.
    func lookAgain(at key: DeviceKey) {
        guard records[key]?.goal != nil else { return }
        dueAt[key] = wallClock.now
        alarm.ring()
    }

    /// Makes the timer look at a venue now.
    func lookAgain(atVenue venueID: UUID) { plannedKeys(at: venueID).forEach(lookAgain(at:)) }

    // MARK: Guidance

    private func follow(_ key: FeedKey) async {
        let (logger, outage) = (logger, connections.guidanceOutage)
        let feed = GuidanceFeed(
            venueID: key.venueID, action: key.action, client: connections.guidance,
            subscriber: connections.guidanceUpdates, clock: clock,
            onFailure: { error, _ in
                guard outage.meets(key, error.message) else { return }
                logger.info("guidance cannot be had", metadata: ["error": "\(error.message)"])
            })
        defer { _ = outage.ends(for: key) }
        var told: String?
        // Goals come and go: the feed stays while the process lives, an hourly document costs less than its care.
        while !Task.isCancelled {
            do throws(EnergyError) { try await feed.run { await self.receive($0, key) } } catch {
                // The same for ever is said once, such as that the venue was removed.
                logger.log(
                    level: told == error.message ? .debug : .warning, "guidance is refused",
                    metadata: ["venue": "\(key.venueID)", "error": "\(error.message)"])
                told = error.message
                try? await clock.sleep(for: .seconds(60))
                // Its devices were erased, perhaps with the venue: a goal that is set asks for the feed again.
                guard records.keys.contains(where: { $0.venueID == key.venueID }) else {
                    (guidance[key], _) = (nil, feeds.remove(key))
                    return
                }
            }
        }
    }

    func receive(_ document: Guidance, _ key: FeedKey) async {
        if connections.guidanceOutage.ends(for: key) { logger.info("guidance can be had again") }
        if let known = guidance[key], known.issued > document.issued { return }
        guidance[key] = document
        await evaluate(
            records.filter { $0.key.venueID == key.venueID && $0.value.goal?.target.action == key.action }.keys)
    }

    /// For the goals that were there at the start; stops at the first venue that gets no answer.
    private func askGuidanceOnce() async {
        for key in feeds where guidance[key] == nil {
            await askGuidance(key)
            if guidance[key] == nil { return }
        }
    }

    // MARK: Events

    private func followLog() async {
        let (logger, outage, partitions) = (logger, connections.eventsOutage, partitions)
        // Who leaves a partition does not wait for it any more.
        defer { _ = outage.ends(for: partitions) }
        let follower = LogFollower(
            client: connections.events, partitions: partitions, subscriber: connections.eventUpdates, clock: clock,
            reader: "scheduler",
            onFailure: { error, _ in
                guard outage.meets(partitions, error.message) else { return }
                logger.info("the event log cannot be followed", metadata: ["error": "\(error.message)"])
            })
        await follower.runByPage(
            from: loadedProgress,
            adopt: { (found) async throws(EnergyError) in try await adopt(found) },
            whenCaughtUp: {
                if outage.ends(for: partitions) { logger.info("the event log is followed again") }
                isCaughtUp = true
                let keys = changed
                changed = []
                await evaluate(keys)
                alarm.ring()
            },
            handlePage: { (page) async throws(EnergyError) in try await apply(page) })
    }

    /// What devices have said of themselves stays true when a log is restored: only what was not heard yet counts, which
    /// ``DeviceProgress`` knows by its time.
    private func adopt(_ found: FoundLog) async throws(EnergyError) {
        if let difference = found.difference {
            logger.warning(
                "the event log is another one than before; reading it from its beginning",
                metadata: ["reason": "\(difference)"])
        }
        try await store.adopt(log: found.id, anew: found.difference != nil)
    }

    /// Counts the events of known devices. Progress and log position are stored together; a page that concerns nobody
    /// is not worth a write, reading it again does no harm.
    func apply(_ page: [LogRecord]) async throws(EnergyError) {
        guard let last = page.last else { return }
        try await exclusively { () async throws(EnergyError) in
            var touched: [DeviceKey: DeviceRecord] = [:]
            for event in page.lazy.flatMap(\.events) {
                let key = DeviceKey(venueID: event.venueID, deviceID: event.device.id)
                guard var record = touched[key] ?? records[key] else { continue }
                let isNews = record.progress.apply(event, goalSet: record.countsSince)
                let isRefusal = record.heed(event)
                guard isNews || isRefusal else { continue }
                touched[key] = record
                beginPatience(anewAfter: event, key)
            }
            for key in touched.keys { _ = touched[key]?.ensureMinimum(wallClock.now) }
            let head = LogHead(partition: last.partition, sequence: last.sequence, checksum: last.checksum)
            try await commit(Array(touched.values), positions: [head], now: wallClock.now)
            changed.formUnion(touched.keys)
        }
    }

    /// What it says of its charging counts from then on.
    private func beginPatience(anewAfter event: Event, _ key: DeviceKey) {
        switch event.content {
        // One that goes on taking nothing says nothing new.
        case .vehicleLoad(let load) where load.session.state == .active && load.powerMilliwatts == 0: break
        case .vehicleLoad: idleSince[key] = nil
        case .vehicleStatus(let told): if case .active = told.status { idleSince[key] = event.timestamp }
        case .hvacLoad: break
        }
    }

    // MARK: Time

    private func keepTime() async {
        // What happened while this process was away comes first, or a plan would be thrown over only to be taken back.
        await askGuidanceOnce()
        if !isCaughtUp { await alarm.wait(for: .seconds(5)) }
        while !Task.isCancelled {
            let now = wallClock.now
            let due = dueAt.filter { $0.value <= now }
            if !due.isEmpty {
                // Set again by looking, unless looking fails.
                for key in due.keys { dueAt[key] = now.advanced(byMilliseconds: 10_000) }
                await evaluate(due.keys)
            }
            let next = dueAt.values.min().map { $0.milliseconds(since: wallClock.now) } ?? .millisecondsPerHour
            // Never at once again, and at least hourly: the time of day may be set anew under us.
            await alarm.wait(for: .milliseconds(min(max(100, next), .millisecondsPerHour)))
        }
    }
}
