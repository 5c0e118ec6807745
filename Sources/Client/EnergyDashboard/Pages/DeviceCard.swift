internal import EnergyModel

/// One device: its state in a word, why, and what comes next.
struct DeviceCard {
    let status: DeviceStatus
    let context: PageContext

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        .element("li", [.class("card state-\(status.state)"), .id("device-\(status.device.device.id)")]) {
            HTML.element("div", [.class("card-head")]) {
                HTML.element("h3") { status.name }
                HTML.element("span", [.class("badge")]) { language(status.state.word) }
            }
            charge
            HTML.element("p") { why }
            if let next { HTML.element("p", [.class("next")]) { next } }
        }
    }

    private var charge: HTML? {
        guard let percent = status.stateOfCharge, percent > 0, status.device.device.kind != .hvac else { return nil }
        let text = language(.percentFull, formats.percent(Double(percent) / 100))
        return .element("div", [.class("charge")]) {
            HTML.element(
                "meter",
                [
                    Attribute("min", "0"), Attribute("max", "100"), Attribute("value", "\(percent)"), .label(text),
                ])
            HTML.element("span") { text }
        }
    }

    /// What the device said, otherwise what its plan says.
    var why: String {
        switch status.schedule?.override {
        case .chargeNow: return language(status.state.isOn ? .overrideNow : .overrideNowWaits)
        case .paused: return language(.overridePaused)
        case .stopped: return language(.overrideStopped)
        case nil: break
        }
        let said = status.latest.flatMap { latest -> String? in
            if case .session(let session) = latest.content, session.isOver { return nil }
            return formats.teller.text(latest)
        }
        if let said { return said + "." }
        guard let block = status.currentBlock else { return language(.planNone) }
        return language.reason(block.reason)
    }

    private static func word(_ change: DeviceStatus.Change) -> Word {
        switch change {
        case .starts: .startsAt
        case .ends: .endsAt
        case .lessens: .lessFrom
        case .restores: .lessUntil
        }
    }

    private var next: String? {
        var parts: [String] = []
        if let change = status.nextChange {
            let moment = formats.moment(change.at, seen: context.now)
            // What the device said itself is not said twice.
            if !why.contains(moment) {
                parts.append(language(Self.word(change.change), moment))
            }
        }
        if let schedule = status.schedule, !schedule.blocks.isEmpty, status.device.device.kind != .hvac {
            let ready = formats.moment(schedule.goal.readyBy, seen: context.now)
            if !why.contains(ready) { parts.append(language(.readyBy, ready)) }
            if schedule.missing > .zero { parts.append(language(.missingEnergy, formats.energy(schedule.missing))) }
        }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}
