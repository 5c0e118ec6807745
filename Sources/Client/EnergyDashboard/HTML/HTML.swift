/// A piece of a page. Text becomes HTML only here, and is escaped on the way: what a device calls itself stays text.
struct HTML: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringInterpolation {
    private(set) var source: String
    /// What is wrong with what was typed into it, in the order of its fields.
    private(set) var problems: [FieldProblem] = []

    private init(source: String, problems: [FieldProblem] = []) {
        self.source = source
        self.problems = problems
    }

    /// Nothing.
    init() { source = "" }

    /// Escaped: a literal is text as any other.
    init(stringLiteral text: String) { source = Self.escaped(text) }

    static func text(_ text: String) -> HTML { HTML(source: escaped(text)) }

    /// - Parameters:
    ///   - attributes: in this order; one with `nil` is left out, one with the empty text is there without a value.
    static func element(
        _ name: StaticString, _ attributes: [Attribute] = [], @HTMLBuilder _ content: () -> HTML = { HTML() }
    ) -> HTML {
        let content = content()
        return HTML(source: "<\(name)\(attributes.text)>\(content.source)</\(name)>", problems: content.problems)
    }

    /// An element that never has content.
    static func void(_ name: StaticString, _ attributes: [Attribute] = []) -> HTML {
        HTML(source: "<\(name)\(attributes.text)>")
    }

    /// An SVG element without content.
    static func shape(_ name: StaticString, _ attributes: [Attribute]) -> HTML {
        HTML(source: "<\(name)\(attributes.text)/>")
    }

    static func + (lhs: HTML, rhs: HTML) -> HTML {
        HTML(source: lhs.source + rhs.source, problems: lhs.problems + rhs.problems)
    }
    static func += (lhs: inout HTML, rhs: HTML) {
        lhs.source += rhs.source
        lhs.problems += rhs.problems
    }

    func saying(_ problem: FieldProblem) -> HTML { HTML(source: source, problems: problems + [problem]) }

    var description: String { source }

    /// As a whole document.
    var document: String { "<!doctype html>\n" + source + "\n" }

    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { special.contains($0) }) else { return text }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private static let special = Array("&<>\"'".utf8)
}

/// A name with a value, which is escaped.
struct Attribute: Sendable {
    let name: StaticString
    let value: String?

    init(_ name: StaticString, _ value: String?) {
        self.name = name
        self.value = value
    }

    init(_ name: StaticString, _ value: Double) { self.init(name, SVGNumber.text(value)) }

    /// There or not there.
    init(_ name: StaticString, if isThere: Bool) { self.init(name, isThere ? "" : nil) }
}

extension [Attribute] {
    fileprivate var text: String {
        reduce(into: "") { text, attribute in
            guard let value = attribute.value else { return }
            text += value.isEmpty ? " \(attribute.name)=\"\"" : " \(attribute.name)=\"\(HTML.escaped(value))\""
        }
    }
}

/// Numbers in drawings: a decimal point in every language, no more digits than a screen shows.
enum SVGNumber {
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let tenths = (value * 10).rounded()
        guard tenths.magnitude < 1e12 else { return "0" }
        let whole = Int64(tenths)
        if whole % 10 == 0 { return "\(whole / 10)" }
        return "\(whole < 0 ? "-" : "")\(whole.magnitude / 10).\(whole.magnitude % 10)"
    }
}

@resultBuilder enum HTMLBuilder {
    static func buildExpression(_ html: HTML) -> HTML { html }
    static func buildExpression(_ text: String) -> HTML { .text(text) }
    static func buildExpression(_ html: HTML?) -> HTML { html ?? HTML() }
    static func buildBlock(_ parts: HTML...) -> HTML { parts.reduce(HTML(), +) }
    static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }
    static func buildEither(first part: HTML) -> HTML { part }
    static func buildEither(second part: HTML) -> HTML { part }
    static func buildArray(_ parts: [HTML]) -> HTML { parts.reduce(into: HTML()) { $0 += $1 } }
}
