internal import EnergyModel
internal import EnergyProto

extension SignalHistoryRequest: ProtoMessage {
    func write(to proto: inout Energy__V1__SignalHistoryRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.interval = arena.message(interval)
        proto.corrected = isCorrected.proto
    }

    init(reading proto: Energy__V1__SignalHistoryRequest) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"), interval: try proto.interval.required("interval"),
            isCorrected: proto.corrected != 0)
    }
}

extension SignalHistory: ProtoMessage {
    func write(to proto: inout Energy__V1__SignalHistoryReply, _ arena: inout Arena) {
        (proto.n_intervals, proto.intervals) = arena.messages(intervals)
    }

    init(reading proto: Energy__V1__SignalHistoryReply) throws(FieldError) {
        // 31 days of 5 minutes are 8,928.
        self.init(intervals: try proto.intervals.messages("intervals", count: proto.n_intervals, max: 10_000))
    }
}

extension SignalInterval: ProtoCoded {
    func write(to proto: inout Energy__V1__SignalInterval, _ arena: inout Arena) {
        proto.interval = arena.message(interval)
        if let carbonIntensity {
            proto._carbon_g_per_kwh_case = ENERGY__V1__SIGNAL_INTERVAL___CARBON_G_PER_KWH_CARBON_G_PER_KWH
            proto.carbon_g_per_kwh = carbonIntensity
        }
        proto.kind = kind.proto()
        if let price {
            proto._price_micros_per_kwh_case = ENERGY__V1__SIGNAL_INTERVAL___PRICE_MICROS_PER_KWH_PRICE_MICROS_PER_KWH
            proto.price_micros_per_kwh = price.microsPerKilowattHour
        }
        proto.currency = arena.string(currency ?? "")
        proto.cleanliness = cleanliness.proto()
        proto.peak = peak.proto()
        proto.estimated = isEstimated.proto
        proto.source = arena.string(source)
        proto.peak_derived = isPeakDerived.proto
        proto.usual = isUsual.proto
        if let exportPrice {
            proto._export_price_micros_per_kwh_case =
                ENERGY__V1__SIGNAL_INTERVAL___EXPORT_PRICE_MICROS_PER_KWH_EXPORT_PRICE_MICROS_PER_KWH
            proto.export_price_micros_per_kwh = exportPrice.microsPerKilowattHour
        }
    }

    init(reading proto: Energy__V1__SignalInterval) throws(FieldError) {
        self.init(
            interval: try proto.interval.required("interval"),
            carbonIntensity: proto._carbon_g_per_kwh_case.rawValue == 0
                ? nil : try proto.carbon_g_per_kwh.finite("carbon_g_per_kwh"),
            kind: try proto.kind.value("kind"),
            price: proto._price_micros_per_kwh_case.rawValue == 0
                ? nil : try proto.price_micros_per_kwh.price("price_micros_per_kwh"),
            currency: try proto.currency.currencyIfPresent("currency"),
            cleanliness: try proto.cleanliness.value("cleanliness", unknown: .unknown),
            peak: try proto.peak.value("peak", unknown: .unknown),
            isEstimated: proto.estimated != 0,
            source: try proto.source.string("source"),
            isPeakDerived: proto.peak_derived != 0,
            exportPrice: proto._export_price_micros_per_kwh_case.rawValue == 0
                ? nil : try proto.export_price_micros_per_kwh.price("export_price_micros_per_kwh"),
            isUsual: proto.usual != 0)
    }
}
