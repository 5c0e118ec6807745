extension Device {
    /// The device as it is kept, its name sanitised.
    public var sanitized: Device {
        hasPlainName ? self : Device(id: id, name: NameRules.sanitized(name), kind: kind)
    }

    /// As ``violations``, at a fraction of its cost for the names that nearly all devices have: one event after the other
    /// is judged by it.
    var violationsOfEvent: [RuleViolation] {
        guard hasPlainName else { return violations }
        return NameRules.violation(ofIdentifier: id, field: "device.id").map { [$0] } ?? []
    }

    /// Printable ASCII that begins with no space and is short enough: sanitising changes nothing.
    private var hasPlainName: Bool {
        let bytes = name.utf8
        guard let first = bytes.first, first != UInt8(ascii: " ") else { return false }
        return bytes.count <= NameRules.nameUnitsMax && bytes.allSatisfy { 0x20...0x7E ~= $0 }
    }
}
