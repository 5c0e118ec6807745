internal import EnergyModel
internal import EnergyWire

/// Where signals come from, in the settings. The contract has no method that sets sources: they are of the service's file.
struct SourceSection {
    let context: PageContext
    let sources: [RegionSource]?

    private var language: Language { context.language }

    @HTMLBuilder func html() -> HTML {
        if let sources {
            HTML.element("ul", [.class("cards")]) {
                for source in sources { card(source).html(language) }
            }
        } else {
            HTML.element("p", [.class("empty")]) { language(.notKnown) }
        }
        HTML.element("p", [.class("note")]) { language(.sourceHow) }
        HTML.element("pre", [.class("code")]) {
            """
            sources:
              - { region: GB, provider: gb-carbon-intensity }
              - { region: GB, provider: octopus, product: AGILE-24-10-01, region-letter: C }
            """
        }
    }

    private func card(_ source: RegionSource) -> SettingCard {
        let status = source.status
        let heard = status.lastSuccess.map { heard in
            let age = max(0, context.now.milliseconds(since: heard))
            return language(.sourceHeardAgo, context.formats.length(milliseconds: age))
        }
        return SettingCard(
            title: "\(source.region): \(status.name)",
            facts: [context.formats.kind(status.kind), heard, status.lastError].compactMap(\.self),
            badge: status.isInUse ? language(.sourceInUse) : nil)
    }
}
