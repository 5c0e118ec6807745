internal import EnergyModel

/// What a contract charges in each hour of each month, as a table in which dearer hours have a stronger colour.
struct RateHeatMap {
    let plan: RatePlan
    let formats: Formats

    private var language: Language { formats.language }

    func html() -> HTML {
        let (workdays, weekend) = (prices(0...4), prices(5...6))
        if let source = plan.priceSource, let always = Self.only(workdays + weekend) {
            return .element("p", [.class("note")]) { surcharge(always, source) }
        }
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

    /// What holds at all times; `nil` where that differs.
    private static func only(_ prices: Prices) -> Price?? {
        let found = Set(prices.joined().joined())
        return found.count == 1 ? found.first : nil
    }

    /// A table of the same everywhere would say no more.
    private func surcharge(_ price: Price?, _ source: String) -> String {
        guard let price else { return language(.ratePlanOnlySource, source) }
        return language(.ratePlanSurcharge, formats.price(price, plan.currency), source)
    }

    private static let mixed = "*"

    private typealias Prices = [[Set<Price?>]]

    /// With charges and tax, of the first tier.
    private func prices(_ weekdays: ClosedRange<Int>) -> Prices {
        plan.monthlyHours(on: weekdays) { zone in zone.flatMap { plan.charges.applied(to: $0.price) } }
    }

    func cells(_ weekdays: ClosedRange<Int>) -> [[HeatTable.Cell]] {
        cells(prices(weekdays), Self.range(prices(0...6)))
    }

    /// The least and the most of all, in millionths.
    private static func range(_ prices: Prices) -> (least: Int64, most: Int64) {
        HeatTable.range(prices.joined().joined().compactMap(\.self))
    }

    private func cells(_ prices: Prices, _ range: (least: Int64, most: Int64)) -> [[HeatTable.Cell]] {
        prices.map { hours in
            hours.map { found in
                guard let dearest = found.compactMap(\.self).max() else { return .none }
                let text = found.count == 1 ? formats.bare(dearest) : Self.mixed
                return HeatTable.Cell(text: text, shade: HeatTable.shade(dearest, in: range))
            }
        }
    }

    private func table(_ title: String, _ rows: [[HeatTable.Cell]]) -> HTML {
        HeatTable(
            title: title, head: language(.month),
            rows: rows.enumerated().map { (formats.month(number: $0 + 1), $1) }
        ).html()
    }

    private func notes(isMixed: Bool) -> [String] {
        var notes = [language(.ratePlanHint, plan.currency)]
        if isMixed { notes.append(language(.ratePlanMixed)) }
        if let source = plan.priceSource { notes.append(language(.ratePlanSource, source)) }
        if plan.isTiered { notes.append(language(.ratePlanTiers)) }
        return notes
    }
}
