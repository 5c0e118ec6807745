internal import EnergyModel
internal import Foundation

/// One event in plain words.
struct EventLine {
    let event: Event
    let zone: TimeZone

    /// `Fri 21 Nov 07:16:35  Model Y: charges with 7.20 kW, 12.34 kWh so far, 56 % full`
    func text() -> String {
        let time = VenueTime(event.timestamp, in: zone)
        return "\(time.date.short) \(time.clockWithSeconds)  \(sentence())"
    }

    /// Without the time: `Model Y: charges with 7.20 kW, 12.34 kWh so far, 56 % full`
    func sentence() -> String { "\(TerminalText.safe(event.device.name)): \(words())" }

    private func words() -> String {
        switch event.content {
        case .vehicleLoad(let load): words(load)
        case .hvacLoad(let load): words(load)
        case .vehicleStatus(let status): words(status)
        }
    }

    private func words(_ load: VehicleLoad) -> String {
        let isExport = load.direction == .exported
        let energy = Quantities.kilowattHours(Energy(milliwattHours: load.energyMilliwattHours))
        let full = load.isStateOfChargeKnown ? ", \(load.stateOfCharge) % full" : ""
        switch load.session.state {
        case .begin:
            return "\(isExport ? "discharging" : "charging") begins\(full)\(guided(load.session))"
        case .active:
            let power = Quantities.kilowatts(milliwatts: load.powerMilliwatts)
            return "\(isExport ? "feeds back" : "charges with") \(power) kW, \(energy) kWh so far\(full)"
        case .end:
            return "\(isExport ? "discharging" : "charging") ends after \(energy) kWh\(full)"
        }
    }

    private func words(_ load: HVACLoad) -> String {
        switch load.session.state {
        case .begin: "heating or cooling begins\(guided(load.session))"
        case .active: load.stage == 0 ? "pauses" : "runs at \(load.stage) %"
        case .end: "heating or cooling ends"
        }
    }

    private func words(_ status: VehicleStatus) -> String {
        let state =
            switch status.status {
            case .pluggedIn: "plugged in"
            case .unplugged: "unplugged"
            case .active(let reason): "may charge (\(words(reason.rawValue)))"
            case .idle(.unknown): "does not charge (nobody said why)"
            case .idle(let reason): "does not charge (\(words(reason.rawValue)))"
            }
        guard let target = status.target else { return "\(state), \(status.stateOfCharge) % full" }
        let done = VenueTime(rounding: target.estimatedCompletion, in: zone)
        return "\(state), \(status.stateOfCharge) % full, \(target.stateOfCharge) % expected by "
            + "\(done.date.short) \(done.clock)"
    }

    private func guided(_ session: Session) -> String {
        session.wasFollowingGuidance ? ", follows guidance" : ", does not follow guidance"
    }

    /// `waitingForCleanerEnergy` -> `waiting for cleaner energy`
    private func words(_ name: String) -> String { Words.spaced(name) }
}

/// Names of the code as words.
enum Words {
    /// `waitingForCleanerEnergy` -> `waiting for cleaner energy`
    static func spaced(_ name: String) -> String { separated(name, by: " ") }
    /// `waitingForCleanerEnergy` -> `waiting_for_cleaner_energy`, as the contract spells it.
    static func snake(_ name: String) -> String { separated(name, by: "_") }

    private static func separated(_ name: String, by separator: Character) -> String {
        name.reduce(into: "") { text, letter in
            if letter.isUppercase { text.append(separator) }
            text += letter.lowercased()
        }
    }
}
