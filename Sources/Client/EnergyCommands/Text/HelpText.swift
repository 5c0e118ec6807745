/// What a command says of itself, laid out for a terminal. The argument parser breaks lines that are broken already, and
/// commands wherever a line ends.
struct HelpText {
    /// As the parser writes it where nothing is too long for a line.
    let text: String
    let columns: Int

    /// Beside a name there is room for this much, or what is said of it stands below.
    private static let descriptionMin = 30

    func lines() -> [String] { paragraphs().flatMap(fitted) }

    // MARK: Paragraphs

    /// Lines that belong together as one.
    private func paragraphs() -> [Paragraph] {
        var (paragraphs, heading) = ([Paragraph](), "")
        for (line, isProse) in zip(source, prose) {
            if line.first != " ", !line.isEmpty { heading = line }
            let isExample = line.first == " " && heading.hasPrefix("EXAMPLE")
            if let last = paragraphs.last, isProse, last.isProse, last.indent == indent(of: line) {
                paragraphs[paragraphs.count - 1].text += " " + line.drop { $0 == " " }
            } else {
                paragraphs.append(Paragraph(text: line, isProse: isProse, isExample: isExample))
            }
        }
        return paragraphs
    }

    private struct Paragraph {
        var text: String
        /// Goes on in the next line, where that is prose too.
        let isProse: Bool
        let isExample: Bool
        var indent: Int { text.prefix { $0 == " " }.count }
    }

    private var source: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// For each line. Of a block below a heading all are, or none: one that has columns is a table.
    private var prose: [Bool] {
        var (result, heading, block) = ([Bool](), "", [String]())
        func close() {
            let hasColumns = block.contains { gap(in: $0) != nil }
            result += block.map { _ in !hasColumns && isHeading(heading) && !heading.hasPrefix("EXAMPLE") }
            block = []
        }
        for line in source {
            if line.first == " " {
                block.append(line)
                continue
            }
            close()
            if !line.isEmpty { heading = line }
            result.append(!line.isEmpty && !isHeading(line) && !line.hasPrefix("USAGE: "))
        }
        close()
        return result
    }

    /// `EXIT STATUS`, but not the parser's `OPTIONS:`.
    private func isHeading(_ line: String) -> Bool { line.allSatisfy { $0.isUppercase || $0 == " " } }

    // MARK: Lines

    private func fitted(_ paragraph: Paragraph) -> [String] {
        let text = paragraph.text
        guard TerminalText.width(text) > columns else { return [text] }
        if text.hasPrefix("USAGE: ") { return Self.usage(text, columns: columns) }
        if let gap = gap(in: text) { return described(text, gap) }
        // What is far to the right goes on from the line above.
        if paragraph.isExample, paragraph.indent <= 8 { return folded(text) }
        // Where options stand beside what they do, this goes on below one that is long.
        let indent = paragraph.indent > 8 && columns - paragraph.indent < Self.descriptionMin ? 6 : paragraph.indent
        return wrapped(text.drop { $0 == " " }, indent: indent)
    }

    /// What belongs together, as `[--device <id>]`, is not parted.
    static func usage(_ text: String, columns: Int) -> [String] {
        let glued = text.replacing(#/\[[^\]]*\]|--[a-z-]+ <[^>]*>/#) { $0.output.replacing(" ", with: "\u{A0}") }
        let lines = TerminalText.wrap(glued, to: columns - 4).map { $0.replacing("\u{A0}", with: " ") }
        return [lines[0]] + lines.dropFirst().map { "    \($0)" }
    }

    private func described(_ text: String, _ gap: Range<String.Index>) -> [String] {
        let name = text[..<gap.lowerBound]
        let column = text.distance(from: text.startIndex, to: gap.upperBound)
        guard columns - column >= Self.descriptionMin else {
            return [String(name)] + wrapped(text[gap.upperBound...], indent: 6)
        }
        var lines = wrapped(text[gap.upperBound...], indent: column)
        lines[0] = String(text[..<gap.upperBound] + lines[0].dropFirst(column))
        return lines
    }

    /// A command as a shell takes it over several lines.
    private func folded(_ text: String) -> [String] {
        var (lines, rest) = ([String](), text)
        let indent = String(repeating: " ", count: text.prefix { $0 == " " }.count + 2)
        while TerminalText.width(rest) > columns, let cut = cut(of: rest) {
            lines.append(String(rest[..<cut] + " \\"))
            rest = indent + String(rest[rest.index(after: cut)...])
        }
        return lines + [rest]
    }

    /// Outside quotes: the last space that leaves room for what says that it goes on, best before an option or a pipe. Where
    /// there is none, the next.
    private func cut(of text: String) -> String.Index? {
        var (isQuoted, spaces) = (false, [String.Index]())
        for index in text[(text.firstIndex { $0 != " " } ?? text.startIndex)...].indices {
            if "'\"".contains(text[index]) { isQuoted.toggle() }
            if text[index] == " ", !isQuoted { spaces.append(index) }
        }
        let fitting = spaces.filter { text.distance(from: text.startIndex, to: $0) <= columns - 2 }
        return fitting.last { "-|".contains(text[text.index(after: $0)]) } ?? fitting.last ?? spaces.first
    }

    private func wrapped(_ text: Substring, indent: Int) -> [String] {
        TerminalText.wrap(String(text), to: columns, indent: String(repeating: " ", count: indent))
    }

    private func indent(of line: String) -> Int { line.prefix { $0 == " " }.count }

    /// Between a name and what is said of it.
    private func gap(in line: String) -> Range<String.Index>? {
        line.first == " " ? line.dropFirst(indent(of: line)).firstRange(of: #/ {2,}/#) : nil
    }
}
