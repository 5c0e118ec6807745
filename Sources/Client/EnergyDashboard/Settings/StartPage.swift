internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// The first page of a new installation: it asks where one is, and then the rest.
struct StartPage {
    enum Step {
        case region([String], FormProblems)
        case home(SettingsForm)
    }

    let step: Step
    let language: Language
    /// Where the example is looked at; `nil` before there is one.
    var back: String?

    /// Whether anything may be lost by asking for the page again.
    var hasForm: Bool {
        if case .home = step { true } else { false }
    }

    func html() -> HTML {
        switch step {
        case .region(let regions, let problems): choice(regions, problems) + (back == nil ? demo : HTML())
        case .home(let form): form.html(language, back: back)
        }
    }

    private func choice(_ regions: [String], _ problems: FormProblems) -> HTML {
        HTML.element("h1") { language(.startTitle) }
            + .element("p", [.class("intro")]) { language(.startIntro) }
            + .element("form", [.class("goal-form card"), Attribute("method", "get"), Attribute("action", "/start")]) {
                VenueInput().regionField(language, regions: regions, problems)
                HTML.element("div", [.class("actions")]) {
                    HTML.element("button", [.class("primary")]) { language(.startNext) }
                    if let back { HTML.element("a", [.class("button"), .href(back)]) { language(.cancel) } }
                }
            }
    }

    private var demo: HTML {
        .element("section", [.class("card"), Attribute("aria-labelledby", "demo-title")]) {
            HTML.element("h2", [.id("demo-title")]) { language(.demoTitle) }
            HTML.element("p") { language(.demoIntro) }
            HTML.element("div", [.class("actions")]) { Form.button("/start/demo", [], language(.demoGo)) }
        }
    }
}
