public import Foundation

extension Venue {
    public static let homesMax = 16
    public static let regionBytesMax = 64

    public var violations: [RuleViolation] {
        var result = [
            NameRules.violation(ofName: name, field: "venue.name"), timeZone.violation(field: "venue.time_zone"),
        ].compactMap(\.self)
        if !Self.isRegion(region) {
            result.append(
                RuleViolation(
                    field: "venue.region", rule: "must be 1 to 64 ASCII letters, digits, hyphens, underscores or dots",
                    value: NameRules.quoted(region)))
        }
        if let ratePlanID,
            let violation = NameRules.violation(ofIdentifier: ratePlanID, field: "venue.rate_plan_id")
        {
            result.append(violation)
        }
        if homeIDs.count > Self.homesMax || Set(homeIDs).count != homeIDs.count {
            result.append(
                RuleViolation(
                    field: "venue.home_ids", rule: "must be at most 16 different homes", value: "\(homeIDs.count)"))
        }
        if let priceWeight, !(0...1 ~= priceWeight) {
            result.append(
                RuleViolation(field: "venue.price_weight", rule: "must be within 0 to 1", value: "\(priceWeight)"))
        }
        return result
    }

    /// The venue as it is kept, its name sanitised.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule.
    public func validated() throws(EnergyError) -> Venue {
        try EnergyError.check(violations)
        var venue = self
        venue.name = NameRules.sanitized(name)
        return venue
    }

    /// Whether it has the form of a region's name.
    public static func isRegion(_ region: String) -> Bool {
        (1...regionBytesMax).contains(region.utf8.count)
            && region.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
            }
    }
}

extension TimeZone {
    /// A zone must be of the IANA database: a bare offset knows nothing of changing clocks.
    /// Not an abbreviation, which is of several places, or of a part of the year.
    public var isPlace: Bool { identifier.contains("/") || ["UTC", "GMT"].contains(identifier) }

    func violation(field: String) -> RuleViolation? {
        if isPlace { return nil }
        return RuleViolation(
            field: field, rule: "must be an IANA name like America/Los_Angeles", value: NameRules.quoted(identifier))
    }
}
