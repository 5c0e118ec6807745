internal import EnergyModel
internal import EnergyTransport
internal import Foundation

/// Where a goal is typed, tried and saved.
struct GoalFormPage {
    let context: PageContext
    let device: ManagedDevice
    /// By which people tell it from the others.
    let name: String
    let input: GoalInput
    var problems: FormProblems = [:]
    var preview: GoalPreview?
    /// What the scheduler said against it.
    var refusal: EnergyError?
    let hasGoal: Bool
    /// Of several goals, the one that is changed; `nil` sets the device's.
    var changed: Goal?
    /// What is wrong with it is to be said, in whatever language it is shown.
    var isJudged = false
    /// What the dashboard's key may do at the scheduler; `nil` where nobody could say.
    var rights: Set<Permission>?

    private var language: Language { context.language }

    func html() -> HTML {
        let form = form
        return HTML.element("h1") { language(.formTitle, name) }
            + Form.summary(form.problems, [refusal].compactMap { $0.map(language.refusal) }, language)
            + (preview.map { PreviewView(preview: $0, context: context).html() } ?? HTML()) + form
            + (hasGoal && mayChange ? removal : HTML()) + (language.missing(.control, in: rights) ?? HTML())
    }

    private var mayChange: Bool { rights?.contains(.control) == true }

    private var removal: HTML {
        .element("form", [.class("actions"), Attribute("method", "post"), Attribute("action", "/plan/goals/remove")]) {
            Form.hidden("venue", context.venue.id.uuidString.lowercased())
            Form.hidden("device", device.device.id)
            hiddenGoal
            HTML.element("button") { language(changed == nil ? .removeGoal : .removeOneGoal) }
        }
    }

    private var form: HTML {
        .element(
            "form",
            [
                .id(Form.mainID), .class("goal-form card"), Attribute("method", "post"),
                Attribute("action", "/plan/goal"),
                Attribute("novalidate", if: true),
            ]
        ) {
            Form.hidden("venue", context.venue.id.uuidString.lowercased())
            Form.hidden("device", device.device.id)
            hiddenGoal
            target
            Form.input(
                "amount", language(.formAmount), type: "text", value: input.amount, hint: language(.formAmountHint),
                error: problems["amount"], extra: [Attribute("inputmode", "decimal"), Attribute("autocomplete", "off")])
            Form.input("day", language(.formDay), type: "date", value: input.day, error: problems["day"])
            Form.input("clock", language(.formClock), type: "time", value: input.clock, error: problems["clock"])
            weekdays
            Form.input(
                "guaranteed", language(.formGuaranteed), type: "text", value: input.guaranteed,
                hint: language(.formGuaranteedHint), error: problems["guaranteed"],
                extra: [Attribute("inputmode", "numeric")])
            if hasGoal, changed == nil { Form.check("keep", language(.formKeep), isOn: input.keepsOthers) }
            HTML.element("div", [.class("actions")]) {
                HTML.element("button", [Attribute("name", "do"), Attribute("value", "preview")]) { language(.preview) }
                if mayChange {
                    HTML.element("button", [.class("primary"), Attribute("name", "do"), Attribute("value", "save")]) {
                        language(.save)
                    }
                }
                HTML.element("a", [.class("button"), .href(context.address("/plan"))]) { language(.cancel) }
            }
            if isJudged { Form.hidden("sent", "yes") }
            // After the buttons, of which the one that is pressed comes first: in another language it is tried again.
            if preview != nil { Form.hidden("do", "preview") }
        }
    }

    private var hiddenGoal: HTML? {
        changed.map { Form.hidden("goal", $0.id.uuidString.lowercased()) }
    }

    private var target: HTML {
        .element("fieldset", [Attribute("aria-describedby", problems["target"].map { _ in "error-target" })]) {
            HTML.element("legend") { language(.formTarget) }
            for choice in GoalInput.targets(of: device.device.kind) {
                HTML.element("p", [.class("check")]) {
                    HTML.void(
                        "input",
                        [
                            Attribute("type", "radio"), .id("target-\(choice.rawValue)"), Attribute("name", "target"),
                            Attribute("value", choice.rawValue),
                            Attribute("checked", if: input.target == choice.rawValue),
                        ])
                    HTML.element("label", [Attribute("for", "target-\(choice.rawValue)")]) { language(choice.word) }
                }
            }
            if let text = problems["target"] {
                let first = "target-\((GoalInput.targets(of: device.device.kind).first ?? .run).rawValue)"
                Form.problem("target", FieldProblem(id: first, label: language(.formTarget), text: text))
            }
        }
    }

    private var weekdays: HTML {
        let names = language(.weekdays).split(separator: ",").map(String.init)
        return .element("fieldset", [Attribute("aria-describedby", "hint-weekdays")]) {
            HTML.element("legend") { language(.formRepeat) }
            HTML.element("div", [.class("days")]) {
                for day in context.formats.week {
                    HTML.element("span", [.class("check")]) {
                        HTML.void(
                            "input",
                            [
                                Attribute("type", "checkbox"), .id("weekday-\(day)"), Attribute("name", "weekday"),
                                Attribute("value", "\(day)"), Attribute("checked", if: input.weekdays.contains(day)),
                            ])
                        HTML.element("label", [Attribute("for", "weekday-\(day)")]) { names[day] }
                    }
                }
            }
            HTML.element("p", [.class("hint"), .id("hint-weekdays")]) { language(.formRepeatHint) }
        }
    }
}

extension GoalInput.Target {
    var word: Word {
        switch self {
        case .charge: .formTargetCharge
        case .energy: .formTargetEnergy
        case .reduce: .formTargetReduce
        case .run: .formTargetRun
        }
    }
}

/// What a goal would cost, beside charging at once.
struct PreviewView {
    let preview: GoalPreview
    let context: PageContext

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        .element("section", [.class("card"), Attribute("aria-labelledby", "preview-title")]) {
            HTML.element("h2", [.id("preview-title")]) { language(.preview) }
            if let saved { HTML.element("p", [.class("big saved")]) { language(.previewSaves, saved) } }
            PlanSummary(blocks: preview.planned.blocks, missing: preview.planned.missing, context: context).inWords
            PlanReasons.words(formats.told(preview.planned.explanation), language, id: "preview")
            HTML.element(
                "div", [.class("scroll"), Attribute("tabindex", "0"), .role("group"), .label(language(.preview))]
            ) {
                Table.html(
                    head: [language(.preview), language(.previewPlanned), language(.previewAtOnce)],
                    rows: [
                        row(.energy) { formats.energy($0.planned) }, row(.previewCost, cost),
                        row(.previewCarbon) { course in
                            course.carbonGrams.map { formats.kilograms(milligrams: $0 * 1_000) } ?? language(.notKnown)
                        },
                        row(.previewReady) { course in
                            course.ready.map { formats.moment($0, seen: context.now) } ?? language(.previewNever)
                        },
                        row(.previewMissing) { $0.missing > .zero ? formats.energy($0.missing) : "–" },
                    ])
            }
        }
    }

    private func row(_ word: Word, _ text: (GoalPreview.Course) -> String) -> [String] {
        [language(word), text(preview.planned), text(preview.atOnce)]
    }

    private func cost(_ course: GoalPreview.Course) -> String {
        guard let micros = course.costMicros, let currency = preview.currency else { return language(.notKnown) }
        return formats.money(micros: micros, currency)
    }

    /// `nil` where nothing is saved, or it is not known.
    private var saved: String? {
        guard let currency = preview.currency, let planned = preview.planned.costMicros,
            let atOnce = preview.atOnce.costMicros, atOnce - planned >= 10_000,
            preview.planned.missing == preview.atOnce.missing
        else { return nil }
        return formats.money(micros: atOnce - planned, currency)
    }
}
