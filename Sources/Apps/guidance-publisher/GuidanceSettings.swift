import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GridSignals
import GuidancePublishing
import ServiceRuntime

/// What can be set for the guidance-publisher.
enum GuidanceSettings {
    static let priceWeight = ConfigurationKey<Double>.number(
        "guidance.price-weight", default: 0.5, in: 0...1,
        help: "What counts in a rating: 0 only carbon, 1 only price, where the venue has a rate plan.")
    static let checkInterval = ConfigurationKey<Duration>.duration(
        "guidance.check-interval", default: "5m", from: "1s", to: "1h",
        help: "How often sources are looked at for changes; guidance goes out each hour anyway.")
    static let ratePlans = ConfigurationSection(
        "rate-plans",
        default: """
            - id: home-tou
              name: Home time of use
              currency: USD
              time-zone: America/Los_Angeles
              zones:
                - { price: 0.31, peak: offPeak }
                - { price: 0.58, peak: onPeak, from: "16:00", to: "21:00" }
            """,
        allowed: "contracts; of a plan's zones the last that matches wins; days: [mon], months: [jan] narrow a zone",
        help: "Time-of-use prices per kWh.")
    static let venues = ConfigurationSection(
        "venues",
        default: """
            - name: Home
              region: CISO
              time-zone: America/Los_Angeles
              rate-plan: home-tou
            """,
        allowed: "sites; optional: id and home-ids (UUIDs), rate-plan (an id of rate-plans)",
        help: "Places whose guidance is made. Found again by id, or by name.")
    static let files = ConfigurationSection(
        "files",
        allowed: "path (.csv, .json), region, label (start, end); optional: kind, unit, step, time-zone, content, lag, "
            + "time-column, value-column",
        help:
            "Files of carbon signals, the preferred first, after sources. Without any, a region's climatology is used.")

    static let definition = ServiceDefinition(
        .guidancePublisher, summary: "says when electricity is clean and cheap",
        services: ["energy.v1.Venues", "energy.v1.RatePlans", "energy.v1.Guidance", "energy.v1.Signals"],
        keys: [
            priceWeight.declaration, checkInterval.declaration, ratePlans.declaration, venues.declaration,
            SourceSettings.section.declaration, files.declaration,
        ])

    static func read(_ configuration: ServiceConfiguration) throws -> GuidanceConfiguration {
        let plans = try configuration.entries(ratePlans, SettingsReader.ratePlan)
        let sites = try configuration.entries(venues) { (entry) throws(ConfigurationError) in
            try SettingsReader.venue(&entry, planIDs: plans.map(\.id))
        }
        var providers: [String: [any SignalProvider]] = [:]
        for (region, provider) in try configuration.entries(files, SettingsReader.file) {
            providers[region, default: []].append(provider)
        }
        return GuidanceConfiguration(
            ratePlans: plans, venues: sites, providers: providers, commonProviders: [try ClimatologyProvider()],
            priceWeight: configuration[priceWeight], checkInterval: configuration[checkInterval])
    }
}
