/// Text as the content of an XML element or attribute.
enum XMLText {
    static func escaped(_ text: String) -> String {
        text.escaping { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\t", "\n", "\r": " "
            // XML 1.0 has no way to write these.
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": ""
            default: nil
            }
        }
    }
}
