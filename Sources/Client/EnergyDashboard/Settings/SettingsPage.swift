internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import KeyFiles

/// What the services were told, and where it is told to them.
struct SettingsPage {
    /// What the page shows; `nil` where nobody could say.
    struct Content {
        var ratePlans: [RatePlan]?
        var devices: [ManagedDevice]?
        var limits: VenueLimits?
        var events: [DemandResponseEvent]?
        var sources: [RegionSource]?
        /// Of a source, if one was just tested.
        var test: SourceTest?
        /// What the dashboard's key may do at the service.
        var guidanceRights: Set<Permission>?
        var scheduleRights: Set<Permission>?
        /// Who has a key; `nil` where this process has none.
        var clients: [String: AccessList.Client]?
        /// Why something is not there, as the service says it.
        var refusals = Refusals()
    }

    let context: PageContext
    let content: Content

    private var language: Language { context.language }

    func html() -> HTML {
        .element("div", [.id("settings")]) {
            HTML.element("h1") { language(.pageSettings) }
            for refusal in content.refusals.texts { HTML.element("p", [.class("notice")]) { refusal } }
            section("venues", .venues, .admin, content.guidanceRights) {
                VenueSection(context: context, mayChange: $0).html()
            }
            section("rate-plans", .ratePlans, .admin, content.guidanceRights) {
                RatePlanSection(context: context, plans: content.ratePlans, mayChange: $0).html()
            }
            section("devices", .devices, .control, content.scheduleRights) {
                DeviceSection(context: context, devices: content.devices, mayChange: $0).html()
            }
            section("limits", .limits, .control, content.scheduleRights) {
                LimitsSection(context: context, limits: content.limits, mayChange: $0).html()
            }
            section("events", .events, .control, content.guidanceRights) {
                EventSection(context: context, events: content.events, mayChange: $0).html()
            }
            section("sources", .sources, .control, content.guidanceRights) {
                SourceSection(context: context, sources: content.sources, test: content.test, mayTest: $0).html()
            }
            section("keys", .keys) { KeySection(context: context, clients: content.clients).html() }
        }
    }

    /// - Parameter rights: `nil` while the service does not say them: then nothing is offered, and nothing said.
    private func section(
        _ id: String, _ title: Word, _ needed: Permission, _ rights: Set<Permission>?, _ content: (Bool) -> HTML
    ) -> HTML {
        section(id, title) {
            content(rights?.contains(needed) == true)
            language.missing(needed, in: rights)
        }
    }

    private func section(_ id: String, _ title: Word, @HTMLBuilder _ content: () -> HTML) -> HTML {
        let content = content()
        return .element("section", [.id(id), Attribute("aria-labelledby", "\(id)-title")]) {
            HTML.element("h2", [.id("\(id)-title")]) { language(title) }
            content
        }
    }
}

extension Language {
    /// Why a page is without the means to change what it shows; `nil` where it has them, or nobody could say.
    func missing(_ needed: Permission, in rights: Set<Permission>?) -> HTML? {
        guard let rights, !rights.contains(needed) else { return nil }
        return .element("p", [.class("note")]) { self(.settingNeeds, needed.rawValue) }
    }
}

/// One thing that can be set, with what can be done about it.
struct SettingCard {
    let title: String
    var facts: [String] = []
    var badge: String?
    /// Of what is not in a sentence.
    var more = HTML()
    /// Where it is changed, by the word that says so.
    var links: [(word: Word, address: String)] = []

    func html(_ language: Language) -> HTML {
        .element("li", [.class("card")]) {
            HTML.element("div", [.class("card-head")]) {
                HTML.element("h3") { title }
                if let badge { HTML.element("span", [.class("badge")]) { badge } }
            }
            for fact in facts { HTML.element("p") { fact } }
            more
            if !links.isEmpty {
                HTML.element("div", [.class("actions")]) {
                    for link in links {
                        HTML.element("a", [.class("button"), .href(link.address)]) {
                            language(link.word)
                            HTML.element("span", [.class("hidden")]) { ", " + title }
                        }
                    }
                }
            }
        }
    }

    /// Cards below each other, and the way to one more.
    @HTMLBuilder static func list(
        _ cards: [SettingCard]?, none: Word, add: (word: Word, address: String)?, _ language: Language
    ) -> HTML {
        if let cards, !cards.isEmpty {
            HTML.element("ul", [.class("cards")]) { for card in cards { card.html(language) } }
        } else {
            HTML.element("p", [.class("empty")]) { language(cards == nil ? .notKnown : none) }
        }
        if let add {
            HTML.element("div", [.class("actions")]) {
                HTML.element("a", [.class("button"), .href(add.address)]) { language(add.word) }
            }
        }
    }
}
