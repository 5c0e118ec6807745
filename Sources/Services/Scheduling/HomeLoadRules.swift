internal import EnergyModel

/// What must hold for a home battery, an appliance and a building before they are stored.
enum HomeLoadRules {
    static func violations(of load: HomeLoad?, kind: Device.Kind) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        func expect(_ holds: Bool, _ field: String, _ rule: String, _ value: String) {
            if !holds { violations.append(RuleViolation(field: "device.\(field)", rule: rule, value: value)) }
        }
        switch (kind, load) {
        case (.electricVehicle, nil), (.hvac, nil): break
        case (.homeBattery, .battery(let battery)): check(battery, expect)
        case (.appliance, .appliance(let appliance)): check(appliance, expect)
        case (.hvac, .climate(let climate)): check(climate, expect)
        case (.homeBattery, nil): expect(false, "battery", "must be there for a home battery", "absent")
        case (.appliance, nil): expect(false, "appliance", "must be there for an appliance", "absent")
        case (_, .some): expect(false, "type", "must be that of its traits", kind.words)
        }
        return violations
    }

    private typealias Expect = (_ holds: Bool, _ field: String, _ rule: String, _ value: String) -> Void

    private static func check(_ battery: BatteryTraits, _ expect: Expect) {
        let capacity = battery.capacity.milliwattHours
        expect(
            1...Energy.range.upperBound ~= capacity, "battery.capacity_mwh", "must be 1 to 1,000,000,000,000 mWh",
            "\(capacity)")
        expect(battery.chargeMax > .zero, "battery.charge_max_mw", "must be more than 0", "0")
        for (field, value) in [
            ("charge_efficiency", battery.chargeEfficiency), ("discharge_efficiency", battery.dischargeEfficiency),
        ] { expect(0.5...1 ~= value, "battery.\(field)", "must be 0.5 to 1", "\(value)") }
        let wear = battery.wear.microsPerKilowattHour
        expect(0...1_000_000_000 ~= wear, "battery.wear_micros_per_kwh", "must be 0 to 1,000 per kWh", "\(wear)")
        if let percent = battery.stateOfCharge {
            expect(0...100 ~= percent, "battery.state_of_charge", "must be 0 to 100", "\(percent)")
        }
    }

    private static func check(_ appliance: ApplianceTraits, _ expect: Expect) {
        let times = appliance.steps.map(\.milliseconds)
        expect(
            1...ApplianceTraits.stepsMax ~= times.count, "appliance.steps", "must be 1 to 200", "\(times.count)")
        // One by one before the sum: each came from outside.
        let areInRange = times.allSatisfy { 1 ... .millisecondsPerDay ~= $0 }
        let hours = times.reduce(0) { $0 + Double($1) } / Double(Int64.millisecondsPerHour)
        let told = "\(times.count) of \((hours * 100).rounded() / 100) h in all"
        expect(
            areInRange && times.reduce(0, +) <= .millisecondsPerDay, "appliance.steps",
            "must each be longer than 0, and 24 h in all at most", "\(told)")
        expect(
            appliance.steps.contains { $0.power > .zero }, "appliance.steps", "must use power in one at least", "none")
    }

    private static func check(_ climate: ClimateTraits, _ expect: Expect) {
        for (field, value, range) in [
            ("resistance_k_per_kw", climate.resistance, 0.01...1_000.0),
            ("capacity_kwh_per_k", climate.capacity, 0.01...1_000.0), ("performance", climate.performance, 0.1...20.0),
            ("setback_k", climate.setback, 0...30.0), ("comfort_min_c", climate.comfortMin, -50...100.0),
            ("comfort_max_c", climate.comfortMax, -50...100.0), ("indoor_c", climate.indoor, -50...100.0),
            ("outdoor_c", climate.outdoor, -100...100.0),
        ] {
            expect(
                range ~= value, "climate.\(field)", "must be \(range.lowerBound) to \(range.upperBound)", "\(value)")
        }
        expect(
            climate.comfortMin < climate.comfortMax, "climate.comfort_min_c", "must be below comfort_max_c",
            "\(climate.comfortMin)")
        expect(climate.powerMax > .zero, "climate.power_max_mw", "must be more than 0", "0")
        expect(
            climate.powerMin <= climate.powerMax, "climate.power_min_mw", "must be at most power_max_mw",
            "\(climate.powerMin.milliwatts)")
        for (field, time) in [
            ("run_min_ms", climate.runMinMilliseconds), ("pause_min_ms", climate.pauseMinMilliseconds),
            ("setback_min_ms", climate.setbackMinMilliseconds),
        ] { expect(ChargingShape.timeRange ~= time, "climate.\(field)", "must be 0 to 24 hours", "\(time)") }
    }
}
