internal import EnergyModel
internal import EnergyProto

extension Schedule: ProtoMessage {
    func write(to proto: inout Energy__V1__Schedule, _ arena: inout Arena) {
        proto.id = arena.uuid(id)
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID)
        proto.goal = arena.message(goal)
        proto.revision = revision
        proto.planned_unix_ms = planned.unixMilliseconds
        proto.guidance_token = arena.uuid(guidanceToken)
        (proto.n_blocks, proto.blocks) = arena.messages(blocks)
        proto.required_mwh = required.milliwattHours
        proto.planned_mwh = plannedEnergy.milliwattHours
        proto.missing_mwh = missing.milliwattHours
        proto.explanation = arena.string(explanation)
        if goals != [goal] { (proto.n_goals, proto.goals) = arena.messages(goals) }
        if let override { proto.charge_override = override.proto() }
        proto.optimality_gap = optimalityGap
    }

    // `missing_mwh` is for other readers: the model derives it.
    init(reading proto: Energy__V1__Schedule) throws(FieldError) {
        let goals: [Goal] = try proto.goals.messages("goals", count: proto.n_goals, max: 100)
        self.init(
            id: try proto.id.uuid("id"),
            venueID: try proto.venue_id.uuid("venue_id"),
            deviceID: try proto.device_id.string("device_id"),
            goal: try proto.goal.required("goal"),
            revision: proto.revision,
            planned: try proto.planned_unix_ms.timestamp("planned_unix_ms"),
            guidanceToken: try proto.guidance_token.uuidIfPresent("guidance_token"),
            blocks: try proto.blocks.messages("blocks", count: proto.n_blocks, max: 10_000),
            required: try proto.required_mwh.energy("required_mwh"),
            plannedEnergy: try proto.planned_mwh.energy("planned_mwh"),
            explanation: try proto.explanation.string("explanation"),
            goals: goals.isEmpty ? nil : goals,
            override: proto.charge_override.rawValue == 0 ? nil : try proto.charge_override.value("charge_override"),
            optimalityGap: try proto.optimality_gap.finite("optimality_gap"))
    }
}

extension ScheduleBlock: ProtoCoded {
    func write(to proto: inout Energy__V1__ScheduleBlock, _ arena: inout Arena) {
        proto.interval = arena.message(interval)
        proto.power_mw = power.milliwatts
        proto.stage_max = Int32(clamping: stageMax)
        proto.energy_mwh = energy.milliwattHours
        proto.rating = rating
        proto.reason = reason.proto()
        proto.is_discharging = isDischarging.proto
    }

    init(reading proto: Energy__V1__ScheduleBlock) throws(FieldError) {
        self.init(
            interval: try proto.interval.required("interval"),
            power: try proto.power_mw.power("power_mw"),
            stageMax: Int(proto.stage_max),
            energy: try proto.energy_mwh.energy("energy_mwh"),
            rating: try proto.rating.finite("rating"),
            reason: try proto.reason.value("reason"),
            isDischarging: proto.is_discharging != 0)
    }
}

extension ScheduleFilter: ProtoMessage {
    func write(to proto: inout Energy__V1__ScheduleRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID ?? "")
    }

    init(reading proto: Energy__V1__ScheduleRequest) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuidIfPresent("venue_id"),
            deviceID: try proto.device_id.deviceIDIfPresent("device_id"))
    }
}

extension ScheduleList: ProtoMessage {
    func write(to proto: inout Energy__V1__ListSchedulesReply, _ arena: inout Arena) {
        (proto.n_schedules, proto.schedules) = arena.messages(schedules)
    }

    init(reading proto: Energy__V1__ListSchedulesReply) throws(FieldError) {
        self.init(schedules: try proto.schedules.messages("schedules", count: proto.n_schedules, max: 1_000))
    }
}
