/// JSON as it was written: members in order, numbers as numbers, so that a mistake can be named by its path.
indirect enum JSONValue: Equatable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([Member])

    struct Member: Equatable {
        var name: String
        var value: JSONValue
    }

    /// For messages: what it is, and a short value itself.
    var description: String {
        switch self {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .number(let number) where !number.isFinite: "a number that is too large"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .text(let text): "\"\(text.prefix(40))\""
        case .list(let values): "a list of \(values.count)"
        case .object: "an object"
        }
    }

    /// - Throws: ``ProblemError`` with line and column in its path.
    static func parse(_ bytes: [UInt8]) throws(ProblemError) -> JSONValue {
        var parser = JSONParser(bytes: bytes)
        return try parser.document()
    }
}

/// What is wrong in a problem: where, what, and what would be right.
public struct ProblemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// JSON path: `$.loads[2].deadline`.
    public var path: String
    public var message: String

    public var description: String { "\(path): \(message)" }

    init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }
}

/// RFC 8259, with limits on size and depth.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private static let depthMax = 32
    private static let membersMax = 1000
    static let bytesMax = 64 << 20

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(ProblemError) -> JSONValue {
        guard bytes.count <= Self.bytesMax else { throw ProblemError("$", "is larger than 64 MiB") }
        // Some editors begin each file with the byte order mark of UTF-8.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw error("there is more after the end of the document") }
        return value
    }

    private func error(_ message: String) -> ProblemError {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        return ProblemError("line \(line), column \(column)", "is no JSON: \(message)")
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: Character) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(ProblemError) -> JSONValue {
        skipSpace()
        guard position < bytes.count || depth > 0 else { throw error("it is empty") }
        guard depth <= Self.depthMax else { throw error("more than \(Self.depthMax) levels deep") }
        guard position < bytes.count else { throw error("it ends too early") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(ProblemError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw error("expected \(word)") }
        position += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(ProblemError) -> JSONValue {
        position += 1
        var members: [JSONValue.Member] = []
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw error("expected a member's name in double quotes" + commaHint(members.last?.value))
            }
            let name = try text()
            guard take(":") else { throw error("expected ':' after \"\(name)\"") }
            guard !members.contains(where: { $0.name == name }) else { throw error("\"\(name)\" comes twice") }
            guard members.count < Self.membersMax else { throw error("more than \(Self.membersMax) members") }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw error("expected ',' or '}'") }
        return .object(members)
    }

    private mutating func list(depth: Int) throws(ProblemError) -> JSONValue {
        position += 1
        var values: [JSONValue] = []
        if take("]") { return .list([]) }
        repeat { values.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw error("expected ',' or ']'") }
        return .list(values)
    }

    private mutating func number() throws(ProblemError) -> JSONValue {
        let start = position
        while position < bytes.count, "+-.eE0123456789".utf8.contains(bytes[position]) { position += 1 }
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        let first = digits.drop { $0 == "-" }.first
        // One that no Double holds is infinite, and no rule's range has that.
        guard let value = Double(digits), first?.isNumber == true, digits.last?.isNumber == true else {
            position = start
            throw error("expected a value" + found)
        }
        guard first != "0" || digits.drop(while: { $0 == "-" }).dropFirst().first?.isNumber != true else {
            position = start
            throw error("a number has no zeros before it")
        }
        return .number(value)
    }

    /// What stands in place of a value, where people mean something by it.
    private var found: String {
        let rest = bytes[min(position, bytes.count)...].prefix(20)
        let word = String(decoding: rest.prefix { UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }, as: UTF8.self)
        return switch rest.first {
        case UInt8(ascii: "'"): ": texts stand in double quotes"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): ": there are no comments in JSON"
        case UInt8(ascii: "."), UInt8(ascii: "+"): ": a number begins with a digit, or with '-' and a digit"
        case UInt8(ascii: "]"), UInt8(ascii: "}"): " after the comma"
        case 0xFE, 0xFF, 0: ": save the file as UTF-8"
        default: word.isEmpty ? "" : ", but there is \(word)"
        }
    }

    private func commaHint(_ last: JSONValue?) -> String {
        guard position < bytes.count else { return "" }
        if bytes[position] == UInt8(ascii: "}"), last != nil { return " after the comma" }
        guard case .number = last, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] else { return "" }
        return ": the decimal mark of a number is a point"
    }

    private mutating func text() throws(ProblemError) -> String {
        position += 1
        var units: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: units, as: UTF8.self) else { throw error("the text is no UTF-8") }
                return text
            case UInt8(ascii: "\\"): try escape(&units)
            case ..<0x20: throw error("a control character in a text")
            default: units.append(byte)
            }
        }
        throw error("a text without an end")
    }

    private mutating func escape(_ units: inout [UInt8]) throws(ProblemError) {
        guard position < bytes.count else { throw error("a text without an end") }
        let byte = bytes[position]
        position += 1
        let plain: [UInt8: UInt8] = [
            UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
            UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
        ]
        if let unit = plain[byte] {
            units.append(unit)
            return
        }
        guard byte == UInt8(ascii: "u") else { throw error("an unknown escape") }
        var code = try hexadecimal()
        if 0xD800..<0xDC00 ~= code {
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw error("half a surrogate pair") }
            position += 2
            let low = try hexadecimal()
            guard 0xDC00..<0xE000 ~= low else { throw error("half a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate pair") }
        units += Array(String(Character(scalar)).utf8)
    }

    private mutating func hexadecimal() throws(ProblemError) -> UInt32 {
        guard position + 4 <= bytes.count,
            let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw error("\\u needs four hexadecimal digits") }
        position += 4
        return code
    }
}
