internal import EnergyModel

extension EnergyError {
    /// A setting of a source that cannot be. Its violation names the setting, so that whoever read it from a file can say
    /// where it stands.
    static func setting(_ name: String, _ message: String) -> EnergyError {
        EnergyError(.invalidInput, message, violations: [RuleViolation(field: name, rule: message, value: "")])
    }
}
