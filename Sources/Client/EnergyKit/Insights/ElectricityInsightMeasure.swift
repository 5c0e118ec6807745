public import Foundation

/// What an insight can be about: energy or run time.
public protocol ElectricityInsightMeasure: Sendable {}

extension Duration: ElectricityInsightMeasure {}

extension Measurement: ElectricityInsightMeasure where UnitType == UnitEnergy {}
