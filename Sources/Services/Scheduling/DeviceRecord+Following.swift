internal import EnergyModel
internal import EnergyStore

/// Whether a vehicle does what its schedule says.
extension DeviceRecord {
    /// Below this share of what it was told, a vehicle counts as slow.
    static let slowShare = 0.9

    /// What a vehicle that charges more slowly than it was told takes instead; `nil` for one that is not slow.
    func slowPower(_ now: Timestamp) -> Power? {
        guard let mean = meanPower(now), mean > .zero, let updated = progress.updated,
            let blocks = schedule?.blocks,
            let told = (blocks.last { $0.interval.start < updated } ?? blocks.first)?.power, told > .zero,
            mean.kilowatts < told.kilowatts * Self.slowShare, !isNearFull
        else { return nil }
        return mean
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

    /// What it takes on average; until that can be told what it reported last, once its power has had a minute to rise.
    private func meanPower(_ now: Timestamp) -> Power? {
        guard let session = progress.session, session.meanPower == nil else { return progress.session?.meanPower }
        guard let updated = progress.updated, let began = progress.switched, let judged = judgedFrom, judged <= now,
            updated.milliseconds(since: began) >= .millisecondsPerMinute / 4
        else { return nil }
        return session.power
    }

    /// From when on the power counts that a vehicle reports; `nil` for one that does not charge.
    var judgedFrom: Timestamp? {
        progress.session == nil ? nil : progress.switched?.advanced(byMilliseconds: .millisecondsPerMinute)
    }

    /// The vehicle says that it takes no more.
    var isFullByItself: Bool { progress.status == .idle(.batteryFull) && progress.session == nil }

    /// Since when a vehicle should charge and does not, whether it never began or stopped; `nil` for one that does as it
    /// is told.
    func idleSince(_ now: Timestamp) -> Timestamp? {
        guard device.vehicle != nil, progress.session == nil, progress.isPluggedIn != false,
            let block = schedule?.blocks.first(where: { $0.interval.contains(now) }), block.power > .zero
        else { return nil }
        let stopped = min(now, progress.switched ?? block.interval.start)
        return max(block.interval.start, stopped)
    }

    /// Notes the vehicle's own word that it does not charge although it should: nobody has to wait for more.
    ///
    /// - Parameter event: one of the vehicle that is counted already.
    /// - Returns: whether that is news.
    mutating func heed(_ event: Event) -> Bool {
        guard case .vehicleStatus(let told) = event.content, told.status.refusal != nil,
            progress.refusedSince == nil, event.timestamp >= progress.updated ?? event.timestamp,
            // What is said of one that is told to wait may be what the scheduler said.
            let block = schedule?.blocks.first(where: { $0.interval.contains(event.timestamp) }), block.power > .zero
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
