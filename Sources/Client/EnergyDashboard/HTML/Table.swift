/// A table of texts, whose first column names its rows.
enum Table {
    static func html(head: [String], rows: [[String]]) -> HTML {
        .element("table") {
            HTML.element("thead") {
                HTML.element("tr") {
                    for cell in head { HTML.element("th", [Attribute("scope", "col")]) { cell } }
                }
            }
            HTML.element("tbody") {
                for row in rows {
                    HTML.element("tr") {
                        for (index, cell) in row.enumerated() {
                            index == 0
                                ? HTML.element("th", [Attribute("scope", "row")]) { cell } : HTML.element("td") { cell }
                        }
                    }
                }
            }
        }
    }
}
