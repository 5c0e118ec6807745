internal import EnergyModel
internal import EnergyProto

/// What is behind a failure's code and message, in ``CallFailure/details``.
struct StatusDetails: Hashable {
    let violations: [RuleViolation]

    /// A frame's header has room for 8 KiB, with the message and all else.
    static let bytesMax = 4 * 1024

    /// The first violations, as many as there is room for.
    init(fitting violations: [RuleViolation]) {
        // Texts, and at most 24 bytes for an index, the tags and the lengths.
        var room = StatusDetails.bytesMax
        self.violations = Array(
            violations.lazy.map(\.clipped).prefix { violation in
                room -= 24 + violation.field.utf8.count + violation.rule.utf8.count + violation.value.utf8.count
                return room >= 0
            })
    }
}

extension StatusDetails: ProtoMessage {
    func write(to proto: inout Energy__V1__StatusDetails, _ arena: inout Arena) {
        (proto.n_violations, proto.violations) = arena.messages(violations)
    }

    init(reading proto: Energy__V1__StatusDetails) throws(FieldError) {
        violations = try proto.violations.messages("violations", count: proto.n_violations, max: 1_000)
    }
}

extension RuleViolation: ProtoCoded {
    func write(to proto: inout Energy__V1__FieldViolation, _ arena: inout Arena) {
        if let index {
            proto._index_case = ENERGY__V1__FIELD_VIOLATION___INDEX_INDEX
            proto.index = UInt32(clamping: index)
        }
        proto.field = arena.string(field)
        proto.rule = arena.string(rule)
        proto.value = arena.string(value)
    }

    init(reading proto: Energy__V1__FieldViolation) throws(FieldError) {
        self.init(
            index: proto._index_case.rawValue == 0 ? nil : Int(proto.index),
            field: try proto.field.string("field"),
            rule: try proto.rule.string("rule"),
            value: try proto.value.string("value"))
    }

    /// With texts of at most about 400 bytes, so that one violation always fits.
    fileprivate var clipped: RuleViolation {
        func clip(_ text: String) -> String {
            text.utf8.count <= 400 ? text : String(text.unicodeScalars.prefix(100)) + "..."
        }
        return RuleViolation(index: index, field: clip(field), rule: clip(rule), value: clip(value))
    }
}
