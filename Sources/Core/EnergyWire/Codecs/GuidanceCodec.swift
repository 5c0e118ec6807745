internal import EnergyModel
internal import EnergyProto

extension Guidance: ProtoMessage {
    func write(to proto: inout Energy__V1__ElectricityGuidance, _ arena: inout Arena) {
        proto.token = arena.uuid(token)
        proto.venue_id = arena.uuid(venueID)
        proto.action = action.proto()
        proto.interval = arena.message(interval)
        (proto.n_values, proto.values) = arena.messages(values)
        proto.location_has_rate_plan = locationHasRatePlan.proto
        proto.incorporates_rate_plan = incorporatesRatePlan.proto
        proto.issued_unix_ms = issued.unixMilliseconds
        proto.basis = arena.message(basis)
    }

    init(reading proto: Energy__V1__ElectricityGuidance) throws(FieldError) {
        self.init(
            token: try proto.token.uuid("token"),
            venueID: try proto.venue_id.uuid("venue_id"),
            action: try proto.action.value("action"),
            interval: try proto.interval.required("interval"),
            values: try proto.values.messages("values", count: proto.n_values, max: 10_000),
            locationHasRatePlan: proto.location_has_rate_plan != 0,
            incorporatesRatePlan: proto.incorporates_rate_plan != 0,
            issued: try proto.issued_unix_ms.timestamp("issued_unix_ms"),
            basis: try proto.basis.required("basis"))
    }
}

extension GuidanceValue: ProtoCoded {
    func write(to proto: inout Energy__V1__GuidanceValue, _ arena: inout Arena) {
        proto.interval = arena.message(interval)
        proto.rating = rating
        if let carbonIntensity {
            proto._carbon_g_per_kwh_case = ENERGY__V1__GUIDANCE_VALUE___CARBON_G_PER_KWH_CARBON_G_PER_KWH
            proto.carbon_g_per_kwh = carbonIntensity
        }
        if let price {
            proto._price_micros_per_kwh_case = ENERGY__V1__GUIDANCE_VALUE___PRICE_MICROS_PER_KWH_PRICE_MICROS_PER_KWH
            proto.price_micros_per_kwh = price.microsPerKilowattHour
        }
        proto.peak = peak.proto()
        proto.peak_derived = isPeakDerived.proto
        if let exportPrice {
            proto._export_price_micros_per_kwh_case =
                ENERGY__V1__GUIDANCE_VALUE___EXPORT_PRICE_MICROS_PER_KWH_EXPORT_PRICE_MICROS_PER_KWH
            proto.export_price_micros_per_kwh = exportPrice.microsPerKilowattHour
        }
    }

    init(reading proto: Energy__V1__GuidanceValue) throws(FieldError) {
        self.init(
            interval: try proto.interval.required("interval"),
            rating: try proto.rating.finite("rating"),
            carbonIntensity: proto._carbon_g_per_kwh_case.rawValue == 0
                ? nil : try proto.carbon_g_per_kwh.finite("carbon_g_per_kwh"),
            price: proto._price_micros_per_kwh_case.rawValue == 0
                ? nil : try proto.price_micros_per_kwh.price("price_micros_per_kwh"),
            peak: try proto.peak.value("peak", unknown: .unknown),
            isPeakDerived: proto.peak_derived != 0,
            exportPrice: proto._export_price_micros_per_kwh_case.rawValue == 0
                ? nil : try proto.export_price_micros_per_kwh.price("export_price_micros_per_kwh"))
    }
}

extension GuidanceRequest: ProtoMessage {
    func write(to proto: inout Energy__V1__GuidanceRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.action = action.proto()
    }

    init(reading proto: Energy__V1__GuidanceRequest) throws(FieldError) {
        self.init(venueID: try proto.venue_id.uuid("venue_id"), action: try proto.action.value("action"))
    }
}

extension TokenReference: ProtoMessage {
    func write(to proto: inout Energy__V1__ResolveTokenRequest, _ arena: inout Arena) {
        proto.token = arena.uuid(token)
    }

    init(reading proto: Energy__V1__ResolveTokenRequest) throws(FieldError) {
        self.init(token: try proto.token.uuid("token"))
    }
}

extension ResolvedToken: ProtoMessage {
    func write(to proto: inout Energy__V1__ResolvedToken, _ arena: inout Arena) {
        proto.token = arena.uuid(token)
        proto.venue_id = arena.uuid(venueID)
        proto.action = action.proto()
        proto.issued_unix_ms = issued.unixMilliseconds
        (proto.n_principals, proto.principals) = arena.strings(principals)
    }

    init(reading proto: Energy__V1__ResolvedToken) throws(FieldError) {
        self.init(
            token: try proto.token.uuid("token"),
            venueID: try proto.venue_id.uuid("venue_id"),
            action: try proto.action.value("action"),
            issued: try proto.issued_unix_ms.timestamp("issued_unix_ms"),
            principals: try proto.principals.strings("principals", count: proto.n_principals, max: 1_000))
    }
}
