/// Text exposition format 0.0.4.
///
/// - Source: https://prometheus.io/docs/instrumenting/exposition_formats/
enum PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// A metric name: letters, digits, `_` and `:`, the first no digit; all else becomes `_`.
    static func name(_ label: String) -> String {
        let name = String(label.map { isNameCharacter($0) || $0 == ":" ? $0 : "_" })
        return name.first.map { $0.isNumber } ?? true ? "_" + name : name
    }

    /// `{a="b",c="d"}`, or nothing.
    static func labels(_ dimensions: [(String, String)]) -> String {
        guard !dimensions.isEmpty else { return "" }
        let pairs = dimensions.map { key, value in
            "\(name(key).replacing(":", with: "_"))=\"\(escaped(value, quotes: true))\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }

    static func header(_ name: String, type: String, help: String) -> String {
        "# HELP \(name) \(escaped(help, quotes: false))\n# TYPE \(name) \(type)\n"
    }

    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if value == -.infinity { return "-Inf" }
        if value.isNaN { return "NaN" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let text = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? text.replacing("\"", with: "\\\"") : text
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }
}
