internal import EnergyModel
internal import EnergyProto

extension Goal: ProtoCoded {
    func write(to proto: inout Energy__V1__Goal, _ arena: inout Arena) {
        let draft = GoalDraft(
            venueID: venueID, deviceID: deviceID, readyBy: readyBy, target: target, weekly: weekly,
            guaranteedPercent: guaranteedPercent)
        GoalDraft.Fields(draft: draft).write(to: &proto, &arena)
        proto.id = arena.uuid(id)
        proto.created_unix_ms = created.unixMilliseconds
    }

    init(reading proto: Energy__V1__Goal) throws(FieldError) {
        let draft = try GoalDraft.Fields(reading: proto).draft
        self.init(
            id: try proto.id.uuid("id"),
            venueID: draft.venueID,
            deviceID: draft.deviceID,
            readyBy: draft.readyBy,
            target: draft.target,
            created: try proto.created_unix_ms.timestamp("created_unix_ms"),
            weekly: draft.weekly, guaranteedPercent: draft.guaranteedPercent)
    }
}

extension GoalDraft: ProtoMessage {
    func write(to proto: inout Energy__V1__PutGoalRequest, _ arena: inout Arena) {
        proto.goal = arena.message(Fields(draft: self))
        proto.keep_others = keepsOthers.proto
    }

    init(reading proto: Energy__V1__PutGoalRequest) throws(FieldError) {
        let fields: Fields = try proto.goal.required("goal")
        self = fields.draft
        keepsOthers = proto.keep_others != 0
    }

    /// What a goal is without its service's part.
    struct Fields: ProtoCoded {
        let draft: GoalDraft

        func write(to proto: inout Energy__V1__Goal, _ arena: inout Arena) {
            proto.venue_id = arena.uuid(draft.venueID)
            proto.device_id = arena.string(draft.deviceID)
            proto.ready_by_unix_ms = draft.readyBy.unixMilliseconds
            proto.guaranteed_percent = UInt32(clamping: draft.guaranteedPercent)
            if let weekly = draft.weekly { proto.weekly = arena.message(weekly) }
            switch draft.target {
            case .energy(let energy):
                proto.target_case = ENERGY__V1__GOAL__TARGET_ENERGY_MWH
                proto.energy_mwh = energy.milliwattHours
            case .stateOfCharge(let percent):
                proto.target_case = ENERGY__V1__GOAL__TARGET_STATE_OF_CHARGE
                proto.state_of_charge = Int32(clamping: percent)
            case .reduce(let maxMilliseconds):
                proto.target_case = ENERGY__V1__GOAL__TARGET_REDUCE_MAX_MS
                proto.reduce_max_ms = maxMilliseconds
            case .run:
                proto.target_case = ENERGY__V1__GOAL__TARGET_RUN
                proto.run = 1
            }
        }
    }
}

extension GoalDraft.Fields {
    init(reading proto: Energy__V1__Goal) throws(FieldError) {
        draft = GoalDraft(
            venueID: try proto.venue_id.uuid("venue_id"),
            deviceID: try proto.device_id.string("device_id"),
            readyBy: try proto.ready_by_unix_ms.timestamp("ready_by_unix_ms"),
            target: try Goal.Target(reading: proto),
            weekly: try proto.weekly.ifPresent("weekly"),
            guaranteedPercent: Int(try proto.guaranteed_percent.within(0...100, "guaranteed_percent")))
    }
}

extension Goal.Target {
    fileprivate init(reading proto: Energy__V1__Goal) throws(FieldError) {
        switch proto.target_case {
        case ENERGY__V1__GOAL__TARGET_ENERGY_MWH: self = .energy(try proto.energy_mwh.energy("energy_mwh"))
        case ENERGY__V1__GOAL__TARGET_STATE_OF_CHARGE: self = .stateOfCharge(Int(proto.state_of_charge))
        case ENERGY__V1__GOAL__TARGET_REDUCE_MAX_MS:
            self = .reduce(maxMilliseconds: try proto.reduce_max_ms.bounded("reduce_max_ms"))
        case ENERGY__V1__GOAL__TARGET_RUN: self = .run
        default:
            throw FieldError(
                "target", "must be one of energy_mwh, state_of_charge, reduce_max_ms, run", value: "absent")
        }
    }
}
