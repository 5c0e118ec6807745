internal import EnergyModel
internal import EnergyProto

extension VehicleStatus: ProtoCoded {
    func write(to proto: inout Energy__V1__ElectricVehicleStatus, _ arena: inout Arena) {
        switch status {
        case .pluggedIn: proto.status = ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_PLUGGED_IN
        case .unplugged: proto.status = ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_UNPLUGGED
        case .active(let reason):
            proto.status = ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_ACTIVE
            proto.active_reason = reason.proto()
        case .idle(let reason):
            proto.status = ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_IDLE
            proto.idle_reason = reason.proto()
        }
        proto.state_of_charge = Int32(clamping: stateOfCharge)
        proto.energy_mwh = energyMilliwattHours
        if let estimatedRangeMillimetres {
            proto._estimated_range_mm_case =
                ENERGY__V1__ELECTRIC_VEHICLE_STATUS___ESTIMATED_RANGE_MM_ESTIMATED_RANGE_MM
            proto.estimated_range_mm = estimatedRangeMillimetres
        }
        if let target { proto.target = arena.message(target) }
        proto.session_id = arena.uuid(sessionID)
    }

    init(reading proto: Energy__V1__ElectricVehicleStatus) throws(FieldError) {
        self.init(
            status: try Status(reading: proto),
            stateOfCharge: Int(proto.state_of_charge),
            energyMilliwattHours: try proto.energy_mwh.bounded("energy_mwh"),
            estimatedRangeMillimetres: proto._estimated_range_mm_case.rawValue == 0
                ? nil : try proto.estimated_range_mm.bounded("estimated_range_mm"),
            target: try proto.target.ifPresent("target"),
            sessionID: try proto.session_id.uuidIfPresent("session_id"))
    }
}

extension VehicleStatus.Status {
    fileprivate init(reading proto: Energy__V1__ElectricVehicleStatus) throws(FieldError) {
        let status = proto.status
        if status != ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_ACTIVE, proto.active_reason.rawValue != 0 {
            throw FieldError(
                "active_reason", "must be absent unless status is CHARGING_STATUS_ACTIVE",
                value: "\(proto.active_reason.rawValue)")
        }
        if status != ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_IDLE, proto.idle_reason.rawValue != 0 {
            throw FieldError(
                "idle_reason", "must be absent unless status is CHARGING_STATUS_IDLE",
                value: "\(proto.idle_reason.rawValue)")
        }
        switch status {
        case ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_PLUGGED_IN: self = .pluggedIn
        case ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_UNPLUGGED: self = .unplugged
        case ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_ACTIVE:
            self = .active(try proto.active_reason.value("active_reason", unknown: .unknown))
        case ENERGY__V1__CHARGING_STATUS__CHARGING_STATUS_IDLE:
            self = .idle(try proto.idle_reason.value("idle_reason", unknown: .unknown))
        default:
            throw FieldError(
                "status",
                "must be one of CHARGING_STATUS_PLUGGED_IN, CHARGING_STATUS_UNPLUGGED, CHARGING_STATUS_ACTIVE, "
                    + "CHARGING_STATUS_IDLE",
                value: "\(proto.status.rawValue)")
        }
    }
}

extension ChargingTarget: ProtoCoded {
    func write(to proto: inout Energy__V1__ChargingTarget, _ arena: inout Arena) {
        proto.state_of_charge = Int32(clamping: stateOfCharge)
        proto.estimated_completion_unix_ms = estimatedCompletion.unixMilliseconds
        proto.scheduled_start_unix_ms = scheduledStart.unixMilliseconds
        if let estimatedRangeMillimetres {
            proto._estimated_range_mm_case = ENERGY__V1__CHARGING_TARGET___ESTIMATED_RANGE_MM_ESTIMATED_RANGE_MM
            proto.estimated_range_mm = estimatedRangeMillimetres
        }
    }

    init(reading proto: Energy__V1__ChargingTarget) throws(FieldError) {
        self.init(
            stateOfCharge: Int(proto.state_of_charge),
            estimatedCompletion: try proto.estimated_completion_unix_ms.timestamp("estimated_completion_unix_ms"),
            scheduledStart: try proto.scheduled_start_unix_ms.timestamp("scheduled_start_unix_ms"),
            estimatedRangeMillimetres: proto._estimated_range_mm_case.rawValue == 0
                ? nil : try proto.estimated_range_mm.bounded("estimated_range_mm"))
    }
}
