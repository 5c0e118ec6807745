internal import EnergyModel
internal import EnergyStore

/// Whether a vehicle does what its schedule says.
extension DeviceRecord {
    /// Below this share of what it was told, a vehicle counts as slow.
    static let slowShare = 0.9

    /// What a vehicle that charges more slowly than it was told takes instead; `nil` for one that is not slow.
    var slowPower: Power? {
        guard let mean = progress.session?.meanPower, mean > .zero, let updated = progress.updated,
            let blocks = schedule?.blocks,
            let told = (blocks.last { $0.interval.start < updated } ?? blocks.first)?.power, told > .zero,
            mean.kilowatts < told.kilowatts * Self.slowShare
        else { return nil }
        return mean
    }

    /// The vehicle says that it takes no more.
    var isFullByItself: Bool { progress.status == .idle(.batteryFull) && progress.session == nil }

    /// Notes a vehicle that should have begun and has not.
    ///
    /// - Returns: whether that is news.
    mutating func noticeRefusal(_ now: Timestamp) -> Bool {
        guard device.vehicle != nil, progress.refusedSince == nil, progress.session == nil,
            progress.isPluggedIn != false,
            let block = schedule?.blocks.first(where: { $0.interval.contains(now) }), block.power > .zero,
            now.milliseconds(since: block.interval.start) >= Replanner.toleranceMilliseconds
        else { return false }
        progress.refusedSince = block.interval.start
        return true
    }
}
