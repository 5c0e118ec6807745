import EnergyModel
import Foundation
import ServiceRuntime
import Tariffs

/// A contract of the settings, and what a person should know of how it was read.
struct ConfiguredRatePlan {
    let plan: RatePlan
    let notes: [String]
    var id: String { plan.id }
}

extension SettingsReader {
    static let ratePlanMembers = [
        "id", "name", "currency", "time-zone", "zones", "holidays", "observance", "export-zones", "dated-rates",
        "charges", "tax", "price-source", "billing-day", "monthly-energy", "import", "format", "label",
    ]
    private static let zoneMembers = [
        "name", "price", "peak", "days", "months", "season", "from", "to", "hours", "tiers",
    ]
    private static let datedRateMembers = ["start", "end", "price", "multiplier", "export-price", "peak"]

    static func ratePlan(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> ConfiguredRatePlan {
        let holidays = try holidays(&entry)
        var notes: [String] = []
        var plan: RatePlan
        if let path = try entry.optional("import", allowed: "the path of a file", parse: { $0.isEmpty ? nil : $0 }) {
            let tariff = try imported(path, holidays, &entry)
            plan = tariff.plan
            try refuse(tariff.findings, at: "import", entry)
            notes =
                ["rate plan \(plan.id): \(path) was read as \(tariff.format.rawValue)"]
                + tariff.findings.map { "rate plan \(plan.id): \($0)" }
        } else {
            plan = RatePlan(
                id: try entry.string("id"), name: try entry.string("name"), currency: try entry.string("currency"),
                timeZone: try timeZone(&entry, default: nil), zones: try zones("zones", &entry), holidays: holidays,
                exportZones: try zones("export-zones", &entry), changed: Timestamp(unixMilliseconds: 0))
            plan.priceSource = try entry.optional("price-source", allowed: "the name of a price signal") { $0 }
            // Before zones are split by peaks: their places are the file's.
            let findings = plan.findings()
            plan = plan.withDerivedPeaks()
            try refuse(findings, at: "zones", entry)
            notes = findings.map { "rate plan \(plan.id): \($0)" }
        }
        plan.charges = try charges(&entry, default: plan.charges)
        plan.billingDay =
            try entry.optional("billing-day", allowed: "a day from 1 to 28") {
                Int($0).flatMap { 1...28 ~= $0 ? $0 : nil }
            }
            ?? plan.billingDay
        plan.monthlyEnergy = try entry.optional(
            "monthly-energy", allowed: "kWh expected in a billing month, 0 to 1000000"
        ) { text in
            Int64(text).flatMap { 0...1_000_000 ~= $0 ? Energy(milliwattHours: $0 * 1_000_000) : nil }
        }
        for (rate, hasPeak) in try entry.entries("dated-rates", allowed: datedRateMembers, datedRate) {
            var rate = rate
            if !hasPeak, plan.isDearer(rate) { rate.peak = .criticalPeak }
            plan.datedRates.append(rate)
        }
        if let violation = plan.violations.first { throw entry.refusal("id", "\(violation)") }
        return ConfiguredRatePlan(plan: plan, notes: notes)
    }

    /// A contract that lacks a price is refused, as `energyctl rate-plans import` does.
    private static func refuse(
        _ findings: [RatePlanFinding], at member: String, _ entry: ConfigurationEntry
    ) throws(ConfigurationError) {
        guard let error = findings.first(where: { $0.severity == .error }) else { return }
        throw entry.refusal(member, "\(error.place): \(error.message); allowed: a price for every time")
    }

    private static func imported(
        _ path: String, _ holidays: [Holiday], _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> ImportedTariff {
        let terms = TariffTerms(
            id: try entry.string("id"), name: try entry.optional("name", allowed: "a text") { $0 },
            currency: try entry.optional("currency", allowed: "an ISO 4217 code") { $0 },
            timeZone: try timeZone(&entry, default: nil), holidays: holidays,
            label: try entry.optional("label", allowed: "a text") { $0 })
        let format = try entry.optional("format", allowed: words(TariffFormat.self), parse: TariffFormat.init)
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw entry.refusal("import", "\(path) cannot be read")
        }
        do throws(EnergyError) { return try TariffFormat.read(Array(bytes), format: format, terms) } catch {
            throw entry.refusal("import", "\(path): \(error.message)")
        }
    }

    private static func holidays(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> [Holiday] {
        let observance = try entry.optional(
            "observance", allowed: words(Holiday.Observance.self), parse: Holiday.Observance.init)
        var result: [Holiday] = []
        for text in try entry.strings("holidays") {
            guard let rule = Holiday.Rule(text: text) else {
                throw entry.refusal("holidays", "'\(text)' is not one of the forms \(Holiday.Rule.forms)")
            }
            result.append(Holiday(rule, observance: observance ?? .onTheDay))
        }
        return result
    }

    private static func charges(
        _ entry: inout ConfigurationEntry, default charges: RateCharges
    ) throws(ConfigurationError) -> RateCharges {
        var charges = charges
        if let fixed = try entry.optional("charges", allowed: priceAllowed, parse: price) {
            charges.perKilowattHour = fixed
        }
        if let tax = try entry.optional("tax", allowed: "a share from 0 to 1, for example 0.19", parse: price) {
            guard 0...1_000_000 ~= tax.microsPerKilowattHour else {
                throw entry.refusal("tax", "is not allowed; allowed: a share from 0 to 1, for example 0.19")
            }
            charges.taxPartsPerMillion = tax.microsPerKilowattHour
        }
        return charges
    }

    /// One for each range of hours.
    private static func zones(
        _ name: String, _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> [RateZone] {
        try entry.entries(name, allowed: zoneMembers, zones).flatMap { $0 }
    }

    private static func zones(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> [RateZone] {
        var zone = RateZone(
            name: try entry.optional("name", allowed: "a text") { $0 } ?? "",
            price: try entry.required("price", allowed: priceAllowed, parse: price),
            tiers: try entry.entries("tiers", allowed: ["above", "price"], tier),
            peak: try entry.optional("peak", allowed: words(TariffPeak.self), parse: TariffPeak.init) ?? .unknown,
            weekdays: try bits("days", ZoneRanges.dayForms, ZoneRanges.days, &entry),
            months: try bits("months", ZoneRanges.monthForms, ZoneRanges.months, &entry),
            season: try entry.optional("season", allowed: "days like 05-01..10-31", parse: Season.init(text:)),
            startMinute: try entry.optional("from", allowed: "HH:MM up to 23:59") { minute($0, in: 0...1_439) } ?? 0,
            endMinute: try entry.optional("to", allowed: "HH:MM from 00:01 to 24:00") { minute($0, in: 1...1_440) }
                ?? 1_440)
        if let violation = zone.violations(field: "").first {
            let member = violation.field.hasPrefix(".price") ? "price" : String(violation.field.dropFirst())
            throw entry.refusal(member, "\(violation.rule), not \(violation.value)")
        }
        let hours = try entry.strings("hours")
        if hours.isEmpty { return [zone] }
        guard let ranges = ZoneRanges.hours(hours.joined(separator: ",")), zone.startMinute == 0,
            zone.endMinute == 1_440
        else {
            throw entry.refusal("hours", "is not allowed; allowed: \(ZoneRanges.hourForms), without 'from' and 'to'")
        }
        return ranges.map { range in
            (zone.startMinute, zone.endMinute) = (range.lowerBound, range.upperBound)
            return zone
        }
    }

    private static func tier(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> RateTier {
        // Millionths of a kWh are mWh.
        let above = try entry.required("above", allowed: "kWh since the billing month began", parse: price)
        return RateTier(
            above: Energy(milliwattHours: above.microsPerKilowattHour),
            price: try entry.required("price", allowed: priceAllowed, parse: price))
    }

    private static func datedRate(
        _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> (rate: DatedRate, hasPeak: Bool) {
        let allowed = "a time like 2026-07-01T16:00:00-07:00"
        let start = try entry.required("start", allowed: allowed, parse: time)
        let end = try entry.required("end", allowed: allowed, parse: time)
        guard let interval = Interval(start: start, end: end) else { throw entry.refusal("end", "must be after start") }
        var change = try entry.optional("price", allowed: priceAllowed, parse: price).map { DatedRate.Change.price($0) }
        if let factor = try entry.optional("multiplier", allowed: "a number like 3.5", parse: price) {
            if change != nil { throw entry.refusal("multiplier", "must be absent with a price") }
            change = .multiplier(permille: factor.microsPerKilowattHour / 1_000)
        }
        let peak = try entry.optional("peak", allowed: words(TariffPeak.self), parse: TariffPeak.init)
        let rate = DatedRate(
            interval: interval, change: change,
            exportPrice: try entry.optional("export-price", allowed: priceAllowed, parse: price),
            peak: peak ?? .unknown)
        return (rate, peak != nil)
    }

    // MARK: Values

    private static let priceAllowed = "a number with at most 6 decimals"

    private static func time(_ text: String) -> Timestamp? {
        Timestamp(iso8601: text).flatMap { $0.unixMilliseconds >= 0 ? $0 : nil }
    }

    private static func bits(
        _ name: String, _ forms: String, _ read: (String) -> UInt32?, _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> UInt32 {
        let texts = try entry.strings(name)
        if texts.isEmpty { return 0 }
        guard let bits = read(texts.joined(separator: ",")) else {
            throw entry.refusal(name, "'\(texts.joined(separator: ", "))' is not allowed; allowed: \(forms)")
        }
        return bits
    }

    /// Decimal text to millionths, without passing through floating point.
    private static func price(_ text: String) -> Price? {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { "0"..."9" ~= $0 } }),
            parts[0].count <= 9, parts.count == 1 || parts[1].count <= 6,
            let whole = Int64(parts[0]),
            let fraction = Int64(
                (parts.count == 2 ? parts[1] : "")
                    + String(repeating: "0", count: 6 - (parts.count == 2 ? parts[1].count : 0)))
        else { return nil }
        let micros = whole * 1_000_000 + fraction
        return Price(microsPerKilowattHour: isNegative ? -micros : micros)
    }

    private static func minute(_ text: String, in range: ClosedRange<Int>) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), let hours = Int(parts[0]),
            let minutes = Int(parts[1]), 0...59 ~= minutes, hours >= 0
        else { return nil }
        let minute = hours * 60 + minutes
        return range.contains(minute) ? minute : nil
    }
}

extension RatePlan {
    /// Whether a dated rate is dearer than all that the zones say: then it is there to be avoided. A cheap one is not.
    fileprivate func isDearer(_ rate: DatedRate) -> Bool {
        switch rate.change {
        case .price(let price): zones.allSatisfy { $0.price < price }
        case .multiplier(let permille): permille > 1_000
        case nil: false
        }
    }
}
