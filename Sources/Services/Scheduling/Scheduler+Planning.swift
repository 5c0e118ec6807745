internal import EnergyFeeds
internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation
internal import Logging

/// Planning. What is asked is stored and counts; the plan follows, at once where that is quick.
extension Scheduler {
    /// Nobody who asks for a change waits longer for its plan: well below what callers wait for an answer.
    private static let answerTime = Duration.seconds(2)
    private static let retryMilliseconds: Int64 = 10_000

    /// A round of planning.
    struct Round {
        let asked: [DeviceRecord]
        let changes: Int
        /// What is against the present plans.
        let deviations: [DeviceKey: Deviation]
        let now: Timestamp
        var replanner: Replanner
        let guidance: [SuggestedAction: Guidance]
    }

    /// Looks at devices: plans their venues anew where schedules no longer hold, stores, then publishes.
    func evaluate(_ keys: some Collection<DeviceKey>) async {
        for venueID in Set(keys.map(\.venueID)).sorted(by: { $0.uuidString < $1.uuidString }) {
            await round(of: venueID).value
        }
    }

    /// Changes a device that has goals then, and plans it anew with its venue.
    ///
    /// - Returns: its schedule; one that says so where planning takes longer than anybody waits for it.
    func change(
        _ key: DeviceKey, _ body: (inout DeviceRecord, Timestamp) throws(EnergyError) -> Void
    ) async throws(EnergyError) -> Schedule {
        try await exclusively { () async throws(EnergyError) in
            guard var record = records[key] else { throw Self.unknownDevice() }
            let now = wallClock.now
            record.noteState(now, replanner(of: key.venueID).settings)
            try body(&record, now)
            throwOver(&record, now)
            try await commit([record], positions: [], now: now)
            noteChange(of: key.venueID)
        }
        await wait(for: round(of: key.venueID))
        guard let record = records[key], let schedule = plan(of: record) else {
            throw EnergyError(.conflict, "the goals are over")
        }
        return schedule
    }

    /// Forgets a device's schedule, but for how long it was told to charge.
    func throwOver(_ record: inout DeviceRecord, _ now: Timestamp) {
        if record.schedule != nil { toldUntil[record.key] = record.toldUntil(from: now) }
        record.forgetSchedule(now)
    }

    /// What was planned of a venue until now does not count any more.
    func noteChange(of venueID: UUID) { changes[venueID, default: 0] += 1 }

    /// A device's schedule, or that there is none yet; `nil` without a goal.
    func plan(of record: DeviceRecord) -> Schedule? {
        guard let goal = record.goal else { return nil }
        return record.schedule
            ?? .beingPlanned(record, goal, now: wallClock.now, failure: planFailures[record.key.venueID])
    }

    /// Waits as long as callers do; planning goes on.
    func wait(for round: Task<Void, Never>) async {
        let alarm = Alarm(clock: clock)
        let waiter = Task {
            await round.value
            alarm.ring()
        }
        await alarm.wait(for: Self.answerTime)
        waiter.cancel()
    }

    // MARK: Rounds

    /// The next planning of a venue, with all that is stored by then: what is asked until it begins shares it.
    func round(of venueID: UUID) -> Task<Void, Never> {
        if let next = nextRounds[venueID] { return next }
        queues.waiting.add(1)
        let round = Task {
            if !planningGate.enter() { await withCheckedContinuation { planningGate.wait($0) } }
            nextRounds[venueID] = nil
            queues.waiting.add(-1)
            let isDone = await planVenue(venueID)
            planningGate.leave()
            if !isDone { await self.round(of: venueID).value }
        }
        nextRounds[venueID] = round
        return round
    }

    /// - Returns: whether that is what holds now: `false` if something was changed meanwhile.
    private func planVenue(_ venueID: UUID) async -> Bool {
        if isOver { return true }
        await askContract(of: venueID, for: plannedKeys(at: venueID).compactMap { records[$0] })
        do throws(EnergyError) {
            let round = try await exclusively { () async throws(EnergyError) in try await begin(venueID) }
            let decisions = try await queues.planning.run { () throws(EnergyError) in
                try round.replanner.decide(round.asked, guidance: round.guidance, now: round.now)
            }
            return try await exclusively { () async throws(EnergyError) in
                guard changes[venueID, default: 0] == round.changes else { return false }
                try await adopt(decisions, of: round)
                planFailures[venueID] = nil
                improve(venueID)
                return true
            }
        } catch {
            // The store has refused it: it is another's to write.
            if isOver { return true }
            logger.error("schedules not renewed", metadata: ["error": "\(error.message)"])
            planFailures[venueID] = error.message
            // Tried again soon, rather than left with plans that no longer hold.
            let again = wallClock.now.advanced(byMilliseconds: Self.retryMilliseconds)
            for key in plannedKeys(at: venueID) { dueAt[key] = again }
            alarm.ring()
            return true
        }
    }

    /// Notes what time has changed, and takes the venue's devices that have a goal as they are: they are planned together.
    func begin(_ venueID: UUID) async throws(EnergyError) -> Round {
        var replanner = replanner(of: venueID)
        let (now, known) = (wallClock.now, knownGuidance(of: venueID))
        var changed: [DeviceRecord] = []
        for key in plannedKeys(at: venueID) {
            guard var record = records[key] else { continue }
            let hasRun = record.noticeRun(now)
            let isPassed = record.passDeadlines(now)
            let isRefused = record.noticeRefusal(now, since: idleSince[key])
            if hasRun || isPassed || isRefused { changed.append(record) }
        }
        try await commit(changed, positions: [], now: now)
        let asked = plannedKeys(at: venueID).compactMap { records[$0] }.map { record in
            var record = record
            if isPlugNews(record, known) { record.forgetSchedule(now) }
            return record
        }
        let (deviations, before) = (replanner.deviations(asked, now: now), deviations[venueID, default: [:]])
        replanner.news = Set(deviations.keys).union(before.keys).filter { deviations[$0] != before[$0] }
        return Round(
            asked: asked, changes: changes[venueID, default: 0], deviations: deviations, now: now,
            replanner: replanner, guidance: known)
    }

    func adopt(_ decisions: [Replanner.Decision], of round: Round) async throws(EnergyError) {
        var changed: [DeviceRecord] = []
        for (asked, decision) in zip(round.asked, decisions) {
            // What was heard of it meanwhile stays known.
            guard case .plan(let plan) = decision, var record = records[asked.key], record.goals == asked.goals else {
                continue
            }
            record.noteState(round.now, round.replanner.settings)
            record.adopt(plan, now: round.now)
            changed.append(record)
        }
        for index in changed.indices where changed[index].override == .chargeNow {
            guard let asked = round.asked.first(where: { $0.key == changed[index].key }), asked.schedule == nil else {
                continue
            }
            changed[index].tellLacks(of: round.asked, changed, round.now)
        }
        try await commit(changed, positions: [], now: round.now)
        if let venueID = round.asked.first?.key.venueID {
            changesPlanned[venueID] = round.changes
            deviations[venueID] = round.deviations
        }
        for asked in round.asked { if let record = records[asked.key] { note(record, asked.key, now: round.now) } }
        guard !round.asked.contains(where: { records[$0.key].map { $0.goal != nil && $0.schedule == nil } ?? false })
        else { throw EnergyError(.unavailable, "there was no time to plan it beside the others") }
    }

    /// Somebody unplugged the vehicle, or plugged it in, since its schedule was made: that is told at once, not when the
    /// schedule no longer holds. Without guidance the schedule is what remembers it.
    private func isPlugNews(_ record: DeviceRecord, _ known: [SuggestedAction: Guidance]) -> Bool {
        guard let before = wasUnplugged[record.key], !record.isHeld, known[.shift] != nil
        else { return false }
        return before != (record.progress.isPluggedIn == false)
    }
}

extension DeviceRecord {
    /// What a battery holds, or how warm a building is by now, is known by the schedule that it followed: that may go.
    fileprivate mutating func noteState(_ now: Timestamp, _ settings: VenueSettings) {
        guard let reading = progress.reading, reading.at <= now,
            let state = state(at: now, outdoor: settings.outdoor)
        else { return }
        progress.reading = .init(value: state, at: now, told: reading.told)
    }
}

extension Schedule {
    /// What is said of a device whose plan is not there yet; its id is the same until then.
    ///
    /// - Parameter failure: why no plan was found when it was last looked for.
    fileprivate static func beingPlanned(
        _ record: DeviceRecord, _ goal: Goal, now: Timestamp, failure: String?
    ) -> Schedule {
        let blocks = Interval(start: now, end: goal.readyBy).map { interval in
            [
                ScheduleBlock(
                    interval: interval, power: .zero, stageMax: 100, energy: .zero, rating: 1, reason: .beingPlanned)
            ]
        }
        return Schedule(
            id: goal.id, venueID: record.device.venueID, deviceID: record.device.device.id, goal: goal,
            revision: record.revision, planned: now, guidanceToken: nil, blocks: blocks ?? [], required: .zero,
            plannedEnergy: .zero,
            explanation: failure.map { "It is stored, but no plan was found: \($0). That is tried again" }
                ?? "It is stored, and its plan is being made: that follows in a moment",
            goals: record.goals, override: record.override)
    }
}
