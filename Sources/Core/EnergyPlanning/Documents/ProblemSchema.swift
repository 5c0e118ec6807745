/// JSON Schema (2020-12) of a problem, written from the rules that the reader checks by; and of answers.
public enum ProblemSchema {
    public static var text: String { text(of: ProblemRules.problem, title: "Gridtide planning problem") }

    /// - Parameter isClosed: what it does not name is a mistake.
    static func text(of root: ObjectRule, title: String, isClosed: Bool = true) -> String {
        var definitions: [(String, ObjectRule)] = []
        collect(root, &definitions)
        var lines = [
            "{", "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",",
            "  \"$id\": \"https://gridtide.org/schemas/\(root.name)-1.json\",",
            "  \"title\": \(quoted(title)),", "  \"$ref\": \"#/$defs/\(root.name)\",", "  \"$defs\": {",
        ]
        for (index, (_, rule)) in definitions.enumerated() {
            lines += object(rule, isClosed).enumerated().map {
                $0 == 0 ? "    \(quoted(rule.name)): \($1)" : "    \($1)"
            }
            lines[lines.count - 1] += index == definitions.count - 1 ? "" : ","
        }
        return (lines + ["  }", "}"]).joined(separator: "\n")
    }

    private static func collect(_ rule: ObjectRule, _ found: inout [(String, ObjectRule)]) {
        guard !found.contains(where: { $0.0 == rule.name }) else { return }
        found.append((rule.name, rule))
        for field in rule.fields { collect(field.kind, &found) }
    }

    private static func collect(_ kind: FieldRule.Kind, _ found: inout [(String, ObjectRule)]) {
        switch kind {
        case .object(let rule): collect(rule, &found)
        case .list(let kind, _, _): collect(kind, &found)
        case .either(let kinds): for kind in kinds { collect(kind, &found) }
        default: break
        }
    }

    private static func object(_ rule: ObjectRule, _ isClosed: Bool) -> [String] {
        var lines = ["{", "  \"type\": \"object\",", "  \"description\": \(quoted(rule.text)),"]
        let required = rule.fields.filter(\.isRequired).map { quoted($0.name) }
        if !required.isEmpty { lines.append("  \"required\": [\(required.joined(separator: ", "))],") }
        if isClosed { lines.append("  \"additionalProperties\": false,") }
        lines.append("  \"properties\": {")
        for (index, field) in rule.fields.enumerated() {
            lines.append("    \(quoted(field.name)): {")
            var members = ["\"description\": \(quoted(description(field)))"]
            if let value = field.standardValue { members.append("\"default\": \(value)") }
            members.append(contentsOf: type(field.isRequired ? [field.kind] : optional(field.kind)))
            lines += members.enumerated().map { "      \($1)\($0 == members.count - 1 ? "" : ",")" }
            lines.append("    }\(index == rule.fields.count - 1 ? "" : ",")")
        }
        return lines + ["  }", "}"]
    }

    private static func description(_ field: FieldRule) -> String {
        field.text + (field.unit.map { " Unit: \($0)." } ?? "") + (field.standard.map { " Default: \($0)." } ?? "")
    }

    /// `null` is the same as leaving it out.
    private static func optional(_ kind: FieldRule.Kind) -> [FieldRule.Kind?] {
        if case .either(let kinds) = kind { return kinds + [nil] }
        return [kind, nil]
    }

    private static func type(_ kinds: [FieldRule.Kind?]) -> [String] {
        if kinds.count == 1, let kind = kinds[0] {
            if case .either(let kinds) = kind { return type(kinds) }
            return members(kind)
        }
        let choices = kinds.map { kind in "{ \((kind.map(members) ?? ["\"type\": \"null\""]).joined(separator: ", ")) }"
        }
        return ["\"anyOf\": [\(choices.joined(separator: ", "))]"]
    }

    private static func members(_ kind: FieldRule.Kind) -> [String] {
        func bounds(_ range: ClosedRange<Double>) -> [String] {
            [("minimum", range.lowerBound), ("maximum", range.upperBound)].filter(\.1.isFinite).map {
                "\"\($0)\": \(JSONValue.number($1).description)"
            }
        }
        return switch kind {
        case .number(let range): ["\"type\": \"number\""] + bounds(range)
        case .integer(let range): ["\"type\": \"integer\""] + bounds(range)
        case .text: ["\"type\": \"string\""]
        case .time: ["\"type\": \"string\"", "\"format\": \"date-time\""]
        case .flag: ["\"type\": \"boolean\""]
        case .choice(let choices): ["\"enum\": [\(choices.map(quoted).joined(separator: ", "))]"]
        case .object(let rule): ["\"$ref\": \"#/$defs/\(rule.name)\""]
        case .list(let kind, let least, let most):
            ["\"type\": \"array\"", "\"items\": { \(type([kind]).joined(separator: ", ")) }"]
                + (least > 0 ? ["\"minItems\": \(least)"] : []) + (most < .max ? ["\"maxItems\": \(most)"] : [])
        case .either(let kinds): type(kinds)
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
