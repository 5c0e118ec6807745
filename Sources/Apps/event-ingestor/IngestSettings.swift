import EnergyModel
import EnergyStore
import EventIngestion
import ServiceRuntime

/// What can be set for the event-ingestor.
enum IngestSettings {
    private static let clockAllowance = ConfigurationKey<Duration>.duration(
        "rules.clock-allowance", default: "5m", from: "0s", to: "1d",
        help: "How far a sender's clock may be ahead of this machine's.")
    private static let isStrict = ConfigurationKey<Bool>.flag(
        "rules.strict", default: false, help: "Refuse power other than 0 at the begin and end of a session.")

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

    private static let keptAge = ConfigurationKey<Int>.integer(
        "retention.days", default: 0, in: 0...36_500, unit: "days",
        help: "How long events are kept, at least until every reader has read them; 0 is for ever. What is too old is "
            + "removed every 10 minutes.")
    private static let keptSize = ConfigurationKey<Int>.integer(
        "retention.size", default: 0, in: 0...100_000_000, unit: "MiB",
        help:
            "How many MiB of events, counted as they were sent, are kept before the oldest are removed; 0 is as many as "
            + "the disk takes. What is too much is removed every 10 minutes. The file is larger, by what is kept to know "
            + "events and sessions again; it does not shrink, its room is used again.")

    static var declarations: [KeyDeclaration] {
        [
            clockAllowance.declaration, isStrict.declaration, principalRate.declaration, principalBurst.declaration,
            venueRate.declaration, venueBurst.declaration, keptAge.declaration, keptSize.declaration,
        ]
    }

    static func rules(_ configuration: ServiceConfiguration) -> EventRules {
        EventRules(
            clockAllowanceMilliseconds: configuration[clockAllowance].wholeMilliseconds,
            isStrict: configuration[isStrict])
    }

    static func limits(_ configuration: ServiceConfiguration) -> IngestLimits {
        IngestLimits(
            perPrincipal: RateLimit(
                eventsPerSecond: configuration[principalRate], burst: configuration[principalBurst]),
            perVenue: RateLimit(eventsPerSecond: configuration[venueRate], burst: configuration[venueBurst]))
    }

    static func retention(_ configuration: ServiceConfiguration) -> RetentionPolicy {
        let (days, size) = (Int64(configuration[keptAge]), Int64(configuration[keptSize]))
        return RetentionPolicy(
            ageMaxMilliseconds: days > 0 ? days * .millisecondsPerDay : nil, bytesMax: size > 0 ? size << 20 : nil)
    }
}
