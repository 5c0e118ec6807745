internal import EnergyModel
internal import EnergyProto

extension RepairDraft: ProtoMessage {
    func write(to proto: inout Energy__V1__RepairRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.session_id = arena.uuid(sessionID)
        proto.event_id = arena.uuid(eventID)
        switch action {
        case .ignore:
            proto.action_case = ENERGY__V1__REPAIR_REQUEST__ACTION_IGNORE
            proto.ignore = true.proto
        case .energy(let energy):
            proto.action_case = ENERGY__V1__REPAIR_REQUEST__ACTION_ENERGY_MWH
            proto.energy_mwh = energy.milliwattHours
        case .asSent:
            proto.action_case = ENERGY__V1__REPAIR_REQUEST__ACTION_AS_SENT
            proto.as_sent = true.proto
        }
        proto.reason = arena.string(reason)
        if let origin { proto.origin = arena.message(origin) }
    }

    init(reading proto: Energy__V1__RepairRequest) throws(FieldError) {
        let action: EventRepair.Action
        switch proto.action_case {
        case ENERGY__V1__REPAIR_REQUEST__ACTION_IGNORE where proto.ignore != 0: action = .ignore
        case ENERGY__V1__REPAIR_REQUEST__ACTION_ENERGY_MWH:
            action = .energy(try proto.energy_mwh.counter("energy_mwh"))
        case ENERGY__V1__REPAIR_REQUEST__ACTION_AS_SENT where proto.as_sent != 0: action = .asSent
        default: throw FieldError("action", "must be ignore, energy_mwh or as_sent", value: "absent")
        }
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"), sessionID: try proto.session_id.uuid("session_id"),
            eventID: try proto.event_id.uuid("event_id"), action: action,
            reason: try proto.reason.text("reason", max: 500), origin: try proto.origin.ifPresent("origin"))
    }
}

extension RepairOrigin: ProtoCoded {
    func write(to proto: inout Energy__V1__RepairOrigin, _ arena: inout Arena) {
        proto.principal = arena.string(principal)
        proto.made_unix_ms = made.unixMilliseconds
    }

    init(reading proto: Energy__V1__RepairOrigin) throws(FieldError) {
        self.init(
            principal: try proto.principal.text("principal", max: 250),
            made: try proto.made_unix_ms.timestamp("made_unix_ms"))
    }
}

extension RepairResult: ProtoMessage {
    func write(to proto: inout Energy__V1__RepairReply, _ arena: inout Arena) {
        proto.before = arena.message(before)
        proto.after = arena.message(after)
        if let remaining { proto.remaining = arena.message(remaining) }
    }

    init(reading proto: Energy__V1__RepairReply) throws(FieldError) {
        self.init(
            before: try proto.before.required("before"), after: try proto.after.required("after"),
            remaining: try proto.remaining.ifPresent("remaining"))
    }
}

extension RepairFilter: ProtoMessage {
    func write(to proto: inout Energy__V1__ListRepairsRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.skip = UInt32(clamping: skipped)
    }

    init(reading proto: Energy__V1__ListRepairsRequest) throws(FieldError) {
        self.init(venueID: try proto.venue_id.uuid("venue_id"), skipped: Int(proto.skip))
    }
}

extension RepairList: ProtoMessage {
    func write(to proto: inout Energy__V1__ListRepairsReply, _ arena: inout Arena) {
        (proto.n_repairs, proto.repairs) = arena.messages(repairs)
        proto.more = hasMore.proto
    }

    init(reading proto: Energy__V1__ListRepairsReply) throws(FieldError) {
        self.init(
            repairs: try proto.repairs.messages("repairs", count: proto.n_repairs, max: 10_000),
            hasMore: proto.more != 0)
    }
}

extension EventRepair: ProtoCoded {
    func write(to proto: inout Energy__V1__EventRepair, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.session_id = arena.uuid(sessionID)
        proto.event_id = arena.uuid(eventID)
        switch action {
        case .ignore:
            proto.action_case = ENERGY__V1__EVENT_REPAIR__ACTION_IGNORE
            proto.ignore = true.proto
        case .energy(let energy):
            proto.action_case = ENERGY__V1__EVENT_REPAIR__ACTION_ENERGY_MWH
            proto.energy_mwh = energy.milliwattHours
        case .asSent:
            proto.action_case = ENERGY__V1__EVENT_REPAIR__ACTION_AS_SENT
            proto.as_sent = true.proto
        }
        proto.reason = arena.string(reason)
        proto.principal = arena.string(principal)
        proto.made_unix_ms = made.unixMilliseconds
        switch before {
        case .ignore:
            proto.before_case = ENERGY__V1__EVENT_REPAIR__BEFORE_WAS_IGNORED
            proto.was_ignored = true.proto
        case .energy(let energy):
            proto.before_case = ENERGY__V1__EVENT_REPAIR__BEFORE_WAS_ENERGY_MWH
            proto.was_energy_mwh = energy.milliwattHours
        case .asSent, nil: break
        }
        if let sessionBefore {
            proto._session_before_mwh_case =
                ENERGY__V1__EVENT_REPAIR___SESSION_BEFORE_MWH_SESSION_BEFORE_MWH
            proto.session_before_mwh = sessionBefore.milliwattHours
        }
        if let sessionAfter {
            proto._session_after_mwh_case = ENERGY__V1__EVENT_REPAIR___SESSION_AFTER_MWH_SESSION_AFTER_MWH
            proto.session_after_mwh = sessionAfter.milliwattHours
        }
        proto.taken_over_by = arena.string(takenOverBy ?? "")
    }

    init(reading proto: Energy__V1__EventRepair) throws(FieldError) {
        let action: EventRepair.Action =
            switch proto.action_case {
            case ENERGY__V1__EVENT_REPAIR__ACTION_ENERGY_MWH: .energy(try proto.energy_mwh.counter("energy_mwh"))
            case ENERGY__V1__EVENT_REPAIR__ACTION_AS_SENT: .asSent
            default: .ignore
            }
        let before: EventRepair.Action? =
            switch proto.before_case {
            case ENERGY__V1__EVENT_REPAIR__BEFORE_WAS_IGNORED: .ignore
            case ENERGY__V1__EVENT_REPAIR__BEFORE_WAS_ENERGY_MWH:
                .energy(try proto.was_energy_mwh.counter("was_energy_mwh"))
            default: nil
            }
        let takenOver = try proto.taken_over_by.string("taken_over_by")
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"), sessionID: try proto.session_id.uuid("session_id"),
            eventID: try proto.event_id.uuid("event_id"),
            action: action, reason: try proto.reason.string("reason"),
            principal: try proto.principal.string("principal"),
            made: try proto.made_unix_ms.timestamp("made_unix_ms"),
            takenOverBy: takenOver.isEmpty ? nil : takenOver, before: before,
            sessionBefore: proto._session_before_mwh_case.rawValue == 0
                ? nil : try proto.session_before_mwh.counter("session_before_mwh"),
            sessionAfter: proto._session_after_mwh_case.rawValue == 0
                ? nil : try proto.session_after_mwh.counter("session_after_mwh"))
    }
}

extension RebuildRequest: ProtoMessage {
    func write(to proto: inout Energy__V1__RebuildRequest, _ arena: inout Arena) {
        proto.accept_loss = acceptsLoss.proto
    }

    init(reading proto: Energy__V1__RebuildRequest) throws(FieldError) {
        self.init(acceptsLoss: proto.accept_loss != 0)
    }
}

extension RebuildProgress: ProtoMessage {
    func write(to proto: inout Energy__V1__RebuildProgress, _ arena: inout Arena) {
        proto.records_counted = recordsCounted
        proto.records = records
        proto.done = isDone.proto
        proto.identical = isIdentical.proto
        proto.older_rules = hadOlderRules.proto
    }

    init(reading proto: Energy__V1__RebuildProgress) throws(FieldError) {
        self.init(
            recordsCounted: proto.records_counted, records: proto.records, isDone: proto.done != 0,
            isIdentical: proto.identical != 0, hadOlderRules: proto.older_rules != 0)
    }
}

extension Int64 {
    /// Of one event.
    fileprivate func counter(_ field: StaticString) throws(FieldError) -> Energy {
        guard Energy.range ~= self else {
            throw FieldError(field, "must be 0 to 1,000,000,000,000 mWh", value: "\(self)")
        }
        return Energy(milliwattHours: self)
    }
}

extension UnsafeMutablePointer<CChar>? {
    fileprivate func text(_ field: StaticString, max: Int) throws(FieldError) -> String {
        let text = try string(field)
        guard 1...max ~= text.utf16.count else {
            throw FieldError(field, "must be 1 to \(max) UTF-16 units", value: "\(text.utf16.count) of them")
        }
        return text
    }
}
