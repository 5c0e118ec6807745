internal import EnergyModel
internal import EnergyProto

// Whether the values make sense for a device is for ``EventRules`` to say: here they only have to fit.

extension Event: ProtoCoded {
    func write(to proto: inout Energy__V1__Event, _ arena: inout Arena) {
        proto.id = arena.uuid(id)
        proto.timestamp_unix_ms = timestamp.unixMilliseconds
        proto.venue_id = arena.uuid(venueID)
        proto.device = arena.message(device)
        switch content {
        case .vehicleLoad(let load):
            proto.content_case = ENERGY__V1__EVENT__CONTENT_VEHICLE_LOAD
            proto.vehicle_load = arena.message(load)
        case .hvacLoad(let load):
            proto.content_case = ENERGY__V1__EVENT__CONTENT_HVAC_LOAD
            proto.hvac_load = arena.message(load)
        case .vehicleStatus(let status):
            proto.content_case = ENERGY__V1__EVENT__CONTENT_VEHICLE_STATUS
            proto.vehicle_status = arena.message(status)
        }
    }

    init(reading proto: Energy__V1__Event) throws(FieldError) {
        self.init(
            id: try proto.id.uuid("id"),
            timestamp: try proto.timestamp_unix_ms.timestamp("timestamp_unix_ms"),
            venueID: try proto.venue_id.uuid("venue_id"),
            device: try proto.device.required("device"),
            content: try Content(reading: proto))
    }
}

extension Event.Content {
    fileprivate init(reading proto: Energy__V1__Event) throws(FieldError) {
        switch proto.content_case {
        case ENERGY__V1__EVENT__CONTENT_VEHICLE_LOAD:
            self = .vehicleLoad(try proto.vehicle_load.required("vehicle_load"))
        case ENERGY__V1__EVENT__CONTENT_HVAC_LOAD:
            self = .hvacLoad(try proto.hvac_load.required("hvac_load"))
        case ENERGY__V1__EVENT__CONTENT_VEHICLE_STATUS:
            self = .vehicleStatus(try proto.vehicle_status.required("vehicle_status"))
        default:
            throw FieldError("content", "must be one of vehicle_load, hvac_load, vehicle_status", value: "absent")
        }
    }
}

extension Session: ProtoCoded {
    func write(to proto: inout Energy__V1__Session, _ arena: inout Arena) {
        proto.id = arena.uuid(id)
        proto.state = state.proto()
        proto.was_following_guidance = wasFollowingGuidance.proto
        proto.guidance_token = arena.uuid(guidanceToken)
    }

    init(reading proto: Energy__V1__Session) throws(FieldError) {
        self.init(
            id: try proto.id.uuid("id"),
            state: try proto.state.value("state"),
            wasFollowingGuidance: proto.was_following_guidance != 0,
            guidanceToken: try proto.guidance_token.uuid("guidance_token"))
    }
}

extension VehicleLoad: ProtoCoded {
    func write(to proto: inout Energy__V1__ElectricVehicleLoad, _ arena: inout Arena) {
        proto.session = arena.message(session)
        proto.state_of_charge = Int32(clamping: stateOfCharge)
        proto.state_of_charge_unknown = (!isStateOfChargeKnown).proto
        proto.direction = direction.proto()
        proto.power_mw = powerMilliwatts
        proto.energy_mwh = energyMilliwattHours
        let performance = Performance(
            estimatedRangeMillimetres: estimatedRangeMillimetres,
            batteryTemperatureMillikelvin: batteryTemperatureMillikelvin)
        if performance != Performance() { proto.performance = arena.message(performance) }
    }

    init(reading proto: Energy__V1__ElectricVehicleLoad) throws(FieldError) {
        let performance: Performance? = try proto.performance.ifPresent("performance")
        self.init(
            session: try proto.session.required("session"),
            stateOfCharge: Int(proto.state_of_charge),
            direction: try proto.direction.value("direction"),
            powerMilliwatts: try proto.power_mw.bounded("power_mw"),
            energyMilliwattHours: try proto.energy_mwh.bounded("energy_mwh"),
            estimatedRangeMillimetres: performance?.estimatedRangeMillimetres,
            batteryTemperatureMillikelvin: performance?.batteryTemperatureMillikelvin,
            isStateOfChargeKnown: proto.state_of_charge_unknown == 0)
    }

    /// A message on the wire; in the model its members are the load's.
    private struct Performance: Equatable, ProtoCoded {
        var estimatedRangeMillimetres: Int64?
        var batteryTemperatureMillikelvin: Int64?

        init(estimatedRangeMillimetres: Int64? = nil, batteryTemperatureMillikelvin: Int64? = nil) {
            self.estimatedRangeMillimetres = estimatedRangeMillimetres
            self.batteryTemperatureMillikelvin = batteryTemperatureMillikelvin
        }

        func write(to proto: inout Energy__V1__PerformanceMetrics, _ arena: inout Arena) {
            if let estimatedRangeMillimetres {
                proto._estimated_range_mm_case = ENERGY__V1__PERFORMANCE_METRICS___ESTIMATED_RANGE_MM_ESTIMATED_RANGE_MM
                proto.estimated_range_mm = estimatedRangeMillimetres
            }
            if let batteryTemperatureMillikelvin {
                proto._battery_temperature_mk_case =
                    ENERGY__V1__PERFORMANCE_METRICS___BATTERY_TEMPERATURE_MK_BATTERY_TEMPERATURE_MK
                proto.battery_temperature_mk = batteryTemperatureMillikelvin
            }
        }

        init(reading proto: Energy__V1__PerformanceMetrics) throws(FieldError) {
            estimatedRangeMillimetres =
                proto._estimated_range_mm_case.rawValue == 0
                ? nil : try proto.estimated_range_mm.bounded("estimated_range_mm")
            batteryTemperatureMillikelvin =
                proto._battery_temperature_mk_case.rawValue == 0
                ? nil : try proto.battery_temperature_mk.bounded("battery_temperature_mk")
        }
    }
}

extension HVACLoad: ProtoCoded {
    func write(to proto: inout Energy__V1__HvacLoad, _ arena: inout Arena) {
        proto.session = arena.message(session)
        proto.stage = Int32(clamping: stage)
    }

    init(reading proto: Energy__V1__HvacLoad) throws(FieldError) {
        self.init(session: try proto.session.required("session"), stage: Int(proto.stage))
    }
}
