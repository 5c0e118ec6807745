internal import EnergyModel
internal import EnergyStore
internal import Foundation

extension ChargeTask {
    /// Takes over what the vehicle does now and how full it is.
    mutating func read(_ record: DeviceRecord, now: Timestamp) {
        let (shape, progress) = (rules.shape, record.progress)
        marginMilliseconds = shape.marginMilliseconds
        isRunning = progress.isCharging
        // A vehicle that was switched off and on by others must not be left without a run.
        runsMax = shape.runsMax.map { max(1, $0 - progress.runs + (isRunning ? 1 : 0)) }
        if let switched = progress.switched {
            let since = { (milliseconds: Int64) in switched.advanced(byMilliseconds: milliseconds) }
            if isRunning {
                runsUntil = since(shape.runMinMilliseconds)
            } else {
                pausesUntil = since(shape.pauseMinMilliseconds)
            }
        }
        // The last of its runs may not be broken off at all.
        if isRunning, runsMax == 1 { runsUntil = now.advanced(byMilliseconds: milliseconds(for: required)) }
        if let until = runsUntil, until <= now { runsUntil = nil }
        readTaper(progress)
    }

    private mutating func readTaper(_ progress: DeviceProgress) {
        guard let taper = vehicle.taper, let percent = progress.stateOfCharge else { return }
        func energy(to end: Int) -> Double {
            let battery = vehicle.batteryCapacity.kilowattHours * Double(end - percent) / 100
            return battery / vehicle.efficiency - progress.sinceStateOfCharge.kilowattHours
        }
        self.taper = (energy(to: taper.percent), energy(to: 100), taper.powerAtFull)
    }

    /// How long it takes at full power to bring `energy`, at least; a battery that is nearly full takes longer.
    func milliseconds(for energy: Energy) -> Int64 {
        guard let taper, taper.full > taper.start, case let most = powerMax.kilowatts, most > 0,
            energy.kilowattHours > taper.start
        else { return energy.milliseconds(at: powerMax) }
        let before = max(0, taper.start) / most
        let fall = (most - min(most, taper.powerAtFull.kilowatts)) / (taper.full - taper.start)
        func power(_ energy: Double) -> Double { max(1e-3, most - fall * max(0, energy - taper.start)) }
        let (first, last) = (power(max(0, taper.start)), power(energy.kilowattHours))
        let after =
            fall > 1e-9 ? log(first / last) / fall : (energy.kilowattHours - max(0, taper.start)) / most
        return Int64(min(1e12, (before + after) * 3_600_000).rounded(.up))
    }
}

extension Energy {
    /// Rounded up. `percent` is `0...100`.
    func share(percent: Int) -> Energy {
        // Up to 2^53 mWh from outside: divided first, so that nothing overflows.
        let (quotient, remainder) = milliwattHours.quotientAndRemainder(dividingBy: 100)
        return Energy(milliwattHours: quotient * Int64(percent) + (remainder * Int64(percent) + 99) / 100)
    }
}
