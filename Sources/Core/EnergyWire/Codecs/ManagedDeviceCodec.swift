internal import EnergyModel
internal import EnergyProto

extension ManagedDevice: ProtoMessage {
    func write(to proto: inout Energy__V1__ManagedDevice, _ arena: inout Arena) {
        proto.device = arena.message(device)
        proto.venue_id = arena.uuid(venueID)
        if let vehicle { proto.vehicle = arena.message(vehicle) }
        switch load {
        case .battery(let battery): proto.battery = arena.message(battery)
        case .appliance(let appliance): proto.appliance = arena.message(appliance)
        case .climate(let climate): proto.climate = arena.message(climate)
        case nil: break
        }
        if rules != ChargingRules() { proto.rules = arena.message(rules) }
    }

    init(reading proto: Energy__V1__ManagedDevice) throws(FieldError) {
        self.init(
            device: try proto.device.required("device"),
            venueID: try proto.venue_id.uuid("venue_id"),
            vehicle: try proto.vehicle.ifPresent("vehicle"),
            rules: try proto.rules.ifPresent("rules") ?? ChargingRules(),
            load: try HomeLoad(reading: proto))
    }
}

extension VehicleTraits: ProtoCoded {
    func write(to proto: inout Energy__V1__ElectricVehicleTraits, _ arena: inout Arena) {
        proto.battery_capacity_mwh = batteryCapacity.milliwattHours
        proto.power_max_mw = powerMax.milliwatts
        proto.efficiency = efficiency
        proto.power_min_mw = powerMin == powerMax ? 0 : powerMin.milliwatts
        proto.phases = phases.protoPhases
        proto.power_step_mw = powerStep?.milliwatts ?? 0
        proto.current_step_ma = UInt32(clamping: currentStep?.milliamperes ?? 0)
        proto.voltage_mv = UInt32(clamping: currentStep?.millivolts ?? 0)
        proto.taper_from_percent = UInt32(clamping: taper?.percent ?? 0)
        proto.taper_power_mw = taper?.powerAtFull.milliwatts ?? 0
    }

    init(reading proto: Energy__V1__ElectricVehicleTraits) throws(FieldError) {
        let efficiency = try proto.efficiency.finite("efficiency")
        let taperPercent = Int(try proto.taper_from_percent.within(0...99, "taper_from_percent"))
        let currents = UInt32(0)...UInt32(VehicleTraits.CurrentStep.range.upperBound)
        let current = Int64(try proto.current_step_ma.within(currents, "current_step_ma"))
        let voltage = Int64(try proto.voltage_mv.within(currents, "voltage_mv"))
        let taperPower = try proto.taper_power_mw.power("taper_power_mw")
        self.init(
            batteryCapacity: try proto.battery_capacity_mwh.energy("battery_capacity_mwh"),
            powerMax: try proto.power_max_mw.power("power_max_mw"),
            efficiency: efficiency == 0 ? 0.9 : efficiency,
            powerMin: proto.power_min_mw == 0 ? nil : try proto.power_min_mw.power("power_min_mw"),
            phases: try proto.phases.phases("phases"),
            powerStep: proto.power_step_mw == 0 ? nil : try proto.power_step_mw.power("power_step_mw"),
            currentStep: current == 0
                ? nil : CurrentStep(milliamperes: current, millivolts: voltage == 0 ? 230_000 : voltage),
            taper: taperPercent == 0 ? nil : Taper(percent: taperPercent, powerAtFull: taperPower))
    }
}

extension VenueFilter: ProtoMessage {
    func write(to proto: inout Energy__V1__ListDevicesRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
    }

    init(reading proto: Energy__V1__ListDevicesRequest) throws(FieldError) {
        self.init(venueID: try proto.venue_id.uuidIfPresent("venue_id"))
    }
}

extension DeviceList: ProtoMessage {
    func write(to proto: inout Energy__V1__ListDevicesReply, _ arena: inout Arena) {
        (proto.n_devices, proto.devices) = arena.messages(devices)
    }

    init(reading proto: Energy__V1__ListDevicesReply) throws(FieldError) {
        self.init(devices: try proto.devices.messages("devices", count: proto.n_devices, max: 10_000))
    }
}

extension DeviceRemoval: ProtoMessage {
    func write(to proto: inout Energy__V1__RemoveDeviceRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID)
    }

    init(reading proto: Energy__V1__RemoveDeviceRequest) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"), deviceID: try proto.device_id.string("device_id"))
    }
}

extension DeviceReference: ProtoMessage {
    func write(to proto: inout Energy__V1__GoalRef, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID)
        proto.goal_id = arena.uuid(goalID)
    }

    init(reading proto: Energy__V1__GoalRef) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"), deviceID: try proto.device_id.string("device_id"),
            goalID: try proto.goal_id.uuidIfPresent("goal_id"))
    }
}

/// The request's form of a device.
struct PutDeviceRequest: ProtoMessage {
    let device: ManagedDevice

    func write(to proto: inout Energy__V1__PutDeviceRequest, _ arena: inout Arena) {
        proto.device = arena.message(device)
    }
}

extension PutDeviceRequest {
    init(reading proto: Energy__V1__PutDeviceRequest) throws(FieldError) {
        device = try proto.device.required("device")
    }
}
