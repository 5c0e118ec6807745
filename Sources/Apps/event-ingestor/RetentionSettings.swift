import EnergyModel
import EnergyStore
import ServiceRuntime

/// How much is kept.
enum RetentionSettings {
    private static let age = ConfigurationKey<Int>.integer(
        "retention.days", default: 0, in: 0...36_500, unit: "days",
        help: "How long events are kept, at least until every reader has read them; 0 is for ever.")
    private static let size = ConfigurationKey<Int>.integer(
        "retention.size", default: 0, in: 0...100_000_000, unit: "MiB",
        help: "How large the log may get before its oldest events are removed; 0 is as large as the disk.")

    static let declarations = [age.declaration, size.declaration]

    static func policy(_ configuration: ServiceConfiguration) -> RetentionPolicy {
        let (days, mebibytes) = (Int64(configuration[age]), Int64(configuration[size]))
        return RetentionPolicy(
            ageMaxMilliseconds: days > 0 ? days * .millisecondsPerDay : nil,
            bytesMax: mebibytes > 0 ? mebibytes << 20 : nil)
    }
}
