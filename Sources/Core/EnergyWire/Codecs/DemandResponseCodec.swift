internal import EnergyModel
internal import EnergyProto

extension DemandResponseEvent: ProtoMessage {
    func write(to proto: inout Energy__V1__DemandResponseEvent, _ arena: inout Arena) {
        proto.id = arena.uuid(id)
        proto.kind = kind.proto()
        switch scope {
        case .venue(let id): proto.venue_id = arena.uuid(id)
        case .region(let region): proto.region = arena.string(region)
        case .all: break
        }
        proto.interval = arena.message(interval)
        proto.reason = arena.string(reason)
        if let price {
            proto._price_micros_per_kwh_case =
                ENERGY__V1__DEMAND_RESPONSE_EVENT___PRICE_MICROS_PER_KWH_PRICE_MICROS_PER_KWH
            proto.price_micros_per_kwh = price.microsPerKilowattHour
        }
        proto.currency = arena.string(currency ?? "")
        proto.declared_unix_ms = declared.unixMilliseconds
        proto.cancelled_unix_ms = cancelled?.unixMilliseconds ?? 0
        proto.source = arena.string(source)
    }

    init(reading proto: Energy__V1__DemandResponseEvent) throws(FieldError) {
        let scope: Scope
        switch (try proto.venue_id.uuidIfPresent("venue_id"), try proto.region.stringIfPresent("region")) {
        case (let id?, nil): scope = .venue(id)
        case (nil, let region?): scope = .region(region)
        case (nil, nil): scope = .all
        case (_?, let region?): throw FieldError("region", "must be absent with venue_id", value: region)
        }
        let cancelled = try proto.cancelled_unix_ms.timestamp("cancelled_unix_ms")
        self.init(
            id: try proto.id.uuid("id"),
            kind: try proto.kind.value("kind"),
            scope: scope,
            interval: try proto.interval.required("interval"),
            reason: try proto.reason.string("reason"),
            price: proto._price_micros_per_kwh_case.rawValue == 0
                ? nil : try proto.price_micros_per_kwh.price("price_micros_per_kwh"),
            currency: try proto.currency.currencyIfPresent("currency"),
            declared: try proto.declared_unix_ms.timestamp("declared_unix_ms"),
            cancelled: cancelled.unixMilliseconds == 0 ? nil : cancelled,
            source: try proto.source.string("source"))
    }
}

/// The request's form of an event.
struct PutDemandResponseRequest: ProtoMessage {
    let event: DemandResponseEvent

    func write(to proto: inout Energy__V1__PutDemandResponseRequest, _ arena: inout Arena) {
        proto.event = arena.message(event)
    }
}

extension PutDemandResponseRequest {
    init(reading proto: Energy__V1__PutDemandResponseRequest) throws(FieldError) {
        event = try proto.event.required("event")
    }
}

extension DemandResponseFilter: ProtoMessage {
    func write(to proto: inout Energy__V1__ListDemandResponseRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.include_past = includesPast.proto
    }

    init(reading proto: Energy__V1__ListDemandResponseRequest) throws(FieldError) {
        self.init(venueID: try proto.venue_id.uuidIfPresent("venue_id"), includesPast: proto.include_past != 0)
    }
}

extension DemandResponseList: ProtoMessage {
    func write(to proto: inout Energy__V1__ListDemandResponseReply, _ arena: inout Arena) {
        (proto.n_events, proto.events) = arena.messages(events)
    }

    init(reading proto: Energy__V1__ListDemandResponseReply) throws(FieldError) {
        self.init(events: try proto.events.messages("events", count: proto.n_events, max: 10_000))
    }
}

extension DemandResponseReference: ProtoMessage {
    func write(to proto: inout Energy__V1__CancelDemandResponseRequest, _ arena: inout Arena) {
        proto.id = arena.uuid(id)
    }

    init(reading proto: Energy__V1__CancelDemandResponseRequest) throws(FieldError) {
        self.init(id: try proto.id.uuid("id"))
    }
}
