internal import EnergyModel
internal import EnergyProto
internal import Foundation

extension WeeklyTime: ProtoCoded {
    func write(to proto: inout Energy__V1__WeeklyTime, _ arena: inout Arena) {
        proto.weekdays = weekdays.rawValue
        proto.minute = UInt32(clamping: minuteOfDay)
        (proto.n_exception_days, proto.exception_days) = arena.numbers(exceptions)
    }

    init(reading proto: Energy__V1__WeeklyTime) throws(FieldError) {
        self.init(
            weekdays: Weekdays(rawValue: try proto.weekdays.within(1...0b111_1111, "weekdays")),
            minuteOfDay: Int(try proto.minute.within(0...1439, "minute")),
            exceptions: try proto.exception_days.list(
                "exception_days", count: proto.n_exception_days, max: WeeklyTime.exceptionsMax
            ) { (day: Int64) throws(FieldError) in
                guard 0...100_000 ~= day else { throw FieldError("", "must be days since 1970", value: "\(day)") }
                return day
            })
    }
}

extension ChargingRules: ProtoCoded {
    func write(to proto: inout Energy__V1__ChargingRules, _ arena: inout Arena) {
        proto.state_of_charge_min = Int32(clamping: stateOfChargeMin)
        if let priceMax {
            proto._price_max_micros_per_kwh_case =
                ENERGY__V1__CHARGING_RULES___PRICE_MAX_MICROS_PER_KWH_PRICE_MAX_MICROS_PER_KWH
            proto.price_max_micros_per_kwh = priceMax.microsPerKilowattHour
        }
        if let carbonMax {
            proto._carbon_max_g_per_kwh_case = ENERGY__V1__CHARGING_RULES___CARBON_MAX_G_PER_KWH_CARBON_MAX_G_PER_KWH
            proto.carbon_max_g_per_kwh = carbonMax
        }
        (proto.n_absences, proto.absences) = arena.messages(absences)
        proto.priority = Int32(clamping: priority)
        if shape != ChargingShape() { proto.shape = arena.message(shape) }
    }

    init(reading proto: Energy__V1__ChargingRules) throws(FieldError) {
        self.init(
            stateOfChargeMin: Int(proto.state_of_charge_min),
            priceMax: proto._price_max_micros_per_kwh_case.rawValue == 0
                ? nil : try proto.price_max_micros_per_kwh.price("price_max_micros_per_kwh"),
            carbonMax: proto._carbon_max_g_per_kwh_case.rawValue == 0
                ? nil : try proto.carbon_max_g_per_kwh.finite("carbon_max_g_per_kwh"),
            absences: try proto.absences.messages("absences", count: proto.n_absences, max: Absence.countMax),
            priority: Int(proto.priority), shape: try proto.shape.ifPresent("shape") ?? ChargingShape())
    }
}

extension ChargingShape: ProtoCoded {
    func write(to proto: inout Energy__V1__ChargingShape, _ arena: inout Arena) {
        proto.run_min_ms = runMinMilliseconds
        proto.pause_min_ms = pauseMinMilliseconds
        proto.runs_max = UInt32(clamping: runsMax ?? 0)
        proto.prefers_late = (ties == .later).proto
        proto.margin_ms = marginMilliseconds
        proto.precondition_ms = preconditionMilliseconds
        proto.start_cost = startCost
    }

    init(reading proto: Energy__V1__ChargingShape) throws(FieldError) {
        self.init(
            runMinMilliseconds: try proto.run_min_ms.bounded("run_min_ms"),
            pauseMinMilliseconds: try proto.pause_min_ms.bounded("pause_min_ms"),
            runsMax: proto.runs_max == 0 ? nil : Int(try proto.runs_max.within(1...1_000_000, "runs_max")),
            ties: proto.prefers_late == 0 ? .earlier : .later,
            marginMilliseconds: try proto.margin_ms.bounded("margin_ms"),
            preconditionMilliseconds: try proto.precondition_ms.bounded("precondition_ms"),
            startCost: try proto.start_cost.finite("start_cost"))
    }
}

extension Absence: ProtoCoded {
    func write(to proto: inout Energy__V1__Absence, _ arena: inout Arena) {
        switch self {
        case .once(let interval): proto.interval = arena.message(interval)
        case .weekly(let weekdays, let startMinute, let endMinute):
            proto.weekdays = weekdays.rawValue
            proto.start_minute = UInt32(clamping: startMinute)
            proto.end_minute = UInt32(clamping: endMinute)
        }
    }

    init(reading proto: Energy__V1__Absence) throws(FieldError) {
        if let interval: Interval = try proto.interval.ifPresent("interval") {
            self = .once(interval)
            return
        }
        self = .weekly(
            Weekdays(rawValue: try proto.weekdays.within(1...0b111_1111, "weekdays")),
            startMinute: Int(try proto.start_minute.within(0...1439, "start_minute")),
            endMinute: Int(try proto.end_minute.within(0...1440, "end_minute")))
    }
}

extension RulesDraft: ProtoMessage {
    func write(to proto: inout Energy__V1__PutRulesRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID)
        proto.rules = arena.message(rules)
    }

    init(reading proto: Energy__V1__PutRulesRequest) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"), deviceID: try proto.device_id.string("device_id"),
            rules: try proto.rules.required("rules"))
    }
}

extension OverrideRequest: ProtoMessage {
    func write(to proto: inout Energy__V1__OverrideRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID)
        proto.action = action.proto()
    }

    init(reading proto: Energy__V1__OverrideRequest) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"), deviceID: try proto.device_id.string("device_id"),
            action: try proto.action.value("action"))
    }
}
