internal import EnergyModel

/// Everything of a contract besides its zones as it stands in the database. All may be absent: at first there was none.
struct StoredTerms: Codable {
    struct Day: Codable {
        /// As ``Holiday/Rule/text``.
        let rule: String
        let observance: String
    }
    struct Rate: Codable {
        let start: Int64
        let end: Int64
        let price: Int64?
        let permille: Int64?
        let export: Int64?
        let peak: TariffPeak
    }

    let holidays: [Day]?
    let exportZones: [StoredZone]?
    let datedRates: [Rate]?
    let chargeMicros: Int64?
    let taxPpm: Int64?
    let priceSource: String?
    let billingDay: Int?
    let monthlyMwh: Int64?
    let removedMs: Int64?

    private enum CodingKeys: String, CodingKey {
        case holidays
        case exportZones = "export_zones"
        case datedRates = "dated_rates"
        case chargeMicros = "charge_micros"
        case taxPpm = "tax_ppm"
        case priceSource = "price_source"
        case billingDay = "billing_day"
        case monthlyMwh = "monthly_mwh"
        case removedMs = "removed_ms"
    }

    init(_ plan: RatePlan) {
        func unlessEmpty<Element>(_ list: [Element]) -> [Element]? { list.isEmpty ? nil : list }
        holidays = unlessEmpty(plan.holidays.map { Day(rule: $0.rule.text, observance: $0.observance.rawValue) })
        exportZones = unlessEmpty(plan.exportZones.map(StoredZone.init))
        datedRates = unlessEmpty(plan.datedRates.map(Rate.init))
        chargeMicros = plan.charges.perKilowattHour.microsPerKilowattHour
        taxPpm = plan.charges.taxPartsPerMillion
        priceSource = plan.priceSource
        billingDay = plan.billingDay
        monthlyMwh = plan.monthlyEnergy?.milliwattHours
        removedMs = plan.removed?.unixMilliseconds
    }

    func added(to plan: RatePlan) throws(EnergyError) -> RatePlan {
        var plan = plan
        plan.holidays = try (holidays ?? []).map { (day) throws(EnergyError) in
            guard let rule = Holiday.Rule(text: day.rule), let moved = Holiday.Observance(rawValue: day.observance)
            else { throw .damaged("terms") }
            return Holiday(rule, observance: moved)
        }
        plan.exportZones = try (exportZones ?? []).map { (zone) throws(EnergyError) in try zone.zone() }
        plan.datedRates = try (datedRates ?? []).map { (rate) throws(EnergyError) in try rate.rate() }
        plan.charges = RateCharges(
            perKilowattHour: Price(microsPerKilowattHour: chargeMicros ?? 0), taxPartsPerMillion: taxPpm ?? 0)
        plan.priceSource = priceSource
        plan.billingDay = billingDay ?? 1
        plan.monthlyEnergy = monthlyMwh.map(Energy.init(milliwattHours:))
        plan.removed = removedMs.map(Timestamp.init(unixMilliseconds:))
        return plan
    }
}

extension StoredTerms.Rate {
    init(_ rate: DatedRate) {
        start = rate.interval.start.unixMilliseconds
        end = rate.interval.end.unixMilliseconds
        switch rate.change {
        case .price(let fixed): (price, permille) = (fixed.microsPerKilowattHour, nil)
        case .multiplier(let factor): (price, permille) = (nil, factor)
        case nil: (price, permille) = (nil, nil)
        }
        export = rate.exportPrice?.microsPerKilowattHour
        peak = rate.peak
    }

    func rate() throws(EnergyError) -> DatedRate {
        guard
            let interval = Interval(start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
        else { throw .damaged("terms") }
        let change: DatedRate.Change? =
            price.map { .price(Price(microsPerKilowattHour: $0)) } ?? permille.map { .multiplier(permille: $0) }
        return DatedRate(
            interval: interval, change: change, exportPrice: export.map { Price(microsPerKilowattHour: $0) },
            peak: peak)
    }
}
