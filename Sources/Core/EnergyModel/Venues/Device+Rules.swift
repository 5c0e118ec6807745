/// What an identifier and a name may look like: of a device, and of whatever else the contract names "as a device id".
///
/// - Source: EnergyKit `ElectricalLoadDevice`.
extension Device {
    public static let idBytesMax = 64
    public static let nameUnitsMax = 250

    /// The id's broken rule, `nil` when it is valid.
    ///
    /// - Parameter field: what the id is called in `proto/`, for example `rate_plan.id`.
    public static func violation(ofID id: String, field: String = "device.id") -> RuleViolation? {
        let bytes = id.utf8
        guard let first = bytes.first, let last = bytes.last else {
            return RuleViolation(field: field, rule: "must not be empty", value: "empty")
        }
        let rule: String
        if bytes.count > idBytesMax {
            rule = "must have at most 64 bytes"
        } else if !bytes.allSatisfy({ isAlphanumeric($0) || allowedInside.contains($0) }) {
            rule = "must hold only ASCII letters, digits, space, hyphen and apostrophe"
        } else if !isAlphanumeric(first) || !isAlphanumeric(last) {
            rule = "must begin and end with a letter or digit"
        } else {
            return nil
        }
        return RuleViolation(field: field, rule: rule, value: RuleViolation.quoted(id))
    }

    /// The name as it is kept: without the scalars that are neither letter, digit, whitespace, punctuation nor symbol,
    /// and cut after 250 UTF-16 units. A bad name is repaired, not refused; only what ends up empty is refused.
    public static func sanitised(name: String) -> String {
        var kept = String.UnicodeScalarView()
        var units = 0
        for scalar in name.unicodeScalars where isAllowedInName(scalar) {
            units += UTF16.width(scalar)
            guard units <= nameUnitsMax else { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// The name's broken rule, `nil` when something is left of it after ``sanitised(name:)``.
    public static func violation(ofName name: String, field: String = "device.name") -> RuleViolation? {
        guard sanitised(name: name).isEmpty else { return nil }
        return RuleViolation(
            field: field, rule: "must hold a letter, digit, punctuation mark or symbol",
            value: RuleViolation.quoted(name))
    }

    /// The same device with the name as it is kept.
    public var sanitised: Device { Device(id: id, name: Device.sanitised(name: name), kind: kind) }

    /// Space, apostrophe, hyphen.
    private static let allowedInside: [UInt8] = [0x20, 0x27, 0x2D]

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private static func isAllowedInName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
            .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
            .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator:
            true
        default: scalar == "\t"
        }
    }
}

extension RuleViolation {
    /// Text from outside as a violation may show it: quoted, at most 80 characters, nothing that garbles a terminal.
    public static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(80).map { $0.properties.generalCategory == .control ? "?" : $0 }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: shown)
        return "\"\(String(view))\"" + (shown.count < text.unicodeScalars.count ? " and more" : "")
    }
}
