internal import EnergyModel
internal import Foundation

/// evcc's tariffs of the type `fixed`: a price, and zones of days, hours and months of which the last that matches wins;
/// `charges` are added to each, then `tax`. `grid` is what is drawn, `feedin` what is fed in.
///
/// Read from evcc's whole configuration, from its `tariffs`, or from one tariff alone.
///
/// - Source: evcc's documentation, "Tariffs".
enum EvccTariff {
    static func read(_ root: DocumentNode, _ terms: TariffTerms) throws(EnergyError) -> TariffDraft {
        let tariffs = root["tariffs"].exists ? root["tariffs"] : root
        let grid = tariffs["grid"].exists ? tariffs["grid"] : tariffs
        let currency = try tariffs["currency"].textIfPresent() ?? "EUR"
        var draft = TariffDraft(terms, name: nil, currency: currency, zones: try zones(grid))
        draft.plan.charges = try charges(grid)
        if tariffs["feedin"].exists {
            let feedIn = tariffs["feedin"]
            // What is paid for energy fed in bears no charges in a plan: they go into the prices.
            let own = try charges(feedIn)
            draft.plan.exportZones = []
            for var zone in try zones(feedIn) {
                guard let price = own.applied(to: zone.price) else {
                    throw feedIn.refusal("must have prices in bounds")
                }
                zone.price = price
                draft.plan.exportZones.append(zone)
            }
        }
        for member in ["co2", "planner", "solar"] where tariffs[member].exists {
            draft.findings.append(
                RatePlanFinding(.note, at: tariffs[member].path, "is a signal, not a price: left out"))
        }
        return draft
    }

    private static func zones(_ tariff: DocumentNode) throws(EnergyError) -> [RateZone] {
        if let type = try tariff["type"].textIfPresent(), type != "fixed" {
            throw tariff["type"].refusal("must be fixed: for prices that change daily give the plan a price source")
        }
        if tariff["formula"].exists { throw tariff["formula"].refusal("must be absent: formulas are not kept") }
        var result: [RateZone] = []
        if tariff["price"].exists { result.append(RateZone(price: try tariff["price"].price(), peak: .unknown)) }
        guard tariff["zones"].exists else {
            if result.isEmpty { throw tariff["price"].refusal("must be a price per kWh, if there are no zones") }
            return result
        }
        for zone in try tariff["zones"].elements("must be a list of zones") { result += try zones(ofOne: zone) }
        return result
    }

    /// One for each of its ranges of hours.
    private static func zones(ofOne node: DocumentNode) throws(EnergyError) -> [RateZone] {
        let zone = RateZone(
            price: try node["price"].price(), peak: .unknown,
            weekdays: try bits(node["days"], ZoneRanges.dayForms, ZoneRanges.days, all: Days.all),
            months: try bits(node["months"], ZoneRanges.monthForms, ZoneRanges.months, all: Days.allMonths))
        guard let text = try node["hours"].textIfPresent() else { return [zone] }
        guard let hours = ZoneRanges.hours(text) else { throw node["hours"].refusal("must be \(ZoneRanges.hourForms)") }
        return hours.map { range in
            var part = zone
            (part.startMinute, part.endMinute) = (range.lowerBound, range.upperBound)
            return part
        }
    }

    private static func bits(
        _ node: DocumentNode, _ forms: String, _ read: (String) -> UInt32?, all: UInt32
    ) throws(EnergyError) -> UInt32 {
        guard let text = try node.textIfPresent() else { return 0 }
        guard let bits = read(text) else { throw node.refusal("must be \(forms)") }
        return bits == all ? 0 : bits
    }

    private static func charges(_ tariff: DocumentNode) throws(EnergyError) -> RateCharges {
        var charges = RateCharges.none
        if tariff["charges"].exists { charges.perKilowattHour = try tariff["charges"].price() }
        if tariff["tax"].exists {
            let tax = try tariff["tax"].decimal("must be a share from 0 to 1")
            guard 0...1 ~= tax else { throw tariff["tax"].refusal("must be a share from 0 to 1, for example 0.19") }
            charges.taxPartsPerMillion = Int64((tax * 1_000_000).rounded())
        }
        return charges
    }
}

extension EvccTariff {
    /// Names and peaks have no place in it: peaks are found again by the order of the prices.
    static func write(_ plan: RatePlan) throws(EnergyError) -> DocumentValue {
        var refusals = PlanRefusals(.evcc)
        refusals.addTerms(plan, charges: false, exports: false)
        refusals.addTiers(plan.zones)
        let grid = zones(plan.zones, "zones", &refusals)
        let feedIn = zones(plan.exportZones, "export_zones", &refusals)
        try refusals.check()
        var tariffs: [String: DocumentValue] = ["currency": .text(plan.currency)]
        var drawn: [String: DocumentValue] = ["type": .text("fixed"), "zones": .list(grid)]
        if plan.charges != .none {
            drawn["charges"] = plan.charges.perKilowattHour.document
            drawn["tax"] = .number(Double(plan.charges.taxPartsPerMillion) / 1_000_000)
        }
        tariffs["grid"] = .map(drawn)
        if !feedIn.isEmpty { tariffs["feedin"] = .map(["type": .text("fixed"), "zones": .list(feedIn)]) }
        return .map(["tariffs": .map(tariffs)])
    }

    private static func zones(
        _ zones: [RateZone], _ name: String, _ refusals: inout PlanRefusals
    ) -> [DocumentValue] {
        zones.enumerated().flatMap { index, zone -> [DocumentValue] in
            guard let months = zone.wholeMonths else {
                refusals.add("\(name)[\(index)].season", "of whole months", zone.season?.description ?? "")
                return []
            }
            if zone.startMinute < zone.endMinute {
                return [document(zone, zone.startMinute..<zone.endMinute, zone.weekdays, months)]
            }
            // The morning after is of the next day; of the next month it cannot be said.
            guard months == 0 else {
                refusals.add("\(name)[\(index)].months", "all, with hours over midnight", ZoneRanges.monthText(months))
                return []
            }
            let after = (zone.weekdays << 1 | zone.weekdays >> 6) & Days.all
            let evening = document(zone, zone.startMinute..<1440, zone.weekdays, months)
            return [evening, document(zone, 0..<zone.endMinute, after, months)]
        }
    }

    private static func document(
        _ zone: RateZone, _ minutes: Range<Int>, _ weekdays: UInt32, _ months: UInt32
    ) -> DocumentValue {
        var members: [String: DocumentValue] = ["price": zone.price.document]
        if minutes != 0..<1440 { members["hours"] = .text(ZoneRanges.hourText(minutes)) }
        if weekdays != 0 { members["days"] = .text(ZoneRanges.dayText(weekdays)) }
        if months != 0 { members["months"] = .text(ZoneRanges.monthText(months)) }
        return .map(members)
    }
}

extension RateZone {
    /// The months it holds in, 0 for all; `nil` when its season begins or ends within a month.
    var wholeMonths: UInt32? {
        guard let season else { return months }
        let days = Dictionary(grouping: Season.Day.all, by: \.month)
        var result: UInt32 = 0
        for month in 1...12 {
            let inside = (days[month] ?? []).filter { season.contains($0) }
            if inside.isEmpty { continue }
            if inside.count < days[month]?.count ?? 0 { return nil }
            result |= 1 << UInt32(month - 1)
        }
        let both = months == 0 ? result : result & months
        return both == Days.allMonths ? 0 : both
    }
}
