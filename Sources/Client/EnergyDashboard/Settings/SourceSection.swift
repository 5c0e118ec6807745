internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// Where signals come from, in the settings. The contract has no method that sets sources: they are of the service's file.
struct SourceSection {
    let context: PageContext
    let sources: [RegionSource]?
    /// What was just tested.
    var test: SourceTest?
    let mayTest: Bool

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
              - { region: CISO, provider: eia-930, key-variable: EIA_KEY }
              - { region: GB, provider: octopus, product: AGILE-24-10-01, region-letter: C }
            """
        }
    }

    private func card(_ source: RegionSource) -> SettingCard {
        let test = test.flatMap { isSame($0.source, source) ? $0 : nil }
        let shown = test?.source ?? source
        let status = shown.status
        let heard = status.lastSuccess.map { heard in
            let age = max(0, context.now.milliseconds(since: heard))
            return language(.sourceHeardAgo, context.formats.length(milliseconds: age))
        }
        let title = "\(source.region): \(status.name)"
        let use = shown.use(language)
        return SettingCard(
            title: title,
            // What was tested says itself what is wrong.
            facts: [context.formats.title(status.kind), heard, test == nil ? status.lastError : nil].compactMap(\.self),
            badge: use.isEmpty ? nil : use, more: result(test) + button(source, title))
    }

    private func isSame(_ one: RegionSource, _ other: RegionSource) -> Bool {
        one.region == other.region && one.status.name == other.status.name
    }

    private func button(_ source: RegionSource, _ title: String) -> HTML {
        guard mayTest else { return HTML() }
        let fields = [
            ("venue", context.venue.id.uuidString.lowercased()), ("region", source.region),
            ("source", source.status.name),
        ]
        return .element("div", [.class("actions")]) {
            Form.button("/settings/source/test#tested", fields, language(.sourceTest), subject: title)
        }
    }

    private func result(_ test: SourceTest?) -> HTML {
        guard let test else { return HTML() }
        let sentences = SourceVerdict(test: test, context: context).sentences
        return .element("div", [.class(test.isWell ? "tested" : "tested notice"), .id("tested"), .role("status")]) {
            for sentence in sentences { HTML.element("p") { sentence } }
        }
    }
}

extension SourceTest {
    /// It answers, and says something of the present.
    var isWell: Bool { source.status.lastError == nil && newest != nil }
}

/// What a test of a source found, for people.
struct SourceVerdict {
    let test: SourceTest
    let context: PageContext

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    var sentences: [String] {
        let status = test.source.status
        return [
            test.isAsked ? nil : language(.sourceNotAsked), newest,
            test.knownUntil.map { until in
                let length = formats.length(milliseconds: until.milliseconds(since: context.now))
                return language(.sourceAhead, formats.moment(until, seen: context.now), length)
            }, status.lastError.map { language(.sourceTrouble, status.name, $0) },
            remedy.map { language($0) },
        ].compactMap(\.self)
    }

    private var newest: String? {
        guard let newest = test.newest else { return test.failure == nil ? language(.sourceSilent) : nil }
        let age = context.now.milliseconds(since: newest.interval.end)
        let value = value(newest.value)
        if age <= 0 { return language(.sourceValueNow, value) }
        return language(.sourceValue, value, formats.length(milliseconds: age))
    }

    private func value(_ value: Double) -> String {
        let status = test.source.status
        guard status.kind == .price else { return formats.intensity(value) }
        let price = Price(microsPerKilowattHour: Int64(value.rounded()))
        return language(.perKilowattHour, formats.price(price, status.currency ?? "EUR"))
    }

    /// What a person can do.
    private var remedy: Word? {
        switch test.failure {
        case .denied?: .sourceFixKey
        case .notFound?, .outOfRange?: .sourceFixPlace
        case .rateLimited?: .sourceFixWait
        case .unavailable?: .sourceFixAway
        case nil: nil
        default: .sourceFixAnswer
        }
    }
}
