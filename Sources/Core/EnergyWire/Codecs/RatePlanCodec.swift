internal import EnergyModel
internal import EnergyProto
internal import Foundation

extension RatePlan: ProtoMessage {
    func write(to proto: inout Energy__V1__RatePlan, _ arena: inout Arena) {
        proto.id = arena.string(id)
        proto.name = arena.string(name)
        proto.currency = arena.string(currency)
        proto.time_zone = arena.string(timeZone.identifier)
        (proto.n_zones, proto.zones) = arena.messages(zones)
        proto.changed_unix_ms = changed.unixMilliseconds
    }

    init(reading proto: Energy__V1__RatePlan) throws(FieldError) {
        guard let currency = try proto.currency.currencyIfPresent("currency") else {
            throw FieldError("currency", "must be an ISO 4217 code", value: "empty")
        }
        self.init(
            id: try proto.id.string("id"),
            name: try proto.name.string("name"),
            currency: currency,
            timeZone: try proto.time_zone.timeZone("time_zone"),
            zones: try proto.zones.messages("zones", count: proto.n_zones, max: 200),
            changed: try proto.changed_unix_ms.timestamp("changed_unix_ms"))
    }
}

extension RateZone: ProtoCoded {
    func write(to proto: inout Energy__V1__RateZone, _ arena: inout Arena) {
        proto.price_micros_per_kwh = price.microsPerKilowattHour
        proto.peak = peak.proto()
        proto.weekdays = weekdays
        proto.months = months
        proto.start_minute = UInt32(clamping: startMinute)
        proto.end_minute = UInt32(clamping: endMinute)
    }

    init(reading proto: Energy__V1__RateZone) throws(FieldError) {
        self.init(
            price: try proto.price_micros_per_kwh.price("price_micros_per_kwh"),
            peak: try proto.peak.value("peak", unknown: .unknown),
            weekdays: try proto.weekdays.within(0...0b111_1111, "weekdays"),
            months: try proto.months.within(0...0b1111_1111_1111, "months"),
            startMinute: Int(try proto.start_minute.within(0...1439, "start_minute")),
            endMinute: Int(try proto.end_minute.within(1...1440, "end_minute")))
    }
}

extension RatePlanList: ProtoMessage {
    func write(to proto: inout Energy__V1__ListRatePlansReply, _ arena: inout Arena) {
        (proto.n_rate_plans, proto.rate_plans) = arena.messages(ratePlans)
    }

    init(reading proto: Energy__V1__ListRatePlansReply) throws(FieldError) {
        self.init(ratePlans: try proto.rate_plans.messages("rate_plans", count: proto.n_rate_plans, max: 1_000))
    }
}

/// The request's form of a rate plan.
struct PutRatePlanRequest: ProtoMessage {
    let ratePlan: RatePlan

    func write(to proto: inout Energy__V1__PutRatePlanRequest, _ arena: inout Arena) {
        proto.rate_plan = arena.message(ratePlan)
    }
}

extension PutRatePlanRequest {
    init(reading proto: Energy__V1__PutRatePlanRequest) throws(FieldError) {
        ratePlan = try proto.rate_plan.required("rate_plan")
    }
}
