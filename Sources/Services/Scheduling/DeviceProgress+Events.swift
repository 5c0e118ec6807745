internal import EnergyModel
internal import EnergyStore

extension DeviceProgress {
    /// Counts one event of the device.
    ///
    /// - Parameter goalSet: energy from before then is not counted for the goal; of the energy of an interval around it,
    ///   the share of the time after it.
    /// - Returns: whether anything changed.
    mutating func apply(_ event: Event, goalSet: Timestamp?) -> Bool {
        // A late event tells nothing new: its session's energy is part of what came after it.
        if let updated, event.timestamp < updated { return false }
        let before = self
        switch event.content {
        case .vehicleLoad(let load): apply(load, at: event.timestamp, goalSet: goalSet)
        case .vehicleStatus(let status):
            read(status.stateOfCharge)
            self.status = status.status
            isPluggedIn = status.status != .unplugged
            switch status.status {
            case .unplugged:
                if session != nil { switched = event.timestamp }
                (session, refusedSince) = (nil, nil)
            case .active: refusedSince = nil
            case .pluggedIn, .idle: break
            }
            // A status has no energy: the session's next event still counts from its own last one.
            return self != before
        case .hvacLoad: return false  // heating and cooling go by the plan alone
        }
        updated = event.timestamp
        return self != before
    }

    private mutating func apply(_ load: VehicleLoad, at timestamp: Timestamp, goalSet: Timestamp?) {
        guard
            load.direction == .imported, Energy.range ~= load.energyMilliwattHours,
            var power = try? Power(milliwatts: load.powerMilliwatts)
        else {
            if load.isStateOfChargeKnown { read(load.stateOfCharge) }
            return
        }
        let energy = Energy(milliwattHours: load.energyMilliwattHours)
        let delta: Energy
        var meanPower: Power?
        if let session, session.id == load.session.id {
            delta = max(.zero, energy - session.energy)
            let mean = mean(of: delta, until: timestamp)
            meanPower = mean.steady ?? session.meanPower
            // A meter that counts energy alone.
            if power == .zero, delta > .zero, let taken = mean.last { power = taken }
        } else {
            // A session whose begin was not seen: nobody knows what it brought since when.
            delta = load.session.state == .begin ? energy : .zero
        }
        sinceStateOfCharge += delta
        if let goalSet { sinceGoal += share(of: delta, at: timestamp, after: goalSet) }
        if load.isStateOfChargeKnown { read(load.stateOfCharge) }
        isPluggedIn = true
        if load.session.state == .begin || (load.session.state == .active && power > .zero) { charges() }
        if session?.id != load.session.id {
            (runs, switched) = (min(runs, 1_000_000) + 1, timestamp)
        }
        if load.session.state == .end {
            switched = timestamp
            // What was told of the session is over with it.
            if case .active? = status { status = nil }
        }
        session =
            load.session.state == .end
            ? nil : RunningSession(id: load.session.id, energy: energy, power: power, meanPower: meanPower)
    }

    /// Why it did not before is over.
    private mutating func charges() {
        refusedSince = nil
        if status?.refusal != nil { status = nil }
    }

    /// What was taken since the session's last event; `steady` is `nil` where that is too near to tell.
    private func mean(of delta: Energy, until timestamp: Timestamp) -> (steady: Power?, last: Power?) {
        guard let updated, case let elapsed = timestamp.milliseconds(since: updated), elapsed >= 1_000 else {
            return (nil, nil)
        }
        let mean = Power(kilowatts: delta.kilowattHours / (Double(elapsed) / Double(Int64.millisecondsPerHour)))
        return (elapsed >= 5 * .millisecondsPerMinute ? mean : nil, mean)
    }

    private func share(of delta: Energy, at timestamp: Timestamp, after goalSet: Timestamp) -> Energy {
        guard timestamp > goalSet else { return .zero }
        guard let updated, updated < goalSet else { return delta }
        let share = Double(timestamp.milliseconds(since: goalSet)) / Double(timestamp.milliseconds(since: updated))
        return Energy(milliwattHours: Int64((Double(delta.milliwattHours) * share).rounded()))
    }

    private mutating func read(_ percent: Int) {
        guard percent != stateOfCharge, 0...100 ~= percent else { return }
        stateOfCharge = percent
        sinceStateOfCharge = .zero
    }
}
