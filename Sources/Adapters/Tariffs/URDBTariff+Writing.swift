internal import EnergyModel

extension URDBTariff {
    static func write(_ plan: RatePlan) throws(EnergyError) -> DocumentValue {
        var refusals = PlanRefusals(.urdb)
        refusals.addTerms(plan)
        for (index, zone) in plan.zones.enumerated() where zone.startMinute % 60 != 0 || zone.endMinute % 60 != 0 {
            refusals.add("zones[\(index)]", "on whole hours", "\(zone.startMinute) to \(zone.endMinute) minutes")
        }
        try refusals.check()
        var periods: [RateZone] = []
        var schedules: [[DocumentValue]] = []
        for weekdays in [0...4, 5...6] {
            var months: [DocumentValue] = []
            for month in 1...12 {
                let days = Season.Day.all.filter { $0.month == month }
                guard let first = try hours(plan, days, weekdays) else {
                    refusals.add(
                        "zones",
                        "the same on all \(weekdays.lowerBound == 0 ? "weekdays" : "weekend days") of month \(month)",
                        "different")
                    continue
                }
                months.append(
                    .list(
                        first.map { zone in
                            let index = periods.firstIndex { isSamePeriod($0, zone) } ?? periods.count
                            if index == periods.count { periods.append(zone) }
                            return .number(Double(index))
                        }))
            }
            schedules.append(months)
        }
        try refusals.check()
        return .map([
            "name": .text(plan.name), "energyratestructure": .list(periods.map(structure)),
            "energytoulabels": .list(periods.map { .text(label($0)) }),
            "energyweekdayschedule": .list(schedules[0]), "energyweekendschedule": .list(schedules[1]),
        ])
    }

    /// The zone of each hour; `nil` when some day of the month differs from another.
    private static func hours(
        _ plan: RatePlan, _ days: [Season.Day], _ weekdays: ClosedRange<Int>
    ) throws(EnergyError) -> [RateZone]? {
        var known: [Int?]?
        for day in days {
            for weekday in weekdays {
                let parts = RatePlan.parts(of: plan.zones, on: day, weekday: weekday)
                let zones = parts.flatMap { part in Array(repeating: part.zone, count: part.minutes.count / 60) }
                if known.map({ $0 != zones }) ?? false { return nil }
                known = zones
            }
        }
        var result: [RateZone] = []
        for (hour, zone) in (known ?? []).enumerated() {
            guard let zone else {
                throw .invalidInput(
                    RuleViolation(
                        field: "zones", rule: "must give a price for every hour for urdb",
                        value: "none at \(hour):00 on \(days[0])"))
            }
            result.append(plan.zones[zone])
        }
        return result
    }

    private static func isSamePeriod(_ a: RateZone, _ b: RateZone) -> Bool {
        (a.price, label(a)) == (b.price, label(b)) && a.tiers == b.tiers
    }

    /// The contract's own name if it says the peak; a peak that was derived is not written: it will be again.
    private static func label(_ zone: RateZone) -> String {
        if zone.isPeakDerived || zone.peak == .unknown || PeakLabel.peak(zone.name) == zone.peak { return zone.name }
        return PeakLabel.words(zone.peak)
    }

    private static func structure(_ zone: RateZone) -> DocumentValue {
        let prices = [zone.price] + zone.tiers.map(\.price)
        return .list(
            prices.enumerated().map { index, price in
                var tier: [String: DocumentValue] = ["unit": .text("kWh"), "rate": price.document]
                if index < zone.tiers.count { tier["max"] = .number(zone.tiers[index].above.kilowattHours) }
                return .map(tier)
            })
    }
}
