/// English, as sentences without their full stop.
public struct EnglishActivityWords: ActivityWords {
    public init() {}

    public let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    public let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    public let pluggedIn = "Plugged in"
    public let unplugged = "Unplugged"

    public func charging(_ reason: ActiveReason) -> String {
        switch reason {
        case .cleanerEnergyAvailable: "Charging: cleaner energy is available"
        case .lowerElectricityRatesAvailable: "Charging: electricity is cheaper now"
        case .userInitiated: "Charging: somebody started it"
        case .userResumed: "Charging again: somebody resumed it"
        case .scheduledStart: "Charging as scheduled"
        case .scheduledResume: "Charging again as scheduled"
        case .demandResponseEnded: "Charging again: the grid's request to use less has ended"
        case .batteryThermalManagementCompleted: "Charging again: the battery has the right temperature"
        case .batteryHealthManagementCompleted: "Charging again: caring for the battery is done"
        case .chargerFaultCleared: "Charging again: the charger works again"
        case .sufficientPowerRestored: "Charging again: there is enough power"
        case .loadBalancingCompleted: "Charging again: other devices need less power"
        case .unknown: "Charging"
        }
    }

    public func waiting(_ reason: IdleReason) -> String {
        switch reason {
        case .targetStateOfChargeReached: "Done: the target is reached"
        case .batteryFull: "Done: the battery is full"
        case .targetAlreadyReached: "Not charging: the target was reached before"
        case .scheduledEnd: "Stopped as scheduled"
        case .scheduledPause: "Paused as scheduled"
        case .waitingForCleanerEnergy: "Waiting for cleaner energy"
        case .waitingForLowerElectricityRates: "Waiting for cheaper electricity"
        case .userPaused: "Paused: somebody paused it"
        case .userStopped: "Stopped: somebody stopped it"
        case .chargerFault: "Not charging: the charger has a fault"
        case .demandResponseActive: "Waiting: the grid asks to use less"
        case .batteryThermalManagement: "Waiting: the battery is too warm or too cold"
        case .batteryHealthManagement: "Waiting: to care for the battery"
        case .insufficientPower: "Waiting: there is not enough power"
        case .loadBalancing: "Waiting: what else runs needs the power"
        case .unknown: "Not charging"
        }
    }

    public func overdue(_ clock: String) -> String { "it should since \(clock)" }
    public func starts(_ clock: String) -> String { "starts \(clock)" }
    public func ready(_ clock: String) -> String { "ready by \(clock)" }
    public func ready(_ clock: String, charge: String) -> String { "\(charge) by \(clock)" }

    public func goingOn(_ use: ActivityUse, since clock: String, kilowattHours: String?) -> String {
        let soFar = kilowattHours.map { ": \($0) kWh so far" } ?? ""
        return switch use {
        case .charging: "Charging since \(clock)\(soFar)"
        case .givingBack: "Giving back since \(clock)\(soFar)"
        case .heatingOrCooling: "Running since \(clock)"
        }
    }

    public func over(_ use: ActivityUse, kilowattHours: String?, length: String?) -> String {
        let time = length.map { " in \($0)" } ?? ""
        return switch (use, kilowattHours) {
        case (.charging, let energy?): "Charged \(energy) kWh\(time)"
        case (.charging, nil): "Charged nothing\(time)"
        case (.givingBack, let energy?): "Gave back \(energy) kWh\(time)"
        case (.givingBack, nil): "Gave back nothing\(time)"
        case (.heatingOrCooling, _): length.map { "Ran for \($0)" } ?? "Hardly ran"
        }
    }

    public func length(days: Int64, hours: Int64, minutes: Int64) -> String {
        if days > 0 { return "\(days) d" + (hours > 0 ? " \(hours) h" : "") }
        if hours > 0 { return "\(hours) h" + (minutes > 0 ? " \(minutes) min" : "") }
        return "\(minutes) min"
    }

    public func clean(_ share: String, isLeast: Bool) -> String { "\(isLeast ? "at least " : "")\(share) of it clean" }

    public func cost(_ amount: String, _ use: ActivityUse) -> String {
        use == .givingBack ? "cost \(amount)" : "for \(amount)"
    }
    public func earned(_ amount: String) -> String { "earned \(amount)" }
    public func saved(_ amount: String) -> String { "saved \(amount)" }
    public func costMore(_ amount: String) -> String { "\(amount) more than at once" }
    public func carbonSaved(kilograms: String) -> String { "saved \(kilograms) kg CO2" }
    public let repaired = "set right by hand"
}
