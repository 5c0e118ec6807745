import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GridSignals
import GuidancePublishing
import HTTPFetcher
import ServiceRuntime

/// The section `sources`: where signals come from, the preferred first.
enum SourceSettings {
    static let section = ConfigurationSection(
        "sources",
        allowed: """
            region (as the venues say it) and provider; then, by provider:
              gb-carbon-intensity   optional area: national (default), a region 1 to 18, or the first part of a postcode
              cec-midas             rin; optional content: emissions (default), rates, or alerts (rin: the Flex Alert), which
                                    are demand-response events of the region
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
            A key is read from the environment (key-variable: NAME) or a file (key-file: PATH), never from here.
            """,
        help: "Where signals come from, the preferred first; before files. If one fails, the next one of its region is "
            + "used, and guidance says why.")

    /// What an entry says, before there is a store or a connection.
    struct Source {
        enum Origin {
            case web(any GridSource)
            case push(name: String, kind: SignalKind, currency: String?)
            case file(any SignalProvider)
            /// Of CEC MIDAS, by RIN: no signal, but demand-response events.
            case alerts(rin: String)
        }
        let region: String
        let origin: Origin

        /// `nil` for alerts.
        var kind: SignalKind? {
            switch origin {
            case .web(let source): source.kind
            case .push(_, let kind, _): kind
            case .file(let provider): provider.kind
            case .alerts: nil
            }
        }

        /// As rate plans name it; `nil` for a source of carbon.
        var priceSource: PriceSource? {
            guard kind == .price else { return nil }
            switch origin {
            case .web(let source): return PriceSource(name: source.name, currency: source.currency)
            case .push(let name, _, let currency): return PriceSource(name: "push:\(name)", currency: currency)
            case .file(let provider): return PriceSource(name: provider.name, currency: nil)
            case .alerts: return nil
            }
        }
    }

    /// HTTP dates are of today, also while recorded data are replayed.
    static let networkClock = SystemWallClock()

    static func read(
        _ configuration: ServiceConfiguration, environment: [String: String]
    ) throws(ConfigurationError) -> [Source] {
        let sources = try configuration.entries(section) { (entry) throws(ConfigurationError) in
            (entry, try source(&entry, environment: environment))
        }
        var names: Set<String> = []
        for (entry, source) in sources {
            guard case .push(let name, _, _) = source.origin,
                !names.insert("\(source.region)/\(name)").inserted
            else { continue }
            throw entry.refusal("name", "'\(name)' is another source of \(source.region) already")
        }
        return sources.map(\.1)
    }

    private static func source(
        _ entry: inout ConfigurationEntry, environment: [String: String]
    ) throws(ConfigurationError) -> Source {
        let names = (Provider.allCases.map(\.rawValue) + PriceProvider.all.map(\.name)).joined(separator: ", ")
        let provider: Provider
        switch try entry.required("provider", allowed: "one of \(names)", parse: Choice.init) {
        case .price(let prices):
            let region = try entry.string("region")
            return Source(region: region, origin: .web(try priceSource(prices, &entry, environment)))
        case .other(let other): provider = other
        }
        if provider == .file {
            let (region, file) = try SettingsReader.file(&entry)
            return Source(region: region, origin: .file(file))
        }
        let region = try entry.string("region")
        if provider == .cecMidas, let alerts = try alerts(&entry, region: region) { return alerts }
        if provider == .push { return try pushed(&entry, region: region) }
        return Source(
            region: region,
            origin: .web(try gridSource(provider, &entry, region: region, environment: environment)))
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

    fileprivate enum Provider: String, CaseIterable {
        case gbCarbonIntensity = "gb-carbon-intensity"
        case cecMidas = "cec-midas"
        case energyChartsCO2 = "energy-charts-co2"
        case energinetCO2 = "energinet-co2"
        case eia930 = "eia-930"
        case wattTime = "watttime"
        case electricityMaps = "electricity-maps"
        case push, file
    }

    private static func gridSource(
        _ provider: Provider, _ entry: inout ConfigurationEntry, region: String, environment: [String: String]
    ) throws(ConfigurationError) -> any GridSource {
        let member = provider.placeMember
        let place = try entry.string(member, default: provider.defaultPlace(region))
        var (key, user, kind, content): (String, String, SignalKind?, CECMidas.Content) = ("", "", nil, .emissions)
        if provider.needsKey {
            key = try readKey(&entry, environment)
            kind = try entry.optional("kind", allowed: provider.kinds, parse: SignalKind.init)
        }
        if provider == .wattTime { user = try entry.string("user") }
        if provider == .cecMidas {
            content = try entry.optional("content", allowed: contents, parse: CECMidas.Content.init) ?? content
        }
        do throws(EnergyError) {
            switch provider {
            case .gbCarbonIntensity:
                let area: GBCarbonIntensity.Area =
                    place == "national" ? .national : Int(place).map { .region($0) } ?? .postcode(place)
                return try GBCarbonIntensity(area)
            case .cecMidas: return try CECMidas(rin: place, content)
            case .energyChartsCO2: return try EnergyChartsCO2(country: place)
            case .energinetCO2: return try EnerginetCO2(area: place)
            case .eia930: return try EIA930(authority: place, key: key, kind: kind ?? .averageDirect)
            case .electricityMaps:
                return try ElectricityMaps(zone: place, key: key, kind: kind ?? .averageLifecycle)
            case .wattTime:
                let signal: WattTime.Signal = kind == .averageDirect ? .average : .marginal
                return try WattTime(region: place, signal: signal, user: user, password: key)
            case .push, .file: throw EnergyError(.invalidInput, "is not asked")
            }
        } catch { throw entry.refusal(member, error.message) }
    }

    private static let contents = "one of emissions, rates, alerts"

    /// - Returns: `nil` for another content.
    private static func alerts(
        _ entry: inout ConfigurationEntry, region: String
    ) throws(ConfigurationError) -> Source? {
        // Read again for emissions and rates.
        var alerts = entry
        guard try alerts.optional("content", allowed: contents, parse: { $0 }) == "alerts" else { return nil }
        let rin = try alerts.string("rin", default: CECMidas.flexAlert)
        do throws(EnergyError) { try CECMidas.check(rin: rin) } catch {
            throw alerts.refusal("rin", error.message)
        }
        entry = alerts
        return Source(region: region, origin: .alerts(rin: rin))
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
            throw entry.refusal("currency", kind == .price ? "is missing; prices need one" : "is of prices only")
        }
        return Source(region: region, origin: .push(name: name, kind: kind, currency: currency))
    }

    /// A key out of the environment or a file: settings are shown and copied, keys must not be.
    static func readKey(
        _ entry: inout ConfigurationEntry, _ environment: [String: String]
    ) throws(ConfigurationError) -> String {
        let variable = try entry.optional("key-variable", allowed: "the name of an environment variable") { $0 }
        let path = try entry.optional("key-file", allowed: "the path of a file that holds the key alone") { $0 }
        let text: String
        switch (variable, path) {
        case (let variable?, nil):
            guard let value = environment[variable] else {
                throw entry.refusal("key-variable", "names \(variable), which is not set")
            }
            text = value
        case (nil, let path?):
            guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= 4096 else {
                throw entry.refusal("key-file", "names \(path), which cannot be read or is larger than 4 KiB")
            }
            text = String(decoding: bytes, as: UTF8.self)
        default: throw entry.refusal("key-variable", "or key-file is needed, one of the two")
        }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !key.isEmpty, key.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw entry.refusal(variable == nil ? "key-file" : "key-variable", "holds no key")
        }
        return key
    }
}

extension GuidanceConfiguration {
    /// Puts the sources before those that are there, and reads OpenADR events for those that are pushed to.
    ///
    /// - Parameters:
    ///   - connect: called once, if a source is on the web.
    ///   - onChange: called when a source on the web has something new.
    /// - Returns: those on the web, which want to be run, and alerts likewise.
    mutating func add(
        _ sources: [SourceSettings.Source], store: any GuidanceStore, wallClock: any WallClock,
        connect: () throws -> any HTTPFetching, onChange: @escaping @Sendable () -> Void
    ) throws -> (polled: [PolledProvider], alerts: [CECMidasAlerts]) {
        readOpenADR = { (bytes, kind, currency) throws(EnergyError) in
            let event = try OpenADREvent(bytes)
            return SignalValues(
                kind: kind, currency: currency, points: try event.points(of: kind, currency: currency),
                issued: event.issued)
        }
        var added: [String: [any SignalProvider]] = [:]
        var polled: [PolledProvider] = []
        var alerts: [CECMidasAlerts] = []
        var http: (any HTTPFetching)?
        for source in sources {
            let provider: any SignalProvider
            switch source.origin {
            case .web(let grid):
                let connection = try http ?? connect()
                http = connection
                let made = PolledProvider(
                    grid, http: connection, store: store, wallClock: wallClock, onChange: onChange)
                polled.append(made)
                provider = made
            case .push(let name, let kind, let currency):
                provider = PushedProvider(
                    source: name, region: source.region, kind: kind, currency: currency, store: store,
                    wallClock: wallClock)
            case .file(let file): provider = file
            case .alerts(let rin):
                let connection = try http ?? connect()
                http = connection
                alerts.append(
                    try CECMidasAlerts(
                        rin, region: source.region, http: connection, wallClock: wallClock, onChange: onChange))
                continue
            }
            added[source.region, default: []].append(provider)
        }
        providers.merge(added) { present, added in added + present }
        demandResponseSources += alerts
        return (polled, alerts)
    }
}

extension SourceSettings.Provider {
    var needsKey: Bool { [.eia930, .wattTime, .electricityMaps].contains(self) }

    var placeMember: String {
        switch self {
        case .cecMidas: "rin"
        case .energyChartsCO2: "country"
        case .eia930: "authority"
        default: "area"
        }
    }

    func defaultPlace(_ region: String) -> String? {
        switch self {
        case .gbCarbonIntensity: "national"
        case .eia930, .wattTime, .electricityMaps: region
        default: nil
        }
    }

    var kinds: String {
        self == .wattTime ? "one of marginal, averageDirect" : "one of averageDirect, averageLifecycle"
    }
}
