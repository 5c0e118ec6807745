extension Device {
    /// Which rules the identifier and the name break. The name may be as it was sent: it is judged as it would be kept.
    public var violations: [RuleViolation] {
        [
            NameRules.violation(ofIdentifier: id, field: "device.id"),
            NameRules.violation(ofName: name, field: "device.name"),
        ].compactMap(\.self)
    }

    /// The device as it is kept, its name sanitised.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` with every broken rule.
    public func validated() throws(EnergyError) -> Device {
        try EnergyError.check(violations)
        return Device(id: id, name: NameRules.sanitized(name), kind: kind)
    }
}

extension EnergyError {
    /// - Throws: `.invalidInput` that names every violation, if there are any.
    public static func check(_ violations: [RuleViolation]) throws(EnergyError) {
        guard !violations.isEmpty else { return }
        throw EnergyError(
            .invalidInput, violations.map(\.description).joined(separator: "; "), violations: violations)
    }
}
