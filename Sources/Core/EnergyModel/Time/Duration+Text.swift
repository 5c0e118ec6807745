extension Duration {
    /// A duration as people write it: `90s`, `500ms`, `15m`, `6h`, `-30d`, `2w`, or ISO 8601 without years and
    /// months, whose lengths vary: `PT1H30M`, `-P30D`.
    ///
    /// A number needs its unit, here as at the command line, unless it is 0: nobody has to know which unit is meant.
    ///
    /// - Returns: `nil` for anything else, and beyond 1,000 years either way.
    public init?(text: String) {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative { rest = rest.dropFirst() }
        guard
            let milliseconds = rest.first == "P"
                ? Self.iso8601Milliseconds(rest.dropFirst()) : Self.suffixedMilliseconds(rest)
        else { return nil }
        self = .milliseconds(isNegative ? -milliseconds : milliseconds)
    }

    private static let millisecondsMax: Int64 = 1_000 * 366 * 86_400_000

    private static func suffixedMilliseconds(_ text: Substring) -> Int64? {
        let units: [(suffix: String, milliseconds: Int64)] = [
            ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
        ]
        for unit in units where text.hasSuffix(unit.suffix) {
            return scaled(text.dropLast(unit.suffix.count), by: unit.milliseconds)
        }
        return text == "0" ? 0 : nil
    }

    private static func iso8601Milliseconds(_ text: Substring) -> Int64? {
        var (total, digits, isTime, parts): (Int64, Substring, Bool, Int) = (0, "", false, 0)
        for character in text {
            if character == "T", !isTime, digits.isEmpty {
                isTime = true
                continue
            }
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            let unit: Int64
            switch (character, isTime) {
            case ("W", false): unit = 604_800_000
            case ("D", false): unit = 86_400_000
            case ("H", true): unit = 3_600_000
            case ("M", true): unit = 60_000
            case ("S", true): unit = 1_000
            default: return nil
            }
            guard let part = scaled(digits, by: unit), total + part <= millisecondsMax else { return nil }
            (total, digits, parts) = (total + part, "", parts + 1)
        }
        return digits.isEmpty && parts > 0 ? total : nil
    }

    private static func scaled(_ digits: Substring, by unit: Int64) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int64(digits) else {
            return nil
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow || product > millisecondsMax ? nil : product
    }

    /// Whole milliseconds, rounded toward zero.
    public var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
