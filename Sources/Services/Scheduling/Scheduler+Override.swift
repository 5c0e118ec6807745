public import EnergyModel
internal import EnergyStore
public import EnergyWire
internal import Foundation

/// What an owner does about a plan.
extension Scheduler {
    /// Does what the owner wants in place of the plan, or goes back to it. The explanation says what that does to other
    /// deadlines. To charge now without a goal is to have one: to be full.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an unknown device; `.conflict` for what else needs a goal that there is
    ///   none of, or when there is nothing to resume; `.invalidInput` for what is no vehicle, which can only be skipped; `.unavailable`.
    public func override(_ request: OverrideRequest) async throws(EnergyError) -> Schedule {
        let key = DeviceKey(venueID: request.venueID, deviceID: request.deviceID)
        guard let known = records[key] else { throw Self.unknownDevice() }
        try GoalRules.check(request.action, for: known)
        if request.action == .skipNext, known.goals.count == 1, known.goals.first?.weekly == nil {
            return try await skipOnlyGoal(of: key)
        }
        if request.action == .chargeNow, known.goals.isEmpty {
            await askGuidance(FeedKey(venueID: key.venueID, action: .shift))
        }
        return try await change(key) { (record, now) throws(EnergyError) in
            try GoalRules.check(request.action, for: record)
            switch request.action {
            case .chargeNow:
                if record.goals.isEmpty { try record.setFull(now: now) }
                record.override = .chargeNow
            case .pause: record.override = .paused
            case .stop: record.override = .stopped
            case .resume where record.override == nil: record.takeBackSkip(now: now)
            case .resume: record.override = nil
            case .skipNext: record.skipNext(now: now)
            }
        }
    }

    /// Leaves out a goal with which nothing is left to be planned; its followers get a schedule without blocks.
    private func skipOnlyGoal(of key: DeviceKey) async throws(EnergyError) -> Schedule {
        try await exclusively { () async throws(EnergyError) in
            let now = wallClock.now
            guard var record = records[key], let goal = record.goal else { throw GoalRules.noGoal() }
            record.adopt(.removed, now: now)
            record.skipNext(now: now)
            let last = Schedule(
                id: UUID(), venueID: key.venueID, deviceID: key.deviceID, goal: goal, revision: record.revision,
                planned: now, guidanceToken: nil, blocks: [], required: .zero, plannedEnergy: .zero,
                explanation: record.skipWords(now) ?? "")
            try await commit([record], positions: [], now: now)
            noteChange(of: key.venueID)
            publish(last)
            // What others waited for may be free now.
            lookAgain(atVenue: key.venueID)
            return last
        }
    }
}

extension DeviceRecord {
    /// To be full a day from now, or as soon as full power brings that.
    fileprivate mutating func setFull(now: Timestamp) throws(EnergyError) {
        guard let vehicle = device.vehicle else { throw GoalRules.noGoal() }
        let needed = VehicleNeed.gridEnergy(percents: 100, of: vehicle).milliseconds(at: vehicle.powerMax)
        let ahead = min(max(.millisecondsPerDay, needed), Goal.aheadMillisecondsMax)
        let full = GoalDraft(
            venueID: device.venueID, deviceID: device.device.id, readyBy: now.advanced(byMilliseconds: ahead),
            target: .stateOfCharge(100))
        try set(full, now: now)
    }

    /// What is not worth a word.
    private static let minorLack = Energy(milliwattHours: 100_000)

    /// Says in the plan of a vehicle that charges at once what other devices lack for it.
    ///
    /// - Parameters:
    ///   - before: of the whole venue. Those without a schedule were changed too: what they lack need not be for this.
    ///   - after: those that have another schedule now.
    mutating func tellLacks(of before: [DeviceRecord], _ after: [DeviceRecord], _ now: Timestamp) {
        let lacks = before.compactMap { other -> String? in
            guard other.key != key, other.schedule != nil, let changed = after.first(where: { $0.key == other.key })
            else { return nil }
            let known = other.lacks(now)
            let most = changed.lacks(now).compactMap { lack -> (by: Timestamp, energy: Energy)? in
                let more = lack.energy - (known.first { $0.by == lack.by }?.energy ?? .zero)
                return more > Self.minorLack ? (lack.by, more) : nil
            }.first
            let text = LocalTimeText(timeZone: other.timeZone, now: now)
            return most.map { "\(other.device.device.id) will lack \(text.energy($0.energy)) by \(text.time($0.by))" }
        }
        guard !lacks.isEmpty else { return }
        schedule?.explanation += "; for it \(lacks.joined(separator: " and ")), unless that has a higher priority"
    }

    /// What its schedule leaves of each goal when that is due, by time.
    private func lacks(_ now: Timestamp) -> [(by: Timestamp, energy: Energy)] {
        guard let goal, let schedule else { return [] }
        guard device.vehicle != nil else { return [(goal.readyBy, schedule.missing)] }
        guard case .open(let charge) = Charge.read(self, goal, now: now, 0) else { return [] }
        return charge.task.goals.compactMap { goal in
            Interval(start: now, end: goal.by).map { until in
                (goal.by, max(.zero, goal.energy - Remainder(of: schedule, in: until).energy))
            }
        }
    }
}
