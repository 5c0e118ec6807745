internal import EnergyModel
internal import EnergyProto

extension InsightQuery: ProtoMessage {
    func write(to proto: inout Energy__V1__InsightQuery, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID ?? "")
        proto.range = arena.message(range)
        proto.granularity = granularity.proto()
        proto.direction = direction.proto()
        proto.by_cleanliness = byCleanliness.proto
        proto.by_tariff = byTariff.proto
        proto.exact_range = exactRange.proto
        if let deviceKind { proto.device_type = deviceKind.proto() }
        if grouping != .venue { proto.grouping = grouping.proto() }
        proto.by_band = byBand.proto
    }

    init(reading proto: Energy__V1__InsightQuery) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"),
            deviceID: try proto.device_id.deviceIDIfPresent("device_id"),
            deviceKind: try proto.device_type.valueIfPresent("device_type"),
            grouping: try proto.grouping.valueIfPresent("grouping") ?? .venue,
            range: try proto.range.required("range"),
            granularity: try proto.granularity.value("granularity"),
            direction: try proto.direction.value("direction"),
            byCleanliness: proto.by_cleanliness != 0,
            byTariff: proto.by_tariff != 0,
            byBand: proto.by_band != 0,
            exactRange: proto.exact_range != 0)
    }
}

extension InsightAmount: ProtoCoded {
    func write(to proto: inout Energy__V1__InsightAmount, _ arena: inout Arena) {
        proto.energy_mwh = energy.milliwattHours
        proto.runtime_ms = runtimeMilliseconds
        guard weightedRuntimeMilliseconds != runtimeMilliseconds else { return }
        proto._weighted_runtime_ms_case = ENERGY__V1__INSIGHT_AMOUNT___WEIGHTED_RUNTIME_MS_WEIGHTED_RUNTIME_MS
        proto.weighted_runtime_ms = weightedRuntimeMilliseconds
    }

    init(reading proto: Energy__V1__InsightAmount) throws(FieldError) {
        self.init(
            energy: try proto.energy_mwh.energy("energy_mwh"),
            runtimeMilliseconds: try proto.runtime_ms.bounded("runtime_ms"),
            weightedRuntimeMilliseconds: proto._weighted_runtime_ms_case.rawValue == 0
                ? nil : try proto.weighted_runtime_ms.bounded("weighted_runtime_ms"))
    }
}

extension InsightRecord: ProtoCoded {
    func write(to proto: inout Energy__V1__InsightRecord, _ arena: inout Arena) {
        proto.interval = arena.message(interval)
        proto.total = arena.message(total)
        if let byCleanliness { proto.by_cleanliness = arena.message(InsightSplit(amounts: byCleanliness)) }
        if let byTariff { proto.by_tariff = arena.message(InsightSplit(amounts: byTariff)) }
        if let byBand { proto.by_band = arena.message(InsightSplit(amounts: byBand)) }
        if let deviceID { proto.device_id = arena.string(deviceID) }
        if let deviceKind { proto.device_type = deviceKind.proto() }
        if worth != .none { proto.worth = arena.message(worth) }
    }

    init(reading proto: Energy__V1__InsightRecord) throws(FieldError) {
        let byCleanliness: InsightSplit<Cleanliness>? = try proto.by_cleanliness.ifPresent("by_cleanliness")
        let byTariff: InsightSplit<TariffPeak>? = try proto.by_tariff.ifPresent("by_tariff")
        let byBand: InsightSplit<RatingBand>? = try proto.by_band.ifPresent("by_band")
        self.init(
            interval: try proto.interval.required("interval"),
            deviceID: try proto.device_id.stringIfPresent("device_id"),
            deviceKind: try proto.device_type.valueIfPresent("device_type"),
            total: try proto.total.ifPresent("total") ?? .zero,
            worth: try proto.worth.ifPresent("worth") ?? .none,
            byCleanliness: byCleanliness?.amounts,
            byTariff: byTariff?.amounts,
            byBand: byBand?.amounts)
    }
}

extension InsightWorth: ProtoCoded {
    func write(to proto: inout Energy__V1__InsightWorth, _ arena: inout Arena) {
        (proto.n_costs, proto.costs) = arena.messages(costs)
        proto.priced_energy_mwh = pricedEnergy.milliwattHours
        (proto.n_carbon, proto.carbon) = arena.messages(carbon)
    }

    init(reading proto: Energy__V1__InsightWorth) throws(FieldError) {
        self.init(
            costs: try proto.costs.messages("costs", count: proto.n_costs, max: 200),
            pricedEnergy: try proto.priced_energy_mwh.energy("priced_energy_mwh"),
            carbon: try proto.carbon.messages("carbon", count: proto.n_carbon, max: SignalKind.allCases.count))
    }
}

extension Money: ProtoCoded {
    func write(to proto: inout Energy__V1__Money, _ arena: inout Arena) {
        proto.micros = micros
        proto.currency = arena.string(currency)
    }

    init(reading proto: Energy__V1__Money) throws(FieldError) {
        guard let currency = try proto.currency.currencyIfPresent("currency") else {
            throw FieldError("currency", "must be present", value: "absent")
        }
        self.init(micros: try proto.micros.bounded("micros"), currency: currency)
    }
}

extension CarbonMass: ProtoCoded {
    func write(to proto: inout Energy__V1__CarbonMass, _ arena: inout Arena) {
        proto.milligrams = milligrams
        proto.kind = kind.proto()
        proto.energy_mwh = energy.milliwattHours
    }

    init(reading proto: Energy__V1__CarbonMass) throws(FieldError) {
        self.init(
            milligrams: try proto.milligrams.bounded("milligrams"), kind: try proto.kind.value("kind"),
            energy: try proto.energy_mwh.energy("energy_mwh"))
    }
}

extension InsightPage: ProtoMessage {
    func write(to proto: inout Energy__V1__InsightPage, _ arena: inout Arena) {
        (proto.n_records, proto.records) = arena.messages(records)
        (proto.n_applied, proto.applied) = arena.messages(applied)
    }

    init(reading proto: Energy__V1__InsightPage) throws(FieldError) {
        self.init(
            records: try proto.records.messages("records", count: proto.n_records, max: 10_000),
            applied: try proto.applied.messages("applied", count: proto.n_applied, max: LogPartition.count))
    }
}

extension InsightChange: ProtoMessage {
    func write(to proto: inout Energy__V1__InsightChange, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID)
        proto.interval = arena.message(interval)
    }

    init(reading proto: Energy__V1__InsightChange) throws(FieldError) {
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"),
            deviceID: try proto.device_id.string("device_id"),
            interval: try proto.interval.required("interval"))
    }
}
