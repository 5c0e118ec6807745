internal import EnergyModel
internal import EnergyStore

/// Whether a vehicle does what its schedule says.
extension DeviceRecord {
    /// Below this share of what it was told, a vehicle counts as slow.
    static let slowShare = 0.9

    /// What a vehicle that charges more slowly than it was told takes instead; `nil` for one that is not slow.
    func slowPower(_ now: Timestamp) -> Power? {
        guard let taken = takenPower(now), taken > .zero, let told = told?.power, told > .zero,
            taken.kilowatts < told.kilowatts * Self.slowShare, !isNearFull
        else { return nil }
        return taken
    }

    /// What it was told when it reported last, and since when, where it was told less before.
    private var told: (power: Power, since: Timestamp?)? {
        guard let updated = progress.updated, let blocks = schedule?.blocks, !blocks.isEmpty else { return nil }
        var index = blocks.lastIndex { $0.interval.start < updated } ?? 0
        let power = blocks[index].power
        while index > 0, blocks[index - 1].power >= power { index -= 1 }
        return (power, index > 0 ? blocks[index].interval.start : toldMore)
    }

    /// Notes whether a plan has it take clearly more at once than its schedule does.
    mutating func noteRaise(to plan: DevicePlan, now: Timestamp) {
        let before = schedule?.blocks.kilowatts(at: now) ?? 0
        if plan.blocks.kilowatts(at: now) * Self.slowShare > before { toldMore = now }
    }

    /// Whether its session goes on as slow as it was found.
    func takesNoMore(than power: Power) -> Bool {
        guard let session = progress.session else { return false }
        return session.power.kilowatts * Self.slowShare <= power.kilowatts
    }

    /// It takes less by itself than it is offered, which its plan knows.
    private var isNearFull: Bool {
        guard let vehicle = device.vehicle, let taper = vehicle.taper, let percent = progress.stateOfCharge,
            vehicle.batteryCapacity > .zero
        else { return false }
        let since = progress.sinceStateOfCharge.kilowattHours * vehicle.efficiency
        return Double(percent) + since / vehicle.batteryCapacity.kilowattHours * 100 >= Double(taper.percent)
    }

    /// What it reported last, or takes on average where that is more, once its power has had a minute to rise since it began
    /// or was told more.
    private func takenPower(_ now: Timestamp) -> Power? {
        guard let session = progress.session, let updated = progress.updated, let began = toldToTakeSince,
            let judged = judgedFrom, judged <= now,
            updated.milliseconds(since: began) >= .millisecondsPerMinute / 4
        else { return nil }
        return max(session.power, session.meanPower ?? .zero)
    }

    /// From when on the power counts that a vehicle reports; `nil` for one that does not charge.
    var judgedFrom: Timestamp? {
        progress.session == nil ? nil : toldToTakeSince?.advanced(byMilliseconds: .millisecondsPerMinute)
    }

    private var toldToTakeSince: Timestamp? {
        progress.switched.map { switched in max(switched, told?.since ?? switched) }
    }

    /// Since when nothing was heard from a vehicle that should be charging; `nil` for one that reports.
    func silentSince(_ now: Timestamp) -> Timestamp? {
        guard let silent = silentFrom, silent <= now, isToldToCharge(at: now) else { return nil }
        return progress.updated
    }

    /// When its session counts as silent unless it is heard from; `nil` for one that does not charge.
    var silentFrom: Timestamp? {
        guard progress.session != nil else { return nil }
        return progress.updated?.advanced(byMilliseconds: VehicleNeed.silenceMilliseconds + 1)
    }

    private func isToldToCharge(at time: Timestamp) -> Bool { (schedule?.blocks.kilowatts(at: time) ?? 0) > 0 }

    /// The vehicle says that it takes no more.
    var isFullByItself: Bool { progress.status == .idle(.batteryFull) && progress.session == nil }

    /// Since when a vehicle should charge and does not, whether it never began or stopped; `nil` for one that does as it
    /// is told.
    func idleSince(_ now: Timestamp) -> Timestamp? {
        guard device.vehicle != nil, takesNothing, progress.isPluggedIn != false,
            let block = schedule?.blocks.first(where: { $0.interval.contains(now) }), block.power > .zero
        else { return nil }
        // A session that stays open tells of nothing with each report: who remembers the first of them knows better.
        let last = progress.session == nil ? progress.switched : progress.updated
        return max(block.interval.start, min(now, last ?? block.interval.start))
    }

    /// Without a session, or with one in which nothing comes.
    private var takesNothing: Bool {
        guard let session = progress.session else { return true }
        return session.power == .zero && (session.meanPower ?? .zero) == .zero
    }

    /// Notes the vehicle's own word that it does not charge although it should: nobody has to wait for more.
    ///
    /// - Parameter event: one of the vehicle that is counted already.
    /// - Returns: whether that is news.
    mutating func heed(_ event: Event) -> Bool {
        guard case .vehicleStatus(let told) = event.content, told.status.refusal != nil,
            progress.refusedSince == nil, event.timestamp >= progress.updated ?? event.timestamp,
            // What is said of one that is told to wait may be what the scheduler said.
            isToldToCharge(at: event.timestamp)
        else { return false }
        progress.refusedSince = event.timestamp
        return true
    }

    /// Notes a vehicle that should charge and has not for a while.
    ///
    /// - Parameter since: from when that counts, where more is known than by its schedule.
    /// - Returns: whether that is news.
    mutating func noticeRefusal(_ now: Timestamp, since: Timestamp? = nil) -> Bool {
        guard progress.refusedSince == nil, let idle = idleSince(now) else { return false }
        let since = since ?? idle
        guard now.milliseconds(since: since) >= Replanner.toleranceMilliseconds else { return false }
        progress.refusedSince = since
        return true
    }
}

extension DeviceProgress {
    /// Whatever its session has told: one that says that it does not charge has not ended it yet.
    var isCharging: Bool { session != nil && refusedSince == nil }

    /// It has said itself that it does not charge although it should.
    var refusesByItself: Bool { refusedSince != nil && status?.refusal != nil }

    /// Whatever it is told, it takes nothing now.
    var drawsNothing: Bool { isPluggedIn == false || refusedSince != nil }
}

extension VehicleStatus.Status {
    /// Why a vehicle does not charge that is told to, in words for its plan; `nil` where that is no reason not to.
    var refusal: String? {
        switch self {
        case .idle(.userPaused): "its driver has paused it"
        case .idle(.userStopped): "its driver has stopped it"
        case .idle(.chargerFault): "its charger tells of a fault"
        case .idle(.insufficientPower): "it has too little power"
        case .idle, .active, .pluggedIn, .unplugged: nil
        }
    }
}
