/// An amount of energy.
///
/// - Unit: whole milliwatt-hours (mWh). 64 bits hold the consumption of a home for a million years.
/// - Source: EnergyKit, whose unit for events and insights is mWh.
public struct Energy: Hashable, Comparable, Sendable, AdditiveArithmetic {
    public let milliwattHours: Int64

    public static let zero = Energy(milliwattHours: 0)
    /// Of one event or battery: 1 GWh, far above any session.
    public static let range: ClosedRange<Int64> = 0...1_000_000_000_000

    public init(milliwattHours: Int64) { self.milliwattHours = milliwattHours }

    public var kilowattHours: Double { Double(milliwattHours) / 1_000_000 }

    public static func < (lhs: Energy, rhs: Energy) -> Bool { lhs.milliwattHours < rhs.milliwattHours }
    public static func + (lhs: Energy, rhs: Energy) -> Energy {
        Energy(milliwattHours: lhs.milliwattHours + rhs.milliwattHours)
    }
    public static func - (lhs: Energy, rhs: Energy) -> Energy {
        Energy(milliwattHours: lhs.milliwattHours - rhs.milliwattHours)
    }
}
