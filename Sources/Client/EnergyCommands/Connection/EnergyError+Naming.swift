internal import EnergyModel

extension EnergyError {
    /// The same refusal with other names for fields, in its message too.
    func naming(_ name: (String) -> String) -> EnergyError {
        let named = violations.map {
            RuleViolation(index: $0.index, field: name($0.field), rule: $0.rule, value: $0.value)
        }
        let said = zip(violations, named).reduce(message) { message, pair in
            message.replacing(pair.0.description, with: pair.1.description)
        }
        return EnergyError(code, said, violations: named, retryAfterMilliseconds: retryAfterMilliseconds)
    }
}
