internal import EnergyModel
internal import EnergyProto

extension RateZone: ProtoCoded {
    func write(to proto: inout Energy__V1__RateZone, _ arena: inout Arena) {
        proto.price_micros_per_kwh = price.microsPerKilowattHour
        proto.peak = peak.proto()
        proto.weekdays = weekdays
        proto.months = months
        proto.start_minute = UInt32(clamping: startMinute)
        proto.end_minute = UInt32(clamping: endMinute)
        proto.name = arena.string(name)
        if let season { proto.season = arena.message(season) }
        (proto.n_tiers, proto.tiers) = arena.messages(tiers)
        proto.peak_derived = isPeakDerived.proto
    }

    init(reading proto: Energy__V1__RateZone) throws(FieldError) {
        self.init(
            name: try proto.name.string("name"),
            price: try proto.price_micros_per_kwh.price("price_micros_per_kwh"),
            tiers: try proto.tiers.messages("tiers", count: proto.n_tiers, max: RateZone.tiersMax),
            peak: try proto.peak.value("peak", unknown: .unknown),
            isPeakDerived: proto.peak_derived != 0,
            weekdays: try proto.weekdays.within(0...0b111_1111, "weekdays"),
            months: try proto.months.within(0...0b1111_1111_1111, "months"),
            season: try proto.season.ifPresent("season"),
            startMinute: Int(try proto.start_minute.within(0...1439, "start_minute")),
            endMinute: Int(try proto.end_minute.within(1...1440, "end_minute")))
    }
}

extension RateTier: ProtoCoded {
    func write(to proto: inout Energy__V1__RateTier, _ arena: inout Arena) {
        proto.above_mwh = above.milliwattHours
        proto.price_micros_per_kwh = price.microsPerKilowattHour
    }

    init(reading proto: Energy__V1__RateTier) throws(FieldError) {
        self.init(
            above: try proto.above_mwh.energy("above_mwh"),
            price: try proto.price_micros_per_kwh.price("price_micros_per_kwh"))
    }
}

extension Season: ProtoCoded {
    func write(to proto: inout Energy__V1__Season, _ arena: inout Arena) {
        proto.first_month = UInt32(clamping: first.month)
        proto.first_day = UInt32(clamping: first.day)
        proto.last_month = UInt32(clamping: last.month)
        proto.last_day = UInt32(clamping: last.day)
    }

    init(reading proto: Energy__V1__Season) throws(FieldError) {
        self.init(
            first: try Day(proto.first_month, proto.first_day, "first_day"),
            last: try Day(proto.last_month, proto.last_day, "last_day"))
    }
}

extension Season.Day {
    init(_ month: UInt32, _ day: UInt32, _ field: StaticString) throws(FieldError) {
        guard let value = Season.Day(month: Int(month), day: Int(day)) else {
            throw FieldError(field, "must be a day that some year has, with its month", value: "\(month)-\(day)")
        }
        self = value
    }
}

extension DatedRate: ProtoCoded {
    func write(to proto: inout Energy__V1__DatedRate, _ arena: inout Arena) {
        proto.interval = arena.message(interval)
        switch change {
        case .price(let price):
            proto.change_case = ENERGY__V1__DATED_RATE__CHANGE_PRICE_MICROS_PER_KWH
            proto.price_micros_per_kwh = price.microsPerKilowattHour
        case .multiplier(let permille):
            proto.change_case = ENERGY__V1__DATED_RATE__CHANGE_MULTIPLIER_PERMILLE
            proto.multiplier_permille = UInt32(clamping: permille)
        case nil: break
        }
        if let exportPrice {
            proto._export_price_micros_per_kwh_case =
                ENERGY__V1__DATED_RATE___EXPORT_PRICE_MICROS_PER_KWH_EXPORT_PRICE_MICROS_PER_KWH
            proto.export_price_micros_per_kwh = exportPrice.microsPerKilowattHour
        }
        proto.peak = peak.proto()
    }

    init(reading proto: Energy__V1__DatedRate) throws(FieldError) {
        let change: Change?
        switch proto.change_case {
        case ENERGY__V1__DATED_RATE__CHANGE_PRICE_MICROS_PER_KWH:
            change = .price(try proto.price_micros_per_kwh.price("price_micros_per_kwh"))
        case ENERGY__V1__DATED_RATE__CHANGE_MULTIPLIER_PERMILLE:
            let permille = try proto.multiplier_permille.within(0...100_000, "multiplier_permille")
            change = .multiplier(permille: Int64(permille))
        default: change = nil
        }
        self.init(
            interval: try proto.interval.required("interval"),
            change: change,
            exportPrice: proto._export_price_micros_per_kwh_case.rawValue == 0
                ? nil : try proto.export_price_micros_per_kwh.price("export_price_micros_per_kwh"),
            peak: try proto.peak.value("peak", unknown: .unknown))
    }
}
