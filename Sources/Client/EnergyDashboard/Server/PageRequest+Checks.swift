internal import EnergyModel

/// What programs are refused for; on a page, what an address says wrongly is as if it said nothing.
extension PageRequest {
    func checkDevice() throws(EnergyError) {
        if let wrong = self["device"].flatMap({ NameRules.violation(ofIdentifier: $0, field: "device") }) {
            throw .invalidInput(wrong)
        }
    }

    /// - Parameter allowed: what the address may say of a name, if anything.
    func check(_ name: String, _ allowed: [String]) throws(EnergyError) {
        guard let value = self[name], !allowed.contains(value) else { return }
        throw .invalidInput(
            RuleViolation(
                field: name, rule: "must be one of \(allowed.joined(separator: ", "))",
                value: String(value.prefix(100))))
    }
}
