import Foundation

/// Swift code of a document, as it stands there.
struct Snippet: Sendable {
    let document: String
    /// From 1, in the order of the document.
    let number: Int
    let code: String

    /// For people: where it is from and how it begins.
    var name: String {
        let lines = code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let line = lines.first { !$0.hasPrefix("//") && !$0.hasPrefix("import ") && $0.count > 3 } ?? lines.first ?? ""
        return "\(document)#\(number) \(line.prefix(70))"
    }
}

extension Seeds.Document {
    /// All its Swift code. What one example calls wrong and what it calls correct are snippets of their own: together
    /// they would declare the same names twice.
    var snippets: [Snippet] {
        let blocks = text.hasPrefix("---") ? ProseCode(text).blocks : LineCode(text).blocks
        return blocks.flatMap(LineCode.alternatives).enumerated().map { index, code in
            Snippet(document: name, number: index + 1, code: code)
        }
    }
}
