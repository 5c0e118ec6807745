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
        for name in provider.optionalSettings where name != "endpoint" {
            settings[name] = try entry.optional(name, allowed: "a text") { $0 }
        }
        settings["endpoint"] = try endpoint(&entry)
        var keyMember: String?
        for name in provider.secretSettings {
            let key = try readKey(&entry, environment)
            (settings[name], keyMember) = (key.text, key.member)
        }
        do throws(EnergyError) { return try provider.source(settings) } catch {
            // The place of the wrong value, not of the provider's name.
            let wrong = error.violations.first?.field ?? "provider"
            throw entry.refusal(provider.secretSettings.contains(wrong) ? keyMember ?? wrong : wrong, error.message)
        }
    }
}
