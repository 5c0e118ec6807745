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
            + [forecast, differences, price, tiers, contract].compactMap { $0 } + events + withheld + [made]
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
            parts.append("The hours ahead are forecast here, from what the last weeks and days were like.")
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

    private var differences: String {
        let spread = Quantities.percent(basis.relativeSpread)
        let noise = Quantities.carbonIntensity(basis.carbonNoise)
        let facts =
            "Between its best and worst hour carbon differs by \(spread) of its mean; up to \(noise) g/kWh is noise."
        if basis.certainty >= 1 { return "\(facts) So the hours really differ, and the ratings use the whole scale." }
        if basis.certainty == 0 { return "\(facts) All hours are alike: it does not matter when." }
        return "\(facts) The hours differ little, so the ratings are drawn to the middle: they are "
            + "\(Quantities.percent(basis.certainty)) certain."
    }

    private var price: String {
        guard guidance.locationHasRatePlan else {
            return "Price does not count: no rate plan is known for \(TerminalText.safe(venue.name))."
        }
        guard basis.priceWeight > 0 else {
            return venue.priceWeight == 0
                ? "Price does not count: the venue weighs it 0."
                : "Price does not count: it is not known for every hour, or it weighs 0."
        }
        let from = basis.priceSource.map { ", and comes from \(TerminalText.safe($0))" } ?? ""
        return "Price counts \(Quantities.percent(basis.priceWeight)), carbon "
            + "\(Quantities.percent(1 - basis.priceWeight)). The price differs by "
            + "\(Quantities.percent(basis.priceRelativeSpread)) of its mean\(from)."
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
            return "\(TerminalText.safe(name)) should be used, but is not: \(TerminalText.safe(reason))."
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
        let today = VenueTime(now, in: venue.timeZone).date
        func text(_ time: VenueTime) -> String { time.date == today ? time.clock : "\(time.date.short) \(time.clock)" }
        return "\(text(start)) to \(end.date == start.date ? end.clock : text(end))"
    }
}
