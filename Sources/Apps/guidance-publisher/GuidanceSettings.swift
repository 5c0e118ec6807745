import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GridSignals
import GuidancePublishing
import ServiceRuntime
import Tariffs

/// What can be set for the guidance-publisher.
enum GuidanceSettings {
    static let priceWeight = ConfigurationKey<Double>.number(
        "guidance.price-weight", default: 0.5, in: 0...1,
        help:
            "What counts in a rating: 0 only carbon, 1 only price, where the venue has a rate plan and no weight of its "
            + "own.")
    static let lookAhead = ConfigurationKey<Duration>.duration(
        "guidance.look-ahead", default: "24h", from: "24h", to: "48h",
        help: "How far ahead guidance looks, where the data reach.")
    static let checkInterval = ConfigurationKey<Duration>.duration(
        "guidance.check-interval", default: "5m", from: "1s", to: "1h",
        help: "How often sources are looked at for changes; guidance goes out each hour anyway.")
    static let automaticSources = ConfigurationKey<Bool>.flag(
        "guidance.automatic-sources", default: true,
        help:
            "Regions that services without a key know have those by themselves: they are asked while a venue of the region "
            + "is there, unless 'sources' or 'files' have something of the kind for it. false: nobody on the web is asked "
            + "but by an entry of 'sources'.")
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
        allowed: """
            contracts: id, name, currency, time-zone, zones, of which the last that matches wins; or import
            zones         price; optional: name, peak (found by the prices if absent), days (mon-fri or [sat, sun]),
                          months (jan-mar), season (05-01..10-31), from and to (16:30), or hours (0-5,23-0), and
                          tiers, each with above (kWh since the billing month began) and price
            holidays      read as Sundays: 2026-12-24, 12-25, '4 thu nov', last mon may, easter-2
            observance    of holidays on weekends: onTheDay (the default), mondayAfterSunday, nearestWeekday
            export-zones  what is paid for energy that is fed in, as zones
            dated-rates   start, end (2026-07-01T16:00:00-07:00); price, multiplier or export-price; peak
                          (criticalPeak, which is rated 1, if it is dearer than every zone)
            charges, tax  added to every price, then 0.19 of the sum
            price-source  a source of prices in the plan's currency, of any region, by its name: awattar:de, push:meter.
                          energyctl signals shows the names. Zones, if there are any, are what is paid on top
            billing-day   of the month, 1 to 28 (1): from then on tiers are counted
            monthly-energy  kWh expected in a billing month, drawn evenly: says which tier a time is in (the first if absent)
            import        a file in place of zones; format: urdb, evcc, openadr, acnportal (guessed if absent); label: of
                          one of several URDB rates
            """,
        help: "Prices per kWh, by time of use or of a dynamic contract.")
    static let demandResponseFile = ConfigurationKey<String>.text(
        "demand-response.file", allowed: "the path of a JSON or YAML file, which need not be there yet",
        help:
            "Declared events: read again when it changes, at the times of check-interval. OpenADR 3, or a list of maps "
            + "with start and end (or duration: PT4H), and as wanted kind (criticalPeak or reduce), region or venue, "
            + "reason, price and currency.")
    static let venues = ConfigurationSection(
        "venues",
        default: """
            - name: Home
              region: CISO
              time-zone: America/Los_Angeles
              rate-plan: home-tou
            """,
        allowed: "sites; optional: id and home-ids (UUIDs), rate-plan (an id of rate-plans), price-weight (0...1)",
        help:
            "Places whose guidance is made. Found again by id, or by name. The default is an example: it is made where no "
            + "place ever was, and can be removed.")
    static let files = ConfigurationSection(
        "files",
        allowed: """
            path (.csv, .json), region, label; optional: kind, unit, step, time-zone, content, lag, time-column, value-column
            label         what a time in the file names: the start or the end of its step
            step          how long a value holds (1h), where the file does not say; 1m to 1d
            time-zone     of times without an offset of their own (GMT)
            content       measured (the default): the hours ahead are predicted from four weeks of it;
                          forecast: the file itself holds the hours ahead
            lag           how long after its end a measured value is known (0s); one that is younger is not used
            kind          averageDirect (the default): CO2 from burning fuel, of the average kWh; averageLifecycle: with
                          building and fuel supply; marginal: of one kWh more. Kinds are never mixed
            unit          g/kWh (the default), kg/kWh or lb/MWh
            time-column   heading of the times in a CSV file (utc_time)
            value-column  heading of the values (ci_direct_g_per_kwh)
            JSON: a list, or an object with it as values, of {"start": "2026-07-01T16:00:00Z", "value": 243.5}, each with
            "end" or "duration" (seconds, HH:MM:SS or PT30M) if it is not the step, null for what is not known; or the
            carbon-aware-sdk's {"Location", "Time", "Rating", "Duration"}, bare or as Emissions
            CSV: a last line without a line break counts when the file has rested for 30 s
            Age: a file whose newest measured value is over 7 days old is passed over, as is one that breaks, until it is
            well again; guidance and health say so. A file that cannot be used at the start stops the start.
            """,
        help:
            "Files of carbon signals, the preferred first, after sources; read again when they change. Without any, a "
            + "region's climatology is used.")

    static let definition = ServiceDefinition(
        .guidancePublisher, summary: "says when electricity is clean and cheap",
        services: [
            "energy.v1.Venues", "energy.v1.RatePlans", "energy.v1.DemandResponse", "energy.v1.Guidance",
            "energy.v1.Signals",
        ],
        keys: [
            priceWeight.declaration, lookAhead.declaration, checkInterval.declaration, automaticSources.declaration,
            ratePlans.declaration, venues.declaration,
            SourceSettings.section.declaration, files.declaration, demandResponseFile.declaration,
            storeKey.declaration, StoreKeys.connections.declaration,
        ])

    /// - Throws: ``ConfigurationError`` for what is wrong with the settings, also a file that cannot be used, and a
    ///   venue whose region has no source.
    static func read(
        _ configuration: ServiceConfiguration, sources: [SourceSettings.Source], now: Timestamp
    ) async throws -> GuidanceConfiguration {
        let plans = try configuration.entries(
            ratePlans, allowed: SettingsReader.ratePlanMembers
        ) { (entry) throws(ConfigurationError) in Placed(try SettingsReader.ratePlan(&entry), entry) }
        try refuseTwice(plans, "id", \.id)
        let priceSources = SourceSettings.priceSources(sources)
        for plan in plans {
            guard let violation = plan.value.plan.violation(amongPriceSources: priceSources) else { continue }
            throw plan.entry.refusal("price-source", "'\(plan.value.plan.priceSource ?? "")' \(violation.rule)")
        }
        let planIDs = plans.map(\.value.id)
        let sites = try configuration.entries(
            venues, allowed: SettingsReader.venueMembers
        ) { (entry) throws(ConfigurationError) in
            Placed(try SettingsReader.venue(&entry, planIDs: planIDs), entry)
        }
        try refuseTwice(sites, "name", \.name)
        try refuseTwice(sites.filter { $0.value.id != nil }, "id") { "\($0.id ?? UUID())" }
        let readFiles = try configuration.entries(
            files, allowed: SettingsReader.fileMembers
        ) { (entry) throws(ConfigurationError) in Placed(try SettingsReader.file(&entry), entry) }
        var providers: [String: [any SignalProvider]] = [:]
        for file in readFiles {
            let (region, provider) = file.value
            try await SettingsReader.check(provider, of: region, file.entry)
            providers[region, default: []].append(provider)
        }
        let events = configuration[demandResponseFile]
        let result = GuidanceConfiguration(
            ratePlans: plans.map(\.value.plan), venues: sites.filter { !$0.entry.isDefault }.map(\.value),
            exampleVenues: sites.filter(\.entry.isDefault).map(\.value), providers: providers,
            commonProviders: [try ClimatologyProvider()],
            demandResponseSources: events.isEmpty ? [] : [DemandResponseFile(path: events)],
            priceWeight: configuration[priceWeight],
            lookAheadMilliseconds: configuration[lookAhead].wholeMilliseconds,
            checkInterval: configuration[checkInterval],
            notes: plans.flatMap(\.value.notes))
        // A source on the web may have nothing to say yet.
        let sourced = Set(sources.filter { $0.kind?.quantity == .carbon }.map(\.region))
        for site in sites where !sourced.contains(site.value.region) {
            if await result.hasSource(of: site.value.region, now: now) { continue }
            throw site.entry.refusal(
                "region", "'\(site.value.region)' has no source; allowed: \(result.knownRegions(and: sourced))")
        }
        return result
    }

    /// What was read of an entry, and the entry, for refusals that concern several.
    private struct Placed<Value> {
        let value: Value
        let entry: ConfigurationEntry
        init(_ value: Value, _ entry: ConfigurationEntry) { (self.value, self.entry) = (value, entry) }
    }

    private static func refuseTwice<Value>(
        _ placed: [Placed<Value>], _ member: String, _ text: (Value) -> String
    ) throws(ConfigurationError) {
        var first: [String: ConfigurationEntry] = [:]
        for item in placed {
            let text = text(item.value)
            guard let other = first.updateValue(item.entry, forKey: text) else { continue }
            throw item.entry.refusal(
                member, "'\(text)' is also that of \(other.path) (\(other.origin(of: member))); allowed: one of its own"
            )
        }
    }
}
