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
                if !sums.more.isEmpty { HTML.element("p") { language(.savedMore) + ": " + sums.more } }
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
        func worth(_ worth: InsightWorth) -> String {
            let cost = worth.cost(ofAll: energy).map(formats.money)
            let carbon = worth.carbon(ofAll: energy).map {
                formats.kilograms(milligrams: Double($0.milligrams)) + " CO₂"
            }
            return [cost, carbon].compactMap(\.self).joined(separator: ", ")
        }
        let values = [
            "\(formats.weekday(baseline.interval.start)) \(formats.shortDate(baseline.interval.start))",
            names[session.deviceID] ?? session.deviceID, formats.energy(energy), formats.power(baseline.power),
            formats.clock(baseline.interval.start), formats.clock(baseline.interval.end), worth(baseline.worth),
            worth(session.worth),
        ]
        return language.filled(.arithmeticLine, values)
    }
}
