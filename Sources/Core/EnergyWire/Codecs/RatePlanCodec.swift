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
        (proto.n_holidays, proto.holidays) = arena.messages(holidays)
        (proto.n_export_zones, proto.export_zones) = arena.messages(exportZones)
        (proto.n_dated_rates, proto.dated_rates) = arena.messages(datedRates)
        proto.charge_micros_per_kwh = charges.perKilowattHour.microsPerKilowattHour
        proto.tax_ppm = UInt32(clamping: charges.taxPartsPerMillion)
        proto.price_source = arena.string(priceSource ?? "")
        proto.billing_day = UInt32(clamping: billingDay)
        if let monthlyEnergy {
            proto._monthly_mwh_case = ENERGY__V1__RATE_PLAN___MONTHLY_MWH_MONTHLY_MWH
            proto.monthly_mwh = monthlyEnergy.milliwattHours
        }
        proto.removed_unix_ms = removed?.unixMilliseconds ?? 0
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
            zones: try proto.zones.messages("zones", count: proto.n_zones, max: RatePlan.zonesMax),
            holidays: try proto.holidays.messages("holidays", count: proto.n_holidays, max: RatePlan.holidaysMax),
            exportZones: try proto.export_zones.messages(
                "export_zones", count: proto.n_export_zones, max: RatePlan.zonesMax),
            datedRates: try proto.dated_rates.messages(
                "dated_rates", count: proto.n_dated_rates, max: RatePlan.datedRatesMax),
            charges: RateCharges(
                perKilowattHour: try proto.charge_micros_per_kwh.price("charge_micros_per_kwh"),
                taxPartsPerMillion: Int64(try proto.tax_ppm.within(0...1_000_000, "tax_ppm"))),
            priceSource: try proto.price_source.stringIfPresent("price_source"),
            // A program that knows no tiers says no day.
            billingDay: max(1, Int(try proto.billing_day.within(0...28, "billing_day"))),
            monthlyEnergy: proto._monthly_mwh_case.rawValue == 0
                ? nil : try proto.monthly_mwh.energy("monthly_mwh"),
            changed: try proto.changed_unix_ms.timestamp("changed_unix_ms"),
            removed: proto.removed_unix_ms == 0 ? nil : try proto.removed_unix_ms.timestamp("removed_unix_ms"))
    }
}

extension RatePlanList: ProtoMessage {
    func write(to proto: inout Energy__V1__ListRatePlansReply, _ arena: inout Arena) {
        (proto.n_rate_plans, proto.rate_plans) = arena.messages(ratePlans)
    }

    init(reading proto: Energy__V1__ListRatePlansReply) throws(FieldError) {
        self.init(ratePlans: try proto.rate_plans.messages("rate_plans", count: proto.n_rate_plans, max: 10_000))
    }
}

extension RatePlanRemoval: ProtoMessage {
    func write(to proto: inout Energy__V1__RemoveRatePlanRequest, _ arena: inout Arena) { proto.id = arena.string(id) }

    init(reading proto: Energy__V1__RemoveRatePlanRequest) throws(FieldError) {
        self.init(id: try proto.id.string("id"))
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
