internal import EnergyModel
internal import Foundation

/// The pages, in the order of the navigation.
enum Page: String, CaseIterable, Sendable {
    case now = "/"
    case plan = "/plan"
    case history = "/history"
    case activity = "/activity"
    case grid = "/grid"
    case settings = "/settings"

    var word: Word {
        switch self {
        case .now: .pageNow
        case .plan: .pagePlan
        case .history: .pageHistory
        case .activity: .pageActivity
        case .grid: .pageGrid
        case .settings: .pageSettings
        }
    }
}

/// What is around the content of every page.
struct PageFrame {
    let title: String
    /// `nil` for pages that are not in the navigation.
    let page: Page?
    let language: Language
    /// `nil` where there is no home to speak of.
    var context: PageContext?
    /// The page's address, to come back to after the language was changed; `nil` is the one in the navigation.
    var address: String?
    /// False while there is nothing to show on them.
    var leadsToPages = true
    /// It is fetched anew when something is new.
    var isLive = true
    /// What had been told when it was begun. What is fetched anew says nothing of it: it would differ though nothing else does.
    var newsCount: Int?
    /// What was typed into its form is kept when the language is changed.
    var hasForm = false

    func html(@HTMLBuilder _ content: () -> HTML) -> HTML {
        let content = content()
        return .element("html", [Attribute("lang", language.rawValue)]) {
            head(isWrong: !content.problems.isEmpty)
            HTML.element(
                "body",
                [
                    Attribute("data-live-venue", isLive ? context?.venue.id.uuidString.lowercased() ?? "" : nil),
                    Attribute("data-news-count", isLive ? newsCount.map(String.init) : nil),
                ]
            ) {
                HTML.element("a", [.class("skip"), .href("#content")]) { language(.skipToContent) }
                header
                HTML.element("p", [.id("offline"), .class("notice"), .role("status"), Attribute("hidden", if: true)]) {
                    language(.connectionLost)
                }
                HTML.element("main", [.id("content"), Attribute("tabindex", "-1")]) {
                    told
                    notices
                    content
                }
                footer
            }
        }
    }

    private func head(isWrong: Bool) -> HTML {
        .element("head") {
            HTML.void("meta", [Attribute("charset", "utf-8")])
            HTML.void(
                "meta", [Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1")])
            HTML.void("meta", [Attribute("name", "color-scheme"), Attribute("content", "light dark")])
            HTML.element("title") {
                (isWrong ? language(.titleWrong, title) : title) + " · " + language(.appName)
            }
            HTML.void("link", [Attribute("rel", "icon"), .href("data:,")])
            HTML.void("link", [Attribute("rel", "stylesheet"), .href(Asset.style.address)])
            HTML.element("script", [Attribute("src", Asset.script.address), Attribute("defer", if: true)])
        }
    }

    private var header: HTML {
        .element("header") {
            HTML.element("a", [.class("brand"), .href(context?.address("/") ?? "/")]) { language(.appName) }
            if leadsToPages { navigation }
            if let context, context.venues.count > 1 { venueChoice(context) }
        }
    }

    private var navigation: HTML {
        .element("nav", [.label(language(.navigation))]) {
            for page in Page.allCases {
                HTML.element(
                    "a",
                    [
                        .href(context?.address(page.rawValue) ?? page.rawValue),
                        Attribute("aria-current", page == self.page ? "page" : nil),
                    ]
                ) { language(page.word) }
            }
        }
    }

    private func venueChoice(_ context: PageContext) -> HTML {
        .element("form", [.class("venues"), Attribute("method", "get"), Attribute("action", page?.rawValue ?? "/")]) {
            HTML.element("label", [Attribute("for", "venue")]) { language(.venue) }
            HTML.element("select", [.id("venue"), Attribute("name", "venue")]) {
                for venue in context.venues {
                    Form.option(
                        venue.id.uuidString.lowercased(), venue.name, isChosen: venue.id == context.venue.id)
                }
            }
            HTML.element("button") { language(.show) }
        }
    }

    /// What somebody just did. It is no news: the page leaves it as it is.
    private var told: HTML {
        .element("div", [.id("told"), .role("status")]) {
            if let done = context?.done { HTML.element("p", [.class("notice done")]) { done } }
            if let refusal = context?.refusal { HTML.element("p", [.class("notice")]) { refusal } }
        }
    }

    private var notices: HTML {
        .element("div", [.id("notices"), .role("status")]) {
            for notice in context?.notices ?? [] { HTML.element("p", [.class("notice")]) { notice } }
        }
    }

    private var footer: HTML {
        .element("footer") {
            if let context {
                HTML.element("p") { "\(context.venue.name) · \(context.venue.timeZone.identifier)" }
            }
            HTML.element("form", [Attribute("method", "post"), Attribute("action", "/language")]) {
                Form.hidden("back", address ?? context?.address(page?.rawValue ?? "/") ?? "/")
                HTML.element("span", [.id("language-label")]) { language(.language) + ": " }
                for choice in Language.allCases {
                    HTML.element(
                        "button",
                        [
                            Attribute("name", "language"), Attribute("value", choice.rawValue),
                            Attribute("lang", choice.rawValue), Attribute("form", hasForm ? Form.mainID : nil),
                            Attribute("aria-pressed", choice == language ? "true" : "false"),
                        ]
                    ) { choice.name }
                }
            }
        }
    }
}
