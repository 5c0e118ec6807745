internal import EnergyModel
internal import EnergyWire
internal import Tariffs

extension RatePlanInput {
    /// What power costs, and what belongs to each answer.
    ///
    /// - Parameter markets: sources whose prices it can pass on.
    @HTMLBuilder func fields(
        _ formats: Formats, kinds: [Kind], markets: [RegionSource], _ outcome: Outcome, _ problems: FormProblems
    ) -> HTML {
        let language = formats.language
        HTML.element("fieldset") {
            HTML.element("legend") { language(.planKind) }
            for kind in kinds { choice(kind, language) }
        }
        of(.market) { market.fields(markets, language, problems) }
        of(.flat) {
            Form.number(
                "price", language(.planPrice), value: price, hint: language(.planPriceHint), error: problems["price"])
        }
        of(.flat, .hours, .document) {
            Form.input(
                "currency", language(.planCurrency), value: currency, hint: language(.planCurrencyHint),
                error: problems["currency"], extra: [Attribute("maxlength", "3"), Attribute("autocomplete", "off")])
        }
        of(.hours) { hours.fields(formats, problems) }
        of(.document) { documentFields(outcome, language, problems) }
        of(.market, .flat, .hours, .document) {
            Form.input(
                "plan-name", language(.planName), value: name, hint: language(.planNameHint),
                error: problems["plan-name"])
        }
    }

    private func of(_ kinds: Kind..., @HTMLBuilder content: () -> HTML) -> HTML {
        Form.part(of: kinds.map(\.rawValue), content)
    }

    private func choice(_ kind: Kind, _ language: Language) -> HTML {
        .element("p", [.class("check")]) {
            HTML.void(
                "input",
                [
                    Attribute("type", "radio"), .id("contract-\(kind.rawValue)"), Attribute("name", "contract"),
                    Attribute("value", kind.rawValue), Attribute("checked", if: self.kind == kind),
                ])
            HTML.element("label", [Attribute("for", "contract-\(kind.rawValue)")]) { language(kind.word) }
        }
    }

    @HTMLBuilder private func documentFields(
        _ outcome: Outcome, _ language: Language, _ problems: FormProblems
    ) -> HTML {
        Form.area(
            "document", language(.planDocument), value: document, hint: language(.planDocumentHint),
            error: problems["document"])
        // A script copies the file into the field above: without one there is nothing to choose.
        HTML.element("div", [.class("field"), Attribute("hidden", if: true), Attribute("data-file", "field-document")])
        {
            HTML.element("label", [Attribute("for", "file")]) { language(.planFile) }
            HTML.void("input", [.id("file"), Attribute("type", "file"), Attribute("accept", ".json,.yaml,.yml")])
        }
        if !outcome.choices.isEmpty {
            Form.select(
                "label", language(.planChoice),
                [("", language(.planChoiceNone))] + outcome.choices.map { ($0.label, $0.name) }, chosen: label,
                error: problems["label"])
        }
        if outcome.needsForce { Form.check("force", language(.planForce), isOn: isForced) }
    }
}

extension RatePlanInput.Kind {
    fileprivate var word: Word {
        switch self {
        case .none: .planKindNone
        case .market: .planKindMarket
        case .flat: .planKindFlat
        case .hours: .planKindHours
        case .document: .planKindDocument
        }
    }
}
