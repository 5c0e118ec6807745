internal import EnergyModel

/// What a contract that passes a market's prices on charged in each hour of the day on average, month by month of the last
/// year, as far as that is known.
struct MonthlyPrices {
    /// Before the present one.
    static let monthsBefore = 11

    struct Month: Hashable, Sendable {
        /// When it begins on the home's clocks.
        let start: Timestamp
        let means: HourMeans
    }

    let months: [Month]
    let formats: Formats

    private var language: Language { formats.language }

    /// The newest first; months of which nothing is known are left out.
    var rows: [(name: String, cells: [HeatTable.Cell])] {
        let known = months.filter { !$0.means.prices.isEmpty }.sorted { $0.start > $1.start }
        let range = HeatTable.range(known.flatMap(\.means.prices))
        return known.map { (formats.monthAndYear($0.start), $0.means.cells(formats, in: range)) }
    }

    func html() -> HTML {
        let rows = rows
        guard !rows.isEmpty else { return HTML() }
        return .element("div") {
            HeatTable(title: language(.monthlyPrices), head: language(.month), rows: rows).html()
            HTML.element("p", [.class("note")]) { language(.monthlyPricesHint) }
        }
    }
}
