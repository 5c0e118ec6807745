internal import EnergyModel

/// What every chart has around its drawing: values on hover and by keyboard, a legend, and a table that says the same.
///
/// The drawing is a slider to keyboards and screen readers: arrow keys go through its values, and each is read aloud.
struct ChartFrame {
    /// Of one place on the drawing, in percent of its width.
    struct Stop {
        let left: Double
        let width: Double
        let text: String
    }

    /// What stands left of the drawing.
    enum Margin: String {
        case none = "plot"
        case numbers = "plot with-numbers"
        case quantities = "plot with-quantities"
    }

    let id: String
    /// What the chart is about, for who cannot see it.
    let label: String
    let height: Double
    let stops: [Stop]
    /// The one that is chosen at first.
    var current = 0
    var margin = Margin.none
    let language: Language

    func html(
        @HTMLBuilder drawing: () -> HTML, @HTMLBuilder legend: () -> HTML = { HTML() }, @HTMLBuilder table: () -> HTML
    ) -> HTML {
        let drawing = drawing()
        let (legend, table) = (legend(), table())
        let first = stops.indices.contains(current) ? stops[current].text : ""
        return .element("figure", [.id(id), .class("chart")]) {
            HTML.element(
                "div",
                [
                    .class(margin.rawValue), .role("slider"),
                    Attribute("tabindex", "0"), .label(label),
                    Attribute("aria-valuemin", "0"), Attribute("aria-valuemax", "\(max(0, stops.count - 1))"),
                    Attribute("aria-valuenow", "\(current)"), Attribute("aria-valuetext", first), .id("\(id)-plot"),
                    Attribute("aria-describedby", "\(id)-keys"),
                ]
            ) {
                HTML.element(
                    "svg",
                    [
                        Attribute("width", "100%"), Attribute("height", height), Attribute("aria-hidden", "true"),
                        Attribute("focusable", "false"),
                    ]
                ) {
                    drawing
                    hits
                }
            }
            HTML.element("p", [.class("readout"), .id("\(id)-readout"), Attribute("aria-hidden", "true")]) { first }
            HTML.element("p", [.class("hidden"), .id("\(id)-keys")]) { language(.chartKeys) }
            HTML.element("figcaption") { legend }
            HTML.element("details", [.id("\(id)-table")]) {
                HTML.element("summary") { language(.tableOf) }
                HTML.element("div", [.class("scroll"), Attribute("tabindex", "0"), .role("group"), .label(label)]) {
                    table
                }
            }
        }
    }

    private var hits: HTML {
        HTML.element("g", [.class("hits")]) {
            for stop in stops {
                HTML.shape(
                    "rect",
                    [
                        .percent("x", stop.left), Attribute("y", "0"), .percent("width", stop.width),
                        Attribute("height", "100%"), Attribute("data-text", stop.text),
                    ])
            }
        }
    }
}

extension Attribute {
    static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
    static func id(_ id: String) -> Attribute { Attribute("id", id) }
    static func role(_ role: String) -> Attribute { Attribute("role", role) }
    static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
    static func href(_ address: String) -> Attribute { Attribute("href", address) }

    /// Two decimals: a tenth of a percent of a wide screen is more than a pixel.
    static func percent(_ name: StaticString, _ value: Double) -> Attribute {
        let hundredths = Int((value.isFinite ? min(max(value, -1_000), 1_000) : 0) * 100)
        let (whole, rest) = (hundredths / 100, abs(hundredths % 100))
        let sign = hundredths < 0 && whole == 0 ? "-" : ""
        return Attribute(name, "\(sign)\(whole)" + (rest == 0 ? "" : rest < 10 ? ".0\(rest)" : ".\(rest)") + "%")
    }
}

/// Parts that several drawings have.
enum Drawing {
    /// Hatches tell classes apart for who sees no colours: none, lines, crossed lines.
    static let patterns = HTML.element("defs") {
        for (name, lines) in [
            ("fair", ["M0,8 L8,0"]), ("avoid", ["M0,8 L8,0", "M0,0 L8,8"]), ("unknown", ["M4,0 L4,8"]),
        ] {
            HTML.element(
                "pattern",
                [
                    .id("hatch-\(name)"), Attribute("width", "8"), Attribute("height", "8"),
                    Attribute("patternUnits", "userSpaceOnUse"),
                ]
            ) {
                for line in lines { HTML.shape("path", [Attribute("d", line), .class("hatch")]) }
            }
        }
    }

    /// A bar in a class's colour, and its hatch above.
    static func bar(
        left: Double, width: Double, top: Double, height: Double, class name: String, hatch: String?
    ) -> HTML {
        func rect(_ extra: [Attribute]) -> HTML {
            .shape(
                "rect",
                [
                    .percent("x", left), Attribute("y", top), .percent("width", width),
                    Attribute("height", max(0, height)),
                ] + extra)
        }
        let plain = rect([.class("bar \(name)")])
        return hatch.map { plain + rect([.class("pattern"), Attribute("fill", "url(#hatch-\($0))")]) } ?? plain
    }

    static func line(_ name: String, x1: Double, y1: Double, x2: Double, y2: Double) -> HTML {
        .shape(
            "line",
            [
                .class(name), .percent("x1", x1), Attribute("y1", y1), .percent("x2", x2), Attribute("y2", y2),
            ])
    }

    static func text(_ text: String, _ name: String, x: Double, y: Double) -> HTML {
        .element("text", [.class(name), .percent("x", x), Attribute("y", y)]) { text }
    }

    /// Hours along the bottom, a line at each midnight.
    static func hours(_ axis: TimeAxis, _ formats: Formats, top: Double = 0, bottom: Double) -> HTML {
        axis.ticks(formats).reduce(into: HTML()) { html, tick in
            let x = axis.percent(tick.instant)
            html += line(tick.isDay ? "midnight" : "tick", x1: x, y1: tick.isDay ? top : bottom, x2: x, y2: bottom + 4)
            // At the right edge there is no room for a text.
            guard x < 96 else { return }
            let name = "hour" + (tick.isDay ? " day" : "") + (tick.isMinor ? " minor" : "")
            html += text(tick.label, name, x: x, y: bottom + 17)
        }
    }

    static func now(_ axis: TimeAxis, _ now: Timestamp, top: Double = 0, bottom: Double) -> HTML {
        guard axis.interval.contains(now) else { return HTML() }
        let x = axis.percent(now)
        return line("now", x1: x, y1: top, x2: x, y2: bottom)
    }

    /// Left of the drawing, where the style sheet leaves room.
    static func quantity(_ text: String, y: Double) -> HTML {
        .element("text", [.class("quantity"), Attribute("x", "-8"), Attribute("y", y + 4)]) { text }
    }

    /// A legend's entry: a swatch and a word.
    static func key(_ name: String, hatch: String?, _ word: String) -> HTML {
        key(bar(left: 0, width: 100, top: 0, height: 14, class: name, hatch: hatch), word)
    }

    /// The same of a line.
    static func lineKey(_ name: String, _ word: String) -> HTML {
        key(line(name, x1: 0, y1: 7, x2: 100, y2: 7), word)
    }

    private static func key(_ swatch: HTML, _ word: String) -> HTML {
        .element("span", [.class("key")]) {
            HTML.element(
                "svg",
                [
                    Attribute("width", "18"), Attribute("height", "14"), Attribute("aria-hidden", "true"),
                    Attribute("focusable", "false"),
                ]
            ) { swatch }
            word
        }
    }
}
