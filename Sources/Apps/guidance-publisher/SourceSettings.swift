import EnergyModel
import GridSignals
import ServiceRuntime

/// The section `sources`: where signals come from, the preferred first.
enum SourceSettings {
    static let section = ConfigurationSection(
        "sources",
        allowed: """
            region (as the venues say it) and provider; then, by provider:
              gb-carbon-intensity   optional area: national (default), a region 1 to 18, or the first part of a postcode
              cec-midas             rin; optional content: emissions (default, USCA-SGIP-MOER-PGE), rates, or alerts, which are
                                    demand-response events of the region (default rin: the Flex Alert)
              energy-charts-co2     country, for example de
              energinet-co2         area: DK1 or DK2
              eia-930               authority (default: the region), a key; optional kind: averageDirect or averageLifecycle
              watttime              area (default: the region), user, a key (the password); optional kind: marginal or averageDirect
              electricity-maps      area (default: the region), a key; optional kind: averageLifecycle or averageDirect
              octopus               product, for example AGILE-24-10-01, region-letter; optional vat: included (default) or excluded
              energy-charts-price   zone, for example DE-LU
              awattar               country: de or at
              energinet-price       area: DK1, DK2 or a neighbour; optional currency: DKK (default) or EUR
              entsoe                zone, for example BE, or its EIC, a key (the token); optional currency (default: EUR)
              tibber                currency, a key (the token); optional home (its id)
              amber                 site (its id), a key (the token); optional channel: general (default), controlledLoad or feedIn
              push                  name, kind; of prices currency: what Signals/Put brings
              file                  the members of files
            Example: - { region: CISO, provider: eia-930, key-variable: EIA_KEY }
            Each service on the web also takes an endpoint, another address of it (https, or http to this machine).
            A key is read from the environment (key-variable: NAME) or a file (key-file: PATH), never from here.
            """,
        help: "Where signals come from, the preferred first; before files. If one fails, the next one of its region is "
            + "used, and guidance says why. Regions that services without a key know need no entry: see "
            + "guidance.automatic-sources.")

    /// HTTP dates are of today, also while recorded data are replayed.
    static let networkClock = SystemWallClock()

    static func read(
        _ configuration: ServiceConfiguration, environment: [String: String]
    ) async throws(ConfigurationError) -> [Source] {
        let sources = try configuration.entries(section, allowed: members) { (entry) throws(ConfigurationError) in
            (entry, try source(&entry, environment: environment))
        }
        var names: Set<String> = []
        for (entry, source) in sources {
            switch source.origin {
            case .push(let name, _, _) where !names.insert("push \(source.region)/\(name)").inserted:
                throw entry.refusal("name", "'\(name)' is another source of \(source.region) already")
            case .alerts(let rin, _) where !names.insert(CECMidasAlerts.name(rin, region: source.region)).inserted:
                throw entry.refusal("provider", "'\(rin)' is another source of \(source.region)'s alerts already")
            case .file(let file): try await SettingsReader.check(file, of: source.region, entry)
            default: break
            }
        }
        return sources.map(\.1) + (configuration[GuidanceSettings.automaticSources] ? try automatic() : [])
    }

    private static func automatic() throws(ConfigurationError) -> [Source] {
        do throws(EnergyError) {
            return try AutomaticSources.all().map {
                Source(region: $0.region, origin: .web($0.source), isAutomatic: true)
            }
        } catch { preconditionFailure("a service does not know its own regions: \(error.message)") }
    }

    /// All that any provider has, so that a mistyped one is told before what is missing because of it.
    private static var members: [String] {
        let ofPrices = PriceProvider.all.flatMap { provider in
            (provider.requiredSettings + provider.optionalSettings).filter { !provider.secretSettings.contains($0) }
        }
        let others = ["provider", "region", "key-variable", "key-file", "kind", "user", "content", "name", "currency"]
        let all = others + Provider.allCases.map(\.placeMember) + ofPrices + SettingsReader.fileMembers
        return Set(all).sorted()
    }

    private static func source(
        _ entry: inout ConfigurationEntry, environment: [String: String]
    ) throws(ConfigurationError) -> Source {
        let names = (Provider.allCases.map(\.rawValue) + PriceProvider.all.map(\.name)).joined(separator: ", ")
        let provider: Provider
        switch try entry.required("provider", allowed: "one of \(names)", parse: Choice.init) {
        case .price(let prices):
            let region = try region(&entry)
            return Source(region: region, origin: .web(try priceSource(prices, &entry, environment)))
        case .other(let other): provider = other
        }
        if provider == .file {
            let (region, file) = try SettingsReader.file(&entry)
            return Source(region: region, origin: .file(file))
        }
        let region = try region(&entry)
        if provider == .cecMidas, let alerts = try alerts(&entry, region: region) { return alerts }
        if provider == .push { return try pushed(&entry, region: region) }
        return Source(
            region: region,
            origin: .web(try carbonSource(provider, &entry, region: region, environment: environment)))
    }

    private static func region(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> String {
        try entry.required("region", allowed: "1 to 64 ASCII letters, digits, hyphens, underscores or dots") { text in
            Venue.isRegion(text) ? text : nil
        }
    }

    private enum Choice {
        case price(PriceProvider)
        case other(Provider)

        init?(_ name: String) {
            if let prices = PriceProvider.all.first(where: { $0.name == name }) {
                self = .price(prices)
            } else if let other = Provider(rawValue: name) {
                self = .other(other)
            } else {
                return nil
            }
        }
    }

    private static func pushed(
        _ entry: inout ConfigurationEntry, region: String
    ) throws(ConfigurationError) -> Source {
        let name = try entry.required("name", allowed: "1 to 64 letters, digits, - and _") { text in
            text.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) == nil ? nil : text
        }
        let kinds = SignalKind.allCases.map(\.rawValue).joined(separator: ", ")
        let kind = try entry.required("kind", allowed: "one of \(kinds)", parse: SignalKind.init)
        let currency = try entry.optional("currency", allowed: "an ISO 4217 code, for example EUR") { text in
            text.wholeMatch(of: /[A-Z]{3}/) == nil ? nil : text
        }
        if (kind == .price) != (currency != nil) {
            throw entry.refusal(
                "currency", kind == .price ? "is missing; prices need one, for example EUR" : "is of prices only")
        }
        return Source(region: region, origin: .push(name: name, kind: kind, currency: currency))
    }
}
