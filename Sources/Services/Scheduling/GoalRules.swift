internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation

/// What must hold for a device and a goal before they are stored.
enum GoalRules {
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
            if let step = vehicle.powerStep {
                expect(
                    .zero < step && step <= vehicle.powerMax, "device.vehicle.power_step_mw",
                    "must be more than 0 and at most power_max_mw", "\(step.milliwatts)")
            }
            if let current = vehicle.currentStep {
                expect(
                    vehicle.powerStep == nil, "device.vehicle.current_step_ma", "must not be beside power_step_mw",
                    "\(current.milliamperes)")
                for (field, value) in [("current_step_ma", current.milliamperes), ("voltage_mv", current.millivolts)] {
                    expect(
                        VehicleTraits.CurrentStep.range ~= value, "device.vehicle.\(field)", "must be 1 to 1,000,000",
                        "\(value)")
                }
                expect(
                    vehicle.step.map { .zero < $0 && $0 <= vehicle.powerMax } ?? true, "device.vehicle.current_step_ma",
                    "must be a power of more than 0 and at most power_max_mw", "\(current.milliamperes)")
            }
            if let taper = vehicle.taper {
                expect(
                    1...99 ~= taper.percent, "device.vehicle.taper_from_percent", "must be 1 to 99",
                    "\(taper.percent)")
                expect(
                    .zero < taper.powerAtFull && taper.powerAtFull <= vehicle.powerMax, "device.vehicle.taper_power_mw",
                    "must be more than 0 and at most power_max_mw", "\(taper.powerAtFull.milliwatts)")
            }
        case (.electricVehicle, nil):
            expect(false, "device.vehicle", "must be there for an electric vehicle", "absent")
        case (_, let vehicle):
            expect(vehicle == nil, "device.vehicle", "is for electric vehicles", "there")
        }
        violations += HomeLoadRules.violations(of: managed.load, kind: managed.device.kind)
        try EnergyError.check(violations)
    }

    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule; `.rateLimited` for too many goals.
    static func check(_ draft: GoalDraft, for record: DeviceRecord, now: Timestamp) throws(EnergyError) {
        let managed = record.device
        var violations: [RuleViolation] = []
        func expect(_ holds: Bool, _ field: String, _ rule: String, _ value: String) {
            if !holds { violations.append(RuleViolation(field: field, rule: rule, value: value)) }
        }
        if let weekly = draft.weekly {
            expect(!weekly.weekdays.isEmpty, "goal.weekly.weekdays", "must name a day", "none")
            expect(
                weekly.weekdays.isEmpty || weekly.next(after: now, in: record.timeZone) != nil,
                "goal.weekly.exception_days", "must leave a day of the next 60", "\(weekly.exceptions.count) days")
        } else {
            // Compared, not subtracted: the deadline came from outside and may be any number.
            let latest = now.advanced(byMilliseconds: Goal.aheadMillisecondsMax)
            expect(
                draft.readyBy > now && draft.readyBy <= latest, "goal.ready_by_unix_ms",
                "must be in the future, within 14 days", "\(draft.readyBy.unixMilliseconds)")
        }
        expect(
            !draft.keepsOthers || managed.vehicle != nil || managed.device.kind == .homeBattery || record.goals.isEmpty,
            "keep_others", "is for vehicles and home batteries, which have several goals at a time",
            "said of \(managed.device.kind.words)")
        expect(
            0...100 ~= draft.guaranteedPercent, "goal.guaranteed_percent", "must be 0 to 100",
            "\(draft.guaranteedPercent)")
        expect(
            draft.guaranteedPercent == 0 || managed.vehicle != nil, "goal.guaranteed_percent",
            "is for electric vehicles", "said of \(managed.device.kind.words)")
        switch (draft.target, managed.vehicle) {
        case (.run, _):
            expect(
                managed.device.kind == .appliance, "goal.run", "is for appliances",
                "said of \(managed.device.kind.words)")
        case (.stateOfCharge(let percent), nil) where managed.device.kind == .homeBattery:
            expect(1...100 ~= percent, "goal.state_of_charge", "must be 1 to 100", "\(percent)")
        case (.energy(let energy), let vehicle?):
            let most = VehicleNeed.gridEnergy(percents: 100, of: vehicle)
            expect(
                .zero < energy && energy <= most, "goal.energy_mwh",
                "must be more than 0 and at most what fills the battery, \(most.milliwattHours) mWh",
                "\(energy.milliwattHours)")
        case (.stateOfCharge(let percent), .some):
            expect(1...100 ~= percent, "goal.state_of_charge", "must be 1 to 100", "\(percent)")
        case (.reduce(let milliseconds), nil) where managed.device.kind == .hvac:
            expect(
                1...Goal.aheadMillisecondsMax ~= milliseconds, "goal.reduce_max_ms", "must be 1 ms to 14 days",
                "\(milliseconds)")
            expect(
                draft.weekly == nil || milliseconds <= .millisecondsPerDay, "goal.reduce_max_ms",
                "must be at most a day of a goal that repeats", "\(milliseconds)")
        case (.energy, nil):
            expect(false, "goal.energy_mwh", "is for electric vehicles", "said of \(managed.device.kind.words)")
        case (.stateOfCharge, nil):
            expect(
                false, "goal.state_of_charge", "is for electric vehicles and home batteries",
                "said of \(managed.device.kind.words)")
        case (.reduce, _):
            expect(false, "goal.reduce_max_ms", "is for heating and cooling", "said of \(managed.device.kind.words)")
        }
        try EnergyError.check(violations)
        guard !draft.keepsOthers || record.goals.count < DeviceRecord.goalsMax else {
            throw EnergyError(.rateLimited, "a device has at most \(DeviceRecord.goalsMax) goals")
        }
    }

    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule.
    static func check(_ rules: ChargingRules, for managed: ManagedDevice) throws(EnergyError) {
        var violations: [RuleViolation] = []
        func expect(_ holds: Bool, _ field: String, _ rule: String, _ value: String) {
            if !holds { violations.append(RuleViolation(field: "rules.\(field)", rule: rule, value: value)) }
        }
        if managed.vehicle == nil { try checkOther(rules, for: managed) }
        expect(
            0...100 ~= rules.stateOfChargeMin, "state_of_charge_min", "must be 0 to 100", "\(rules.stateOfChargeMin)")
        if let carbon = rules.carbonMax {
            expect(0...100_000 ~= carbon, "carbon_max_g_per_kwh", "must be 0 to 100,000", "\(carbon)")
        }
        expect(-100...100 ~= rules.priority, "priority", "must be -100 to 100", "\(rules.priority)")
        expect(
            rules.absences.count <= Absence.countMax, "absences", "must be at most \(Absence.countMax)",
            "\(rules.absences.count)")
        let shape = rules.shape
        for (field, time) in [
            ("run_min_ms", shape.runMinMilliseconds), ("pause_min_ms", shape.pauseMinMilliseconds),
            ("margin_ms", shape.marginMilliseconds), ("precondition_ms", shape.preconditionMilliseconds),
        ] { expect(ChargingShape.timeRange ~= time, "shape.\(field)", "must be 0 to 24 hours", "\(time)") }
        expect(
            shape.marginMilliseconds == 0 || shape.preconditionMilliseconds == 0, "shape.margin_ms",
            "must be 0 beside a preconditioning, which lasts until the deadline", "\(shape.marginMilliseconds)")
        expect(
            ChargingShape.startCostRange ~= shape.startCost, "shape.start_cost", "must be 0 to 1,000,000",
            "\(shape.startCost)")
        if let runs = shape.runsMax {
            expect(ChargingShape.runsMaxRange ~= runs, "shape.runs_max", "must be 1 to 100", "\(runs)")
        }
        try EnergyError.check(violations)
    }

    /// What is no vehicle has a priority, and heating and cooling a cost of a start.
    private static func checkOther(_ rules: ChargingRules, for managed: ManagedDevice) throws(EnergyError) {
        let cost = rules.shape.startCost
        switch managed.load {
        case .climate:
            let known = ChargingRules(priority: rules.priority, shape: ChargingShape(startCost: cost))
            guard rules != known else { return }
            throw EnergyError(.invalidInput, "of heating and cooling the rules are priority and start cost only")
        case .appliance, .battery:
            guard rules != ChargingRules(priority: rules.priority) else { return }
            throw EnergyError(.invalidInput, "of an appliance or a home battery the rules are its priority only")
        case nil:
            throw EnergyError(
                .invalidInput,
                "rules are for electric vehicles, appliances, home batteries, and heating and cooling whose building is "
                    + "known")
        }
    }

    /// - Throws: ``EnergyError`` `.conflict`, `.invalidInput`.
    static func check(_ action: OverrideAction, for record: DeviceRecord) throws(EnergyError) {
        guard record.device.vehicle != nil || action == .skipNext || action == .resume else {
            throw EnergyError(.invalidInput, "what is no vehicle can only skip its next deadline, and take that back")
        }
        let isTakingBack = action == .resume && record.override == nil && !record.skipped.isEmpty
        guard !record.goals.isEmpty || isTakingBack || action == .chargeNow else { throw noGoal() }
        if action == .resume, record.override == nil, record.skipped.isEmpty {
            throw EnergyError(.conflict, "nothing to resume: the device follows its plan")
        }
    }

    /// - Throws: ``EnergyError`` `.notFound` with the goals that there are.
    static func check(_ goalID: UUID, of record: DeviceRecord) throws(EnergyError) {
        guard !record.goals.contains(where: { $0.id == goalID }) else { return }
        let known = record.goals.map { $0.id.uuidString.lowercased() }.joined(separator: ", ")
        throw EnergyError(
            .notFound,
            "the device has no goal \(goalID.uuidString.lowercased()): "
                + (known.isEmpty ? "it has none" : "it has \(known)"))
    }

    static func noGoal() -> EnergyError { EnergyError(.conflict, "the device has no goal: set one first") }
}

extension Goal.Target {
    /// Which guidance the goal is planned by.
    var action: SuggestedAction {
        switch self {
        case .energy, .stateOfCharge, .run: .shift
        case .reduce: .reduce
        }
    }
}
