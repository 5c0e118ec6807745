internal import EnergyModel
internal import Foundation

/// Why a guidance rates as it does, in sentences for people who know nothing of ratings.
struct GuidanceExplanation {
    let guidance: Guidance
    let venue: Venue
    let now: Timestamp
    let style: Style

    private var basis: GuidanceBasis { guidance.basis }

    var sentences: [String] {
        [extremes, meaning, source].compactMap { $0 } + skipped
            + [reach, forecast, differences, price, tiers, contract].compactMap { $0 } + peaks + events + withheld
            + [made]
    }

    /// `Best from 02:00 to 05:00: 0.02 (120 g/kWh, 0.243 EUR/kWh). Worst from ...`
    private var extremes: String? {
        guard let best = guidance.values.min(by: { $0.rating < $1.rating }),
            let worst = guidance.values.max(by: { $0.rating < $1.rating }), best.rating < worst.rating
        else { return nil }
        return "Best \(span(best)). Worst \(span(worst))."
    }

    private var meaning: String {
        switch guidance.action {
        case .shift:
            "Each hour is compared with the others shown here: 0 is the best of them, 1 the worst. So there is always a "
                + "best hour, for a load that must run anyway."
        case .reduce where !basis.comparesPast:
            "Each hour is compared with the others shown here; with those of the last 28 days, too, when a week of them is "
                + "known: for a load that is simply left out, there are days on which nothing is worth cutting."
        case .reduce:
            "Each hour is compared with those of the last 28 days, too: for a load that is simply left out, there are days "
                + "on which nothing is worth cutting."
        }
    }

    private var source: String {
        let what =
            switch basis.kind {
            case .averageDirect: "how much CO2 the power plants emit for an average kWh"
            case .averageLifecycle:
                "how much CO2 an average kWh causes, with building the plants and bringing the fuel"
            case .marginal: "how much CO2 one kWh more causes"
            case .price: "what a kWh costs on the market"
            }
        var text = "Carbon is \(what) in the grid region \(TerminalText.safe(venue.region)). It comes from "
        text += TerminalText.safe(basis.source)
        if basis.source == "climatology" { text += ": usual values of the season, not today's" }
        if basis.dataAgeMilliseconds > 0 {
            text += "; its newest measurement is \(Quantities.length(milliseconds: basis.dataAgeMilliseconds)) old"
        }
        return text + "."
    }

    private var forecast: String? {
        var parts: [String] = []
        if basis.forecastMethod != nil {
            let whole = guidance.interval.milliseconds
            let part = basis.forecastMilliseconds
            let which =
                part == 0 || part >= whole
                ? "The hours ahead are"
                : "Of the \(Quantities.length(milliseconds: whole)) ahead, \(Quantities.length(milliseconds: part)) are"
            parts.append("\(which) forecast here, from what the last weeks and days were like.")
        } else if basis.isForecast {
            parts.append("Prices that the market has not said yet are forecast here.")
        }
        if let skill = basis.forecastSkill {
            let share = Quantities.percent(max(0, skill.capturedShare))
            let error = Quantities.carbonIntensity(skill.absoluteError)
            parts.append(
                "On the last \(skill.issues) days, the four hours expected to be best saved \(share) of what the best four "
                    + "did save; an hour was off by \(error) g/kWh on average.")
        } else if basis.forecastMethod != nil {
            parts.append("How good that is will be known after a week.")
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// Why a window is shorter than a day.
    private var reach: String? {
        guard guidance.interval.milliseconds < .millisecondsPerDay else { return nil }
        return "Only \(Quantities.length(milliseconds: guidance.interval.milliseconds)) are known: "
            + "\(TerminalText.safe(basis.source)) says nothing of the time after \(text(guidance.interval.end)), and has "
            + "too short a past to forecast it from."
    }

    private var differences: String {
        let spread = Quantities.percent(basis.relativeSpread)
        let noise = Quantities.carbonIntensity(basis.carbonNoise)
        let facts =
            "Between its best and worst hour carbon differs by \(spread) of its mean; up to \(noise) g/kWh is noise."
        if basis.certainty >= 1 {
            let ratings = guidance.values.map(\.rating)
            guard let low = ratings.min(), let high = ratings.max(), high - low < 0.9 else {
                return "\(facts) So the hours really differ, and the ratings use the whole scale."
            }
            return "\(facts) So the hours really differ; the ratings go from \(Quantities.rating(low)) to "
                + "\(Quantities.rating(high)), because some hours are alike or none is among the best or worst."
        }
        if basis.certainty == 0 { return "\(facts) All hours are alike: it does not matter when." }
        return "\(facts) The hours differ little, so the ratings are drawn to the middle: they are "
            + "\(Quantities.percent(basis.certainty)) certain."
    }

    private var price: String {
        guard guidance.locationHasRatePlan else {
            return "Price does not count: no rate plan is known for \(TerminalText.safe(venue.name))."
        }
        guard basis.priceWeight > 0 else {
            if venue.priceWeight == 0 { return "Price does not count: the venue weighs it 0." }
            return basis.unpriced.isEmpty
                ? "Price does not count: the setting guidance.price-weight is 0."
                : "Price does not count: it is not known for any hour ahead."
        }
        let from = basis.priceSource.map { ", and comes from \(TerminalText.safe($0))" } ?? ""
        return "Price counts \(Quantities.percent(basis.priceWeight)), carbon "
            + "\(Quantities.percent(1 - basis.priceWeight)). The price differs by "
            + "\(Quantities.percent(basis.priceRelativeSpread)) of its mean\(from)." + unpriced
    }

    /// ` No price is known from 20:00 to 24:00: ...`
    private var unpriced: String {
        guard !basis.unpriced.isEmpty else { return "" }
        let shown = basis.unpriced.prefix(4).map { "from \(span($0))" }.joined(separator: ", ")
        let more = basis.unpriced.count > 4 ? " and \(basis.unpriced.count - 4) more times" : ""
        return " No price is known \(shown)\(more): those hours are rated by carbon alone."
    }

    /// What the contract itself calls a critical peak, and no event.
    private var peaks: [String] {
        var spans: [Interval] = []
        for value in guidance.values where value.peak == .criticalPeak {
            if basis.events.contains(where: { $0.interval.overlaps(value.interval) }) { continue }
            if let last = spans.last, last.end == value.interval.start,
                let whole = Interval(start: last.start, end: value.interval.end)
            {
                spans[spans.count - 1] = whole
            } else {
                spans.append(value.interval)
            }
        }
        return spans.prefix(4).map {
            "A critical-peak rate of the contract applies from \(span($0)). That time is rated 1, whatever it costs and "
                + "however clean it is."
        }
    }

    private var tiers: String? {
        switch basis.tiers {
        case nil: nil
        case .first:
            "The contract has tiers, and how much is drawn in a month is not known: prices are those of the first one."
        case .monthToDate(let energy):
            "The contract has tiers: prices are those after \(Quantities.kilowattHours(energy)) kWh in this billing month, "
                + "which is what it expects to have been drawn by today, not what a meter says."
        }
    }

    /// What the contract says besides the price.
    private var contract: String? {
        let derived = guidance.values.contains { $0.isPeakDerived && $0.peak != .unknown }
        let export = Set(guidance.values.compactMap(\.exportPrice)).sorted()
        let currency = basis.currency.map { " \(TerminalText.safe($0))/kWh" } ?? ""
        var paid: String?
        if let low = export.first, let high = export.last {
            let prices = [low, high].map(Quantities.price)
            paid =
                "energy that is fed in is paid "
                + (low == high ? prices[0] : prices.joined(separator: " to ")) + currency
        }
        let named = "the contract does not name its peaks: they follow from its prices"
        let facts = [derived ? named : nil, paid].compactMap { $0 }.joined(separator: "; ")
        return facts.isEmpty ? nil : facts.prefix(1).uppercased() + facts.dropFirst() + "."
    }

    private var events: [String] {
        basis.events.map { event in
            let what = event.kind == .criticalPeak ? "use nothing that can wait" : "use less"
            let reason = event.reason.isEmpty ? "" : " (\(TerminalText.safe(event.reason)))"
            let who = event.source.isEmpty ? "" : ", says \(TerminalText.safe(event.source))"
            return "\(span(event.interval)): \(what)\(reason)\(who). That time is rated 1, whatever else holds."
        }
    }

    private var withheld: [String] {
        basis.withholdsValues ? ["The source's terms do not allow to show its values, only what is made of them."] : []
    }

    /// `NAME: REASON` each.
    private var skipped: [String] {
        basis.skippedSources.map { text in
            guard let colon = text.range(of: ": ") else { return "\(TerminalText.safe(text)) is not used." }
            let (name, reason) = (String(text[..<colon.lowerBound]), String(text[colon.upperBound...]))
            return "\(TerminalText.safe(name)) should be used, but is not: \(TerminalText.safe(reason))".asSentence
        }
    }

    private var made: String {
        let age = Quantities.length(milliseconds: now.milliseconds(since: guidance.issued))
        let methods = ([basis.method] + [basis.forecastMethod].compactMap { $0 }).map(TerminalText.safe)
        return "Made \(age) ago by \(methods.joined(separator: " and ")) (ARCHITECTURE.md has the methods)"
            + "\(style.dot)token \(guidance.token.text)"
    }

    private func span(_ value: GuidanceValue) -> String {
        let currency = basis.currency.map { " \(TerminalText.safe($0))/kWh" } ?? ""
        let amounts = [
            value.carbonIntensity.map { "\(Quantities.carbonIntensity($0)) g/kWh" },
            value.price.map { "\(Quantities.price($0))\(currency)" },
        ].compactMap { $0 }
        let facts = amounts.isEmpty ? "" : " (\(amounts.joined(separator: ", ")))"
        return "from \(span(value.interval)): \(Quantities.rating(value.rating))\(facts)"
    }

    private func span(_ interval: Interval) -> String {
        let (start, end) = (VenueTime(interval.start, in: venue.timeZone), VenueTime(interval.end, in: venue.timeZone))
        return "\(text(interval.start)) to \(end.date == start.date ? end.clock : text(interval.end))"
    }

    /// With the date, unless it is today.
    private func text(_ instant: Timestamp) -> String {
        let (time, today) = (VenueTime(instant, in: venue.timeZone), VenueTime(now, in: venue.timeZone).date)
        return time.date == today ? time.clock : "\(time.date.short) \(time.clock)"
    }
}
