internal import EnergyModel
internal import Foundation

/// From measurements in any unit to the whole numbers of the wire: to the nearest, halves away from zero.
enum Quantities {
    static func milliwatts(_ power: Measurement<UnitPower>, _ field: String) throws(EnergyError) -> Int64 {
        try whole(power.converted(to: .milliwatts).value, field)
    }

    static func milliwattHours(_ energy: Measurement<UnitEnergy>, _ field: String) throws(EnergyError) -> Int64 {
        try whole(energy.converted(to: .EnergyKit.milliwattHours).value, field)
    }

    static func millimetres(_ length: Measurement<UnitLength>?, _ field: String) throws(EnergyError) -> Int64? {
        guard let length else { return nil }
        return try whole(length.converted(to: .millimeters).value, field)
    }

    static func millikelvin(
        _ temperature: Measurement<UnitTemperature>?, _ field: String
    ) throws(EnergyError) -> Int64? {
        guard let temperature else { return nil }
        return try whole(temperature.converted(to: .kelvin).value * 1000, field)
    }

    /// Rounded down to a millisecond. Between the years 1 and 9999: `Date` can hold what no clock will show.
    static func timestamp(_ date: Date, _ field: String) throws(EnergyError) -> Timestamp {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        guard let value = Int64(exactly: milliseconds), -62_135_596_800_000...253_402_300_799_999 ~= value else {
            throw .invalidInput(RuleViolation(field: field, rule: "must be a date", value: "\(milliseconds)"))
        }
        return Timestamp(unixMilliseconds: value)
    }

    private static func whole(_ value: Double, _ field: String) throws(EnergyError) -> Int64 {
        guard let whole = Int64(exactly: value.rounded(.toNearestOrAwayFromZero)) else {
            throw .invalidInput(RuleViolation(field: field, rule: "must be a number of 64 bits", value: "\(value)"))
        }
        return whole
    }
}
