public import EnergyModel

/// A provider of prices as settings name it, and how to make a source of it.
public struct PriceProvider: Sendable {
    public let name: String
    public let requiredSettings: [String]
    public let optionalSettings: [String]
    /// Those of the above that must not be shown.
    public let secretSettings: Set<String>
    private let make: @Sendable (Settings) throws(EnergyError) -> any GridSource

    private typealias Settings = [String: String]

    /// All of them. `endpoint`, another address of the service, may be set for each.
    public static let all = [
        PriceProvider("octopus", ["product", "region-letter"], ["vat"]) { settings throws(EnergyError) in
            try OctopusAgile(
                product: settings["product"] ?? "", region: settings["region-letter"] ?? "",
                includesVAT: try choice(settings, "vat", ["included": true, "excluded": false], or: true),
                endpoint: settings["endpoint"] ?? OctopusAgile.endpoint)
        },
        PriceProvider("energy-charts-price", ["zone"]) { settings throws(EnergyError) in
            try EnergyChartsPrice(
                zone: settings["zone"] ?? "", endpoint: settings["endpoint"] ?? EnergyChartsPrice.endpoint)
        },
        PriceProvider("awattar", ["country"]) { settings throws(EnergyError) in
            Awattar(try choice(settings, "country", Awattar.Country.self), endpoint: settings["endpoint"])
        },
        PriceProvider("energinet-price", ["area"], ["currency"]) { settings throws(EnergyError) in
            try EnerginetPrice(
                area: settings["area"] ?? "",
                currency: try choice(settings, "currency", EnerginetPrice.Currency.self, or: .danishKroner),
                endpoint: settings["endpoint"] ?? EnerginetPrice.endpoint)
        },
        PriceProvider("entsoe", ["zone", "key"], ["currency"], secret: ["key"]) { settings throws(EnergyError) in
            try EntsoePrice(
                zone: settings["zone"] ?? "", token: settings["key"] ?? "", currency: settings["currency"] ?? "EUR",
                endpoint: settings["endpoint"] ?? EntsoePrice.endpoint)
        },
        PriceProvider("tibber", ["key", "currency"], ["home"], secret: ["key"]) { settings throws(EnergyError) in
            try TibberPrice(
                home: settings["home"], token: settings["key"] ?? "", currency: settings["currency"] ?? "",
                endpoint: settings["endpoint"] ?? TibberPrice.endpoint)
        },
        PriceProvider("amber", ["site", "key"], ["channel"], secret: ["key"]) { settings throws(EnergyError) in
            try AmberPrice(
                site: settings["site"] ?? "",
                channel: try choice(settings, "channel", AmberPrice.Channel.self, or: .general),
                token: settings["key"] ?? "", endpoint: settings["endpoint"] ?? AmberPrice.endpoint)
        },
    ]

    private init(
        _ name: String, _ required: [String], _ optional: [String] = [], secret: Set<String> = [],
        _ make: @escaping @Sendable (Settings) throws(EnergyError) -> any GridSource
    ) {
        self.name = name
        requiredSettings = required
        optionalSettings = optional + ["endpoint"]
        secretSettings = secret
        self.make = make
    }

    /// - Throws: ``EnergyError`` `.invalidInput` for a setting that is missing, not known, or cannot be; it names the
    ///   setting, and never shows one of ``secretSettings``.
    public func source(_ settings: [String: String]) throws(EnergyError) -> any GridSource {
        if let missing = requiredSettings.first(where: { (settings[$0] ?? "").isEmpty }) {
            throw .setting(missing, "\(name) needs \(missing)")
        }
        let known = requiredSettings + optionalSettings
        if let other = settings.keys.sorted().first(where: { !known.contains($0) }) {
            throw EnergyError(
                .invalidInput, "\(name) has no setting \(other.prefix(40)), only \(known.joined(separator: ", "))")
        }
        return try make(settings)
    }

    private static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ settings: Settings, _ name: String, _ type: Value.Type, or fallback: Value? = nil
    ) throws(EnergyError) -> Value {
        let values = Dictionary(Value.allCases.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
        return try choice(settings, name, values, or: fallback)
    }

    private static func choice<Value>(
        _ settings: Settings, _ name: String, _ values: [String: Value], or fallback: Value?
    ) throws(EnergyError) -> Value {
        guard let text = settings[name] else {
            if let fallback { return fallback }
            throw .setting(name, "needs \(name)")
        }
        guard let value = values[text] else {
            throw .setting(
                name,
                "\(name) is one of \(values.keys.sorted().joined(separator: ", ")), not \(text.prefix(40))")
        }
        return value
    }
}
