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
        // The last of its runs for a deadline may not be broken off at all.
        if isRunning, runsMax == 1 {
            runsUntil = now.advanced(byMilliseconds: milliseconds(for: goals.first?.energy ?? .zero))
        }
        if let until = runsUntil, until <= now { runsUntil = nil }
        readTaper(progress)
    }

    private mutating func readTaper(_ progress: DeviceProgress) {
        guard let taper = vehicle.taper else { return }
        // Who has not said how full it is counts as empty, as in what it needs.
        let percent = progress.stateOfCharge ?? 0
        let taken = progress.stateOfCharge == nil ? 0 : progress.sinceStateOfCharge.kilowattHours
        func energy(to end: Int) -> Double {
            let battery = vehicle.batteryCapacity.kilowattHours * Double(end - percent) / 100
            return battery / vehicle.efficiency - taken
        }
        self.taper = (energy(to: taper.percent), energy(to: 100), taper.powerAtFull)
    }

    /// How long it takes at full power to bring `energy`, at least; a battery that is nearly full takes longer.
    func milliseconds(for energy: Energy) -> Int64 {
        guard taper != nil, powerMax > .zero else { return energy.milliseconds(at: powerMax) }
        return milliseconds(from: 0, to: energy.kilowattHours)
    }

    /// How long it takes at full power from one energy taken, in kWh, to another; rounded up.
    func milliseconds(from: Double, to: Double) -> Int64 {
        let most = offered
        guard let taper, to > max(from, taper.start) else { return Self.milliseconds((to - from) / most) }
        let bend = max(from, taper.start)
        let (first, last) = (power(after: bend), power(after: to))
        let falling = fall > 1e-9 ? log(first / last) / fall : (to - bend) / most
        return Self.milliseconds((bend - from) / most + falling)
    }

    private static func milliseconds(_ hours: Double) -> Int64 {
        Int64(min(1e12, max(0, hours * 3_600_000)).rounded(.up))
    }

    /// kW that it takes at most when it has taken so many kWh.
    func power(after taken: Double) -> Double {
        max(1e-3, offered - fall * max(0, taken - (taper?.start ?? taken)))
    }

    /// kW at most: a whole number of steps.
    private var offered: Double {
        let most = powerMax.kilowatts
        guard slowPower == nil, vehicle.powerMin < vehicle.powerMax, let step = vehicle.step?.kilowatts, step > 0 else {
            return most
        }
        return max(step, (most / step + 1e-6).rounded(.down) * step)
    }

    /// kW less for each kWh more near full.
    private var fall: Double {
        guard let taper, taper.full > taper.start else { return 0 }
        let most = offered
        return (most - min(most, taper.powerAtFull.kilowatts)) / (taper.full - taper.start)
    }

    /// Whether it cannot take its highest power all the time.
    func slowsDown(from taken: Double, by energy: Double) -> Bool {
        guard let taper, fall > 0 else { return false }
        return taken + energy > taper.start + 1e-6
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
