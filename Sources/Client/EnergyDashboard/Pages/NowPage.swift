internal import EnergyModel
internal import EnergyTransport
internal import Foundation

/// How the hours ahead are, what runs, what waits and why.
struct NowPage {
    /// What the page shows; `nil` where nobody could say.
    struct Content: Sendable {
        var guidance: HomeReader.Known<Guidance>?
        var devices: HomeReader.Known<[DeviceStatus]>?
        /// Why there is no guidance, as the service says it.
        var guidanceError: EnergyError?
        /// What the dashboard's key may do at the guidance-publisher; `nil` where nobody could say, or nothing is offered.
        var guidanceRights: Set<Permission>?
    }

    let context: PageContext
    let content: Content

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        .element("div", [.id("now")]) {
            HTML.element("h1") { "\(context.venue.name)" }
            if let example = context.venues.first(where: DemoHome.isExample) { notice(of: example) }
            guidance
            HTML.element("section", [Attribute("aria-labelledby", "devices-title")]) {
                HTML.element("h2", [.id("devices-title")]) { language(.devices) }
                devices
            }
        }
    }

    // MARK: Example

    /// Whoever is new finds here how to set up a place of his own, and whoever has one how to be rid of the example.
    private func notice(of example: Venue) -> HTML {
        let isAlone = context.venues.allSatisfy(DemoHome.isExample)
        return .element("div", [.class("example card")]) {
            HTML.element("p") { language(isAlone ? .exampleShown : .exampleLeft, example.name) }
            if content.guidanceRights?.contains(.admin) != true {
                language.missing(.admin, in: content.guidanceRights)
            } else if isAlone {
                HTML.element("a", [.class("button primary"), .href("/start")]) { language(.exampleGo) }
            } else {
                Form.button(
                    "/settings/venue/remove", [("edit", example.id.uuidString.lowercased())],
                    language(.exampleRemove, example.name))
            }
        }
    }

    // MARK: Guidance

    private var guidance: HTML {
        guard let known = content.guidance else {
            return .element(
                "section", [.class("hero unknown"), .id("rating"), Attribute("aria-labelledby", "rating-title")]
            ) {
                HTML.element("h2", [.id("rating-title")]) { language(.noGuidance) }
                if let error = content.guidanceError {
                    language.paragraph(context.untold(error) ?? language(.notKnown), of: error)
                }
            }
        }
        let chart = GuidanceChart(guidance: known.value, now: context.now, formats: formats)
        return hero(known.value)
            + .element("section", [Attribute("aria-labelledby", "forecast-title")]) {
                HTML.element("h2", [.id("forecast-title")]) { language(.forecast) }
                staleness(known.asOf)
                chart.html()
                HTML.element("p", [.class("note")]) { basis(known.value.basis) }
            }
    }

    private func hero(_ guidance: Guidance) -> HTML {
        let values = guidance.values.filter { $0.interval.end > context.now }
        let spans = RatingSpan.spans(of: values)
        let present = values.first { $0.interval.contains(context.now) }
        guard let present, let span = spans.first else {
            return .element("section", [.class("hero unknown"), .id("rating"), .label(language(.ratingNow))]) {
                HTML.element("p", [.class("big")]) { language(.unknown) }
            }
        }
        return .element(
            "section", [.class("hero \(span.band.rawValue)"), .id("rating"), .label(language(.ratingNow))]
        ) {
            // Read aloud when it changes.
            HTML.element("div", [.role("status")]) {
                HTML.element("p", [.class("eyebrow")]) { language(.ratingNow) }
                HTML.element("p", [.class("big")]) { language(span.band.word) }
                HTML.element("p") { next(spans) }
            }
            HTML.element("dl", [.class("facts")]) {
                if let price = present.price, let currency = guidance.basis.currency {
                    fact(language(.price), language(.perKilowattHour, formats.price(price, currency)))
                }
                if let carbon = present.carbonIntensity { fact(language(.carbon), formats.intensity(carbon)) }
                fact(language(.rating), formats.number(present.rating, decimals: 2))
            }
        }
    }

    private func next(_ spans: [RatingSpan]) -> String {
        guard let first = spans.first else { return "" }
        let until = language(.goodUntil, formats.moment(first.interval.end, seen: context.now))
        if first.band == .good { return until }
        guard let good = spans.first(where: { $0.band == .good }) else { return language(.nextGoodNone) }
        return language(.nextGood, formats.span(good.interval, seen: context.now))
    }

    private func basis(_ basis: GuidanceBasis) -> String {
        let remarks =
            (basis.certainty < 0.5 ? [language(.basisFlat)] : [])
            + basis.events.prefix(3).map { language(.basisEvent, formats.span($0.interval, seen: context.now)) }
        return language(.basis, basis.source, remarks.joined(separator: " "))
    }

    private func fact(_ name: String, _ value: String) -> HTML {
        .element("div") {
            HTML.element("dt") { name }
            HTML.element("dd") { value }
        }
    }

    private func staleness(_ asOf: Timestamp?) -> HTML? {
        asOf.map { asOf in
            HTML.element("p", [.class("notice")]) { language(.asOf, formats.moment(asOf, seen: context.now)) }
        }
    }

    // MARK: Devices

    private var devices: HTML {
        guard let known = content.devices, !known.value.isEmpty else {
            return .element("p", [.class("empty")]) { language(content.devices == nil ? .notKnown : .noDevices) }
        }
        return (staleness(known.asOf) ?? HTML())
            + .element("ul", [.class("cards")]) {
                for status in known.value { DeviceCard(status: status, context: context).html() }
            }
    }
}
