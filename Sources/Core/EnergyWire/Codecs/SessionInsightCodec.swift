internal import EnergyModel
internal import EnergyProto

extension SessionQuery: ProtoMessage {
    func write(to proto: inout Energy__V1__SessionQuery, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID ?? "")
        if let deviceKind { proto.device_type = deviceKind.proto() }
        proto.range = arena.message(range)
    }

    init(reading proto: Energy__V1__SessionQuery) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"),
            deviceID: try proto.device_id.deviceIDIfPresent("device_id"),
            deviceKind: try proto.device_type.valueIfPresent("device_type"),
            range: try proto.range.required("range"))
    }
}

extension SessionInsightPage: ProtoMessage {
    func write(to proto: inout Energy__V1__SessionInsightPage, _ arena: inout Arena) {
        (proto.n_sessions, proto.sessions) = arena.messages(sessions)
        (proto.n_applied, proto.applied) = arena.messages(applied)
    }

    init(reading proto: Energy__V1__SessionInsightPage) throws(FieldError) {
        self.init(
            sessions: try proto.sessions.messages("sessions", count: proto.n_sessions, max: 10_000),
            applied: try proto.applied.messages("applied", count: proto.n_applied, max: LogPartition.count))
    }
}

extension SessionInsight: ProtoCoded {
    func write(to proto: inout Energy__V1__SessionInsight, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(key.venueID)
        proto.session_id = arena.uuid(key.sessionID)
        proto.device_id = arena.string(deviceID)
        proto.device_type = deviceKind.proto()
        proto.direction = direction.proto()
        proto.began_unix_ms = began.unixMilliseconds
        proto.last_unix_ms = last.unixMilliseconds
        proto.over = isOver.proto
        proto.was_following_guidance = wasFollowingGuidance.proto
        if let stateOfChargeAtBegin {
            proto._state_of_charge_at_begin_case =
                ENERGY__V1__SESSION_INSIGHT___STATE_OF_CHARGE_AT_BEGIN_STATE_OF_CHARGE_AT_BEGIN
            proto.state_of_charge_at_begin = UInt32(clamping: stateOfChargeAtBegin)
        }
        if let stateOfChargeAtLast {
            proto._state_of_charge_at_last_case =
                ENERGY__V1__SESSION_INSIGHT___STATE_OF_CHARGE_AT_LAST_STATE_OF_CHARGE_AT_LAST
            proto.state_of_charge_at_last = UInt32(clamping: stateOfChargeAtLast)
        }
        proto.amount = arena.message(amount)
        proto.worth = arena.message(worth)
        proto.by_cleanliness = arena.message(InsightSplit(amounts: byCleanliness))
        proto.by_tariff = arena.message(InsightSplit(amounts: byTariff))
        proto.by_band = arena.message(InsightSplit(amounts: byBand))
        if let baseline { proto.baseline = arena.message(baseline) }
        proto.repaired = isRepaired.proto
    }

    init(reading proto: Energy__V1__SessionInsight) throws(FieldError) {
        let byCleanliness: InsightSplit<Cleanliness>? = try proto.by_cleanliness.ifPresent("by_cleanliness")
        let byTariff: InsightSplit<TariffPeak>? = try proto.by_tariff.ifPresent("by_tariff")
        let byBand: InsightSplit<RatingBand>? = try proto.by_band.ifPresent("by_band")
        self.init(
            key: SessionKey(
                venueID: try proto.venue_id.uuid("venue_id"), sessionID: try proto.session_id.uuid("session_id")),
            deviceID: try proto.device_id.string("device_id"),
            deviceKind: try proto.device_type.value("device_type"),
            direction: try proto.direction.value("direction"),
            began: try proto.began_unix_ms.timestamp("began_unix_ms"),
            last: try proto.last_unix_ms.timestamp("last_unix_ms"), isOver: proto.over != 0,
            wasFollowingGuidance: proto.was_following_guidance != 0,
            stateOfChargeAtBegin: proto._state_of_charge_at_begin_case.rawValue == 0
                ? nil : Int(try proto.state_of_charge_at_begin.within(0...100, "state_of_charge_at_begin")),
            stateOfChargeAtLast: proto._state_of_charge_at_last_case.rawValue == 0
                ? nil : Int(try proto.state_of_charge_at_last.within(0...100, "state_of_charge_at_last")),
            amount: try proto.amount.ifPresent("amount") ?? .zero, worth: try proto.worth.ifPresent("worth") ?? .none,
            byCleanliness: byCleanliness?.amounts ?? [:], byTariff: byTariff?.amounts ?? [:],
            byBand: byBand?.amounts ?? [:], baseline: try proto.baseline.ifPresent("baseline"),
            isRepaired: proto.repaired != 0)
    }
}

extension SessionBaseline: ProtoCoded {
    func write(to proto: inout Energy__V1__SessionBaseline, _ arena: inout Arena) {
        proto.interval = arena.message(interval)
        proto.power_mw = power.milliwatts
        proto.worth = arena.message(worth)
    }

    init(reading proto: Energy__V1__SessionBaseline) throws(FieldError) {
        self.init(
            interval: try proto.interval.required("interval"), power: try proto.power_mw.power("power_mw"),
            worth: try proto.worth.ifPresent("worth") ?? .none)
    }
}
