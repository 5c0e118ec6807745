internal import EnergyModel

/// What following guidance was worth, with the arithmetic behind it.
struct SavingsView {
    static let linesMax = 40

    let saved: SavingsAnswer
    let names: [String: String]
    let context: PageContext

    private var savings: Savings { saved.savings }
    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        .element("section", [Attribute("aria-labelledby", "savings-title"), .class("savings")]) {
            HTML.element("h2", [.id("savings-title")]) { language(.saved) }
            if savings.comparedCount == 0 {
                HTML.element("p", [.class("empty")]) { language(.savedNothing) }
            } else {
                HTML.element("p", [.class("big")]) { sums.saved.isEmpty ? "–" : sums.saved }
                if !sums.more.isEmpty { HTML.element("p") { language(.savedMore, sums.more) } }
                note(.followedGuidance, savings.followedCount)
                if savings.comparedCount < savings.sessionCount {
                    note(.notCompared, savings.sessionCount - savings.comparedCount)
                }
                HTML.element("details", [.id("savings-details")]) {
                    HTML.element("summary") { language(.arithmetic) }
                    HTML.element("p") { language(.arithmeticHint) }
                    HTML.element("ul", [.class("lines")]) {
                        for session in saved.newest {
                            HTML.element("li") { line(session) }
                        }
                    }
                    if saved.newest.count > 1 { HTML.element("p", [.class("sum")]) { sum } }
                }
            }
        }
    }

    /// Of all sessions some.
    private func note(_ word: Word, _ count: Int) -> HTML {
        .element("p", [.class("note")]) {
            language(word, formats.number(Double(count)), formats.number(Double(savings.sessionCount)))
        }
    }

    /// Money and carbon may differ: what is cheap is not always clean.
    private var sums: (saved: String, more: String) {
        var (saved, more): ([String], [String]) = ([], [])
        for money in savings.costs {
            let text = formats.money(micros: Int64(clamping: money.micros.magnitude), money.currency)
            if money.micros >= 0 { saved.append(text) } else { more.append(text) }
        }
        for mass in savings.carbon {
            let size = formats.kilograms(milligrams: Double(mass.milligrams.magnitude))
            let text = "\(size) CO₂\(formats.kind(mass, among: savings.carbon))"
            if mass.milligrams >= 0 { saved.append(text) } else { more.append(text) }
        }
        return (saved.joined(separator: " · "), more.joined(separator: " · "))
    }

    /// Energy times two prices: what it would have cost, and what it did.
    private func line(_ session: SessionInsight) -> String {
        guard let baseline = session.baseline else { return "" }
        let energy = session.amount.energy
        func known(_ worth: InsightWorth) -> String {
            text([worth.cost(ofAll: energy)].compactMap(\.self), [worth.carbon(ofAll: energy)].compactMap(\.self))
        }
        // It is counted where it began; plugged in it may have been the day before.
        let values = [
            formats.dayAndDate(session.began), names[session.deviceID] ?? session.deviceID, formats.energy(energy),
            formats.power(baseline.power), formats.moment(baseline.interval.start, seen: session.began),
            formats.moment(baseline.interval.end, seen: session.began), known(baseline.worth), known(session.worth),
        ]
        return language.filled(.arithmeticLine, values)
    }

    /// Of what both are known of, so that the difference is what was saved.
    private var sum: String {
        var (atOnce, was) = (InsightWorth.none, InsightWorth.none)
        for session in saved.newest {
            guard let baseline = session.baseline else { continue }
            let energy = session.amount.energy
            let hasMoney = session.savedMoney != nil
            let hasCarbon = session.savedCarbon != nil
            func known(_ worth: InsightWorth) -> InsightWorth {
                InsightWorth(
                    costs: [hasMoney ? worth.cost(ofAll: energy) : nil].compactMap(\.self),
                    carbon: [hasCarbon ? worth.carbon(ofAll: energy) : nil].compactMap(\.self))
            }
            (atOnce, was) = (atOnce + known(baseline.worth), was + known(session.worth))
        }
        return language(
            .arithmeticSum, formats.number(Double(saved.newest.count)), formats.number(Double(savings.comparedCount)),
            text(atOnce.costs, atOnce.carbon), text(was.costs, was.carbon))
    }

    private func text(_ costs: [Money], _ carbon: [CarbonMass]) -> String {
        let masses = carbon.map {
            formats.kilograms(milligrams: Double($0.milligrams)) + " CO₂" + formats.kind($0, among: carbon)
        }
        return (costs.map(formats.money) + masses).joined(separator: ", ")
    }
}
