internal import EnergyModel
internal import Foundation

/// The unit in which a source states its prices, by what one of it is in millionths of the currency unit per kWh.
enum PriceUnit: Int, Sendable {
    /// EUR/MWh, DKK/MWh.
    case perMegawattHour = 1_000
    /// Pence or cents per kWh.
    case hundredthsPerKilowattHour = 10_000
    case perKilowattHour = 1_000_000

    /// Exact but for the last millionth, where halves are rounded away from zero: a `Decimal` keeps the digits as the
    /// source wrote them, which a `Double` would not.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` beyond what any price can be.
    func price(_ amount: Decimal) throws(EnergyError) -> Price {
        var (scaled, rounded) = (amount * Decimal(rawValue), Decimal())
        NSDecimalRound(&rounded, &scaled, 0, .plain)
        let range = SignalQuantity.price.range
        guard !rounded.isNaN, Decimal(range.lowerBound)...Decimal(range.upperBound) ~= rounded else {
            throw EnergyError(.invalidInput, "a price in the answer makes no sense")
        }
        return Price(microsPerKilowattHour: (rounded as NSDecimalNumber).int64Value)
    }
}

extension SignalPoint {
    init(_ price: Price, over interval: Interval, isEstimated: Bool = false) {
        // Exact: a double holds whole numbers beyond any price.
        self.init(interval: interval, value: Double(price.microsPerKilowattHour), isEstimated: isEstimated)
    }
}

extension Decimal {
    /// A number as XML Schema's `decimal` writes it: `-12.50`. No other point than `.`, whatever the machine's language.
    ///
    /// - Returns: `nil` for anything else.
    init?(plainText text: String) {
        // Checked by hand: Foundation reads `12abc` as 12, and an expression takes longer than all else.
        let unsigned = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        let parts = unsigned.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in
            part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
        }
        guard isNumber, text.utf8.count - unsigned.count <= 1, 1...15 ~= parts[0].count,
            parts.count == 1 || parts[1].count <= 20, let value = Decimal(string: text, locale: nil)
        else { return nil }
        self = value
    }
}
