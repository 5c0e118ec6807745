internal import EnergyModel
internal import EnergyProto

extension GoalPreview: ProtoMessage {
    func write(to proto: inout Energy__V1__GoalPreview, _ arena: inout Arena) {
        proto.planned = arena.message(planned)
        proto.at_once = arena.message(atOnce)
        proto.best = arena.message(best)
        proto.currency = arena.string(currency ?? "")
    }

    init(reading proto: Energy__V1__GoalPreview) throws(FieldError) {
        self.init(
            planned: try proto.planned.required("planned"), atOnce: try proto.at_once.required("at_once"),
            best: try proto.best.required("best"), currency: try proto.currency.currencyIfPresent("currency"))
    }
}

extension GoalPreview.Course: ProtoCoded {
    func write(to proto: inout Energy__V1__PreviewCourse, _ arena: inout Arena) {
        (proto.n_blocks, proto.blocks) = arena.messages(blocks)
        proto.planned_mwh = planned.milliwattHours
        proto.missing_mwh = missing.milliwattHours
        if let costMicros {
            proto._cost_micros_case = ENERGY__V1__PREVIEW_COURSE___COST_MICROS_COST_MICROS
            proto.cost_micros = costMicros
        }
        if let carbonGrams {
            proto._carbon_g_case = ENERGY__V1__PREVIEW_COURSE___CARBON_G_CARBON_G
            proto.carbon_g = carbonGrams
        }
        proto.rating = rating
        proto.explanation = arena.string(explanation)
    }

    init(reading proto: Energy__V1__PreviewCourse) throws(FieldError) {
        self.init(
            blocks: try proto.blocks.messages("blocks", count: proto.n_blocks, max: 10_000),
            planned: try proto.planned_mwh.energy("planned_mwh"),
            missing: try proto.missing_mwh.energy("missing_mwh"),
            costMicros: proto._cost_micros_case.rawValue == 0 ? nil : try proto.cost_micros.bounded("cost_micros"),
            carbonGrams: proto._carbon_g_case.rawValue == 0 ? nil : try proto.carbon_g.finite("carbon_g"),
            rating: try proto.rating.finite("rating"),
            explanation: try proto.explanation.string("explanation"))
    }
}
