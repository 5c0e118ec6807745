/// Rules for identifiers and names that people and devices choose.
///
/// - Source: EnergyKit `ElectricalLoadDevice` (energykit-api.md 1.8).
public enum NameRules {
    public static let identifierBytesMax = 64
    public static let nameUnitsMax = 250

    /// - Returns: what is wrong with `id`, `nil` if nothing is.
    public static func violation(ofIdentifier id: String, field: String) -> RuleViolation? {
        let bytes = Array(id.utf8.prefix(identifierBytesMax + 1))
        let isWellFormed =
            (1...identifierBytesMax).contains(bytes.count)
            && bytes.allSatisfy {
                isLetterOrDigit($0) || [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "'")].contains($0)
            }
            && bytes.first.map(isLetterOrDigit) == true && bytes.last.map(isLetterOrDigit) == true
        if isWellFormed { return nil }
        return RuleViolation(
            field: field,
            rule: "must be 1 to 64 letters, digits, spaces, hyphens or apostrophes, first and last a letter or digit",
            value: quoted(id))
    }

    /// The name as it is kept: characters other than letters, digits, spaces, punctuation and symbols are removed, and
    /// what exceeds 250 UTF-16 units is cut, never inside a character.
    public static func sanitized(_ name: String) -> String {
        // Nearly all are as they should be, and each event has one.
        if isSanitized(name) { return name }
        let scalars = name.unicodeScalars
        var (end, units) = (name.startIndex, 0)
        // A name is never so long that more of it could matter.
        for _ in 0..<4 * nameUnitsMax where end < name.endIndex {
            let next = name.index(after: end)
            units += scalars[end..<next].reduce(0) { isAllowed($1) ? $0 + UTF16.width($1) : $0 }
            if units > nameUnitsMax { break }
            end = next
        }
        return String(String.UnicodeScalarView(scalars[..<end].filter(isAllowed)))
    }

    private static func isSanitized(_ name: String) -> Bool {
        var units = 0
        for scalar in name.unicodeScalars {
            units += UTF16.width(scalar)
            guard units <= nameUnitsMax, isAllowed(scalar) else { return false }
        }
        return true
    }

    /// - Parameter name: as it was sent.
    /// - Returns: what is wrong with it after ``sanitized(_:)``, `nil` if nothing is.
    public static func violation(ofName name: String, field: String) -> RuleViolation? {
        guard sanitized(name).allSatisfy(\.isWhitespace) else { return nil }
        return RuleViolation(
            field: field, rule: "must have letters, digits, punctuation or symbols", value: quoted(name))
    }

    /// In quotes, without what would disturb a log; one that is long is cut, and says how long it was.
    static func quoted(_ text: String) -> String {
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(quotedMax).filter(isAllowed)))
        let count = text.unicodeScalars.count
        return count > quotedMax ? "\"\(shown)...\" (\(count) characters)" : "\"\(shown)\""
    }

    private static let quotedMax = 64

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // To ask for the category takes a hundred times longer: Latin, Cyrillic, Chinese and Korean letters.
        case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x377, 0x400...0x52F, 0x4E00...0x9FFF, 0xAC00...0xD7A3: return true
        default: break
        }
        return switch scalar.properties.generalCategory {
        case .control: scalar == "\t"
        case .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
