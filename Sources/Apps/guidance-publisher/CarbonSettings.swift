import EnergyModel
import GridSignals
import ServiceRuntime

extension SourceSettings {
    /// The members of an entry that a provider of carbon has.
    static func carbonSource(
        _ provider: Provider, _ entry: inout ConfigurationEntry, region: String, environment: [String: String]
    ) throws(ConfigurationError) -> any GridSource {
        let member = provider.placeMember
        let place = try entry.string(member, default: provider.defaultPlace(region))
        let key = provider.needsKey ? try readKey(&entry, environment).text : ""
        let kind = try provider.kinds.isEmpty ? nil : kind(&entry, of: provider)
        let user = provider == .wattTime ? try entry.string("user") : ""
        var content = CECMidas.Content.emissions
        if provider == .cecMidas {
            content = try entry.optional("content", allowed: contents, parse: CECMidas.Content.init) ?? content
        }
        let endpoint = try endpoint(&entry)
        do throws(EnergyError) {
            switch provider {
            case .gbCarbonIntensity:
                let area: GBCarbonIntensity.Area =
                    place == "national" ? .national : Int(place).map { .region($0) } ?? .postcode(place)
                return try GBCarbonIntensity(area, endpoint: endpoint ?? GBCarbonIntensity.endpoint)
            case .cecMidas: return try CECMidas(rin: place, content, endpoint: endpoint ?? CECMidas.endpoint)
            case .energyChartsCO2:
                return try EnergyChartsCO2(country: place, endpoint: endpoint ?? EnergyChartsCO2.endpoint)
            case .energinetCO2: return try EnerginetCO2(area: place, endpoint: endpoint ?? EnerginetCO2.endpoint)
            case .eia930:
                return try EIA930(
                    authority: place, key: key, kind: kind ?? .averageDirect, endpoint: endpoint ?? EIA930.endpoint)
            case .electricityMaps:
                return try ElectricityMaps(
                    zone: place, key: key, kind: kind ?? .averageLifecycle,
                    endpoint: endpoint ?? ElectricityMaps.endpoint)
            case .wattTime:
                return try WattTime(
                    region: place, signal: kind == .averageDirect ? .average : .marginal, user: user, password: key,
                    endpoint: endpoint ?? WattTime.endpoint)
            case .push, .file: throw EnergyError(.invalidInput, "is not asked")
            }
        } catch { throw entry.refusal(member, error.message) }
    }

    private static func kind(
        _ entry: inout ConfigurationEntry, of provider: Provider
    ) throws(ConfigurationError) -> SignalKind? {
        let allowed = "one of " + provider.kinds.map(\.rawValue).joined(separator: ", ")
        return try entry.optional("kind", allowed: allowed) { text in
            provider.kinds.first { $0.rawValue == text }
        }
    }

    /// Another address of the service: a mirror, or a test's.
    static func endpoint(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> String? {
        guard let endpoint = try entry.optional("endpoint", allowed: "an address like https://host/path", parse: { $0 })
        else { return nil }
        do throws(EnergyError) { try HTTPRules.check(url: endpoint) } catch {
            throw entry.refusal("endpoint", error.message)
        }
        return endpoint
    }

    // MARK: CEC MIDAS

    private static let contents = "one of emissions, rates, alerts"

    /// - Returns: `nil` for another content.
    static func alerts(
        _ entry: inout ConfigurationEntry, region: String
    ) throws(ConfigurationError) -> Source? {
        // Read again for emissions and rates.
        var alerts = entry
        guard try alerts.optional("content", allowed: contents, parse: { $0 }) == "alerts" else { return nil }
        let rin = try alerts.string("rin", default: CECMidas.flexAlert)
        do throws(EnergyError) { try CECMidas.check(rin: rin) } catch {
            throw alerts.refusal("rin", error.message)
        }
        let endpoint = try endpoint(&alerts)
        entry = alerts
        return Source(region: region, origin: .alerts(rin: rin, endpoint: endpoint ?? CECMidas.endpoint))
    }
}

extension SourceSettings {
    enum Provider: String, CaseIterable {
        case gbCarbonIntensity = "gb-carbon-intensity"
        case cecMidas = "cec-midas"
        case energyChartsCO2 = "energy-charts-co2"
        case energinetCO2 = "energinet-co2"
        case eia930 = "eia-930"
        case wattTime = "watttime"
        case electricityMaps = "electricity-maps"
        case push, file

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

        /// Which it offers, the default first; empty where there is no choice.
        var kinds: [SignalKind] {
            switch self {
            case .eia930: [.averageDirect, .averageLifecycle]
            case .electricityMaps: [.averageLifecycle, .averageDirect]
            case .wattTime: [.marginal, .averageDirect]
            default: []
            }
        }
    }
}
