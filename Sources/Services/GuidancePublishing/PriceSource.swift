public import EnergyModel
internal import EnergyStore

/// A configured source of prices, as a rate plan's ``RatePlan/priceSource`` names it.
public struct PriceSource: Hashable, Sendable {
    /// As `Signals/Sources` and guidance show it, for example `awattar:de` or `push:meter`.
    public let name: String
    /// ISO 4217; `nil` for a source that names none, which no rate plan can use.
    public let currency: String?

    public init(name: String, currency: String?) {
        self.name = name
        self.currency = currency
    }

    /// Those that a contract can name: all of the settings, of the automatic ones each once, and none of which the settings
    /// have the name.
    public static func choices<Source>(
        _ configured: [Source], automatic: [Source], by name: (Source) -> String
    ) -> [Source] {
        var names = Set(configured.map(name))
        return configured + automatic.filter { names.insert(name($0)).inserted }
    }

    fileprivate var currencyText: String { currency ?? "no currency" }
}

extension RatePlan {
    /// Each zone of Europe has one.
    private static let namesToldMax = 12

    /// What is wrong with ``priceSource``: it must name exactly one of `known`, which must have the plan's currency.
    ///
    /// - Parameter known: every source of prices, those of the settings first.
    /// - Returns: `nil` when all is well, also for a plan with fixed prices.
    public func violation(amongPriceSources known: [PriceSource]) -> RuleViolation? {
        guard let priceSource else { return nil }
        let named = known.filter { $0.name == priceSource }
        let rule: String
        if named.count > 1 {
            rule = "must name one price source; the setting 'sources' has \(named.count) of this name"
        } else if let source = named.first {
            guard source.currency != currency else { return nil }
            rule = "must name a source with prices in \(currency); this one has them in \(source.currencyText)"
        } else {
            let names = known.prefix(Self.namesToldMax).map { "\($0.name) (\($0.currencyText))" }
            let rest = known.count > names.count ? ["and \(known.count - names.count) more"] : []
            rule =
                "must name a price source of the guidance-publisher: "
                + (names.isEmpty ? "the setting 'sources' has none yet" : (names + rest).joined(separator: ", "))
        }
        return RuleViolation(field: "rate_plan.price_source", rule: rule, value: "\"\(priceSource)\"")
    }
}

extension GuidanceConfiguration {
    typealias PlacedProvider = (region: String, provider: any SignalProvider)

    /// Every source of prices, whatever region it is listed under: a contract is of no region.
    var priceProviders: [PlacedProvider] {
        PriceSource.choices(
            Self.ofPrices(providers), automatic: Self.ofPrices(automaticProviders), by: \.provider.name)
    }

    private static func ofPrices(_ providers: [String: [any SignalProvider]]) -> [PlacedProvider] {
        providers.sorted { $0.key < $1.key }.flatMap { region, providers in
            providers.filter { $0.kind.quantity == .price }.map { (region, $0) }
        }
    }

    /// - Throws: ``EnergyError`` `.invalidInput` when the plan's price source is not one that can be used.
    func checkPriceSource(of plan: RatePlan) async throws(EnergyError) {
        guard plan.priceSource != nil else { return }
        var known: [PriceSource] = []
        for (_, provider) in priceProviders {
            known.append(PriceSource(name: provider.name, currency: await provider.status().currency))
        }
        if let violation = plan.violation(amongPriceSources: known) { throw .invalidInput(violation) }
    }
}
