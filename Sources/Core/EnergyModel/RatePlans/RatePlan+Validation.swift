extension RatePlan {
    public static let zonesMax = 200
    public static let holidaysMax = 100
    public static let datedRatesMax = 1_000
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
        if zones.count > Self.zonesMax || zones.isEmpty && priceSource == nil && datedRates.isEmpty {
            result.append(
                RuleViolation(field: "rate_plan.zones", rule: "must be 1 to 200 zones", value: "\(zones.count)"))
        }
        for (index, zone) in zones.prefix(Self.zonesMax).enumerated() {
            result += zone.violations(field: "rate_plan.zones[\(index)]")
        }
        return result + violationsOfTerms
    }

    /// The plan as it is kept, its names sanitised.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule.
    public func validated() throws(EnergyError) -> RatePlan {
        try EnergyError.check(violations)
        var plan = self
        plan.name = NameRules.sanitized(name)
        for index in plan.zones.indices { plan.zones[index].name = NameRules.sanitized(zones[index].name) }
        for index in plan.exportZones.indices {
            plan.exportZones[index].name = NameRules.sanitized(exportZones[index].name)
        }
        return plan
    }

    /// Everything besides the zones.
    private var violationsOfTerms: [RuleViolation] {
        let tax = charges.taxPartsPerMillion
        let checks: [(isRight: Bool, name: String, rule: String, value: String)] = [
            (holidays.count <= Self.holidaysMax, "holidays", "must be at most 100", "\(holidays.count)"),
            (exportZones.count <= Self.zonesMax, "export_zones", "must be at most 200", "\(exportZones.count)"),
            (datedRates.count <= Self.datedRatesMax, "dated_rates", "must be at most 1,000", "\(datedRates.count)"),
            (
                charges.perKilowattHour.isInBounds, "charge_micros_per_kwh",
                "must be within 10,000 currency units per kWh", "\(charges.perKilowattHour.microsPerKilowattHour)"
            ),
            (0...1_000_000 ~= tax, "tax_ppm", "must be 0 to 1,000,000", "\(tax)"),
            (1...28 ~= billingDay, "billing_day", "must be 1 to 28", "\(billingDay)"),
            (
                Energy.range ~= monthlyEnergy?.milliwattHours ?? 0, "monthly_mwh",
                "must be 0 to \(Energy.range.upperBound)", "\(monthlyEnergy?.milliwattHours ?? 0)"
            ),
            (
                priceSource.map(Self.isSourceName) ?? true, "price_source",
                "must be 1 to 64 ASCII letters, digits, hyphens, underscores, dots or colons",
                NameRules.quoted(priceSource ?? "")
            ),
        ]
        var result = checks.filter { !$0.isRight }.map {
            RuleViolation(field: "rate_plan.\($0.name)", rule: $0.rule, value: $0.value)
        }
        for (index, holiday) in holidays.prefix(Self.holidaysMax).enumerated() where !holiday.rule.isPossible {
            result.append(
                RuleViolation(
                    field: "rate_plan.holidays[\(index)]", rule: "must be a day that some year has",
                    value: holiday.rule.text))
        }
        for (index, zone) in exportZones.prefix(Self.zonesMax).enumerated() {
            let field = "rate_plan.export_zones[\(index)]"
            result += zone.violations(field: field)
            if !zone.tiers.isEmpty {
                result.append(
                    RuleViolation(
                        field: "\(field).tiers", rule: "must be empty: energy that is fed in has no tiers",
                        value: "\(zone.tiers.count)"))
            }
        }
        for (index, rate) in datedRates.prefix(Self.datedRatesMax).enumerated() {
            result += rate.violations(field: "rate_plan.dated_rates[\(index)]")
        }
        return result
    }

    private static func isSourceName(_ name: String) -> Bool {
        1...64 ~= name.utf8.count
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.:".unicodeScalars.contains($0))
            }
    }
}

extension RateZone {
    public static let nameUnitsMax = 100
    public static let tiersMax = 20

    public func violations(field: String) -> [RuleViolation] {
        let amounts = tiers.prefix(Self.tiersMax).map(\.above.milliwattHours)
        let isAscending = (amounts.first ?? 1) > 0 && zip(amounts, amounts.dropFirst()).allSatisfy { $0 < $1 }
        let checks: [(isRight: Bool, name: String, rule: String, value: String)] = [
            (
                price.isInBounds, "price_micros_per_kwh",
                "must be within 10,000 currency units per kWh", "\(price.microsPerKilowattHour)"
            ),
            (weekdays < 1 << 7, "weekdays", "must use bits 0 (Monday) to 6 (Sunday) only", "\(weekdays)"),
            (months < 1 << 12, "months", "must use bits 0 (January) to 11 (December) only", "\(months)"),
            (0...1439 ~= startMinute, "start_minute", "must be 0 to 1439", "\(startMinute)"),
            (1...1440 ~= endMinute, "end_minute", "must be 1 to 1440", "\(endMinute)"),
            (
                name.utf16.count <= Self.nameUnitsMax, "name", "must have at most 100 UTF-16 units",
                "\(name.utf16.count) units"
            ),
            (tiers.count <= Self.tiersMax, "tiers", "must be at most 20", "\(tiers.count)"),
            (
                isAscending, "tiers", "must begin above 0 and ascend by energy",
                amounts.map { "\($0)" }.joined(separator: ", ") + " mWh"
            ),
            (
                tiers.allSatisfy(\.price.isInBounds), "tiers", "must be priced within 10,000 currency units per kWh",
                "out of bounds"
            ),
        ]
        return checks.filter { !$0.isRight }.map {
            RuleViolation(field: "\(field).\($0.name)", rule: $0.rule, value: $0.value)
        }
    }
}

extension DatedRate {
    func violations(field: String) -> [RuleViolation] {
        var result: [RuleViolation] = []
        var prices = [exportPrice]
        switch change {
        case .price(let price): prices.append(price)
        case .multiplier(let permille) where !(0...100_000 ~= permille):
            result.append(
                RuleViolation(field: "\(field).multiplier_permille", rule: "must be 0 to 100,000", value: "\(permille)")
            )
        case .multiplier, nil: break
        }
        for price in prices.compactMap(\.self) where !price.isInBounds {
            result.append(
                RuleViolation(
                    field: "\(field).price_micros_per_kwh", rule: "must be within 10,000 currency units per kWh",
                    value: "\(price.microsPerKilowattHour)"))
        }
        return result
    }
}

extension Holiday.Rule {
    /// Whether some year has the day.
    public var isPossible: Bool {
        switch self {
        case .date(let year, _): 1970...9999 ~= year && Holiday(self).dayNumber(in: Int64(year)) != nil
        case .yearly: true
        case .nthWeekday(let occurrence, let weekday, let month):
            (occurrence == -1 || 1...5 ~= occurrence) && 0...6 ~= weekday && 1...12 ~= month
        case .easter(let days): -100...100 ~= days
        }
    }
}

extension Price {
    var isInBounds: Bool { -RatePlan.priceMicrosMax...RatePlan.priceMicrosMax ~= microsPerKilowattHour }
}
