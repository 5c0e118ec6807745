internal import EnergyModel

/// Bars side by side, each of parts upon each other, with a mark where the time before had its top.
struct StackedBars {
    struct Part {
        let name: String
        let hatch: String?
        let value: Double
    }

    struct Bar {
        let label: String
        /// Left out where there is little room.
        let isMinor: Bool
        /// From the bottom up.
        let parts: [Part]
        let before: Double?
        /// Everything about it, for hover and keyboard.
        let text: String

        var top: Double { parts.reduce(0) { $0 + $1.value } }
    }

    let id: String
    let label: String
    let bars: [Bar]
    /// With its unit.
    let quantity: (Double, Int) -> String
    let language: Language

    private static let height = 200.0
    /// Of a bar's place that it fills.
    private static let share = 0.76

    func html(@HTMLBuilder legend: () -> HTML, @HTMLBuilder table: () -> HTML) -> HTML {
        let legend = legend()
        let table = table()
        let axis = QuantityAxis(largest: bars.flatMap { [$0.top, $0.before ?? 0] }.max() ?? 0, height: Self.height)
        let place = 100 / Double(max(1, bars.count))
        let stops = bars.enumerated().map { index, bar in
            ChartFrame.Stop(left: Double(index) * place, width: place, text: bar.text)
        }
        let last = bars.lastIndex { $0.top > 0 } ?? 0
        return ChartFrame(
            id: id, label: label, height: Self.height + 34, stops: stops, current: last, margin: .quantities,
            language: language
        ).html {
            Drawing.patterns
            // Room for the highest number above the first line.
            HTML.element("g", [Attribute("transform", "translate(0 10)")]) { drawing(axis, place) }
        } legend: {
            legend
        } table: {
            table
        }
    }

    private func drawing(_ axis: QuantityAxis, _ place: Double) -> HTML {
        var html = HTML()
        for tick in axis.ticks {
            html += Drawing.line("grid", x1: 0, y1: axis.y(tick), x2: 100, y2: axis.y(tick))
        }
        for (index, bar) in bars.enumerated() {
            let left = (Double(index) + (1 - Self.share) / 2) * place
            var bottom = 0.0
            for part in bar.parts where part.value > 0 {
                let (low, high) = (axis.y(bottom), axis.y(bottom + part.value))
                bottom += part.value
                html += Drawing.bar(
                    left: left, width: place * Self.share, top: high, height: low - high, class: part.name,
                    hatch: part.hatch)
            }
            if let before = bar.before, before > 0 {
                let y = axis.y(before)
                html += Drawing.line(
                    "before", x1: Double(index) * place + place * 0.06, y1: y,
                    x2: Double(index + 1) * place - place * 0.06, y2: y)
            }
            let name = "hour" + (bar.isMinor ? " minor" : "")
            html += Drawing.text(bar.label, name, x: (Double(index) + 0.5) * place, y: Self.height + 17)
        }
        for tick in axis.ticks.dropFirst() {
            html += Drawing.quantity(quantity(tick, axis.decimals), y: axis.y(tick))
        }
        return html
    }
}
