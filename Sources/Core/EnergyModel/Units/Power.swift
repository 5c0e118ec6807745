/// Active power. The direction is a field of its own, so power is never negative.
///
/// - Unit: whole milliwatts (mW), `0...1_000_000_000`: 1 MW is far above any home's connection.
/// - Source: EnergyKit `ElectricVehicleLoadEvent.ElectricalMeasurement.power`.
public struct Power: Hashable, Comparable, Sendable {
    public let milliwatts: Int64

    public static let zero = Power(unchecked: 0)
    public static let range: ClosedRange<Int64> = 0...1_000_000_000

    /// - Throws: ``EnergyError`` `.invalidInput` outside the range.
    public init(milliwatts: Int64, field: String = "power_mw") throws(EnergyError) {
        guard Power.range ~= milliwatts else {
            throw .invalidInput(
                RuleViolation(field: field, rule: "must be 0 to 1,000,000,000 mW", value: "\(milliwatts)"))
        }
        self.milliwatts = milliwatts
    }

    private init(unchecked milliwatts: Int64) { self.milliwatts = milliwatts }

    package var kilowatts: Double { Double(milliwatts) / 1_000_000 }

    /// - Parameter kilowatts: at most 1 MW counts, and nothing below 0.
    package init(kilowatts: Double) {
        self.init(unchecked: Int64((min(max(kilowatts, 0), 1_000) * 1_000_000).rounded()))
    }

    public static func < (lhs: Power, rhs: Power) -> Bool { lhs.milliwatts < rhs.milliwatts }

    /// Energy delivered when this power holds for `milliseconds`, rounded down to 1 mWh.
    public func energy(overMilliseconds milliseconds: Int64) -> Energy {
        // mW times ms may exceed 64 bits over years: widen before dividing.
        let product = milliwatts.multipliedFullWidth(by: max(0, milliseconds))
        let (quotient, _) = Int64(3_600_000).dividingFullWidth(product)
        return Energy(milliwattHours: quotient)
    }
}
