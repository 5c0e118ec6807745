import Foundation

/// Finds code in a text that lost the ends of its lines: each became one space, the indentation after it was kept, and
/// prose goes on in the line in which code ends. Gives the code back its lines; every other character stays.
struct ProseCode {
    private(set) var blocks: [String] = []
    /// The text between the blocks.
    private(set) var rest = ""

    init(_ text: String) {
        var text = text[...]
        while let start = text.firstMatch(of: Self.start)?.output.1.startIndex {
            rest += text[..<start]
            let end = Self.end(of: text[start...])
            blocks.append(Self.withLines(String(text[start..<end])))
            text = text[end...]
        }
        rest += text
    }

    // Code begins after the end of a sentence, or on a line of its own.
    nonisolated(unsafe) private static let start =  // a Regex is immutable, but not marked Sendable
        /(?:[.:] |\n\n)((?:let \w+ = |var \w+ = |func \w+\(|do \{ |for (?:try )?(?:await )?\w+ in ))/

    private static let statements = ["let ", "var ", "func ", "for ", "do {", "if ", "try ", "guard "]
    private static let continuations = [
        "catch", "else", "->", "{", ".", "async", "throws", "in ", "(", "[", "!", "<", ")",
    ]

    /// Where prose begins again: after a closing bracket outside all brackets, unless code goes on.
    private static func end(of text: Substring) -> String.Index {
        var depth = 0
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            index = text.index(after: index)
            guard depth == 0, ")]}!".contains(character) else { continue }
            let next = text[index...].drop(while: \.isWhitespace)
            if !(statements + continuations).contains(where: { next.hasPrefix($0) }) { return index }
        }
        return index
    }

    /// A line ended where the next one's indentation follows, and, at the left margin, before each statement.
    private static func withLines(_ code: String) -> String {
        var result = ""
        var rest = code[...]
        while let space = rest.firstIndex(of: " ") {
            result += rest[..<space]
            let next = rest[space...].drop { $0 == " " }
            let count = next.startIndex.utf16Offset(in: code) - space.utf16Offset(in: code)
            let isNewStatement =
                count == 1 && result.last.map { ")}!".contains($0) } == true
                && statements.contains { next.hasPrefix($0) }
            let isIndented = count > 4
            result += isIndented || isNewStatement ? "\n" : " "
            result += String(repeating: " ", count: count - 1)
            rest = next
        }
        return result + rest
    }
}
