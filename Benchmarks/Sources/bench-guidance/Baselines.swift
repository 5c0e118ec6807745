import EnergyModel
import Foundation

/// What needs no forecast of ours.
enum Baseline: String, CaseIterable {
    case dayBefore = "day before"
    case mean28 = "28-day mean"
    case random
    case midnight = "midnight"

    /// One number per hour, the lowest are followed.
    ///
    /// - Parameter hours: the hourly values of all time.
    func prediction(_ hours: [Double], at index: Int, start: Timestamp, _ zone: TimeZone) -> [Double] {
        switch self {
        case .dayBefore: return Array(hours[index - 24..<index])
        // The protocol's: hours of UTC.
        case .mean28:
            return (0..<24).map { hour in
                let past = (1...28).map { index + hour - 24 * $0 }.filter { $0 >= 0 }
                return past.reduce(0) { $0 + hours[$1] } / Double(past.count)
            }
        case .random:
            var state = UInt64(bitPattern: start.unixMilliseconds)
            return (0..<24).map { _ in
                // SplitMix64.
                state &+= 0x9E37_79B9_7F4A_7C15
                var bits = state
                bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
                bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
                return Double((bits ^ (bits >> 31)) >> 11)
            }
        case .midnight:
            return (0..<24).map { hour in
                let instant = start.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour)
                return Double(LocalTime(instant, offsetMilliseconds: zone.offsetMilliseconds(at: instant)).hour)
            }
        }
    }
}
