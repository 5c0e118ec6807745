internal import EnergyModel
internal import Foundation

/// Times for which less is asked for, in the settings.
struct EventSection {
    let context: PageContext
    let events: [DemandResponseEvent]?
    let mayChange: Bool

    private var language: Language { context.language }

    func html() -> HTML {
        SettingCard.list(
            events?.map(card), none: .eventNone, add: mayChange ? (.eventAdd, context.address("/settings/event")) : nil,
            language)
    }

    private func card(_ event: DemandResponseEvent) -> SettingCard {
        let name = "\(language(event.kind.word)), \(context.formats.span(event.interval, seen: context.now))"
        let button = Form.button(
            "/settings/event/cancel",
            [
                ("venue", context.venue.id.uuidString.lowercased()), ("event", event.id.uuidString.lowercased()),
            ], language(.eventCancel), subject: name)
        return SettingCard(
            title: name,
            facts: [event.reason, scope(event.scope), event.source.isEmpty ? "" : language(.eventSource, event.source)]
                .filter { !$0.isEmpty },
            more: mayChange ? .element("div", [.class("actions")]) { button } : HTML())
    }

    private func scope(_ scope: DemandResponseEvent.Scope) -> String {
        switch scope {
        case .venue(let id): context.venues.first { $0.id == id }?.name ?? id.uuidString.lowercased()
        case .region(let region): language(.eventForRegion, region)
        case .all: language(.eventForAll)
        }
    }
}

extension DemandResponseEvent.Kind {
    var word: Word {
        switch self {
        case .criticalPeak: .eventCriticalPeak
        case .reduce: .eventReduce
        }
    }
}
