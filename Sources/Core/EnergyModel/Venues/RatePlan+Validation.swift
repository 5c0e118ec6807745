extension RatePlan {
    public static let zonesMax = 200
    /// 10,000 currency units per kWh, either way: above any spike in any currency that people pay in.
    public static let priceMicrosMax: Int64 = 10_000_000_000

    public var violations: [RuleViolation] {
        var result = [
            NameRules.violation(ofIdentifier: id, field: "rate_plan.id"),
            NameRules.violation(ofName: name, field: "rate_plan.name"),
            timeZone.violation(field: "rate_plan.time_zone"),
        ].compactMap(\.self)
        if currency.utf8.count != 3 || !currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= $0 }) {
            result.append(
                RuleViolation(
                    field: "rate_plan.currency", rule: "must be an ISO 4217 code like USD",
                    value: NameRules.quoted(currency)))
        }
        if !(1...Self.zonesMax ~= zones.count) {
            result.append(
                RuleViolation(field: "rate_plan.zones", rule: "must be 1 to 200 zones", value: "\(zones.count)"))
        }
        for (index, zone) in zones.prefix(Self.zonesMax).enumerated() {
            result += zone.violations(field: "rate_plan.zones[\(index)]")
        }
        return result
    }

    /// The plan as it is kept, its name sanitised.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule.
    public func validated() throws(EnergyError) -> RatePlan {
        try EnergyError.check(violations)
        var plan = self
        plan.name = NameRules.sanitized(name)
        return plan
    }
}

extension RateZone {
    func violations(field: String) -> [RuleViolation] {
        let micros = price.microsPerKilowattHour
        let checks: [(isRight: Bool, name: String, rule: String, value: String)] = [
            (
                -RatePlan.priceMicrosMax...RatePlan.priceMicrosMax ~= micros, "price_micros_per_kwh",
                "must be within 10,000 currency units per kWh", "\(micros)"
            ),
            (weekdays < 1 << 7, "weekdays", "must use bits 0 (Monday) to 6 (Sunday) only", "\(weekdays)"),
            (months < 1 << 12, "months", "must use bits 0 (January) to 11 (December) only", "\(months)"),
            (0...1439 ~= startMinute, "start_minute", "must be 0 to 1439", "\(startMinute)"),
            (1...1440 ~= endMinute, "end_minute", "must be 1 to 1440", "\(endMinute)"),
        ]
        return checks.filter { !$0.isRight }.map {
            RuleViolation(field: "\(field).\($0.name)", rule: $0.rule, value: $0.value)
        }
    }
}
