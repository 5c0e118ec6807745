internal import EnergyModel
internal import EnergyWire

/// What somebody typed of a contract that passes on a market's prices.
struct MarketInput: Hashable, Sendable {
    /// As the service names it; may be empty where there is one.
    var source = ""
    /// Per kWh, on top; empty is none.
    var surcharge = ""
    /// Percent of the sum; empty is none.
    var tax = ""

    init() {}

    /// - Returns: `nil` for a contract that is more than a market's prices and fixed charges.
    init?(_ plan: RatePlan) {
        guard let source = plan.priceSource, plan.zones.isEmpty, plan.exportZones.isEmpty, plan.datedRates.isEmpty
        else { return nil }
        self.source = source
        surcharge = FormText.text(Double(plan.charges.perKilowattHour.microsPerKilowattHour) / 1_000_000)
        tax = FormText.text(Double(plan.charges.taxPartsPerMillion) / 10_000)
    }

    init(_ request: PageRequest) {
        source = FormText.line(request, "price-source")
        surcharge = FormText.line(request, "surcharge")
        tax = FormText.line(request, "tax")
    }

    /// - Returns: `nil` while something is wrong.
    func terms(
        among markets: [RegionSource], _ language: Language, _ problems: inout FormProblems
    ) -> (source: String, currency: String, charges: RateCharges)? {
        let market = markets.first { $0.status.name == source }?.status
        let extra = surcharge.isEmpty ? 0 : FormText.number(surcharge, in: -10_000...10_000)
        let share = tax.isEmpty ? 0 : FormText.number(tax, in: 0...100)
        if market == nil { problems["price-source"] = language(.planChoiceNone) }
        if extra == nil { problems["surcharge"] = language(.mustBePrice) }
        if share == nil { problems["tax"] = language(.mustBeNumber, language(.planTax), "0", "100") }
        guard let market, let currency = market.currency, let extra, let share else { return nil }
        let charges = RateCharges(
            perKilowattHour: Price(microsPerKilowattHour: Int64((extra * 1_000_000).rounded())),
            taxPartsPerMillion: Int64((share * 10_000).rounded()))
        return (market.name, currency, charges)
    }

    @HTMLBuilder func fields(_ markets: [RegionSource], _ language: Language, _ problems: FormProblems) -> HTML {
        Form.select(
            "price-source", language(.planSource),
            [("", language(.planChoiceNone))]
                + markets.map { ($0.status.name, "\($0.status.name), \($0.status.currency ?? "")") }, chosen: source,
            hint: markets.isEmpty ? language(.planSourceNone) : nil, error: problems["price-source"])
        Form.number(
            "surcharge", language(.planSurcharge), value: surcharge, hint: language(.planSurchargeHint),
            error: problems["surcharge"])
        Form.number("tax", language(.planTax), value: tax, hint: language(.planTaxHint), error: problems["tax"])
    }
}
