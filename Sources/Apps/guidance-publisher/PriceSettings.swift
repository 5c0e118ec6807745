import EnergyModel
import GridSignals
import ServiceRuntime

extension SourceSettings {
    /// The members of an entry that a provider of prices has, by their own names; its key by `key-variable` or
    /// `key-file`.
    static func priceSource(
        _ provider: PriceProvider, _ entry: inout ConfigurationEntry, _ environment: [String: String]
    ) throws(ConfigurationError) -> any GridSource {
        var settings: [String: String] = [:]
        for name in provider.requiredSettings where !provider.secretSettings.contains(name) {
            settings[name] = try entry.string(name)
        }
        for name in provider.optionalSettings {
            settings[name] = try entry.optional(name, allowed: "a text") { $0 }
        }
        for name in provider.secretSettings { settings[name] = try readKey(&entry, environment) }
        do throws(EnergyError) { return try provider.source(settings) } catch {
            throw entry.refusal("provider", error.message)
        }
    }
}
