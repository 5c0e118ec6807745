internal import EnergyModel
internal import EnergyWire

/// What guidance is made of: the sources, how well they foretold, and the contract.
struct GridPage {
    /// What the page shows; `nil` where nobody could say.
    struct Content {
        var sources: [RegionSource]?
        var past: PastChart?
        var skill: ForecastSkill?
        /// A home may have none.
        var ratePlan: RatePlan??
        /// Of a contract that passes a market's prices on.
        var dailyPrices: DailyPrices?
        var monthlyPrices: MonthlyPrices?
        /// Why something is not there, as the service says it.
        var refusals = Refusals()
    }

    let context: PageContext
    let content: Content

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        .element("div", [.id("grid")]) {
            HTML.element("h1") { "\(language(.pageGrid)): \(context.venue.region)" }
            for refusal in content.refusals.texts { HTML.element("p", [.class("notice")]) { refusal } }
            section("sources", language(.sources)) { sources }
            section("past", language(.past)) {
                content.past?.html() ?? unknown
                HTML.element("p", [.class("note")]) { skill }
            }
            section("rates", title(of: content.ratePlan ?? nil)) { ratePlan }
        }
    }

    private func section(_ id: String, _ title: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
        let content = content()
        return .element("section", [Attribute("aria-labelledby", "\(id)-title")]) {
            HTML.element("h2", [.id("\(id)-title")]) { title }
            content
        }
    }

    // MARK: Sources

    @HTMLBuilder private var sources: HTML {
        if let sources = content.sources, !sources.isEmpty {
            HTML.element(
                "div", [.class("scroll"), Attribute("tabindex", "0"), .role("group"), .label(language(.sources))]
            ) {
                Table.html(
                    head: [.sourceName, .kind, .sourceUse, .sourceNewest, .sourceHeard, .sourceNext].map {
                        language($0)
                    },
                    rows: sources.map(row))
            }
            for trouble in sources.map(\.status).flatMap(troubles) { HTML.element("p", [.class("notice")]) { trouble } }
        } else if content.sources == nil {
            unknown
        } else {
            HTML.element("p", [.class("empty")]) { language(.sourceNone, context.venue.region) }
        }
    }

    /// That nobody can say is another thing than that there is none.
    private var unknown: HTML { .element("p", [.class("empty")]) { language(.notKnown) } }

    private func row(_ source: RegionSource) -> [String] {
        let use = source.use(language)
        let source = source.status
        return [
            source.name, formats.title(source.kind), use.isEmpty ? "–" : use,
            source.newestValue.map(age) ?? "–", source.lastSuccess.map(age) ?? "–",
            source.nextAttempt.map { formats.moment(max($0, context.now), seen: context.now) } ?? "–",
        ]
    }

    private func troubles(_ source: SignalSourceStatus) -> [String] {
        var troubles = source.lastError.map { [language(.sourceTrouble, source.name, $0)] } ?? []
        if source.isInUse, source.name == "climatology" { troubles.append(language(.sourceUsual)) }
        if let skew = source.clockSkewMilliseconds {
            troubles.append(language(.sourceClock, source.name, formats.length(milliseconds: abs(skew))))
        }
        return troubles
    }

    /// Of what is still to come, the time.
    private func age(_ instant: Timestamp) -> String {
        let age = context.now.milliseconds(since: instant)
        guard age >= 0 else { return formats.moment(instant, seen: context.now) }
        return language(.ago, formats.length(milliseconds: age))
    }

    private var skill: String {
        guard let skill = content.skill else { return language(.skillUnknown) }
        return language(
            .skill, "\(skill.issues)", formats.percent(skill.capturedShare), formats.percent(skill.relativeError))
    }

    // MARK: Rate plan

    private func title(of plan: RatePlan?) -> String {
        plan.map { "\(language(.ratePlan)): \($0.name)" } ?? language(.ratePlan)
    }

    @HTMLBuilder private var ratePlan: HTML {
        content.dailyPrices?.html()
        content.monthlyPrices?.html()
        if let plan = content.ratePlan ?? nil {
            RateHeatMap(plan: plan, formats: formats).html()
        } else if content.ratePlan == nil {
            unknown
        } else {
            HTML.element("p", [.class("empty")]) { language(.ratePlanNone) }
        }
    }
}

extension RegionSource {
    /// Whether guidance is made of it, and whether it is there by itself.
    func use(_ language: Language) -> String {
        [status.isInUse ? language(.sourceInUse) : nil, isAutomatic ? language(.sourceAutomatic) : nil]
            .compactMap(\.self).joined(separator: ", ")
    }
}
