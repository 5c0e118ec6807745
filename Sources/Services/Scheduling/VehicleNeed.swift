internal import EnergyModel
internal import EnergyStore

/// What a vehicle still needs from the grid to reach its goal.
struct VehicleNeed {
    /// By its events.
    let reported: Energy
    /// With what a running session brought since its last event, as far as that can be believed.
    let expected: Energy
    let isReached: Bool
    /// The device has not said its state of charge: it is counted as empty.
    let isGuess: Bool

    /// A session that is silent for longer is not believed to go on: its events come every 15 minutes.
    static let silenceMilliseconds = 20 * Int64.millisecondsPerMinute
    /// Less than what this brings at full power is not worth another start.
    static let negligibleMilliseconds = Int64.millisecondsPerMinute / 2

    /// - Parameter delivered: from the grid since the goal was set, by the vehicle's events.
    init(
        _ target: Goal.Target, of vehicle: VehicleTraits, after progress: DeviceProgress, delivered: Energy,
        now: Timestamp
    ) {
        switch target {
        case .energy(let energy):
            reported = max(.zero, energy - delivered)
            isReached = reported <= vehicle.powerMax.energy(overMilliseconds: Self.negligibleMilliseconds)
            isGuess = false
        case .stateOfCharge(let percent):
            let percents = percent - (progress.stateOfCharge ?? 0)
            isGuess = progress.stateOfCharge == nil
            // A reading of 43 means 43 up to 44: what came since then counts, but never more than that percent.
            let onePercent = Self.gridEnergy(percents: 1, of: vehicle)
            let credit = min(progress.sinceStateOfCharge, onePercent)
            let least = vehicle.powerMax.energy(overMilliseconds: 2 * Self.negligibleMilliseconds)
            // What lacks of the last percent when it came but for that is not worth another start.
            let hasAll = percents == 1 && progress.session == nil && onePercent - credit < min(least, onePercent)
            isReached = percents <= 0 || hasAll
            reported = isReached ? .zero : max(least, Self.gridEnergy(percents: percents, of: vehicle) - credit)
        case .reduce, .run:
            (reported, isReached, isGuess) = (.zero, true, false)
        }
        var expected = reported
        if let session = progress.session, let updated = progress.updated {
            let silence = max(0, now.milliseconds(since: updated))
            if silence <= Self.silenceMilliseconds {
                // The rules want power 0 at begin: what follows is told only a quarter of an hour later.
                let power = session.energy == .zero ? vehicle.powerMax : session.power
                expected = max(.zero, reported - power.energy(overMilliseconds: silence))
            }
        }
        self.expected = expected
    }

    /// From the grid for a part of the battery, rounded up.
    static func gridEnergy(percents: Int, of vehicle: VehicleTraits) -> Energy {
        let battery = vehicle.batteryCapacity.milliwattHours * Int64(percents)
        return Energy(milliwattHours: Int64((Double(battery) / 100 / vehicle.efficiency).rounded(.up)))
    }
}
