internal import EnergyModel
internal import EnergyStore

/// What there is to say of a vehicle by its schedule: why it charges or waits, where to, and when.
struct ScheduledStatus: Hashable {
    let status: VehicleStatus.Status
    let target: ChargingTarget?

    /// How long the device has to tell it by itself: 1 min. What its owner asked for he looks for: 10 s to begin, which a
    /// device says itself if it does, and at once what needs nothing of it.
    let graceMilliseconds: Int64

    /// - Parameter asksForLess: whether the grid does now.
    /// - Returns: `nil` while nothing is known: unplugged, or its state of charge was never told.
    init?(_ record: DeviceRecord, asksForLess: Bool = false, now: Timestamp) {
        guard let schedule = record.schedule, let vehicle = record.device.vehicle, record.progress.isPluggedIn == true,
            !record.isFullByItself, !record.progress.refusesByItself,
            let percent = record.progress.stateOfCharge,
            let block = schedule.blocks.first(where: { $0.interval.contains(now) })
        else { return nil }
        if block.power > .zero {
            // One that should charge and does not: only itself can know why. From when it is expected is in its target.
            // Its own word that it charges stands until it is seen not to.
            guard record.progress.session != nil || !record.progress.isActiveByItself else { return nil }
            status = record.progress.session == nil ? .idle(.unknown) : .active(block.reason.active)
        } else {
            // It charges although it should not: that is for the device to explain.
            guard record.progress.session == nil else { return nil }
            // It is not for want of room that one does not charge that would not anyway.
            let lacksRoom =
                block.reason == .loadBalancing && schedule.missing > .zero && record.progress.refusedSince == nil
            let reason = lacksRoom ? IdleReason.insufficientPower : block.reason.idle
            status = .idle(asksForLess && reason.isForBetterTimes ? .demandResponseActive : reason)
        }
        graceMilliseconds =
            switch block.reason {
            case .paused, .stopped: 0
            case .chargeNow: 10_000
            default: .millisecondsPerMinute
            }
        guard let end = schedule.blocks.last?.interval.end, let window = Interval(start: now, end: end),
            case let rest = Remainder(of: schedule, in: window), let first = rest.runs.first, let last = rest.runs.last
        else {
            target = nil
            return
        }
        let gained = rest.energy.kilowattHours * vehicle.efficiency
        let reached = Double(percent) + 100 * gained / max(0.001, vehicle.batteryCapacity.kilowattHours)
        target = ChargingTarget(
            stateOfCharge: Int(min(100, max(0, reached.rounded()))), estimatedCompletion: last.end,
            scheduledStart: first.start)
    }

    /// Another target than this is another word: what it says of when stands until it is said anew.
    private static let targetMilliseconds = 15 * Int64.millisecondsPerMinute
    /// More than a vehicle that tells whole percents is off by.
    private static let targetPercents = 2

    /// Whether what was told before says the same, nearly.
    func isSaid(by told: ScheduledStatus) -> Bool {
        // Who should have begun and has not is late by more each minute.
        guard told.status == status, status != .idle(.unknown), let target, let other = told.target else {
            return told.status == status
        }
        func isNear(_ time: Timestamp, _ other: Timestamp) -> Bool {
            abs(time.milliseconds(since: other)) <= Self.targetMilliseconds
        }
        let hasBegun = if case .active = status { true } else { false }
        return isNear(target.estimatedCompletion, other.estimatedCompletion)
            && (hasBegun || isNear(target.scheduledStart, other.scheduledStart))
            && abs(target.stateOfCharge - other.stateOfCharge) <= Self.targetPercents
    }

    /// Whether a vehicle that tells another status knows better: what it does while charging, and what only it can feel.
    func yields(to told: VehicleStatus.Status?) -> Bool {
        switch (status, told) {
        case (.active, .active): true
        case (.idle, .idle(let reason)):
            switch reason {
            case .waitingForCleanerEnergy, .waitingForLowerElectricityRates, .scheduledEnd, .scheduledPause,
                .targetStateOfChargeReached, .loadBalancing, .insufficientPower, .unknown:
                false
            case .batteryFull, .targetAlreadyReached, .userPaused, .userStopped, .chargerFault, .demandResponseActive,
                .batteryThermalManagement, .batteryHealthManagement:
                true
            }
        default: false
        }
    }

    /// The same as an event of now.
    func content(of record: DeviceRecord) -> Event.Content? {
        guard let percent = record.progress.stateOfCharge, let vehicle = record.device.vehicle else { return nil }
        return .vehicleStatus(
            VehicleStatus(
                status: status, stateOfCharge: percent,
                energyMilliwattHours: vehicle.batteryCapacity.milliwattHours / 100 * Int64(percent), target: target))
    }
}

extension IdleReason {
    /// What a time is for that the grid asks to spare, too.
    fileprivate var isForBetterTimes: Bool {
        self == .waitingForCleanerEnergy || self == .waitingForLowerElectricityRates
    }
}

extension DeviceProgress {
    /// The newest it told is that it charges, although no session is known yet, and it was not seen not to.
    fileprivate var isActiveByItself: Bool {
        guard case .active? = status else { return false }
        return refusedSince == nil
    }
}
