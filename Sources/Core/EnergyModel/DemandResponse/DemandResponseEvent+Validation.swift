internal import Foundation

extension DemandResponseEvent {
    public static let millisecondsMax: Int64 = 7 * .millisecondsPerDay
    public static let reasonUnitsMax = 250

    public var violations: [RuleViolation] {
        var result: [RuleViolation] = []
        func add(_ name: String, _ rule: String, _ value: String) {
            result.append(RuleViolation(field: "event.\(name)", rule: rule, value: value))
        }
        if interval.milliseconds > Self.millisecondsMax {
            add("interval", "must be at most 7 days", "\(interval.milliseconds) ms")
        }
        if reason.utf16.count > Self.reasonUnitsMax {
            add("reason", "must have at most 250 UTF-16 units", "\(reason.utf16.count) units")
        }
        if case .region(let region) = scope, !Venue.isRegion(region) {
            add(
                "region", "must be 1 to 64 ASCII letters, digits, hyphens, underscores or dots",
                NameRules.quoted(region))
        }
        if let price, !price.isInBounds {
            add(
                "price_micros_per_kwh", "must be within 10,000 currency units per kWh",
                "\(price.microsPerKilowattHour)")
        }
        if (price == nil) != (currency == nil) {
            add("currency", "must be there with a price, and only then", currency.map(NameRules.quoted) ?? "absent")
        }
        return result
    }

    /// The event as it is kept, its reason sanitised.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule.
    public func validated() throws(EnergyError) -> DemandResponseEvent {
        try EnergyError.check(violations)
        var event = self
        event.reason = NameRules.sanitized(reason)
        return event
    }
}

extension RatePlan {
    /// A contract that says nothing, for venues whose contract is not known: only what was declared applies to them.
    public static let unknown = RatePlan(
        id: "", name: "", currency: "", timeZone: .gmt, zones: [], changed: Timestamp(unixMilliseconds: 0))
}
