internal import EnergyModel
internal import EnergyProto

extension HomeLoad {
    /// - Returns: `nil` where the device has none.
    init?(reading proto: Energy__V1__ManagedDevice) throws(FieldError) {
        let battery: BatteryTraits? = try proto.battery.ifPresent("battery")
        let appliance: ApplianceTraits? = try proto.appliance.ifPresent("appliance")
        let climate: ClimateTraits? = try proto.climate.ifPresent("climate")
        switch (battery, appliance, climate) {
        case (let battery?, nil, nil): self = .battery(battery)
        case (nil, let appliance?, nil): self = .appliance(appliance)
        case (nil, nil, let climate?): self = .climate(climate)
        case (nil, nil, nil): return nil
        default: throw FieldError("battery", "must be the only one of battery, appliance, climate", value: "several")
        }
    }
}

extension BatteryTraits: ProtoCoded {
    func write(to proto: inout Energy__V1__HomeBatteryTraits, _ arena: inout Arena) {
        proto.capacity_mwh = capacity.milliwattHours
        proto.charge_max_mw = chargeMax.milliwatts
        proto.discharge_max_mw = dischargeMax.milliwatts
        proto.charge_efficiency = chargeEfficiency
        proto.discharge_efficiency = dischargeEfficiency
        proto.reserve_percent = UInt32(clamping: reservePercent)
        proto.wear_micros_per_kwh = wear.microsPerKilowattHour
        proto.phases = phases.protoPhases
        if let stateOfCharge {
            proto._state_of_charge_case = ENERGY__V1__HOME_BATTERY_TRAITS___STATE_OF_CHARGE_STATE_OF_CHARGE
            proto.state_of_charge = stateOfCharge
        }
    }

    init(reading proto: Energy__V1__HomeBatteryTraits) throws(FieldError) {
        let charge = try proto.charge_efficiency.finite("charge_efficiency")
        let discharge = try proto.discharge_efficiency.finite("discharge_efficiency")
        self.init(
            capacity: try proto.capacity_mwh.energy("capacity_mwh"),
            chargeMax: try proto.charge_max_mw.power("charge_max_mw"),
            dischargeMax: try proto.discharge_max_mw.power("discharge_max_mw"),
            chargeEfficiency: charge == 0 ? 0.95 : charge, dischargeEfficiency: discharge == 0 ? 0.95 : discharge,
            reservePercent: Int(try proto.reserve_percent.within(0...100, "reserve_percent")),
            wear: try proto.wear_micros_per_kwh.price("wear_micros_per_kwh"),
            phases: try proto.phases.phases("phases"),
            stateOfCharge: proto._state_of_charge_case.rawValue == 0
                ? nil : try proto.state_of_charge.finite("state_of_charge"))
    }
}

extension ApplianceTraits: ProtoCoded {
    func write(to proto: inout Energy__V1__ApplianceTraits, _ arena: inout Arena) {
        (proto.n_steps, proto.steps) = arena.messages(steps)
        proto.phases = phases.protoPhases
    }

    init(reading proto: Energy__V1__ApplianceTraits) throws(FieldError) {
        self.init(
            steps: try proto.steps.messages("steps", count: proto.n_steps, max: Self.stepsMax),
            phases: try proto.phases.phases("phases"))
    }
}

extension ApplianceTraits.Step: ProtoCoded {
    func write(to proto: inout Energy__V1__ProfileStep, _ arena: inout Arena) {
        proto.duration_ms = milliseconds
        proto.power_mw = power.milliwatts
    }

    init(reading proto: Energy__V1__ProfileStep) throws(FieldError) {
        self.init(
            milliseconds: try proto.duration_ms.bounded("duration_ms"), power: try proto.power_mw.power("power_mw"))
    }
}

extension ClimateTraits: ProtoCoded {
    func write(to proto: inout Energy__V1__ClimateTraits, _ arena: inout Arena) {
        proto.is_cooling = isCooling.proto
        proto.resistance_k_per_kw = resistance
        proto.capacity_kwh_per_k = capacity
        proto.performance = performance
        proto.comfort_min_c = comfortMin
        proto.comfort_max_c = comfortMax
        proto.setback_k = setback
        proto.setback_min_ms = setbackMinMilliseconds
        proto.power_max_mw = powerMax.milliwatts
        proto.power_min_mw = powerMin.milliwatts
        proto.run_min_ms = runMinMilliseconds
        proto.pause_min_ms = pauseMinMilliseconds
        proto.phases = phases.protoPhases
        proto.indoor_c = indoor
        proto.outdoor_c = outdoor
    }

    init(reading proto: Energy__V1__ClimateTraits) throws(FieldError) {
        self.init(
            resistance: try proto.resistance_k_per_kw.finite("resistance_k_per_kw"),
            capacity: try proto.capacity_kwh_per_k.finite("capacity_kwh_per_k"),
            performance: try proto.performance.finite("performance"),
            comfortMin: try proto.comfort_min_c.finite("comfort_min_c"),
            comfortMax: try proto.comfort_max_c.finite("comfort_max_c"),
            powerMax: try proto.power_max_mw.power("power_max_mw"), indoor: try proto.indoor_c.finite("indoor_c"),
            outdoor: try proto.outdoor_c.finite("outdoor_c"))
        isCooling = proto.is_cooling != 0
        setback = try proto.setback_k.finite("setback_k")
        setbackMinMilliseconds = try proto.setback_min_ms.bounded("setback_min_ms")
        powerMin = try proto.power_min_mw.power("power_min_mw")
        runMinMilliseconds = try proto.run_min_ms.bounded("run_min_ms")
        pauseMinMilliseconds = try proto.pause_min_ms.bounded("pause_min_ms")
        phases = try proto.phases.phases("phases")
    }
}

extension [Int] {
    /// Phases as bits; all three are 0.
    var protoPhases: UInt32 { self == [1, 2, 3] ? 0 : reduce(0) { $0 | 1 << UInt32($1 - 1) } }
}

extension UInt32 {
    func phases(_ field: StaticString) throws(FieldError) -> [Int] {
        let bits = try within(0...0b111, field)
        return bits == 0 ? [1, 2, 3] : (1...3).filter { bits & 1 << UInt32($0 - 1) != 0 }
    }
}
