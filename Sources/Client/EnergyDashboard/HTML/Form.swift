/// Parts of forms.
enum Form {
    static func option(_ value: String, _ text: String, isChosen: Bool) -> HTML {
        .element("option", [Attribute("value", value), Attribute("selected", if: isChosen)]) { text }
    }

    /// A choice of one, with its label.
    static func select(_ name: String, _ label: String, _ options: [(value: String, text: String)], chosen: String)
        -> HTML
    {
        .element("div", [.class("field")]) {
            HTML.element("label", [Attribute("for", "field-\(name)")]) { label }
            HTML.element("select", [.id("field-\(name)"), Attribute("name", name)]) {
                for choice in options { option(choice.value, choice.text, isChosen: choice.value == chosen) }
            }
        }
    }

    static func hidden(_ name: String, _ value: String) -> HTML {
        .void("input", [Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value)])
    }

    /// A text to type, its hint, and what is wrong with what was typed.
    static func input(
        _ name: String, _ label: String, type: String, value: String, hint: String? = nil, error: String? = nil,
        extra: [Attribute] = []
    ) -> HTML {
        let (hintID, errorID) = (hint.map { _ in "hint-\(name)" }, error.map { _ in "error-\(name)" })
        let described = [hintID, errorID].compactMap(\.self).joined(separator: " ")
        return .element("div", [.class(error == nil ? "field" : "field wrong")]) {
            HTML.element("label", [Attribute("for", "field-\(name)")]) { label }
            HTML.void(
                "input",
                [
                    .id("field-\(name)"), Attribute("name", name), Attribute("type", type), Attribute("value", value),
                    Attribute("aria-describedby", described.isEmpty ? nil : described),
                    Attribute("aria-invalid", error == nil ? nil : "true"),
                ] + extra)
            if let hint { HTML.element("p", [.class("hint"), .id("hint-\(name)")]) { hint } }
            if let error { HTML.element("p", [.class("error"), .id("error-\(name)")]) { error } }
        }
    }
}
