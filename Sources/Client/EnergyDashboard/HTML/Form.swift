internal import Foundation

/// What is wrong with what was typed, by the field's name.
typealias FormProblems = [String: String]

/// A field, and what is wrong with what was typed into it.
struct FieldProblem: Hashable, Sendable {
    /// Of its element on the page.
    let id: String
    let label: String
    let text: String

    /// With the field's name, which some texts have by themselves.
    var sentence: String { text.hasPrefix(label) ? text : "\(label): \(text)" }
}

/// Parts of forms.
enum Form {
    /// Of the form that a page is for.
    static let mainID = "form"

    static func option(_ value: String, _ text: String, isChosen: Bool) -> HTML {
        .element("option", [Attribute("value", value), Attribute("selected", if: isChosen)]) { text }
    }

    /// A choice of one, with its label.
    static func select(
        _ name: String, _ label: String, _ options: [(value: String, text: String)], chosen: String,
        hint: String? = nil, error: String? = nil
    ) -> HTML {
        field(name, label, hint, error) { attributes in
            HTML.element("select", attributes) {
                for choice in options { option(choice.value, choice.text, isChosen: choice.value == chosen) }
            }
        }
    }

    static func hidden(_ name: String, _ value: String) -> HTML {
        .void("input", [Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value)])
    }

    /// A text to type, its hint, and what is wrong with what was typed.
    ///
    /// - Parameter suggestions: offered while typing; something else may be typed as well.
    static func input(
        _ name: String, _ label: String, type: String = "text", value: String, hint: String? = nil,
        error: String? = nil, suggestions: [String] = [], extra: [Attribute] = []
    ) -> HTML {
        field(name, label, hint, error) { attributes in
            HTML.void(
                "input",
                attributes + [
                    Attribute("type", type), Attribute("value", value),
                    Attribute("list", suggestions.isEmpty ? nil : "suggestions-\(name)"),
                ] + extra)
            if !suggestions.isEmpty {
                HTML.element("datalist", [.id("suggestions-\(name)")]) {
                    for text in suggestions { HTML.void("option", [Attribute("value", text)]) }
                }
            }
        }
    }

    /// A number, with a comma or a point.
    static func number(
        _ name: String, _ label: String, value: String, hint: String? = nil, error: String? = nil
    ) -> HTML {
        input(
            name, label, value: value, hint: hint, error: error,
            extra: [Attribute("inputmode", "decimal"), Attribute("autocomplete", "off")])
    }

    /// Text of many lines.
    static func area(_ name: String, _ label: String, value: String, hint: String? = nil, error: String? = nil) -> HTML
    {
        field(name, label, hint, error) { attributes in
            HTML.element("textarea", attributes + [Attribute("rows", "6"), Attribute("spellcheck", "false")]) { value }
        }
    }

    /// Fields of some answers: of another answer they are hidden, where the browser knows how.
    ///
    /// - Parameter answers: values of choices in the same form.
    static func part(of answers: [String], @HTMLBuilder _ content: () -> HTML) -> HTML {
        .element("div", [.class("part"), Attribute("data-for", answers.joined(separator: " "))]) { content() }
    }

    /// Something to say yes to.
    static func check(_ name: String, _ label: String, isOn: Bool) -> HTML {
        .element("p", [.class("check")]) {
            HTML.void(
                "input",
                [
                    Attribute("type", "checkbox"), .id("field-\(name)"), Attribute("name", name),
                    Attribute("value", "yes"), Attribute("checked", if: isOn),
                ])
            HTML.element("label", [Attribute("for", "field-\(name)")]) { label }
        }
    }

    /// A button that does one thing.
    ///
    /// - Parameters:
    ///   - id: by which a live page knows it again where others stand beside it.
    ///   - subject: told to assistive technology, where several buttons say the same.
    static func button(
        _ action: String, _ fields: [(String, String)], _ text: String, id: String? = nil, subject: String? = nil
    ) -> HTML {
        .element("form", [Attribute("method", "post"), Attribute("action", action)]) {
            for (name, value) in fields { hidden(name, value) }
            HTML.element("button", [Attribute("id", id)]) {
                text
                if let subject { HTML.element("span", [.class("hidden")]) { ", " + subject } }
            }
        }
    }

    /// What is wrong, beside its field.
    static func problem(_ name: String, _ problem: FieldProblem) -> HTML {
        HTML.element("p", [.class("error"), .id("error-\(name)")]) { problem.text }.saying(problem)
    }

    /// What is wrong with a form, first on the page and where one is: with a way to each field.
    ///
    /// - Parameter refusals: what a service said against it.
    static func summary(_ problems: [FieldProblem], _ refusals: [String], _ language: Language) -> HTML {
        guard !problems.isEmpty || !refusals.isEmpty else { return HTML() }
        let id = "form-problems"
        let summary = HTML.element(
            "div",
            [
                .id(id), .class("notice"), .role("alert"), Attribute("tabindex", "-1"),
                Attribute("autofocus", if: true),
            ]
        ) {
            for refusal in refusals { HTML.element("p") { refusal } }
            if !problems.isEmpty {
                HTML.element("p") { language(.formWrong) }
                HTML.element("ul") {
                    for problem in problems {
                        HTML.element("li") { HTML.element("a", [.href("#\(problem.id)")]) { problem.sentence } }
                    }
                }
            }
        }
        return refusals.reduce(summary) { $0.saying(FieldProblem(id: id, label: "", text: $1)) }
    }

    private static func field(
        _ name: String, _ label: String, _ hint: String?, _ error: String?,
        @HTMLBuilder _ control: ([Attribute]) -> HTML
    ) -> HTML {
        let described = [hint.map { _ in "hint-\(name)" }, error.map { _ in "error-\(name)" }].compactMap(\.self)
        let control = control([
            .id("field-\(name)"), Attribute("name", name),
            Attribute("aria-describedby", described.isEmpty ? nil : described.joined(separator: " ")),
            Attribute("aria-invalid", error == nil ? nil : "true"),
        ])
        return .element("div", [.class(error == nil ? "field" : "field wrong")]) {
            HTML.element("label", [Attribute("for", "field-\(name)")]) { label }
            control
            if let hint { HTML.element("p", [.class("hint"), .id("hint-\(name)")]) { hint } }
            if let error { problem(name, FieldProblem(id: "field-\(name)", label: label, text: error)) }
        }
    }
}

/// What was typed into a form, as text and as numbers.
enum FormText {
    /// Nobody types more into one line.
    static let lineMax = 300

    static func line(_ request: PageRequest, _ name: String) -> String {
        String(request.field(name).prefix(lineMax)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A comma is a decimal point where people write so.
    ///
    /// - Returns: `nil` for what is no number, or outside of the range.
    static func number(_ text: String, in range: ClosedRange<Double>) -> Double? {
        Double(text.replacing(",", with: ".")).flatMap { range.contains($0) ? $0 : nil }
    }

    /// An id like a name, that nobody has: lower-case letters, digits and hyphens.
    ///
    /// - Parameter fallback: where nothing of the name is left.
    static func id(for name: String, taken: [String], unless fallback: String) -> String {
        let words = name.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let base = words.isEmpty ? fallback : String(words.joined(separator: "-").prefix(50))
        let ids = [base] + (2...taken.count + 2).map { "\(base)-\($0)" }
        return ids.first { !taken.contains($0) } ?? base
    }

    /// As people type it: without decimals where there are none.
    static func text(_ value: Double) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
