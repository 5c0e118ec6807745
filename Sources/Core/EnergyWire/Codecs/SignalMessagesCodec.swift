internal import EnergyModel
internal import EnergyProto

extension SignalPush: ProtoMessage {
    func write(to proto: inout Energy__V1__PutSignalsRequest, _ arena: inout Arena) {
        proto.region = arena.string(region)
        proto.source = arena.string(source)
        switch content {
        case .values(let values):
            proto.content_case = ENERGY__V1__PUT_SIGNALS_REQUEST__CONTENT_VALUES
            proto.values = arena.message(values)
        case .openADREvent(let bytes):
            proto.content_case = ENERGY__V1__PUT_SIGNALS_REQUEST__CONTENT_OPENADR_EVENT
            proto.openadr_event = arena.bytes(bytes)
        }
    }

    init(reading proto: Energy__V1__PutSignalsRequest) throws(FieldError) {
        let content: Content =
            switch proto.content_case {
            case ENERGY__V1__PUT_SIGNALS_REQUEST__CONTENT_VALUES: .values(try proto.values.required("values"))
            case ENERGY__V1__PUT_SIGNALS_REQUEST__CONTENT_OPENADR_EVENT: .openADREvent(proto.openadr_event.bytes)
            default: throw FieldError("content", "must be values or openadr_event", value: "absent")
            }
        self.init(
            region: try proto.region.string("region"), source: try proto.source.string("source"), content: content)
    }
}

extension SignalValues: ProtoCoded {
    func write(to proto: inout Energy__V1__SignalValues, _ arena: inout Arena) {
        proto.kind = kind.proto()
        proto.currency = arena.string(currency ?? "")
        (proto.n_values, proto.values) = arena.messages(points.map { Value(point: $0, quantity: kind.quantity) })
        if let issued {
            proto._issued_unix_ms_case = ENERGY__V1__SIGNAL_VALUES___ISSUED_UNIX_MS_ISSUED_UNIX_MS
            proto.issued_unix_ms = issued.unixMilliseconds
        }
    }

    init(reading proto: Energy__V1__SignalValues) throws(FieldError) {
        let values: [Value] = try proto.values.messages("values", count: proto.n_values, max: SignalPush.valuesMax)
        let kind: SignalKind = try proto.kind.value("kind")
        if values.isEmpty { throw FieldError("values", "must have at least one element", value: "none") }
        if values.contains(where: { $0.quantity != kind.quantity }) {
            let field = kind == .price ? "price_micros_per_kwh" : "carbon_g_per_kwh"
            throw FieldError("values", "must have \(field), as their kind says", value: "another")
        }
        self.init(
            kind: kind, currency: try proto.currency.currencyIfPresent("currency"), points: values.map(\.point),
            issued: proto._issued_unix_ms_case.rawValue == 0
                ? nil : try proto.issued_unix_ms.timestamp("issued_unix_ms"))
    }

    /// A value with what it is of, which decides the field that it is in.
    struct Value: ProtoCoded {
        let point: SignalPoint
        let quantity: SignalQuantity
    }
}

extension SignalValues.Value {
    func write(to proto: inout Energy__V1__SignalValue, _ arena: inout Arena) {
        proto.interval = arena.message(point.interval)
        switch quantity {
        case .carbon:
            proto.value_case = ENERGY__V1__SIGNAL_VALUE__VALUE_CARBON_G_PER_KWH
            proto.carbon_g_per_kwh = point.value
        case .price:
            proto.value_case = ENERGY__V1__SIGNAL_VALUE__VALUE_PRICE_MICROS_PER_KWH
            // What is out of range is refused by whoever reads it.
            proto.price_micros_per_kwh = Int64(exactly: point.value.rounded()) ?? .max
        }
        proto.estimated = point.isEstimated.proto
    }

    init(reading proto: Energy__V1__SignalValue) throws(FieldError) {
        let interval: Interval = try proto.interval.required("interval")
        let value: Double
        switch proto.value_case {
        case ENERGY__V1__SIGNAL_VALUE__VALUE_CARBON_G_PER_KWH:
            (value, quantity) = (try proto.carbon_g_per_kwh.finite("carbon_g_per_kwh"), .carbon)
        case ENERGY__V1__SIGNAL_VALUE__VALUE_PRICE_MICROS_PER_KWH:
            (value, quantity) = (Double(try proto.price_micros_per_kwh.bounded("price_micros_per_kwh")), .price)
        default: throw FieldError("value", "must be carbon_g_per_kwh or price_micros_per_kwh", value: "absent")
        }
        point = SignalPoint(interval: interval, value: value, isEstimated: proto.estimated != 0)
    }
}

extension SignalPushResult: ProtoMessage {
    func write(to proto: inout Energy__V1__PutSignalsReply, _ arena: inout Arena) {
        proto.source = arena.string(source)
        proto.values = UInt32(clamping: count)
    }

    init(reading proto: Energy__V1__PutSignalsReply) throws(FieldError) {
        self.init(source: try proto.source.string("source"), count: Int(proto.values))
    }
}

extension SourceList: ProtoMessage {
    func write(to proto: inout Energy__V1__ListSourcesReply, _ arena: inout Arena) {
        (proto.n_sources, proto.sources) = arena.messages(sources)
        (proto.n_regions, proto.regions) = arena.strings(regions)
        (proto.n_offered, proto.offered) = arena.messages(offered)
    }

    init(reading proto: Energy__V1__ListSourcesReply) throws(FieldError) {
        self.init(
            sources: try proto.sources.messages("sources", count: proto.n_sources, max: 10_000),
            regions: try proto.regions.strings("regions", count: proto.n_regions, max: 10_000),
            offered: try proto.offered.messages("offered", count: proto.n_offered, max: 10_000))
    }
}

extension RegionSource: ProtoCoded {
    func write(to proto: inout Energy__V1__SignalSource, _ arena: inout Arena) {
        proto.region = arena.string(region)
        proto.name = arena.string(status.name)
        proto.kind = status.kind.proto()
        proto.currency = arena.string(status.currency ?? "")
        proto.in_use = status.isInUse.proto
        proto.automatic = isAutomatic.proto
        proto.last_error = arena.string(status.lastError ?? "")
        if let newest = status.newestValue {
            proto._newest_unix_ms_case = ENERGY__V1__SIGNAL_SOURCE___NEWEST_UNIX_MS_NEWEST_UNIX_MS
            proto.newest_unix_ms = newest.unixMilliseconds
        }
        if let issued = status.issued {
            proto._issued_unix_ms_case = ENERGY__V1__SIGNAL_SOURCE___ISSUED_UNIX_MS_ISSUED_UNIX_MS
            proto.issued_unix_ms = issued.unixMilliseconds
        }
        if let success = status.lastSuccess {
            proto._last_success_unix_ms_case = ENERGY__V1__SIGNAL_SOURCE___LAST_SUCCESS_UNIX_MS_LAST_SUCCESS_UNIX_MS
            proto.last_success_unix_ms = success.unixMilliseconds
        }
        if let next = status.nextAttempt {
            proto._next_attempt_unix_ms_case = ENERGY__V1__SIGNAL_SOURCE___NEXT_ATTEMPT_UNIX_MS_NEXT_ATTEMPT_UNIX_MS
            proto.next_attempt_unix_ms = next.unixMilliseconds
        }
        if let skew = status.clockSkewMilliseconds {
            proto._clock_skew_ms_case = ENERGY__V1__SIGNAL_SOURCE___CLOCK_SKEW_MS_CLOCK_SKEW_MS
            proto.clock_skew_ms = skew
        }
    }

    init(reading proto: Energy__V1__SignalSource) throws(FieldError) {
        func timestamp(_ present: UInt32, _ value: Int64, _ field: StaticString) throws(FieldError) -> Timestamp? {
            present == 0 ? nil : try value.timestamp(field)
        }
        self.init(
            region: try proto.region.string("region"),
            status: SignalSourceStatus(
                name: try proto.name.string("name"),
                kind: try proto.kind.value("kind"),
                currency: try proto.currency.currencyIfPresent("currency"),
                isInUse: proto.in_use != 0,
                newestValue: try timestamp(
                    proto._newest_unix_ms_case.rawValue, proto.newest_unix_ms, "newest_unix_ms"),
                issued: try timestamp(proto._issued_unix_ms_case.rawValue, proto.issued_unix_ms, "issued_unix_ms"),
                lastSuccess: try timestamp(
                    proto._last_success_unix_ms_case.rawValue, proto.last_success_unix_ms, "last_success_unix_ms"),
                lastError: try proto.last_error.stringIfPresent("last_error"),
                nextAttempt: try timestamp(
                    proto._next_attempt_unix_ms_case.rawValue, proto.next_attempt_unix_ms, "next_attempt_unix_ms"),
                clockSkewMilliseconds: proto._clock_skew_ms_case.rawValue == 0
                    ? nil : try proto.clock_skew_ms.bounded("clock_skew_ms")),
            isAutomatic: proto.automatic != 0)
    }
}
