internal import EnergyModel
internal import EnergyStore

/// Whether a vehicle does what its schedule says.
extension DeviceRecord {
    /// Below this share of what it was told, a vehicle counts as slow.
    static let slowShare = 0.9

    /// What a vehicle that charges more slowly than it was told takes instead; `nil` for one that is not slow.
    var slowPower: Power? {
        guard let mean = meanPower, mean > .zero, let updated = progress.updated,
            let blocks = schedule?.blocks,
            let told = (blocks.last { $0.interval.start < updated } ?? blocks.first)?.power, told > .zero,
            mean.kilowatts < told.kilowatts * Self.slowShare, !isNearFull
        else { return nil }
        return mean
    }

    /// It takes less by itself than it is offered, which its plan knows.
    private var isNearFull: Bool {
        guard let vehicle = device.vehicle, let taper = vehicle.taper, let percent = progress.stateOfCharge,
            vehicle.batteryCapacity > .zero
        else { return false }
        let since = progress.sinceStateOfCharge.kilowattHours * vehicle.efficiency
        return Double(percent) + since / vehicle.batteryCapacity.kilowattHours * 100 >= Double(taper.percent)
    }

    /// What it takes on average; what it reports until that can be told, but for the first minute, in which its power rises.
    private var meanPower: Power? {
        guard let session = progress.session, session.meanPower == nil else { return progress.session?.meanPower }
        guard let updated = progress.updated, let began = progress.switched,
            updated.milliseconds(since: began) >= .millisecondsPerMinute
        else { return nil }
        return session.power
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

    /// Notes a vehicle that should charge and has not for a while.
    ///
    /// - Parameter since: an earlier time from which that is known, by a schedule before this one.
    /// - Returns: whether that is news.
    mutating func noticeRefusal(_ now: Timestamp, since: Timestamp? = nil) -> Bool {
        guard progress.refusedSince == nil, let idle = idleSince(now) else { return false }
        let since = min(idle, since ?? idle)
        guard now.milliseconds(since: since) >= Replanner.toleranceMilliseconds else { return false }
        progress.refusedSince = since
        return true
    }
}
