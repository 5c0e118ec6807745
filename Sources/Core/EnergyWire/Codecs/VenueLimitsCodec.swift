internal import EnergyModel
internal import EnergyProto

extension PlannedVenue: ProtoMessage {
    func write(to proto: inout Energy__V1__VenueRef, _ arena: inout Arena) { proto.venue_id = arena.uuid(venueID) }

    init(reading proto: Energy__V1__VenueRef) throws(FieldError) {
        self.init(venueID: try proto.venue_id.uuid("venue_id"))
    }
}

extension VenueLimits: ProtoMessage {
    func write(to proto: inout Energy__V1__VenueLimits, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        if let importPower {
            proto._import_power_mw_case = ENERGY__V1__VENUE_LIMITS___IMPORT_POWER_MW_IMPORT_POWER_MW
            proto.import_power_mw = importPower.milliwatts
        }
        if let exportPower {
            proto._export_power_mw_case = ENERGY__V1__VENUE_LIMITS___EXPORT_POWER_MW_EXPORT_POWER_MW
            proto.export_power_mw = exportPower.milliwatts
        }
        (proto.n_circuits, proto.circuits) = arena.messages(circuits)
        (proto.n_exclusive, proto.exclusive) = arena.messages(exclusive.map(ExclusiveGroup.init))
        if let demandCharge { proto.demand_charge = arena.message(demandCharge) }
        (proto.n_base_load_mw, proto.base_load_mw) = arena.numbers(baseLoad.map(\.milliwatts))
        proto.export_price_micros_per_kwh = exportPrice.microsPerKilowattHour
        proto.is_default = isDefault.proto
        if let objective { proto.objective = arena.message(objective) }
    }

    init(reading proto: Energy__V1__VenueLimits) throws(FieldError) {
        let groups: [ExclusiveGroup] = try proto.exclusive.messages(
            "exclusive", count: proto.n_exclusive, max: Self.groupsMax)
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"),
            importPower: proto._import_power_mw_case.rawValue == 0
                ? nil : try proto.import_power_mw.power("import_power_mw"),
            exportPower: proto._export_power_mw_case.rawValue == 0
                ? nil : try proto.export_power_mw.power("export_power_mw"),
            circuits: try proto.circuits.messages("circuits", count: proto.n_circuits, max: Self.circuitsMax),
            exclusive: groups.map(\.deviceIDs), demandCharge: try proto.demand_charge.ifPresent("demand_charge"),
            baseLoad: try proto.base_load_mw.list("base_load_mw", count: proto.n_base_load_mw, max: 3) {
                (power: Int64) throws(FieldError) in try power.power("")
            },
            exportPrice: try proto.export_price_micros_per_kwh.price("export_price_micros_per_kwh"),
            isDefault: proto.is_default != 0, objective: try proto.objective.ifPresent("objective"))
    }
}

extension VenueObjective: ProtoCoded {
    func write(to proto: inout Energy__V1__PlanObjective, _ arena: inout Arena) {
        (proto.money, proto.carbon, proto.rating) = (money, carbon, rating)
    }

    init(reading proto: Energy__V1__PlanObjective) throws(FieldError) {
        self.init(
            money: try proto.money.finite("money"), carbon: try proto.carbon.finite("carbon"),
            rating: try proto.rating.finite("rating"))
    }
}

extension ObjectiveDraft: ProtoMessage {
    func write(to proto: inout Energy__V1__PutObjectiveRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.objective = arena.message(objective)
    }

    init(reading proto: Energy__V1__PutObjectiveRequest) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"), objective: try proto.objective.required("objective"))
    }
}

extension VenueLimits.Circuit: ProtoCoded {
    func write(to proto: inout Energy__V1__VenueCircuit, _ arena: inout Arena) {
        proto.name = arena.string(name)
        proto.parent = arena.string(parent ?? "")
        if let power {
            proto._power_mw_case = ENERGY__V1__VENUE_CIRCUIT___POWER_MW_POWER_MW
            proto.power_mw = power.milliwatts
        }
        if let powerPerPhase {
            proto._power_per_phase_mw_case = ENERGY__V1__VENUE_CIRCUIT___POWER_PER_PHASE_MW_POWER_PER_PHASE_MW
            proto.power_per_phase_mw = powerPerPhase.milliwatts
        }
        (proto.n_device_ids, proto.device_ids) = arena.strings(deviceIDs)
        proto.carries_base_load = carriesBaseLoad.proto
    }

    init(reading proto: Energy__V1__VenueCircuit) throws(FieldError) {
        self.init(
            name: try proto.name.string("name"), parent: try proto.parent.stringIfPresent("parent"),
            power: proto._power_mw_case.rawValue == 0 ? nil : try proto.power_mw.power("power_mw"),
            powerPerPhase: proto._power_per_phase_mw_case.rawValue == 0
                ? nil : try proto.power_per_phase_mw.power("power_per_phase_mw"),
            deviceIDs: try proto.device_ids.strings(
                "device_ids", count: proto.n_device_ids, max: VenueLimits.devicesMax),
            carriesBaseLoad: proto.carries_base_load != 0)
    }
}

extension VenueLimits.DemandCharge: ProtoCoded {
    func write(to proto: inout Energy__V1__DemandCharge, _ arena: inout Arena) {
        proto.micros_per_kw = microsPerKilowatt
        proto.peak_so_far_mw = peakSoFar.milliwatts
    }

    init(reading proto: Energy__V1__DemandCharge) throws(FieldError) {
        self.init(
            microsPerKilowatt: try proto.micros_per_kw.bounded("micros_per_kw"),
            peakSoFar: try proto.peak_so_far_mw.power("peak_so_far_mw"))
    }
}

/// The wire's form of a group: a list of lists needs a message between.
private struct ExclusiveGroup: ProtoCoded {
    let deviceIDs: [String]

    init(_ deviceIDs: [String]) { self.deviceIDs = deviceIDs }

    func write(to proto: inout Energy__V1__ExclusiveGroup, _ arena: inout Arena) {
        (proto.n_device_ids, proto.device_ids) = arena.strings(deviceIDs)
    }

    init(reading proto: Energy__V1__ExclusiveGroup) throws(FieldError) {
        deviceIDs = try proto.device_ids.strings("device_ids", count: proto.n_device_ids, max: VenueLimits.devicesMax)
    }
}

extension VenueForecast: ProtoMessage {
    func write(to proto: inout Energy__V1__VenueForecast, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        (proto.n_photovoltaics, proto.photovoltaics) = arena.messages(photovoltaics)
        (proto.n_base_load, proto.base_load) = arena.messages(baseLoad)
        (proto.n_outdoor, proto.outdoor) = arena.messages(outdoor)
    }

    init(reading proto: Energy__V1__VenueForecast) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"),
            photovoltaics: try proto.photovoltaics.messages(
                "photovoltaics", count: proto.n_photovoltaics, max: Self.valuesMax),
            baseLoad: try proto.base_load.messages("base_load", count: proto.n_base_load, max: Self.valuesMax),
            outdoor: try proto.outdoor.messages("outdoor", count: proto.n_outdoor, max: Self.valuesMax))
    }
}

extension VenueForecast.Temperature: ProtoCoded {
    func write(to proto: inout Energy__V1__ForecastTemperature, _ arena: inout Arena) {
        proto.interval = arena.message(interval)
        proto.celsius = celsius
    }

    init(reading proto: Energy__V1__ForecastTemperature) throws(FieldError) {
        self.init(
            interval: try proto.interval.required("interval"), celsius: try proto.celsius.finite("celsius"))
    }
}

extension VenueForecast.Value: ProtoCoded {
    func write(to proto: inout Energy__V1__ForecastPower, _ arena: inout Arena) {
        proto.interval = arena.message(interval)
        proto.power_mw = power.milliwatts
    }

    init(reading proto: Energy__V1__ForecastPower) throws(FieldError) {
        self.init(
            interval: try proto.interval.required("interval"), power: try proto.power_mw.power("power_mw"))
    }
}
