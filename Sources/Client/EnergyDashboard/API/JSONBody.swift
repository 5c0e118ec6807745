internal import EnergyModel
internal import Foundation

/// What a program may send: a JSON object, every member of which is known.
protocol JSONBody: Decodable where Name: CodingKey & CaseIterable & RawRepresentable<String> {
    /// Its coding keys.
    associatedtype Name
}

/// What the text of a member says.
///
/// - Throws: `.invalidInput` that names the member and what would be right.
enum JSONText {
    static func choice<Value: CaseIterable & RawRepresentable<String>>(
        _ text: String, _ name: String
    ) throws(EnergyError) -> Value {
        guard let value = Value(rawValue: text) else {
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidInput(
                RuleViolation(field: name, rule: "must be one of \(all)", value: String(text.prefix(60))))
        }
        return value
    }

    static func time(_ text: String, _ name: String) throws(EnergyError) -> Timestamp {
        guard let time = Timestamp(iso8601: text), CalendarPeriods.supported.contains(time) else {
            throw .invalidInput(
                RuleViolation(
                    field: name, rule: "must be a time with an offset, such as 2026-12-24T07:00:00+01:00",
                    value: String(text.prefix(60))))
        }
        return time
    }
}

extension PageRequest {
    /// The body, read strictly: a name that is not known would be a wish that nobody fulfils.
    ///
    /// - Throws: `.invalidInput` that names the member.
    func json<Body: JSONBody>(_ type: Body.Type = Body.self) throws(EnergyError) -> Body {
        guard headers["content-type"]?.lowercased().hasPrefix("application/json") == true else {
            throw Self.violation(
                "content-type", "must be application/json", headers["content-type"].map { "'\($0)'" } ?? "absent")
        }
        guard let members = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
            throw Self.violation("body", "must be a JSON object", body.isEmpty ? "empty" : "something else")
        }
        let known = Body.Name.allCases.map(\.rawValue)
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard known.contains(name) else {
                throw Self.violation(
                    "body", "must have only \(known.joined(separator: ", "))", "'\(name.prefix(60))' too")
            }
            if value is NSNull { throw Self.violation(name, "must have a value, or be left out", "null") }
        }
        do { return try JSONDecoder().decode(type, from: Data(body)) } catch { throw Self.refusal(error) }
    }

    private static func refusal(_ error: any Error) -> EnergyError {
        switch error as? DecodingError {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            violation(path(context.codingPath), "must be \(word(type))", "of another type")
        case .keyNotFound(let key, let context):
            violation(path(context.codingPath + [key]), "must be present", "absent")
        case .dataCorrupted: violation("body", "must have whole numbers of at most 64 bits", "of other numbers")
        default: violation("body", "must be JSON", "something else")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "body" : keys.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
    }

    private static func word(_ type: Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is String.Type: "a text"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }

    private static func violation(_ field: String, _ rule: String, _ value: String) -> EnergyError {
        .invalidInput(RuleViolation(field: field, rule: rule, value: value))
    }
}
