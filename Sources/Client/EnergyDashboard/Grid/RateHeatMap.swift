internal import EnergyModel

/// What a contract charges in each hour of each month, as a table in which dearer hours are darker.
struct RateHeatMap {
    /// What stands in a cell.
    struct Cell: Hashable {
        /// Empty where nothing is charged by the contract.
        let text: String
        /// 1 (cheapest) to 5; 0 without a price.
        let shade: Int
    }

    let plan: RatePlan
    let formats: Formats

    static let shades = 5

    private var language: Language { formats.language }

    func html() -> HTML {
        let (workdays, weekend) = (prices(0...4), prices(5...6))
        let range = Self.range(workdays + weekend)
        let tables =
            workdays == weekend
            ? [(Word.ratePlanEveryDay, workdays)]
            : [(.ratePlanWorkdays, workdays), (.ratePlanWeekend, weekend)]
        let cells = tables.map { ($0.0, self.cells($0.1, range)) }
        return .element("div") {
            for (word, rows) in cells { table(language(word), rows) }
            for note in notes(isMixed: cells.contains { $0.1.joined().contains { $0.text == Self.mixed } }) {
                HTML.element("p", [.class("note")]) { note }
            }
        }
    }

    private static let mixed = "*"

    private typealias Prices = [[Set<Price?>]]

    /// With charges and tax, of the first tier.
    private func prices(_ weekdays: ClosedRange<Int>) -> Prices {
        plan.monthlyHours(on: weekdays) { zone in zone.flatMap { plan.charges.applied(to: $0.price) } }
    }

    func cells(_ weekdays: ClosedRange<Int>) -> [[Cell]] { cells(prices(weekdays), Self.range(prices(0...6))) }

    /// The least and the most of all, in millionths.
    private static func range(_ prices: Prices) -> (least: Int64, most: Int64) {
        let all = prices.joined().flatMap { $0.compactMap { $0?.microsPerKilowattHour } }
        return (all.min() ?? 0, all.max() ?? 0)
    }

    private func cells(_ prices: Prices, _ range: (least: Int64, most: Int64)) -> [[Cell]] {
        let (least, most) = range
        func shade(_ price: Price) -> Int {
            guard most > least else { return 1 }
            let share = Double(price.microsPerKilowattHour - least) / Double(most - least)
            return 1 + min(Self.shades - 1, Int(share * Double(Self.shades)))
        }
        return prices.map { hours in
            hours.map { found in
                let known = found.compactMap(\.self)
                guard let dearest = known.max() else { return Cell(text: "", shade: 0) }
                let text = found.count == 1 ? number(dearest) : Self.mixed
                return Cell(text: text, shade: shade(dearest))
            }
        }
    }

    private func number(_ price: Price) -> String {
        formats.number(Double(price.microsPerKilowattHour) / 1_000_000, decimals: 2)
    }

    private func table(_ title: String, _ rows: [[Cell]]) -> HTML {
        .element("div", [.class("scroll heat"), Attribute("tabindex", "0"), .role("group"), .label(title)]) {
            HTML.element("table") {
                HTML.element("caption") { title }
                HTML.element("thead") {
                    HTML.element("tr") {
                        HTML.element("th", [Attribute("scope", "col")]) { language(.month) }
                        for hour in 0..<24 { HTML.element("th", [Attribute("scope", "col")]) { "\(hour)" } }
                    }
                }
                HTML.element("tbody") {
                    for (month, cells) in rows.enumerated() {
                        HTML.element("tr") {
                            HTML.element("th", [Attribute("scope", "row")]) { formats.month(number: month + 1) }
                            for cell in cells {
                                HTML.element("td", [.class("shade-\(cell.shade)")]) {
                                    cell.text.isEmpty ? "–" : cell.text
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private func notes(isMixed: Bool) -> [String] {
        var notes = [language(.ratePlanHint, plan.currency)]
        if isMixed { notes.append(language(.ratePlanMixed)) }
        if let source = plan.priceSource { notes.append(language(.ratePlanSource, source)) }
        if plan.isTiered { notes.append(language(.ratePlanTiers)) }
        return notes
    }
}
