/// Rows under headings, fitted into the columns of a terminal.
struct Table {
    struct Column {
        enum Alignment { case left, right }
        let title: String
        let alignment: Alignment
        /// Columns with the highest number go first when the terminal is narrow; `nil` stays.
        let dropOrder: Int?
        /// Its text may be cut when dropping columns is not enough.
        let shrinks: Bool
        /// As `shrinks`, but what does not fit goes on below. Of the last column only.
        let wraps: Bool

        init(
            _ title: String, _ alignment: Alignment = .left, dropOrder: Int? = nil, shrinks: Bool = false,
            wraps: Bool = false
        ) {
            self.title = title
            self.alignment = alignment
            self.dropOrder = dropOrder
            self.shrinks = shrinks || wraps
            self.wraps = wraps
        }
    }

    struct Cell: ExpressibleByStringInterpolation {
        let text: String
        let color: Style.Color?
        init(_ text: String, _ color: Style.Color? = nil) {
            self.text = TerminalText.safe(text)
            self.color = color
        }
        init(stringLiteral value: String) { self.init(value) }
    }

    private enum Row {
        case cells([Cell])
        /// A line across all columns, for example the day that the next rows belong to.
        case heading(String)
        case rule
    }

    private let columns: [Column]
    private var rows: [Row] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// - Precondition: one cell per column.
    mutating func add(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row has a cell for each column")
        rows.append(.cells(cells))
    }

    mutating func addHeading(_ text: String) { rows.append(.heading(TerminalText.safe(text))) }

    mutating func addRule() { rows.append(.rule) }

    private static let gap = 2

    func lines(_ style: Style, showsTitles: Bool = true) -> [String] {
        var widths = widths(showsTitles: showsTitles)
        let shown = fit(&widths, into: style.width)
        let total = shown.reduce(0) { $0 + widths[$1] } + Table.gap * max(0, shown.count - 1)
        let titles = columns.map { Cell($0.title, .dim) }
        return (showsTitles ? [line(titles, shown, widths, style)] : [])
            + rows.flatMap { row in
                switch row {
                case .cells(let cells): lines(cells, shown, widths, style)
                case .heading(let text): [style.paint(text, .bold)]
                case .rule: [style.paint(String(repeating: style.hasUnicode ? "─" : "-", count: total), .dim)]
                }
            }
    }

    /// What is dropped where the terminal is narrow, in a line for under the table; none where all is shown. With `lines`
    /// of a table with titles.
    func notes(_ style: Style) -> [String] {
        var (narrow, wide) = (widths(showsTitles: true), widths(showsTitles: true))
        let shown = fit(&narrow, into: style.width)
        let dropped = fit(&wide, into: nil).filter { !shown.contains($0) }.map { columns[$0].title }
        guard !dropped.isEmpty else { return [] }
        return TerminalText.wrap(
            "No room for \(dropped.joined(separator: ", ")): a wider terminal, a file or --json has them.",
            to: style.width ?? .max)
    }

    private func widths(showsTitles: Bool) -> [Int] {
        columns.indices.map { index in
            let cells = rows.map { row in
                if case .cells(let cells) = row { TerminalText.width(cells[index].text) } else { 0 }
            }
            return max(cells.max() ?? 0, showsTitles ? TerminalText.width(columns[index].title) : 0)
        }
    }

    /// Columns without any text are not shown; then columns are dropped, then cut, until the rest fits.
    private func fit(_ widths: inout [Int], into width: Int?) -> [Int] {
        var shown = columns.indices.filter { index in
            rows.contains { if case .cells(let cells) = $0 { !cells[index].text.isEmpty } else { false } }
        }
        guard let width else { return shown }
        let wanted = shown
        func excess() -> Int { shown.reduce(0) { $0 + widths[$1] } + Table.gap * max(0, shown.count - 1) - width }
        func order(_ column: Int) -> Int { columns[column].dropOrder ?? 0 }
        // Cutting a little is better than losing a column: half of a shrinking column may go first.
        func slack() -> Int { shown.reduce(0) { $0 + (columns[$1].shrinks ? max(0, widths[$1] - 16) : 0) } }
        while excess() > slack(),
            let dropped = shown.filter({ columns[$0].dropOrder != nil }).max(by: { order($0) < order($1) })
        {
            shown.removeAll { $0 == dropped }
        }
        // What was dropped for the sake of one that is wider may have room after all.
        let dropped = wanted.filter { !shown.contains($0) }.sorted { order($0) < order($1) }
        for column in dropped {
            let before = shown
            shown = (shown + [column]).sorted()
            if excess() > slack() { shown = before }
        }
        while excess() > 0, let widest = shown.filter({ columns[$0].shrinks }).max(by: { widths[$0] < widths[$1] }),
            widths[widest] > 6
        {
            widths[widest] -= 1
        }
        return shown
    }

    /// One line, and more where the last column wraps.
    private func lines(_ cells: [Cell], _ shown: [Int], _ widths: [Int], _ style: Style) -> [String] {
        guard let last = shown.last, columns[last].wraps, TerminalText.width(cells[last].text) > widths[last] else {
            return [line(cells, shown, widths, style)]
        }
        // A long path or address goes on below rather than being cut: it may be what is to be typed.
        let parts = TerminalText.wrap(cells[last].text, to: widths[last]).flatMap {
            TerminalText.pieces($0, of: widths[last])
        }
        return parts.enumerated().map { index, text in
            var row = index == 0 ? cells : cells.map { _ in Cell("") }
            row[last] = Cell(text, cells[last].color)
            return line(row, shown, widths, style)
        }
    }

    private func line(_ cells: [Cell], _ shown: [Int], _ widths: [Int], _ style: Style) -> String {
        var text = ""
        for (position, index) in shown.enumerated() {
            let cell = TerminalText.cut(cells[index].text, to: widths[index], ellipsis: style.ellipsis)
            let padding = String(repeating: " ", count: max(0, widths[index] - TerminalText.width(cell)))
            let painted = style.paint(cell, cells[index].color)
            text += columns[index].alignment == .left ? painted + padding : padding + painted
            if position < shown.count - 1 { text += String(repeating: " ", count: Table.gap) }
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
