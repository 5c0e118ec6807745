internal import EnergyModel
internal import Foundation

/// acnportal's tariff schedules: seasons by date, weekdays or weekends, and prices from hours like 8.5 on.
///
/// - Source: acnportal/signals/tariffs/tou_tariff.py.
enum ACNPortalTariff {
    private static let masks: [String: UInt32] = ["WEEKDAYS": Days.working, "WEEKENDS": Days.free, "ALL": 0]

    static func read(_ root: DocumentNode, _ terms: TariffTerms) throws(EnergyError) -> TariffDraft {
        var zones: [RateZone] = []
        var findings: [RatePlanFinding] = []
        for node in try root["schedule"].elements("must be a list of schedules", count: 1...100) {
            zones += try self.zones(node)
            if node["demand_charge"].exists, try node["demand_charge"].number() != 0 {
                findings.append(
                    RatePlanFinding(
                        .note, at: node["demand_charge"].path,
                        "left out, as no part of the price of a kilowatt-hour: a charge for power"))
            }
        }
        var draft = TariffDraft(terms, name: try root["name"].textIfPresent(), currency: "USD", zones: zones)
        draft.findings = findings
        if let day = try root["effective"].textIfPresent() {
            draft.findings.append(
                RatePlanFinding(.note, at: root["effective"].path, "the rate is in force from \(day)"))
        }
        return draft
    }

    private static func zones(_ node: DocumentNode) throws(EnergyError) -> [RateZone] {
        let first = try day(node["effective_start"])
        let last = try day(node["effective_end"])
        guard let weekdays = masks[try node["dow_mask"].text()] else {
            throw node["dow_mask"].refusal("must be WEEKDAYS, WEEKENDS or ALL")
        }
        var minutes: [Int] = []
        for time in try node["times"].elements("must be a list of hours", count: 1...100) {
            let hour = try time.number("must be an hour from 0 to 24")
            guard 0..<24 ~= hour, (hour * 60 - (hour * 60).rounded()).magnitude < 0.02 else {
                throw time.refusal("must be an hour from 0 to 24, on a minute")
            }
            let minute = Int((hour * 60).rounded())
            guard minutes.isEmpty ? minute == 0 : minute > minutes[minutes.count - 1] else {
                throw time.refusal(
                    minutes.isEmpty ? "must be 0: the day begins there" : "must be after the time before")
            }
            minutes.append(minute)
        }
        let prices = try node["tariffs"].elements("must be a list of prices")
        guard prices.count == minutes.count else {
            throw node["tariffs"].refusal(
                "must have one price for each of the \(minutes.count) times", "\(prices.count)")
        }
        let name = String((try node["id"].textIfPresent() ?? "").prefix(RateZone.nameUnitsMax / 2))
        let isAllYear = Season(first: first, last: last) == Season(text: "01-01..12-31")
        var result: [RateZone] = []
        for (index, price) in prices.enumerated() {
            result.append(
                RateZone(
                    name: name, price: try price.price(), peak: .unknown, weekdays: weekdays,
                    season: isAllYear ? nil : Season(first: first, last: last), startMinute: minutes[index],
                    endMinute: index + 1 < minutes.count ? minutes[index + 1] : 1440))
        }
        return result
    }

    private static func day(_ node: DocumentNode) throws(EnergyError) -> Season.Day {
        guard let day = Season.Day(text: try node.text()) else { throw node.refusal("must be a day like 06-01") }
        return day
    }
}

extension ACNPortalTariff {
    /// Peaks have no place in it: they are found again by the order of the prices.
    static func write(_ plan: RatePlan) throws(EnergyError) -> DocumentValue {
        var refusals = PlanRefusals(.acnportal)
        refusals.addTerms(plan)
        refusals.addTiers(plan.zones)
        try refusals.check()
        var seasons: [(first: Season.Day, last: Season.Day, weekdays: [Edge], weekends: [Edge])] = []
        for day in Season.Day.all {
            let weekdays = try edges(plan, day, 0...4)
            let weekends = try edges(plan, day, 5...6)
            if let last = seasons.last, last.weekdays == weekdays, last.weekends == weekends {
                seasons[seasons.count - 1].last = day
            } else {
                seasons.append((day, day, weekdays, weekends))
            }
        }
        // One that goes over New Year is one.
        if seasons.count > 1, let first = seasons.first, let last = seasons.last, first.weekdays == last.weekdays,
            first.weekends == last.weekends
        {
            seasons[0].first = last.first
            seasons.removeLast()
        }
        let schedules = seasons.enumerated().flatMap { index, season -> [DocumentValue] in
            let parts =
                season.weekdays == season.weekends
                ? [("ALL", season.weekdays)] : [("WEEKDAYS", season.weekdays), ("WEEKENDS", season.weekends)]
            return parts.map { mask, edges in
                .map([
                    "id": .text("\(index + 1)-\(mask)"), "effective_start": .text("\(season.first)"),
                    "effective_end": .text("\(season.last)"), "dow_mask": .text(mask),
                    "times": .list(edges.map { .number(Double($0.minute) / 60) }),
                    "tariffs": .list(edges.map(\.price.document)), "demand_charge": .number(0),
                ])
            }
        }
        return .map(["name": .text(plan.name), "schedule": .list(schedules)])
    }

    private struct Edge: Equatable {
        let minute: Int
        let price: Price
    }

    /// Of a day, the same on all of `weekdays`.
    private static func edges(
        _ plan: RatePlan, _ day: Season.Day, _ weekdays: ClosedRange<Int>
    ) throws(EnergyError) -> [Edge] {
        var known: [Edge]?
        for weekday in weekdays {
            var result: [Edge] = []
            for part in RatePlan.parts(of: plan.zones, on: day, weekday: weekday) {
                guard let zone = part.zone else {
                    throw .invalidInput(
                        RuleViolation(
                            field: "zones", rule: "must give a price for every minute for acnportal",
                            value: "none on \(day) at minute \(part.minutes.lowerBound)"))
                }
                let price = plan.zones[zone].price
                if result.last?.price != price { result.append(Edge(minute: part.minutes.lowerBound, price: price)) }
            }
            guard known.map({ $0 == result }) ?? true else {
                throw .invalidInput(
                    RuleViolation(
                        field: "zones",
                        rule: "must be the same on all weekdays, and on both days of the weekend, for acnportal",
                        value: "different around \(day)"))
            }
            known = result
        }
        return known ?? []
    }
}
