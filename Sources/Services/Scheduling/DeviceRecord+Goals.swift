internal import EnergyModel
internal import EnergyStore
internal import Foundation

extension DeviceRecord {
    static let goalsMax = 20

    var key: Scheduler.DeviceKey { .init(venueID: device.venueID, deviceID: device.device.id) }

    /// Whose earliest event may count.
    var countsSince: Timestamp? { goals.map(\.created).min() }

    /// From the grid since a goal was set.
    func delivered(for goal: Goal) -> Energy {
        max(.zero, progress.sinceGoal - (baselines[goal.id] ?? .zero))
    }

    /// Sets a goal beside the others, or in place of all of them.
    mutating func set(_ goal: Goal, keepsOthers: Bool, now: Timestamp) {
        if keepsOthers { forgetSchedule(now) } else { removeGoals() }
        if !goals.isEmpty { baselines[goal.id] = progress.sinceGoal + runningEnergy(until: now) }
        goals.append(goal)
        sortGoals()
    }

    /// A vehicle without goals that is below the least state of charge gets that as a goal, due as soon as can be.
    ///
    /// - Returns: whether it needed one.
    mutating func ensureMinimum(_ now: Timestamp) -> Bool {
        let target = Goal.Target.stateOfCharge(device.rules.stateOfChargeMin)
        guard goals.isEmpty, device.rules.stateOfChargeMin > 0, progress.stateOfCharge != nil,
            progress.isPluggedIn != false, let vehicle = device.vehicle,
            case let need = VehicleNeed(target, of: vehicle, after: progress, delivered: .zero, now: now),
            need.expected > .zero
        else { return false }
        // Twice the time that full power takes, and half an hour: a slow vehicle should not need a second goal.
        let needed = min(need.expected.milliseconds(at: vehicle.powerMax), Goal.aheadMillisecondsMax / 4)
        let readyBy = now.advanced(byMilliseconds: 2 * needed + 30 * .millisecondsPerMinute)
        set(
            Goal(
                id: UUID(), venueID: device.venueID, deviceID: device.device.id, readyBy: readyBy, target: target,
                created: now), keepsOthers: false, now: now)
        return true
    }

    mutating func removeGoals() {
        (goals, baselines, override, skipped, schedule) = ([], [:], nil, [], nil)
        progress.sinceGoal = .zero
        progress.reducedSinceGoal = 0
        countRunsAnew()
    }

    /// A run that goes on counts for the next deadline too.
    private mutating func countRunsAnew() { progress.runs = progress.session == nil ? 0 : 1 }

    /// - Returns: whether there was such a goal.
    mutating func removeGoal(_ id: UUID, now: Timestamp) -> Bool {
        guard goals.contains(where: { $0.id == id }) else { return false }
        forgetSchedule(now)
        goals.removeAll { $0.id == id }
        if goals.isEmpty { removeGoals() } else { sortGoals() }
        return true
    }

    /// Leaves behind what is over: a goal that repeats is due at its next time, another is gone.
    ///
    /// - Returns: whether anything was over.
    mutating func passDeadlines(_ now: Timestamp) -> Bool {
        let isSkipOver = skipped.contains { $0.goal.readyBy <= now }
        skipped.removeAll { $0.goal.readyBy <= now }
        guard goals.contains(where: { $0.readyBy <= now }) else { return isSkipOver }
        let counted = progress.sinceGoal + runningEnergy(until: now)
        goals = goals.compactMap { goal in
            guard goal.readyBy <= now else { return goal }
            baselines[goal.id] = counted
            return goal.next(after: now, in: timeZone, created: goal.readyBy)
        }
        // What was wanted of the deadline that is over; what charges at once for later ones too goes on.
        let goesOn = override == .chargeNow && isChargingAtOnce(after: now)
        if override != .paused, !goesOn { override = nil }
        forgetSchedule(now)
        progress.reducedSinceGoal = 0
        countRunsAnew()
        if goals.isEmpty { removeGoals() } else { sortGoals() }
        return true
    }

    /// Whether its schedule says that it charges on at once.
    private func isChargingAtOnce(after now: Timestamp) -> Bool {
        schedule?.blocks.contains { $0.interval.end > now && $0.power > .zero && $0.reason == .chargeNow } ?? false
    }

    /// Leaves out the deadline that is due first. The goal's next time counts from now, but for an appliance that has run
    /// already: what is left out then is its next run.
    mutating func skipNext(now: Timestamp) {
        // A run may be over that nobody has counted yet.
        _ = noticeRun(now)
        guard let first = goals.first else { return }
        forgetSchedule(now)
        let left = skipped + [SkippedGoal(goal: first, delivered: delivered(for: first))]
        goals.removeFirst()
        // What was stopped was for this deadline.
        if override == .stopped, !goals.contains(where: { $0.readyBy <= first.readyBy }) { override = nil }
        if let weekly = first.weekly?.skipping(first.readyBy, in: timeZone),
            let next = first.repeating(weekly).next(after: first.readyBy, in: timeZone, created: now)
        {
            if !hasRun(for: first) { baselines[next.id] = progress.sinceGoal + runningEnergy(until: now) }
            progress.reducedSinceGoal = 0
            goals.append(next)
        }
        if goals.isEmpty { removeGoals() } else { sortGoals() }
        skipped = left
    }

    /// Has the deadline count again that was left out last.
    mutating func takeBackSkip(now: Timestamp) {
        guard let skipped = skipped.popLast() else { return }
        forgetSchedule(now)
        goals.removeAll { $0.id == skipped.goal.id }
        if goals.isEmpty { progress.sinceGoal = skipped.delivered }
        baselines[skipped.goal.id] = max(.zero, progress.sinceGoal - skipped.delivered)
        goals.append(skipped.goal)
        sortGoals()
    }

    /// What is left out, until it is over, and what comes instead.
    func skipWords(_ now: Timestamp) -> String? {
        let text = LocalTimeText(timeZone: timeZone, now: now)
        let left = skipped.filter { $0.goal.readyBy > now }.map { text.goal($0.goal) }
        guard !left.isEmpty else { return nil }
        let next = goals.first.map { "next is \(text.goal($0))" } ?? "nothing is planned instead"
        return "\(left.joined(separator: " and ")) \(left.count == 1 ? "is" : "are") left out, until resumed; \(next)"
    }

    /// Without it the device is planned as if nothing had been, but for how long it has run reduced.
    mutating func forgetSchedule(_ now: Timestamp) {
        progress.reducedSinceGoal = reducedMilliseconds(until: now)
        schedule = nil
    }

    /// Makes a plan the device's schedule.
    mutating func adopt(_ plan: DevicePlan, now: Timestamp) {
        guard let goal else { return }
        progress.reducedSinceGoal = reducedMilliseconds(until: now)
        noteSwitch(to: plan, now: now)
        noteRaise(to: plan, now: now)
        revision += 1
        schedule = Schedule(
            id: UUID(), venueID: device.venueID, deviceID: device.device.id, goal: goal, revision: revision,
            planned: now, guidanceToken: plan.guidanceToken, blocks: plan.blocks, required: plan.required,
            plannedEnergy: plan.planned,
            explanation: (skipWords(now).map { "\($0). " } ?? "") + plan.explanation, goals: goals,
            override: override, optimalityGap: plan.optimalityGap)
    }

    private mutating func sortGoals() {
        goals.sort { ($0.readyBy, $0.id.uuidString) < ($1.readyBy, $1.id.uuidString) }
        baselines = baselines.filter { id, _ in goals.contains { $0.id == id } }
    }

    /// What a running session brought since its last event, as far as that can be known.
    private func runningEnergy(until now: Timestamp) -> Energy {
        guard let session = progress.session, let updated = progress.updated else { return .zero }
        let silence = now.milliseconds(since: updated)
        guard 0...VehicleNeed.silenceMilliseconds ~= silence else { return .zero }
        return session.power.energy(overMilliseconds: silence)
    }
}

extension Goal {
    /// The same goal at its next time; `nil` if it does not repeat.
    fileprivate func next(after instant: Timestamp, in timeZone: TimeZone, created: Timestamp) -> Goal? {
        guard let time = weekly?.next(after: instant, in: timeZone) else { return nil }
        var goal = self
        (goal.readyBy, goal.created) = (time, created)
        return goal
    }

    fileprivate func repeating(_ weekly: WeeklyTime) -> Goal {
        var goal = self
        goal.weekly = weekly
        return goal
    }
}
