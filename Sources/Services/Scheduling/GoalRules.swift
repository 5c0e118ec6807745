internal import EnergyModel
internal import EnergyWire

/// What must hold for a device and a goal before they are stored.
enum GoalRules {
    static let readyByMillisecondsMax = 14 * Int64.millisecondsPerDay

    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule.
    static func check(_ managed: ManagedDevice) throws(EnergyError) {
        var violations = managed.device.violations
        func expect(_ holds: Bool, _ field: String, _ rule: String, _ value: String) {
            if !holds { violations.append(RuleViolation(field: field, rule: rule, value: value)) }
        }
        switch (managed.device.kind, managed.vehicle) {
        case (.electricVehicle, let vehicle?):
            let (capacity, power) = (vehicle.batteryCapacity.milliwattHours, vehicle.powerMax.milliwatts)
            expect(
                1...Energy.range.upperBound ~= capacity, "device.vehicle.battery_capacity_mwh",
                "must be 1 to 1,000,000,000,000 mWh", "\(capacity)")
            expect(power > 0, "device.vehicle.power_max_mw", "must be more than 0", "\(power)")
            expect(
                0.5...1 ~= vehicle.efficiency, "device.vehicle.efficiency", "must be 0.5 to 1", "\(vehicle.efficiency)")
            expect(
                vehicle.powerMin <= vehicle.powerMax, "device.vehicle.power_min_mw", "must be at most power_max_mw",
                "\(vehicle.powerMin.milliwatts)")
        case (.electricVehicle, nil):
            expect(false, "device.vehicle", "must be there for an electric vehicle", "absent")
        case (.hvac, let vehicle):
            expect(vehicle == nil, "device.vehicle", "must be absent for heating and cooling", "there")
        }
        try EnergyError.check(violations)
    }

    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule.
    static func check(_ draft: GoalDraft, for managed: ManagedDevice, now: Timestamp) throws(EnergyError) {
        var violations: [RuleViolation] = []
        func expect(_ holds: Bool, _ field: String, _ rule: String, _ value: String) {
            if !holds { violations.append(RuleViolation(field: field, rule: rule, value: value)) }
        }
        // Compared, not subtracted: the deadline came from outside and may be any number.
        let latest = now.advanced(byMilliseconds: readyByMillisecondsMax)
        expect(
            draft.readyBy > now && draft.readyBy <= latest, "goal.ready_by_unix_ms",
            "must be in the future, within 14 days", "\(draft.readyBy.unixMilliseconds)")
        switch (draft.target, managed.vehicle) {
        case (.energy(let energy), let vehicle?):
            let most = VehicleNeed.gridEnergy(percents: 100, of: vehicle)
            expect(
                .zero < energy && energy <= most, "goal.energy_mwh",
                "must be more than 0 and at most what fills the battery, \(most.milliwattHours) mWh",
                "\(energy.milliwattHours)")
        case (.stateOfCharge(let percent), .some):
            expect(1...100 ~= percent, "goal.state_of_charge", "must be 1 to 100", "\(percent)")
        case (.reduce(let milliseconds), nil):
            expect(
                1...readyByMillisecondsMax ~= milliseconds, "goal.reduce_max_ms", "must be 1 ms to 14 days",
                "\(milliseconds)")
        case (.energy, nil): expect(false, "goal.energy_mwh", "is for electric vehicles", managed.device.kind.rawValue)
        case (.stateOfCharge, nil):
            expect(false, "goal.state_of_charge", "is for electric vehicles", managed.device.kind.rawValue)
        case (.reduce, .some):
            expect(false, "goal.reduce_max_ms", "is for heating and cooling", managed.device.kind.rawValue)
        }
        try EnergyError.check(violations)
    }
}

extension Goal.Target {
    /// Which guidance the goal is planned by.
    var action: SuggestedAction {
        switch self {
        case .energy, .stateOfCharge: .shift
        case .reduce: .reduce
        }
    }
}
