/// What is paid on top of a price: `(price + perKilowattHour) * (1 + tax)`, rounded once, half away from zero, to a
/// millionth. An energy tax that is itself free of value added tax does not fit; add it to the prices.
public struct RateCharges: Hashable, Sendable {
    /// Fixed charges, taxed. May be negative.
    public var perKilowattHour: Price
    /// Millionths: 190,000 is 19 %. `0...1_000_000`.
    public var taxPartsPerMillion: Int64

    public static let none = RateCharges()

    public init(perKilowattHour: Price = Price(microsPerKilowattHour: 0), taxPartsPerMillion: Int64 = 0) {
        self.perKilowattHour = perKilowattHour
        self.taxPartsPerMillion = taxPartsPerMillion
    }

    /// - Returns: `nil` for a price that is out of all bounds.
    public func applied(to price: Price) -> Price? {
        let sum = price.microsPerKilowattHour.addingReportingOverflow(perKilowattHour.microsPerKilowattHour)
        guard !sum.overflow else { return nil }
        return Price(microsPerKilowattHour: sum.partialValue).multiplied(
            by: 1_000_000 + taxPartsPerMillion, over: 1_000_000)
    }
}

extension Price {
    /// Rounded half away from zero.
    ///
    /// - Parameter denominator: positive.
    /// - Returns: `nil` when the product does not fit into 64 bits.
    func multiplied(by factor: Int64, over denominator: Int64) -> Price? {
        let product = microsPerKilowattHour.multipliedReportingOverflow(by: factor)
        guard !product.overflow else { return nil }
        let (quotient, remainder) = product.partialValue.quotientAndRemainder(dividingBy: denominator)
        let roundsAway = remainder.magnitude >= denominator.magnitude - remainder.magnitude
        return Price(microsPerKilowattHour: quotient + (roundsAway ? product.partialValue.signum() : 0))
    }
}
