internal import EnergyModel
internal import EnergyProto

extension GuidanceBasis: ProtoCoded {
    func write(to proto: inout Energy__V1__GuidanceBasis, _ arena: inout Arena) {
        proto.source = arena.string(source)
        proto.kind = kind.proto()
        proto.method = arena.string(method)
        proto.price_weight = priceWeight
        proto.relative_spread = relativeSpread
        proto.data_age_ms = dataAgeMilliseconds
        proto.forecast = isForecast.proto
        proto.currency = arena.string(currency ?? "")
        (proto.n_skipped_sources, proto.skipped_sources) = arena.strings(skippedSources)
        proto.certainty = certainty
        proto.carbon_noise = carbonNoise
        proto.price_relative_spread = priceRelativeSpread
        proto.price_source = arena.string(priceSource ?? "")
        proto.forecast_method = arena.string(forecastMethod ?? "")
        if let forecastSkill { proto.forecast_skill = arena.message(forecastSkill) }
        (proto.n_events, proto.events) = arena.messages(events)
        (proto.n_unpriced, proto.unpriced) = arena.messages(unpriced)
        proto.past_compared = comparesPast.proto
        proto.forecast_ms = forecastMilliseconds
        proto.values_withheld = withholdsValues.proto
        proto.tiered = (tiers != nil).proto
        if case .monthToDate(let energy) = tiers {
            proto._month_to_date_mwh_case = ENERGY__V1__GUIDANCE_BASIS___MONTH_TO_DATE_MWH_MONTH_TO_DATE_MWH
            proto.month_to_date_mwh = energy.milliwattHours
        }
    }

    init(reading proto: Energy__V1__GuidanceBasis) throws(FieldError) {
        var tiers: TierBasis?
        if proto._month_to_date_mwh_case.rawValue != 0 {
            tiers = .monthToDate(try proto.month_to_date_mwh.energy("month_to_date_mwh"))
        } else if proto.tiered != 0 {
            tiers = .first
        }
        self.init(
            source: try proto.source.string("source"),
            kind: try proto.kind.value("kind"),
            method: try proto.method.string("method"),
            priceWeight: try proto.price_weight.finite("price_weight"),
            relativeSpread: try proto.relative_spread.finite("relative_spread"),
            dataAgeMilliseconds: try proto.data_age_ms.bounded("data_age_ms"),
            isForecast: proto.forecast != 0,
            currency: try proto.currency.currencyIfPresent("currency"),
            skippedSources: try proto.skipped_sources.strings(
                "skipped_sources", count: proto.n_skipped_sources, max: 100),
            certainty: try proto.certainty.finite("certainty"),
            carbonNoise: try proto.carbon_noise.finite("carbon_noise"),
            priceRelativeSpread: try proto.price_relative_spread.finite("price_relative_spread"),
            priceSource: try proto.price_source.stringIfPresent("price_source"),
            forecastMethod: try proto.forecast_method.stringIfPresent("forecast_method"),
            forecastSkill: proto.forecast_skill == nil ? nil : try proto.forecast_skill.required("forecast_skill"),
            events: try proto.events.messages("events", count: proto.n_events, max: 1_000),
            withholdsValues: proto.values_withheld != 0,
            tiers: tiers,
            unpriced: try proto.unpriced.messages("unpriced", count: proto.n_unpriced, max: 10_000),
            comparesPast: proto.past_compared != 0,
            forecastMilliseconds: try proto.forecast_ms.bounded("forecast_ms"))
    }
}

extension ForecastSkill: ProtoCoded {
    func write(to proto: inout Energy__V1__ForecastSkill, _ arena: inout Arena) {
        proto.issues = UInt32(clamping: issues)
        proto.rank_correlation = rankCorrelation
        proto.captured_share = capturedShare
        proto.relative_error = relativeError
        proto.absolute_error = absoluteError
    }

    init(reading proto: Energy__V1__ForecastSkill) throws(FieldError) {
        self.init(
            issues: Int(proto.issues),
            rankCorrelation: try proto.rank_correlation.finite("rank_correlation"),
            capturedShare: try proto.captured_share.finite("captured_share"),
            relativeError: try proto.relative_error.finite("relative_error"),
            absoluteError: try proto.absolute_error.finite("absolute_error"))
    }
}
