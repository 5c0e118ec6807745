internal import EnergyModel

/// Prices of the hours of a day, in rows, of which dearer ones have a stronger colour.
struct HeatTable {
    struct Cell: Hashable {
        /// Empty without a price.
        let text: String
        /// 1 (cheapest) to ``HeatTable/shades``; 0 without a price.
        let shade: Int

        static let none = Cell(text: "", shade: 0)
    }

    static let shades = 5

    let title: String
    /// Of the rows' names.
    let head: String
    /// Each of 24 cells.
    let rows: [(name: String, cells: [Cell])]

    /// The least and the most, in millionths.
    static func range(_ prices: some Sequence<Price>) -> (least: Int64, most: Int64) {
        let all = prices.map(\.microsPerKilowattHour)
        return (all.min() ?? 0, all.max() ?? 0)
    }

    static func shade(_ price: Price, in range: (least: Int64, most: Int64)) -> Int {
        guard range.most > range.least else { return 1 }
        let share = Double(price.microsPerKilowattHour - range.least) / Double(range.most - range.least)
        return 1 + min(shades - 1, Int(share * Double(shades)))
    }

    func html() -> HTML {
        .element("div", [.class("scroll heat"), Attribute("tabindex", "0"), .role("group"), .label(title)]) {
            HTML.element("table") {
                HTML.element("caption") { title }
                HTML.element("thead") {
                    HTML.element("tr") {
                        HTML.element("th", [Attribute("scope", "col")]) { head }
                        for hour in 0..<24 { HTML.element("th", [Attribute("scope", "col")]) { "\(hour)" } }
                    }
                }
                HTML.element("tbody") {
                    for row in rows {
                        HTML.element("tr") {
                            HTML.element("th", [Attribute("scope", "row")]) { row.name }
                            for cell in row.cells {
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
}

extension Formats {
    /// Without its currency, which is said once.
    func bare(_ price: Price) -> String { number(Double(price.microsPerKilowattHour) / 1_000_000, decimals: 2) }
}
