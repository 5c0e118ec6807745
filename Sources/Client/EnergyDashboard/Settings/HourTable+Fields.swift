internal import EnergyModel
internal import Foundation

extension HourTable {
    /// The prices, a table of choices for each season, and when the second one is.
    func fields(_ formats: Formats, _ problems: FormProblems) -> HTML {
        let language = formats.language
        return .element("div", [.class("hour-table"), Attribute("data-paint", if: true)]) {
            for level in 1...Self.levels {
                Form.number(
                    Self.priceName(level), language(.hoursPrice, "\(level)"), value: prices[level - 1],
                    hint: level == 1 ? language(.hoursPriceHint) : nil, error: problems[Self.priceName(level)])
            }
            brushes(language)
            table(0, formats)
            HTML.element(
                "details", [.id("second-season"), Attribute("open", if: secondFrom != nil || secondTo != nil)]
            ) {
                HTML.element("summary") { language(.hoursSecond) }
                month("second-from", language(.hoursFrom), secondFrom, formats, problems)
                month("second-to", language(.hoursTo), secondTo, formats, problems)
                table(1, formats)
            }
        }
    }

    private func month(
        _ name: String, _ label: String, _ chosen: Int?, _ formats: Formats, _ problems: FormProblems
    ) -> HTML {
        Form.select(
            name, label,
            [("", formats.language(.hoursNoSecond))] + (1...12).map { ("\($0)", formats.month(number: $0)) },
            chosen: chosen.map { "\($0)" } ?? "", error: problems[name])
    }

    /// What a pointer paints with: only where a script does that.
    private func brushes(_ language: Language) -> HTML {
        .element("fieldset", [.class("brushes"), Attribute("hidden", if: true)]) {
            HTML.element("legend") { language(.hoursPaint) }
            HTML.element("p", [.class("days")]) {
                for level in 1...Self.levels {
                    HTML.element("span", [.class("check brush shade-\(Self.shade(level))")]) {
                        HTML.void(
                            "input",
                            [
                                Attribute("type", "radio"), .id("brush-\(level)"), Attribute("name", "brush"),
                                Attribute("value", "\(level)"), Attribute("checked", if: level == 2),
                            ])
                        HTML.element("label", [Attribute("for", "brush-\(level)")]) {
                            language(.hoursLevel, "\(level)")
                        }
                    }
                }
            }
        }
    }

    /// Far enough apart to be told from each other.
    private static func shade(_ level: Int) -> Int { [1, 3, 4, 5][level - 1] }

    private func table(_ season: Int, _ formats: Formats) -> HTML {
        let language = formats.language
        let days = [language(.ratePlanWorkdays), language(.ratePlanWeekend)]
        let title = language(season == 0 ? .hoursFirst : .hoursSecond)
        return .element("table", [.class("hours")]) {
            HTML.element("caption") { title }
            HTML.element("thead") {
                HTML.element("tr") {
                    for head in [language(.time)] + days { HTML.element("th", [Attribute("scope", "col")]) { head } }
                }
            }
            HTML.element("tbody") {
                for hour in 0..<24 {
                    HTML.element("tr") {
                        HTML.element("th", [Attribute("scope", "row")]) { Self.span(hour) }
                        for day in 0..<Self.dayKinds {
                            cell(season, day, hour, "\(title), \(days[day]), \(Self.span(hour))")
                        }
                    }
                }
            }
        }
    }

    private func cell(_ season: Int, _ day: Int, _ hour: Int, _ label: String) -> HTML {
        let chosen = cells[season][day][hour]
        return .element("td", [.class("shade-\(Self.shade(chosen))")]) {
            HTML.element("select", [Attribute("name", Self.cellName(season, day, hour)), .label(label)]) {
                for level in 1...Self.levels { Form.option("\(level)", "\(level)", isChosen: level == chosen) }
            }
        }
    }

    private static func span(_ hour: Int) -> String {
        func clock(_ hour: Int) -> String { "\(hour < 10 ? "0" : "")\(hour):00" }
        return "\(clock(hour))–\(clock(hour + 1))"
    }
}
