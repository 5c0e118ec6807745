public import Foundation

/// What a vehicle, or its charger, shows at one moment.
public struct ElectricVehicleReading: Hashable, Sendable {
    public var timestamp: Date
    /// Whole percent, `0...100`.
    public var stateOfCharge: Int
    /// Now; 0 when it does not charge.
    public var power: Measurement<UnitPower>
    /// A meter that only rises, for example the charger's; `nil` when there is none: then energy is reckoned from power.
    public var meter: Measurement<UnitEnergy>?
    public var performanceMetrics: ElectricVehicleLoadEvent.ElectricalMeasurement.PerformanceMetrics?

    public init(
        timestamp: Date, stateOfCharge: Int, power: Measurement<UnitPower>, meter: Measurement<UnitEnergy>? = nil,
        performanceMetrics: ElectricVehicleLoadEvent.ElectricalMeasurement.PerformanceMetrics? = nil
    ) {
        self.timestamp = timestamp
        self.stateOfCharge = stateOfCharge
        self.power = power
        self.meter = meter
        self.performanceMetrics = performanceMetrics
    }
}
