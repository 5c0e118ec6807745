public import EnergyModel

/// A bidding zone of the European market, by its Energy Identification Code.
public struct BiddingZone: Hashable, Sendable {
    /// 16 characters, for example `10YBE----------2`.
    public let code: String

    /// - Parameter text: a short name as in ``names``, or any code.
    /// - Throws: ``EnergyError`` `.invalidInput` for a name that is not known, or a code whose last character, which
    ///   checks the others, is wrong.
    public init(_ text: String) throws(EnergyError) {
        if let code = Self.names[text.uppercased()] {
            self.code = code
            return
        }
        guard Self.isCode(text) else {
            throw .setting(
                "zone",
                "a bidding zone is like BE or 10YBE----------2, not \(text.prefix(20))")
        }
        code = text
    }

    /// - Source: ENTSO-E, "Energy Identification Coding Scheme Reference Manual", check character.
    static func isCode(_ text: String) -> Bool {
        let values = text.utf8.map { byte -> Int? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
            case UInt8(ascii: "-"): 36
            default: nil
            }
        }
        let known = values.compactMap { $0 }
        guard values.count == 16, known.count == 16 else { return false }
        let sum = known.dropLast().enumerated().reduce(0) { $0 + $1.element * (16 - $1.offset) }
        return known[15] == 36 - (sum - 1) % 37
    }

    /// Short names of zones with day-ahead prices.
    ///
    /// - Source: ENTSO-E, "Area List with Energy Identification Code".
    public static let names = [
        "AT": "10YAT-APG------L", "BE": "10YBE----------2", "BG": "10YCA-BULGARIA-R", "CH": "10YCH-SWISSGRIDZ",
        "CZ": "10YCZ-CEPS-----N", "DE-LU": "10Y1001A1001A82H", "DK1": "10YDK-1--------W",
        "DK2": "10YDK-2--------M", "EE": "10Y1001A1001A39I", "ES": "10YES-REE------0", "FI": "10YFI-1--------U",
        "FR": "10YFR-RTE------C", "GR": "10YGR-HTSO-----Y", "HR": "10YHR-HEP------M", "HU": "10YHU-MAVIR----U",
        "IE-SEM": "10Y1001A1001A59C", "IT-NORTH": "10Y1001A1001A73I", "LT": "10YLT-1001A0008Q",
        "LV": "10YLV-1001A00074", "NL": "10YNL----------L", "NO1": "10YNO-1--------2", "NO2": "10YNO-2--------T",
        "NO3": "10YNO-3--------J", "NO4": "10YNO-4--------9", "NO5": "10Y1001A1001A48H", "PL": "10YPL-AREA-----S",
        "PT": "10YPT-REN------W", "RO": "10YRO-TEL------P", "SE1": "10Y1001A1001A44P", "SE2": "10Y1001A1001A45N",
        "SE3": "10Y1001A1001A46L", "SE4": "10Y1001A1001A47J", "SI": "10YSI-ELES-----O", "SK": "10YSK-SEPS-----K",
    ]
}
