internal import EnergyModel

/// One member of an object in a problem: what it may be, and what it means.
///
/// The reader checks by these rules and the schema is written from them, so that the two cannot differ.
struct FieldRule: Sendable {
    indirect enum Kind: Sendable {
        case number(ClosedRange<Double>)
        case integer(ClosedRange<Double>)
        case text
        /// ISO 8601 with an offset.
        case time
        case flag
        case choice([String])
        case object(ObjectRule)
        case list(Kind, atLeast: Int, atMost: Int = FieldRule.listMost)
        case either([Kind])
    }

    /// More than a year of quarters of an hour: what has one value for each slot is no longer.
    static let listMost = 40_000

    var name: String
    var kind: Kind
    var isRequired = false
    /// In words; `nil` when it is required or simply absent.
    var standard: String?
    /// In JSON, for the schema's `default`; `nil` if the default is no constant.
    var standardValue: String?
    var unit: String?
    var text: String

    init(
        _ name: String, _ kind: Kind, unit: String? = nil, required: Bool = false, default standardValue: String? = nil,
        otherwise standard: String? = nil, _ text: String
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        isRequired = required
        self.standardValue = standardValue
        self.standard = standard
        self.text = text
    }
}

/// What an object in a problem may hold.
struct ObjectRule: Sendable {
    var name: String
    var text: String
    var fields: [FieldRule]

    /// - Throws: ``ProblemError`` at the first member that breaks a rule.
    func check(_ value: JSONValue, at path: String) throws(ProblemError) {
        guard case .object(let members) = value else {
            throw ProblemError(path, "must be an object (\(name)), but is \(value.description)")
        }
        for member in members {
            guard let field = fields.first(where: { $0.name == member.name }) else {
                throw ProblemError(
                    "\(path).\(member.name)",
                    "is no member of \(name). \(Self.hint(member.name, fields.map(\.name)))")
            }
            if case .null = member.value { continue }
            try field.kind.check(member.value, at: "\(path).\(member.name)", unit: field.unit)
        }
        for field in fields where field.isRequired {
            guard let member = members.first(where: { $0.name == field.name }), member.value != .null else {
                throw ProblemError("\(path).\(field.name)", "is missing. It is: \(field.text)")
            }
        }
    }

    private static func hint(_ name: String, _ known: [String]) -> String {
        if name.count > 2, let longer = known.first(where: { $0.hasPrefix(name.lowercased() + "_") }) {
            return "Did you mean \"\(longer)\"?"
        }
        let near = known.map { ($0, distance(name.lowercased(), $0)) }.min { $0.1 < $1.1 }
        if let near, near.1 <= max(2, name.count / 2) { return "Did you mean \"\(near.0)\"?" }
        return "Known are: \(known.joined(separator: ", "))"
    }

    /// Levenshtein distance; names are short.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8.prefix(64)), Array(b.utf8))
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (x == y ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = next
            }
        }
        return row[b.count]
    }
}

extension FieldRule.Kind {
    func check(_ value: JSONValue, at path: String, unit: String?) throws(ProblemError) {
        switch (self, value) {
        case (.number(let range), .number(let number)):
            guard range.contains(number) else { throw wrong(value, path, unit) }
        case (.integer(let range), .number(let number)):
            guard range.contains(number), number == number.rounded() else { throw wrong(value, path, unit) }
        case (.text, .text), (.flag, .flag): break
        case (.time, .text(let text)):
            guard InstantText.parse(text) != nil else { throw wrong(value, path, unit) }
        case (.choice(let choices), .text(let text)):
            guard choices.contains(text) else { throw wrong(value, path, unit) }
        case (.object(let rule), .object): try rule.check(value, at: path)
        case (.list(let kind, let least, let most), .list(let values)):
            guard least...most ~= values.count else { throw wrong(value, path, unit) }
            for (index, value) in values.enumerated() { try kind.check(value, at: "\(path)[\(index)]", unit: unit) }
        case (.either(let kinds), _):
            guard let kind = kinds.first(where: { $0.fits(value) }) else { throw wrong(value, path, unit) }
            try kind.check(value, at: path, unit: unit)
        default: throw wrong(value, path, unit)
        }
    }

    private func fits(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.number, .number), (.integer, .number), (.text, .text), (.time, .text), (.choice, .text), (.flag, .flag),
            (.object, .object), (.list, .list):
            true
        default: false
        }
    }

    private func wrong(_ value: JSONValue, _ path: String, _ unit: String?) -> ProblemError {
        ProblemError(path, "must be \(words)\(unit.map { ", in \($0)" } ?? ""), but is \(value.description)")
    }

    /// What it may be, for people.
    var words: String {
        func span(_ range: ClosedRange<Double>) -> String {
            switch (range.lowerBound > -1e8, range.upperBound < 1e8) {
            case (true, true):
                " from \(JSONValue.number(range.lowerBound).description)"
                    + " to \(JSONValue.number(range.upperBound).description)"
            case (true, false): " of at least \(JSONValue.number(range.lowerBound).description)"
            default: ""
            }
        }
        return switch self {
        case .number(let range): "a number" + span(range)
        case .integer(let range): "a whole number" + span(range)
        case .text: "a text"
        case .time: "a time in ISO 8601 with its offset, as 2026-11-21T07:00:00+01:00"
        case .flag: "true or false"
        case .choice(let choices): "one of " + choices.map { "\"\($0)\"" }.joined(separator: ", ")
        case .object(let rule): "an object (\(rule.name))"
        case .list(let kind, let least, let most):
            "a list of \(Self.count(least, most)), each \(kind.words)"
        case .either(let kinds): kinds.map(\.words).joined(separator: ", or ")
        }
    }

    private static func count(_ least: Int, _ most: Int) -> String {
        guard least < most else { return "\(most)" }
        return (least > 0 ? "at least \(least) and " : "") + "at most \(most)"
    }
}
