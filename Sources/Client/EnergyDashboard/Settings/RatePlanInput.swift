internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import Tariffs

/// What somebody typed of a contract: one price, a market's prices, or a document of another program.
struct RatePlanInput: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable { case none, market, flat, hours, document }

    /// Characters; longer documents are for the command line.
    static let documentMax = 200_000

    var kind = Kind.none
    /// In place of the document's; may be empty there.
    var name = ""
    /// May be empty where the document names it.
    var currency = ""
    /// Per kWh.
    var price = ""
    var document = ""
    /// Of one of the document's contracts; empty where it has one.
    var label = ""
    var hours = HourTable()
    var market = MarketInput()
    /// Stored although some hours have no price.
    var isForced = false

    init() {}

    /// Of a contract that is to be replaced: by the hour, if the table can hold it.
    init(_ plan: RatePlan) {
        name = plan.name
        if let market = MarketInput(plan) {
            (kind, self.market) = (.market, market)
            return
        }
        guard let table = HourTable(plan) else { return }
        (kind, hours, currency) = (.hours, table, plan.currency)
    }

    init(_ request: PageRequest) {
        kind = Kind(rawValue: request.field("contract")) ?? .none
        name = FormText.line(request, "plan-name")
        currency = FormText.line(request, "currency").uppercased()
        price = FormText.line(request, "price")
        document = String(request.field("document").prefix(Self.documentMax))
        hours = HourTable(request)
        market = MarketInput(request)
        label = FormText.line(request, "label")
        isForced = request.field("force") == "yes"
    }

    /// What was read of the input.
    struct Outcome {
        /// `nil` without a contract, or while something is wrong.
        var plan: RatePlan?
        var problems: FormProblems = [:]
        /// What a reader should know of the contract.
        var remarks: [String] = []
        /// The document's contracts, where it has several.
        var choices: [TariffChoice] = []
        /// It could be stored, if somebody says so.
        var needsForce = false
    }

    /// - Parameters:
    ///   - id: that it replaces; `nil` makes one, named for it.
    ///   - taken: ids that are used already.
    ///   - markets: sources whose prices it can pass on.
    func read(
        id: String? = nil, taken: [String], timeZone: TimeZone, markets: [RegionSource], _ language: Language
    ) -> Outcome {
        var outcome =
            switch kind {
            case .none: Outcome()
            case .market: byMarket(id: id, taken: taken, timeZone: timeZone, markets, language)
            case .flat: flat(id: id, taken: taken, timeZone: timeZone, language)
            case .hours: byHours(id: id, taken: taken, timeZone: timeZone, language)
            case .document: imported(id: id, taken: taken, timeZone: timeZone, language)
            }
        if let plan = outcome.plan, NameRules.violation(ofName: plan.name, field: "") != nil {
            outcome.plan = nil
            outcome.problems["plan-name"] = language(.mustBeThere)
        }
        return outcome
    }

    private func byMarket(
        id: String?, taken: [String], timeZone: TimeZone, _ markets: [RegionSource], _ language: Language
    ) -> Outcome {
        var outcome = Outcome()
        let terms = market.terms(among: markets, language, &outcome.problems)
        guard let terms else { return outcome }
        let name = name.isEmpty ? language(.planMarketName) : name
        outcome.plan = RatePlan(
            id: id ?? FormText.id(for: name, taken: taken, unless: "plan"), name: name, currency: terms.currency,
            timeZone: timeZone, zones: [], charges: terms.charges, priceSource: terms.source,
            changed: Timestamp(unixMilliseconds: 0))
        return outcome
    }

    private func flat(id: String?, taken: [String], timeZone: TimeZone, _ language: Language) -> Outcome {
        var outcome = Outcome()
        let amount = FormText.number(price, in: -10_000...10_000)
        if amount == nil { outcome.problems["price"] = language(.mustBePrice) }
        if !isCurrency { outcome.problems["currency"] = language(.mustBeCurrency) }
        guard let amount, outcome.problems.isEmpty else { return outcome }
        let name = name.isEmpty ? language(.planFlatName) : name
        let micros = Int64((amount * 1_000_000).rounded())
        outcome.plan = RatePlan(
            id: id ?? FormText.id(for: name, taken: taken, unless: "plan"), name: name, currency: currency,
            timeZone: timeZone,
            zones: [RateZone(price: Price(microsPerKilowattHour: micros), peak: .unknown)],
            changed: Timestamp(unixMilliseconds: 0)
        ).withDerivedPeaks()
        return outcome
    }

    private func byHours(id: String?, taken: [String], timeZone: TimeZone, _ language: Language) -> Outcome {
        var outcome = Outcome()
        outcome.problems = hours.problems(language)
        if !isCurrency { outcome.problems["currency"] = language(.mustBeCurrency) }
        guard outcome.problems.isEmpty else { return outcome }
        let name = name.isEmpty ? language(.planHoursName) : name
        let terms = TariffTerms(
            id: id ?? FormText.id(for: name, taken: taken, unless: "plan"), name: name, currency: currency,
            timeZone: timeZone)
        do throws(EnergyError) {
            outcome.plan = try TariffFormat.read(hours.document, format: .urdb, terms).plan
        } catch { outcome.problems[HourTable.priceName(1)] = error.message }
        return outcome
    }

    private func imported(id: String?, taken: [String], timeZone: TimeZone, _ language: Language) -> Outcome {
        var outcome = Outcome()
        if document.isEmpty { outcome.problems["document"] = language(.mustBeThere) }
        if document.count >= Self.documentMax { outcome.problems["document"] = language(.mustBeShorter) }
        if !currency.isEmpty, !isCurrency { outcome.problems["currency"] = language(.mustBeCurrency) }
        guard outcome.problems.isEmpty else { return outcome }
        outcome.choices = TariffFormat.choices(Array(document.utf8))
        guard outcome.choices.isEmpty || outcome.choices.contains(where: { $0.label == label }) else {
            outcome.problems["label"] = language(.planChoose, "\(outcome.choices.count)")
            return outcome
        }
        var terms = TariffTerms(
            id: id ?? "plan", name: name.isEmpty ? nil : name, currency: currency.isEmpty ? nil : currency,
            timeZone: timeZone, label: outcome.choices.isEmpty ? nil : label)
        do throws(EnergyError) {
            var tariff = try TariffFormat.read(Array(document.utf8), terms)
            if id == nil {
                // What it is called is known by now.
                terms.id = FormText.id(for: tariff.plan.name, taken: taken, unless: "plan")
                tariff = try TariffFormat.read(Array(document.utf8), format: tariff.format, terms)
            }
            outcome.remarks = tariff.findings.map(\.description)
            outcome.needsForce = tariff.findings.contains { $0.severity == .error }
            if !outcome.needsForce || isForced {
                outcome.plan = tariff.plan
            } else {
                outcome.problems["document"] = language(.planHasErrors)
            }
        } catch { outcome.problems["document"] = language(.planUnreadable, error.message) }
        return outcome
    }

    /// Which field is meant by the contract's.
    static let names = [
        "rate_plan.name": "plan-name", "rate_plan.currency": "currency", "rate_plan.price_source": "price-source",
        "rate_plan.zones": "document",
    ]

    private var isCurrency: Bool {
        Locale.Currency.isoCurrencies.contains { $0.identifier == currency }
    }
}
