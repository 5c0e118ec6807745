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
        var (result, units) = ("", 0)
        // A name is never so long that more of it could matter.
        for character in name.prefix(4 * nameUnitsMax) {
            let kept = String(String.UnicodeScalarView(character.unicodeScalars.filter(isAllowed)))
            units += kept.utf16.count
            if units > nameUnitsMax { break }
            result += kept
        }
        return result
    }

    /// - Parameter name: as it was sent.
    /// - Returns: what is wrong with it after ``sanitized(_:)``, `nil` if nothing is.
    public static func violation(ofName name: String, field: String) -> RuleViolation? {
        guard sanitized(name).allSatisfy(\.isWhitespace) else { return nil }
        return RuleViolation(
            field: field, rule: "must have letters, digits, punctuation or symbols", value: quoted(name))
    }

    /// Shortened, in quotes, without what would disturb a log.
    static func quoted(_ text: String) -> String {
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(64).filter(isAllowed)))
        return "\"\(shown)\""
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\t"
        case .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
