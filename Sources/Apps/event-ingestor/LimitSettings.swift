import EventIngestion
import ServiceRuntime

/// How much may be sent.
enum LimitSettings {
    private static let principalRate = ConfigurationKey<Int>.integer(
        "limits.principal-rate", default: 100_000, in: 1...100_000_000, unit: "events a second",
        help: "How many events one sender may submit.")
    private static let principalBurst = ConfigurationKey<Int>.integer(
        "limits.principal-burst", default: 1_000_000, in: 1_000...1_000_000_000, unit: "events",
        help: "How many events one sender may submit at once after a pause.")
    private static let venueRate = ConfigurationKey<Int>.integer(
        "limits.venue-rate", default: 10_000, in: 1...100_000_000, unit: "events a second",
        help: "How many events may be submitted for one venue.")
    private static let venueBurst = ConfigurationKey<Int>.integer(
        "limits.venue-burst", default: 200_000, in: 1_000...1_000_000_000, unit: "events",
        help: "How many events may be submitted for one venue at once after a pause.")

    static let declarations = [
        principalRate.declaration, principalBurst.declaration, venueRate.declaration, venueBurst.declaration,
    ]

    static func limits(_ configuration: ServiceConfiguration) -> IngestLimits {
        IngestLimits(
            perPrincipal: RateLimit(
                eventsPerSecond: configuration[principalRate], burst: configuration[principalBurst]),
            perVenue: RateLimit(eventsPerSecond: configuration[venueRate], burst: configuration[venueBurst]))
    }
}
