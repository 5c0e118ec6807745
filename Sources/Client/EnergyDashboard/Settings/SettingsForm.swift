internal import EnergyModel
internal import Foundation

/// A form of the settings: what it asks, what is wrong with what was typed, and what it does when all is well.
struct SettingsForm {
    typealias Save = () async throws(EnergyError) -> Void

    /// Takes away what the form is of.
    struct Removal {
        let action: String
        let field: (String, String)
        let word: Word
        let remark: Word
    }

    let title: String
    /// Where it is sent.
    let action: String
    /// What it asks; given what is wrong.
    var fields: (FormProblems) -> HTML = { _ in HTML() }
    /// Of what was typed; empty for a form that was not sent yet.
    var problems: FormProblems = [:]
    /// What is to be known before it is sent.
    var remarks: [String] = []
    /// `nil` while something is wrong.
    var save: Save?
    /// Which field is meant by what a service calls a field.
    var names: [String: String] = [:]
    var submit: Word = .save
    /// What may be done in place of saving.
    var removal: Removal?
    /// What is wrong with it is to be said, in whatever language it is shown.
    var isJudged = false
    /// Somebody has removed what it changes: it is shown again, to be added anew.
    var isGone = false
    /// What a service said against it.
    private(set) var refusals: [String] = []

    /// Saves what was sent. What is only shown in another language is not saved, nor judged before it was sent.
    ///
    /// - Returns: the status to answer with: 303 once it is saved.
    mutating func take(_ request: PageRequest) async -> Int {
        isJudged = request.isJudged
        if request.isSent { return await send(in: request.language) }
        if !isJudged { problems = [:] }
        return 200
    }

    private mutating func send(in language: Language) async -> Int {
        if isGone {
            refusals = [language(.settingGone)]
            return 404
        }
        guard let save else { return 422 }
        do throws(EnergyError) {
            try await save()
            return 303
        } catch {
            refuse(error, in: language)
            return error.formStatus
        }
    }

    /// What concerns a field is said there.
    private mutating func refuse(_ error: EnergyError, in language: Language) {
        for violation in error.violations {
            guard let name = names[violation.field] else { continue }
            problems[name] = language(.refusedField, violation.rule)
        }
        let isNamed = !error.violations.isEmpty && error.violations.allSatisfy { names[$0.field] != nil }
        refusals = isNamed ? [] : [language.refusal(error)]
    }

    /// - Parameters:
    ///   - venue: whose settings they are; `nil` before there is any.
    ///   - back: where it is left to without saving; `nil` where there is no such place.
    func html(_ language: Language, intro: String? = nil, venue: Venue? = nil, back: String? = nil) -> HTML {
        let fields = fields(problems)
        return HTML.element("h1") { title }
            + Form.summary(fields.problems, refusals, language)
            + (intro.map { text in HTML.element("p", [.class("intro")]) { text } } ?? HTML())
            + .element(
                "form",
                [
                    .id(Form.mainID), .class("goal-form card"), Attribute("method", "post"),
                    Attribute("action", action),
                    Attribute("novalidate", if: true),
                ]
            ) {
                if let venue { Form.hidden("venue", venue.id.uuidString.lowercased()) }
                if isJudged { Form.hidden("sent", "yes") }
                fields
                for remark in remarks { HTML.element("p", [.class("note")]) { remark } }
                HTML.element("div", [.class("actions")]) {
                    HTML.element("button", [.class("primary")]) { language(submit) }
                    if let back { HTML.element("a", [.class("button"), .href(back)]) { language(.cancel) } }
                }
            }
            + (removal.map { html($0, language, venue) } ?? HTML())
    }

    private func html(_ removal: Removal, _ language: Language, _ venue: Venue?) -> HTML {
        // Asks first: nothing is removed by one press.
        .element("details", [.class("removal")]) {
            HTML.element("summary") { language(.removalAsk, language(removal.word)) }
            HTML.element("p", [.class("note")]) { language(removal.remark) }
            Form.button(
                removal.action,
                [removal.field] + (venue.map { [("venue", $0.id.uuidString.lowercased())] } ?? []),
                language(removal.word))
        }
    }
}
