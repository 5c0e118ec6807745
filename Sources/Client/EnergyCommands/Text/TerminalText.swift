/// What came from outside and goes to a terminal.
enum TerminalText {
    /// Without control characters and direction marks: a device's name must not move the cursor or recolour the screen.
    static func safe(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }))
    }

    /// Columns that the text takes. East Asian wide characters and pictographs take two.
    static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width($1) }
    }

    /// At most `columns` wide; what was cut is replaced by `ellipsis`.
    static func cut(_ text: String, to columns: Int, ellipsis: String) -> String {
        guard width(text) > columns else { return text }
        var (kept, used) = ("", width(ellipsis))
        for character in text {
            used += width(character)
            if used > columns { break }
            kept.append(character)
        }
        return kept + ellipsis
    }

    /// Words on lines of at most `columns`; a longer word has a line of its own. Where a line goes on, several spaces stay
    /// several.
    static func wrap(_ text: String, to columns: Int?, indent: String = "") -> [String] {
        guard let columns else { return [indent + text] }
        var lines: [String] = []
        var (line, spaces) = ("", "")
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            // Several spaces are empty words between.
            guard !word.isEmpty else {
                spaces += " "
                continue
            }
            if !line.isEmpty, width(indent) + width(line) + spaces.count + width(String(word)) > columns {
                lines.append(indent + line)
                line = ""
            }
            line += (line.isEmpty ? "" : spaces) + word
            spaces = " "
        }
        return lines + [indent + line]
    }

    /// `text` on as many lines as it takes, broken anywhere.
    static func pieces(_ text: String, of columns: Int) -> [String] {
        var (pieces, used) = ([""], 0)
        for character in text {
            let width = width(character)
            if used + width > columns, used > 0 {
                pieces.append("")
                used = 0
            }
            pieces[pieces.count - 1].append(character)
            used += width
        }
        return pieces
    }

    /// `text` as it is where it fits; else on several lines, the later ones indented.
    static func fitted(_ text: String, to columns: Int?) -> [String] {
        guard let columns, width(text) > columns else { return [text] }
        let lines = wrap(text, to: columns - 2)
        return [lines[0]] + lines.dropFirst().map { "  \($0)" }
    }

    private static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.generalCategory == .nonspacingMark { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
