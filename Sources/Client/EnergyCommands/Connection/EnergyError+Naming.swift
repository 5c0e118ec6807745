internal import EnergyModel

extension EnergyError {
    /// The same refusal with other names for fields, in its message too. Units are those of people then, because it is the
    /// field's name that says what its number counts.
    func naming(_ name: (String) -> String) -> EnergyError {
        let named = violations.map { violation in
            let field = name(violation.field)
            guard field != violation.field else { return violation }
            return RuleViolation(
                index: violation.index, field: field, rule: CommandWords.units(violation.rule),
                value: CommandWords.value(violation))
        }
        let said = zip(violations, named).reduce(message) { message, pair in
            message.replacing(pair.0.description, with: pair.1.description)
        }
        return EnergyError(code, said, violations: named, retryAfterMilliseconds: retryAfterMilliseconds)
    }
}
