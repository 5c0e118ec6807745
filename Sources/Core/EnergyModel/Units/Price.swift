/// What a kilowatt-hour costs. May be negative.
///
/// - Unit: millionths of the currency unit per kWh; the currency is named beside it (ISO 4217).
public struct Price: Hashable, Comparable, Sendable {
    public let microsPerKilowattHour: Int64

    public init(microsPerKilowattHour: Int64) { self.microsPerKilowattHour = microsPerKilowattHour }

    public static func < (lhs: Price, rhs: Price) -> Bool { lhs.microsPerKilowattHour < rhs.microsPerKilowattHour }
}
