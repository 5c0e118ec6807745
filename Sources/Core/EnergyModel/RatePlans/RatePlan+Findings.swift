extension RatePlan {
    /// Times without a price, zones that never win, zones of which each covers part of the other, dated rates that
    /// overlap. In order of the zones; empty for a plan that says what it means.
    ///
    /// Looks at every kind of day of a year: some milliseconds for most plans.
    public func findings() -> [RatePlanFinding] {
        let isPricedElsewhere = priceSource != nil || zones.isEmpty
        return Self.findings(zones, name: "zones", hasHolidays: !holidays.isEmpty, allowsGaps: isPricedElsewhere)
            + Self.findings(
                exportZones, name: "export_zones", hasHolidays: !holidays.isEmpty, allowsGaps: exportZones.isEmpty)
            + findingsOfDatedRates
    }

    private static func findings(
        _ zones: [RateZone], name: String, hasHolidays: Bool, allowsGaps: Bool
    ) -> [RatePlanFinding] {
        var wins = [Bool](repeating: false, count: zones.count)
        let whole = wholes(zones)
        // Of each pair of zones, the later first: where both hold, and whether the later ever holds alone.
        var overlaps = [ZoneSurvey.Part?](repeating: nil, count: zones.count * zones.count)
        var isApart = [Bool](repeating: false, count: zones.count * zones.count)
        var gap: ZoneSurvey.Part?
        ZoneSurvey(zones, hasHolidays: hasHolidays).visit { _, part in
            guard let winner = part.matching.last else {
                gap = gap ?? part
                return
            }
            wins[winner] = true
            var isMatching = [Bool](repeating: false, count: zones.count)
            for zone in part.matching { isMatching[whole[zone]] = true }
            for other in 0..<whole[winner] where whole[other] == other {
                let pair = whole[winner] * zones.count + other
                if !isMatching[other] {
                    isApart[pair] = true
                } else if overlaps[pair] == nil {
                    overlaps[pair] = part
                }
            }
        }
        var result: [RatePlanFinding] = []
        if let gap, !allowsGaps {
            result.append(
                RatePlanFinding(
                    .error, at: name, "no zone gives a price on \(words(gap)), and perhaps at other times"))
        }
        for index in zones.indices where !wins[index] {
            result.append(
                RatePlanFinding(
                    .warning, at: "\(name)[\(index)]",
                    "never wins: later zones cover all of it, or it has no day (\(words(zones[index])))"))
        }
        // A later zone that is part of an earlier one is an exception to it: that is how contracts are written.
        for later in zones.indices {
            for earlier in 0..<later where wins[earlier] && zones[earlier].price != zones[later].price {
                let pair = later * zones.count + earlier
                guard isApart[pair], let part = overlaps[pair] else { continue }
                result.append(
                    RatePlanFinding(
                        .warning, at: "\(name)[\(later)]",
                        "overlaps \(name)[\(earlier)] on \(words(part)): the later wins (\(words(zones[later])), over "
                            + "\(words(zones[earlier])))"))
            }
        }
        return result
    }

    /// For each zone the first that is the same but for its season and its peak: one zone that was split by peaks is one
    /// zone to whoever wrote it.
    private static func wholes(_ zones: [RateZone]) -> [Int] {
        let bare = zones.map { zone in
            var zone = zone
            (zone.season, zone.peak, zone.isPeakDerived) = (nil, .unknown, false)
            return zone
        }
        return zones.indices.map { index in
            guard zones[index].isPeakDerived || zones[index].peak == .unknown else { return index }
            return bare.firstIndex(of: bare[index]) ?? index
        }
    }

    private var findingsOfDatedRates: [RatePlanFinding] {
        let sorted = datedRates.enumerated().sorted { $0.element.interval.start < $1.element.interval.start }
        return zip(sorted, sorted.dropFirst()).filter { $0.element.interval.overlaps($1.element.interval) }.map {
            RatePlanFinding(
                .warning, at: "dated_rates[\($1.offset)]",
                "overlaps dated_rates[\($0.offset)] at \($1.element.interval.start): the later in the list wins")
        }
    }

    /// `0.58 from 16:00 to 21:00`: an index says little of a file whose zones have several ranges of hours.
    private static func words(_ zone: RateZone) -> String {
        let micros = zone.price.microsPerKilowattHour
        var fraction = String(String(1_000_000 + micros.magnitude % 1_000_000).dropFirst())
        while fraction.count > 2, fraction.hasSuffix("0") { fraction.removeLast() }
        let price = "\(micros < 0 ? "-" : "")\(micros.magnitude / 1_000_000).\(fraction)"
        return "\(price) from \(clock(zone.startMinute)) to \(clock(zone.endMinute))"
    }

    private static func clock(_ minute: Int) -> String {
        (minute < 600 ? "0" : "") + "\(minute / 60):" + (minute % 60 < 10 ? "0" : "") + "\(minute % 60)"
    }

    /// `a Monday like 07-04, 02:00 to 05:00`.
    private static func words(_ part: ZoneSurvey.Part) -> String {
        let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        return "a \(days[part.today.weekday]) of \(part.today.day) from \(clock(part.minutes.lowerBound)) to "
            + clock(part.minutes.upperBound)
    }
}
