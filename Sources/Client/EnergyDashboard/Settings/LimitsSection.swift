internal import EnergyModel

/// What a home's connection carries, in the settings.
struct LimitsSection {
    let context: PageContext
    let limits: VenueLimits?
    let mayChange: Bool

    private var language: Language { context.language }

    @HTMLBuilder func html() -> HTML {
        let facts = limits.map(facts)
        if let facts, !facts.isEmpty {
            HTML.element("ul", [.class("cards")]) {
                SettingCard(title: context.venue.name, facts: facts).html(language)
            }
        } else {
            HTML.element("p", [.class("empty")]) { language(facts == nil ? .notKnown : .limitsNone) }
        }
        if mayChange, facts != nil {
            HTML.element("div", [.class("actions")]) {
                HTML.element("a", [.class("button"), .href(context.address("/settings/limits"))]) {
                    language(.limitsForm)
                }
            }
        }
    }

    private func facts(_ limits: VenueLimits) -> [String] {
        let formats = context.formats
        var facts: [String] = []
        if let current = LimitsInput.current(limits) {
            let text = formats.number(current, decimals: current == current.rounded() ? 0 : 2)
            facts.append(language(LimitsInput.isOnOnePhase(limits) ? .limitsFuseOnOne : .limitsFuseOnThree, text))
        }
        if let power = limits.importPower { facts.append(language(.limitsAtMost, formats.power(power))) }
        let base = LimitsInput.total(limits)
        if base > 0 { facts.append(language(.limitsRunsAnyway, formats.power(Power(kilowatts: base)))) }
        let isMore =
            limits.circuits.count > (limits.mainFuse == nil ? 0 : 1) || !limits.exclusive.isEmpty
            || limits.demandCharge != nil || limits.exportPower != nil
        if isMore { facts.append(language(.limitsMore)) }
        return facts
    }
}
