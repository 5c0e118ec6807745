/// What the place that text goes to can show.
struct Style: Hashable, Sendable {
    enum Color: String, Sendable {
        case green = "32"
        case yellow = "33"
        case red = "31"
        case dim = "2"
        case bold = "1"
    }

    /// Colour is decoration: every word that it says is in the text too.
    var hasColor: Bool
    /// Block characters; otherwise ASCII.
    var hasUnicode: Bool
    /// Columns to fit into; `nil` for a pipe or a file, where nothing is cut.
    var width: Int?
    /// Lines of a screen that can be drawn anew; `nil` elsewhere.
    var height: Int?

    static let plain = Style(hasColor: false, hasUnicode: true, width: nil)

    init(hasColor: Bool, hasUnicode: Bool, width: Int?) {
        self.hasColor = hasColor
        self.hasUnicode = hasUnicode
        // Below 24 columns nothing can be laid out: longer lines wrap there.
        self.width = width.map { max(24, $0) }
    }

    /// - Parameters:
    ///   - terminalWidth: `nil` when the output is no terminal, as is the height.
    ///   - environment: `NO_COLOR` (https://no-color.org), `TERM`, `COLUMNS`, and the locale's `LC_ALL`, `LC_CTYPE`,
    ///     `LANG`.
    init(terminalWidth: Int?, terminalHeight: Int? = nil, environment: [String: String]) {
        let noColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self.init(
            hasColor: terminalWidth != nil && !noColor && environment["TERM"] != "dumb",
            hasUnicode: locale.map { $0.uppercased().replacing("-", with: "").contains("UTF8") } ?? true,
            width: environment["COLUMNS"].flatMap(Int.init) ?? terminalWidth)
        height = environment["TERM"] == "dumb" ? nil : terminalHeight
    }

    func paint(_ text: String, _ color: Color?) -> String {
        guard hasColor, let color, !text.isEmpty else { return text }
        return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
    }

    var dash: String { hasUnicode ? "–" : "-" }
    var dot: String { hasUnicode ? " · " : ", " }
    var ellipsis: String { hasUnicode ? "…" : "." }
    var arrow: String { hasUnicode ? "→" : "->" }

    /// `fraction` of `cells` filled, in eighths of a cell where the terminal can show them.
    func bar(_ fraction: Double, cells: Int) -> String {
        let bounded = fraction.isFinite ? min(max(fraction, 0), 1) : 1
        guard hasUnicode else {
            let filled = Int((bounded * Double(cells)).rounded())
            return String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
        }
        let eighths = Int((bounded * Double(cells * 8)).rounded())
        let partial = eighths % 8 == 0 ? "" : String(["▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8 - 1])
        let full = String(repeating: "█", count: eighths / 8) + partial
        return full + String(repeating: "░", count: cells - full.count)
    }

    /// How far something is, on one line: a longer one could not be taken away again.
    func progress(_ fraction: Double, of name: String? = nil, _ text: String) -> String {
        let bounded = fraction.isFinite ? min(max(fraction, 0), 1) : 1
        let line = (name.map { "\($0)  " } ?? "") + "\(bar(bounded, cells: 24)) \(Int(bounded * 100)) %  \(text)"
        return String(line.prefix(max(0, (width ?? .max) - 1)))
    }

    /// A cell for each fraction, the taller the more.
    func sparkline(_ fractions: [Double]) -> String {
        let steps = Array(hasUnicode ? "▁▂▃▄▅▆▇█" : "_.:-=+*#")
        return String(
            fractions.map { fraction in
                let bounded = fraction.isFinite ? min(max(fraction, 0), 1) : 1
                return steps[Int((bounded * Double(steps.count - 1)).rounded())]
            })
    }
}
