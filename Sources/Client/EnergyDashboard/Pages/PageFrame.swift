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
    /// The page's address, to come back to after the language was changed.
    var address = "/"
    /// False while there is nothing to show on them.
    var leadsToPages = true
    /// Parts with `data-live` are fetched anew when something is new.
    var isLive = true

    func html(@HTMLBuilder _ content: () -> HTML) -> HTML {
        let content = content()
        return .element("html", [Attribute("lang", language.rawValue)]) {
            head
            HTML.element(
                "body", [Attribute("data-live-venue", isLive ? context?.venue.id.uuidString.lowercased() : nil)]
            ) {
                HTML.element("a", [.class("skip"), .href("#content")]) { language(.skipToContent) }
                header
                HTML.element("p", [.id("offline"), .class("notice"), .role("status"), Attribute("hidden", if: true)]) {
                    language(.connectionLost)
                }
                HTML.element("main", [.id("content"), Attribute("tabindex", "-1")]) {
                    notices
                    content
                }
                footer
            }
        }
    }

    private var head: HTML {
        .element("head") {
            HTML.void("meta", [Attribute("charset", "utf-8")])
            HTML.void(
                "meta", [Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1")])
            HTML.void("meta", [Attribute("name", "color-scheme"), Attribute("content", "light dark")])
            HTML.element("title") { "\(title) · \(language(.appName))" }
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

    private var notices: HTML {
        .element("div", [.id("notices"), Attribute("data-live", if: true), .role("status")]) {
            for notice in context?.notices ?? [] { HTML.element("p", [.class("notice")]) { notice } }
        }
    }

    private var footer: HTML {
        .element("footer") {
            if let context {
                HTML.element("p") { "\(context.venue.name) · \(context.venue.timeZone.identifier)" }
            }
            HTML.element("form", [Attribute("method", "post"), Attribute("action", "/language")]) {
                HTML.void(
                    "input", [Attribute("type", "hidden"), Attribute("name", "back"), Attribute("value", address)])
                HTML.element("span", [.id("language-label")]) { language(.language) + ": " }
                for choice in Language.allCases {
                    HTML.element(
                        "button",
                        [
                            Attribute("name", "language"), Attribute("value", choice.rawValue),
                            Attribute("lang", choice.rawValue),
                            Attribute("aria-pressed", choice == language ? "true" : "false"),
                        ]
                    ) { choice.name }
                }
            }
        }
    }
}
