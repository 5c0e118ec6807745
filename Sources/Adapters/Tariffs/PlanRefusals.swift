internal import EnergyModel

/// Collects what a format cannot hold, so that one refusal names it all.
struct PlanRefusals {
    private let format: TariffFormat
    private var violations: [RuleViolation] = []

    init(_ format: TariffFormat) { self.format = format }

    mutating func add(_ field: String, _ reason: String, _ value: String) {
        violations.append(RuleViolation(field: field, rule: "must be \(reason) for \(format.rawValue)", value: value))
    }

    /// What none of the formats that are evaluated by month or day can hold.
    mutating func addTerms(_ plan: RatePlan, charges: Bool = true, exports: Bool = true) {
        if !plan.holidays.isEmpty { add("holidays", "empty", "\(plan.holidays.count)") }
        if !plan.datedRates.isEmpty { add("dated_rates", "empty", "\(plan.datedRates.count)") }
        if charges, plan.charges != .none {
            add("charges", "none", "\(plan.charges.taxPartsPerMillion) ppm tax and more")
        }
        if exports, !plan.exportZones.isEmpty { add("export_zones", "empty", "\(plan.exportZones.count)") }
        if let source = plan.priceSource { add("price_source", "absent", source) }
        if plan.billingDay != 1, plan.zones.contains(where: { !$0.tiers.isEmpty }) {
            add("billing_day", "1", "\(plan.billingDay)")
        }
    }

    mutating func addTiers(_ zones: [RateZone], name: String = "zones") {
        for (index, zone) in zones.enumerated() where !zone.tiers.isEmpty {
            add("\(name)[\(index)].tiers", "empty", "\(zone.tiers.count)")
        }
    }

    func check() throws(EnergyError) { try EnergyError.check(violations) }
}

extension Price {
    /// In currency units; up to 6 decimals.
    var document: DocumentValue { .number(Double(microsPerKilowattHour) / 1_000_000) }
}
