internal import EnergyModel

/// Which field of a message broke which rule. Grows its path on the way out, and leaves as an ``EnergyError``.
struct FieldError: Error {
    enum Step {
        case field(StaticString)
        case index(Int)
    }

    /// Innermost first.
    private var path: [Step]
    private let rule: String
    private let value: String

    /// - Parameters:
    ///   - field: by its name in `proto/`; empty for an element of a list, which has none.
    ///   - rule: what would be right, for example `must be before end_unix_ms`.
    ///   - value: what was sent, or a description of it; cut where it is long, and then says how long.
    init(_ field: StaticString, _ rule: String, value: String) {
        path = field.utf8CodeUnitCount == 0 ? [] : [.field(field)]
        self.rule = rule
        let scalars = value.unicodeScalars
        self.value =
            value.utf8.count > 400 ? "\(String(scalars.prefix(100)))... (\(scalars.count) characters)" : value
    }

    func inside(_ step: Step) -> FieldError {
        if case .field(let name) = step, name.utf8CodeUnitCount == 0 { return self }
        var error = self
        error.path.append(step)
        return error
    }

    /// A list at the top of the message gives the violation its index, and leaves the field's path.
    var asEnergyError: EnergyError {
        let full = FieldError.text(path[...])
        var steps = path[...]
        var index: Int?
        if steps.count > 2, case .index(let position) = steps[steps.endIndex - 2] {
            index = position
            steps = steps.dropLast(2)
        }
        let violation = RuleViolation(index: index, field: FieldError.text(steps), rule: rule, value: value)
        return EnergyError(.invalidInput, "\(full) \(rule), but is \(value)", violations: [violation])
    }

    /// For example `events[3].vehicle_load.session.id`.
    private static func text(_ steps: ArraySlice<Step>) -> String {
        steps.reversed().reduce(into: "") { text, step in
            switch step {
            case .field(let name): text += (text.isEmpty ? "" : ".") + "\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
