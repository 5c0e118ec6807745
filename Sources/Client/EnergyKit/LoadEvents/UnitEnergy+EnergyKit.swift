public import Foundation

extension UnitEnergy {
    /// Units that Foundation lacks: `Measurement(value: 3_500_000, unit: .EnergyKit.milliwattHours)`.
    public class EnergyKit: Unit, @unchecked Sendable {  // without state of its own
        /// One thousandth of a watt-hour, 3.6 J: the unit of load events.
        public static let milliwattHours = UnitEnergy(
            symbol: "mWh", converter: UnitConverterLinear(coefficient: 3.6))

        public required init(symbol: String) { super.init(symbol: symbol) }

        public required init?(coder aDecoder: NSCoder) { super.init(coder: aDecoder) }
    }
}
