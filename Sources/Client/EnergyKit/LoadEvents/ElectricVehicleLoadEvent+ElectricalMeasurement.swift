public import Foundation

extension ElectricVehicleLoadEvent {
    /// What the vehicle, or its charger, measured.
    public struct ElectricalMeasurement: Codable, Sendable {
        /// Whole percent: 0 empty, 100 full.
        public let stateOfCharge: Int
        public let direction: ElectricityFlowDirection
        /// Now; never negative. In any unit: submitted as whole milliwatts, to the nearest.
        public let power: Measurement<UnitPower>
        /// Since the session began; 0 at begin, never falls. In any unit: submitted as whole milliwatt-hours, to the
        /// nearest.
        public let energy: Measurement<UnitEnergy>
        let metrics: PerformanceMetrics?

        public var performanceMetrics: PerformanceMetrics? { metrics }

        @available(*, deprecated, message: "Use init(stateOfCharge:direction:power:energy:performanceMetrics:)")
        public init(
            stateOfCharge: Int, direction: ElectricityFlowDirection, power: Measurement<UnitPower>,
            energy: Measurement<UnitEnergy>
        ) {
            self.init(
                stateOfCharge: stateOfCharge, direction: direction, power: power, energy: energy,
                performanceMetrics: nil)
        }

        public init(
            stateOfCharge: Int, direction: ElectricityFlowDirection, power: Measurement<UnitPower>,
            energy: Measurement<UnitEnergy>, performanceMetrics: PerformanceMetrics?
        ) {
            self.stateOfCharge = stateOfCharge
            self.direction = direction
            self.power = power
            self.energy = energy
            metrics = performanceMetrics
        }
    }
}

extension ElectricVehicleLoadEvent.ElectricalMeasurement {
    /// What else is known of a charge.
    public struct PerformanceMetrics: Codable, Hashable, Sendable {
        /// How far the vehicle can drive now.
        public let estimatedRange: Measurement<UnitLength>?
        public let batteryTemperature: Measurement<UnitTemperature>?

        public init(
            estimatedRange: Measurement<UnitLength>? = nil, batteryTemperature: Measurement<UnitTemperature>? = nil
        ) {
            self.estimatedRange = estimatedRange
            self.batteryTemperature = batteryTemperature
        }
    }
}
