import Foundation

/// Finds code in a text whose code still has its lines; what marked it as code, even its indentation, may be lost.
struct LineCode {
    private(set) var blocks: [String] = []
    /// Lines outside all blocks.
    private(set) var rest: [String] = []

    init(_ text: String) {
        var block: [String] = []
        var depth = 0
        for line in text.components(separatedBy: "\n") {
            if depth > 0 || Self.isCode(line) {
                depth += Self.nesting(of: line)
                block.append(line)
            } else if !block.isEmpty, line.allSatisfy(\.isWhitespace) {
                block.append(line)
            } else {
                take(&block)
                rest.append(line)
            }
        }
        take(&block)
    }

    private mutating func take(_ block: inout [String]) {
        while block.last?.allSatisfy(\.isWhitespace) == true { block.removeLast() }
        if !block.isEmpty { blocks.append(block.joined(separator: "\n")) }
        block = []
    }

    private static let starts = [
        "import ", "func ", "let ", "var ", "struct ", "final class ", "class ", "for try ", "for await ", "do {",
        "guard ", "try await ", "service.", "@", "//", "}", ".foregroundStyle(",
    ]

    /// Whether a line outside all brackets is code.
    private static func isCode(_ line: String) -> Bool { starts.contains { line.hasPrefix($0) } }

    /// By how much a line opens more brackets than it closes; those in comments and texts do not count.
    private static func nesting(of line: String) -> Int {
        let code = line.components(separatedBy: "//")[0]
        return code.count { "([{".contains($0) } - code.count { ")]}".contains($0) }
    }

    private static let markers = ["// WRONG", "// CORRECT", "// 错误", "// 正确"]

    static func alternatives(_ block: String) -> [String] {
        var parts: [[String]] = [[]]
        for line in block.components(separatedBy: "\n") {
            if markers.contains(where: { line.hasPrefix($0) }), parts.last?.isEmpty == false { parts.append([]) }
            parts[parts.count - 1].append(line)
        }
        return parts.map { $0.joined(separator: "\n").trimmingCharacters(in: .newlines) }.filter { !$0.isEmpty }
    }
}
