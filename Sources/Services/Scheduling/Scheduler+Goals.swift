public import EnergyModel
internal import EnergyStore
public import EnergyWire
internal import Foundation

/// What others want of a device.
extension Scheduler {
    /// Sets a device's goal, in place of those it has or beside them, and plans it.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an unknown device; `.invalidInput`; `.rateLimited` for too many goals;
    ///   `.unavailable`.
    public func put(_ draft: GoalDraft) async throws(EnergyError) -> Schedule {
        let key = DeviceKey(venueID: draft.venueID, deviceID: draft.deviceID)
        guard let known = records[key] else { throw Self.unknownDevice() }
        try GoalRules.check(draft, for: known, now: wallClock.now)
        await askGuidance(FeedKey(venueID: key.venueID, action: draft.target.action))
        return try await change(key) { (record, now) throws(EnergyError) in try record.set(draft, now: now) }
    }

    /// What a goal would do and cost. Stores nothing.
    ///
    /// - Throws: as ``put(_:)-(GoalDraft)``.
    public func preview(_ draft: GoalDraft) async throws(EnergyError) -> GoalPreview {
        let key = DeviceKey(venueID: draft.venueID, deviceID: draft.deviceID)
        guard var record = records[key] else { throw Self.unknownDevice() }
        let now = wallClock.now
        try GoalRules.check(draft, for: record, now: now)
        await askGuidance(FeedKey(venueID: key.venueID, action: draft.target.action))
        try record.set(draft, now: now)
        let others = plannedKeys(at: key.venueID).filter { $0 != key }.compactMap { records[$0] }
        await askContract(of: key.venueID, for: [record] + others)
        let (replanner, venue) = (replanner(of: key.venueID), [record] + others)
        let known = knownGuidance(of: key.venueID)
        let time = PlanningTime(planning.previewTimeLimit)
        return try await queues.previews.run { () throws(EnergyError) in
            guard !time.isUp else {
                throw EnergyError(.unavailable, "other goals are looked at just now: ask again in a few seconds")
            }
            return try replanner.preview(venue, guidance: known, now: now, within: time)
        }
    }

    /// Takes a device's goals away, or one of them. With the last of them its followers get a schedule without blocks.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an unknown device, or a goal that it does not have; `.unavailable`. A
    ///   device without goals that shall lose all of them is no error.
    public func deleteGoal(of device: DeviceReference) async throws(EnergyError) {
        let key = DeviceKey(venueID: device.venueID, deviceID: device.deviceID)
        guard let known = records[key] else { throw Self.unknownDevice() }
        if let id = device.goalID {
            try GoalRules.check(id, of: known)
            if known.goals.count > 1 {
                _ = try await change(key) { (record, now) throws(EnergyError) in
                    _ = record.removeGoal(id, now: now)
                }
                return
            }
        }
        try await exclusively { () async throws(EnergyError) in
            guard var record = records[key] else { throw Self.unknownDevice() }
            guard let goal = record.goal, device.goalID == nil || goal.id == device.goalID else { return }
            let now = wallClock.now
            record.adopt(.removed, now: now)
            let last = record.schedule
            record.removeGoals()
            try await commit([record], positions: [], now: now)
            noteChange(of: key.venueID)
            if let last { publish(last) }
            // What others waited for may be free now.
            lookAgain(atVenue: key.venueID)
        }
    }

    /// Sets what a vehicle's charging has to keep to; of other loads their priority and cost of a start.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an unknown device; `.invalidInput`; `.unavailable`.
    public func put(_ draft: RulesDraft) async throws(EnergyError) -> ManagedDevice {
        let key = DeviceKey(venueID: draft.venueID, deviceID: draft.deviceID)
        guard let known = records[key] else { throw Self.unknownDevice() }
        try GoalRules.check(draft.rules, for: known.device)
        var device = known.device
        device.rules = draft.rules
        if known.goals.isEmpty {
            try await exclusively { [device] () async throws(EnergyError) in
                guard var record = records[key] else { throw Self.unknownDevice() }
                record.device = device
                let isNeeded = record.ensureMinimum(wallClock.now)
                try await commit([record], positions: [], now: wallClock.now)
                noteChange(of: key.venueID)
                if isNeeded { lookAgain(at: key) }
            }
        } else {
            _ = try await change(key) { [device] (record, _) throws(EnergyError) in record.device = device }
        }
        return device
    }
}

extension DeviceRecord {
    /// - Throws: ``EnergyError`` `.invalidInput`, `.rateLimited`.
    mutating func set(_ draft: GoalDraft, now: Timestamp) throws(EnergyError) {
        try GoalRules.check(draft, for: self, now: now)
        let readyBy = draft.weekly.map { $0.next(after: now, in: timeZone) ?? now } ?? draft.readyBy
        let same = goals.first { isSame($0, draft, readyBy) }
        if same != nil, draft.keepsOthers { return }
        let goal = Goal(
            id: same?.id ?? UUID(), venueID: draft.venueID, deviceID: draft.deviceID, readyBy: readyBy,
            target: draft.target,
            created: now, weekly: draft.weekly, guaranteedPercent: draft.guaranteedPercent)
        set(goal, keepsOthers: draft.keepsOthers, now: now)
    }

    /// Whether what is asked for is one of its goals already. Energy is not, once some of it came: it is on top of that.
    private func isSame(_ goal: Goal, _ draft: GoalDraft, _ readyBy: Timestamp) -> Bool {
        if case .energy = goal.target, delivered(for: goal) > .zero { return false }
        // What is said as a time from now is some seconds later when it is said again.
        let isSameTime = abs(goal.readyBy.milliseconds(since: readyBy)) < .millisecondsPerMinute
        return goal.target == draft.target && isSameTime && goal.weekly == draft.weekly
            && goal.guaranteedPercent == draft.guaranteedPercent
    }
}
