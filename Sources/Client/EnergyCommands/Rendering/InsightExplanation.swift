internal import EnergyModel
internal import Foundation

/// How an answer's sums come about, and what its sessions saved, in sentences.
struct InsightExplanation {
    private static let sessionsMax = 20

    /// With their ratings.
    let records: [InsightRecord]
    /// That began in the time, of the direction.
    let sessions: [SessionInsight]
    let direction: FlowDirection
    let venue: Venue
    let style: Style

    /// Of the venue, where it is known.
    var ratePlan: RatePlan?

    private var total: InsightRecord { InsightTotals.sum(records) }

    func lines() -> [String] {
        // Guidance tells when to take energy, not when to give it.
        let use = direction == .imported ? adherence() + guided() : []
        return ([""] + worth() + tiers() + use + savings()).flatMap { line in
            // A session's line is indented, and stays so.
            line.hasPrefix("  ")
                ? TerminalText.wrap(line, to: style.width, indent: style.width == nil ? "" : "  ")
                : TerminalText.fitted(line, to: style.width)
        }
    }

    private func worth() -> [String] {
        var lines = costs()
        for mass in total.knownWorth.carbon {
            guard let intensity = mass.gramsPerKilowattHour else { continue }
            let what = direction == .imported ? "CO2" : "CO2 of as much from the grid"
            lines.append(
                "\(what): \(Quantities.kilowattHours(mass.energy)) kWh at \(Quantities.carbonIntensity(intensity)) g/kWh "
                    + "on average (\(Words.spaced(mass.kind.rawValue))) is \(Quantities.kilograms(mass.milligrams)) kg."
            )
        }
        if !lines.isEmpty {
            lines.append("Each quarter of an hour counts by the price and intensity that were known when it was used.")
        }
        return lines
    }

    /// One for each currency. Its energy is known where no period has two.
    private func costs() -> [String] {
        let what = direction == .imported ? "Cost" : "Paid for"
        return total.knownWorth.costs.map { cost in
            let worths = records.map(\.worth).filter { $0.costs.contains { $0.currency == cost.currency } }
            let worth = worths.reduce(.none, +)
            let sum = "\(Quantities.money(cost)) \(cost.currency)"
            guard worths.allSatisfy({ $0.costs.count == 1 }), let price = worth.averagePrice else {
                return "\(what): \(sum)."
            }
            return "\(what): \(Quantities.kilowattHours(worth.pricedEnergy)) kWh at \(Quantities.price(price)) "
                + "\(cost.currency)/kWh on average is \(sum)."
        }
    }

    /// What a tier is reckoned by: no meter is read for it.
    private func tiers() -> [String] {
        guard let ratePlan, ratePlan.isTiered, !total.knownWorth.costs.isEmpty else { return [] }
        let name = TerminalText.safe(ratePlan.name)
        guard let expected = ratePlan.monthlyEnergy else {
            return [
                "'\(name)' has tiers, and does not say what a month uses: all is priced by the first tier, as the "
                    + "contract stands now. What was counted before keeps the prices of its time."
            ]
        }
        return [
            "'\(name)' has tiers: what a month uses is not measured, but taken to be the "
                + "\(Quantities.kilowattHours(expected)) kWh that the contract expects now, the same every "
                + "day. What was counted before keeps the prices of its time."
        ]
    }

    private func adherence() -> [String] {
        let rated = RatingBand.allCases.filter { $0 != .unknown }.reduce(Int64(0)) { $0.addingSaturated(part($1)) }
        guard rated > 0 else { return unrated() }
        let bands = InsightTable.bands.filter { $0.0 != .unknown }
        let percents = LargestRemainder.split(100, by: bands.map { UInt128(part($0.0).magnitude) })
        let shares = zip(bands, percents).map { band, percent in "\(percent) % in times rated \(band.1)" }
        let what = total.measuresEnergy ? "energy" : "run time"
        return ["Of the \(what) that was rated, \(shares.joined(separator: ", "))."] + unrated()
    }

    private func unrated() -> [String] {
        let rest = part(.unknown)
        guard rest > 0 else { return [] }
        let text =
            total.measuresEnergy
            ? "\(Quantities.kilowattHours(Energy(milliwattHours: rest))) kWh"
            : "\(Quantities.runtime(milliseconds: rest)) h"
        return ["\(text) are not rated: \(InsightTable.whyNotRated)."]
    }

    /// mWh, or of what reports no energy the run time in ms, which stands for it.
    private func part(_ band: RatingBand) -> Int64 {
        let amount = total.byBand?[band] ?? .zero
        return total.measuresEnergy ? amount.energy.milliwattHours : amount.runtimeMilliseconds
    }

    /// Sessions that followed guidance against those that did not, of those that it could have moved.
    private func guided() -> [String] {
        let movable = sessions.filter(\.couldBeMoved)
        let lines: [String] = [true, false].compactMap { followed in
            let some = movable.filter { $0.wasFollowingGuidance == followed }
            guard !some.isEmpty else { return nil }
            let amount = some.reduce(.zero) { $0 + $1.amount }
            let worth = some.reduce(.none) { $0 + $1.knownWorth }
            var text = "\(Quantities.count(some.count, "session")) "
            text += followed ? "followed guidance: " : "did not follow guidance: "
            text += "\(Quantities.kilowattHours(amount.energy)) kWh"
            if let price = worth.averagePrice, let cost = worth.costs.only {
                text += ", \(Quantities.price(price)) \(cost.currency)/kWh"
            }
            if let intensity = worth.carbon.only?.gramsPerKilowattHour {
                text += ", \(Quantities.carbonIntensity(intensity)) g/kWh"
            }
            return text + "."
        }
        guard !lines.isEmpty else { return [] }
        let whole = "Sessions count whole, in the period in which they begin."
        guard movable.count < sessions.count else { return lines + [whole] }
        let rest = Quantities.count(sessions.count - movable.count, "session")
        return lines + [
            whole, "Left out: \(rest) with nothing to move, as of heating and cooling, or without energy.",
        ]
    }

    private func savings() -> [String] {
        let compared = sessions.filter { $0.baseline != nil }
        guard !compared.isEmpty else {
            return (Savings(sessions).sentence("Together").map { [$0] } ?? []) + uncompared() + overlapping()
        }
        var lines = [
            "",
            "Saved, against the same energy taken at full power from plug-in on, or from a session's begin where no "
                + "plug-in was reported:",
        ]
        lines += compared.suffix(Self.sessionsMax).map(line)
        if compared.count > Self.sessionsMax {
            lines.append("(the newest \(Self.sessionsMax) of \(compared.count); 'energyctl sessions' lists all)")
        }
        if let together = Savings(sessions).sentence("Together") { lines.append(together) }
        return lines + uncompared() + overlapping()
    }

    private func overlapping() -> [String] { OverlappingSessions(sessions).sentence.map { [$0] } ?? [] }

    /// Sessions that nothing can be said to be saved of, by why.
    private func uncompared() -> [String] {
        let counts = Dictionary(grouping: sessions.compactMap(MissingBaseline.init)) { $0 }.mapValues(\.count)
        return MissingBaseline.allCases.compactMap { reason in
            counts[reason].map { "Not compared: \(Quantities.count($0, "session")) \(reason.words)." }
        }
    }

    private func line(_ session: SessionInsight) -> String {
        guard let baseline = session.baseline else { return "" }
        let from = VenueTime(baseline.interval.start, in: venue.timeZone)
        let to = VenueTime(baseline.interval.end, in: venue.timeZone)
        // Where the clocks change between the two, the readings alone are another length.
        let clocks =
            from.offset == to.offset
            ? (from.clock, to.clock(on: from.date))
            : (
                from.clockWithOffset,
                to.isRepeated ? to.clock(on: from.date) : "\(to.clock(on: from.date)) (\(to.offset))"
            )
        let began = VenueTime(session.began, in: venue.timeZone)
        var text = "  \(began.date.long) \(began.clock) \(TerminalText.safe(session.deviceID)): "
        text += "\(Quantities.kilowattHours(session.amount.energy)) kWh, at once at "
        text += "\(Quantities.kilowatts(milliwatts: baseline.power.milliwatts)) kW"
        text += from.date == began.date ? "" : " on \(from.date.long)"
        text += " from \(clocks.0) to \(clocks.1)"
        let energy = session.amount.energy
        if let after = session.worth.cost(ofAll: energy), let saved = session.savedMoney {
            text += "; \(Quantities.difference(after.micros, saved.micros)) \(saved.currency)"
        } else {
            let isNoneKnown = session.worth.costs.isEmpty && baseline.worth.costs.isEmpty
            text += isNoneKnown ? "; no price was known" : "; not all prices were known"
        }
        if let after = session.worth.carbon(ofAll: energy), let saved = session.savedCarbon {
            text += "; \(Quantities.difference(after.milligrams, saved.milligrams)) kg CO2"
        }
        return text
    }
}

extension Array {
    fileprivate var only: Element? { count == 1 ? first : nil }
}

/// Why a session has no baseline to be compared with.
private enum MissingBaseline: CaseIterable {
    case noEnergy, exported, goingOn, nothingUsed, noPower

    init?(_ session: SessionInsight) {
        guard session.baseline == nil else { return nil }
        if !session.measuresEnergy {
            self = .noEnergy
        } else if session.direction == .exported {
            self = .exported
        } else if !session.isOver {
            self = .goingOn
        } else {
            self = session.amount.energy == .zero ? .nothingUsed : .noPower
        }
    }

    var words: String {
        switch self {
        case .noEnergy: "of heating or cooling, which reports no energy"
        case .exported: "that fed the grid"
        case .goingOn: "not over yet"
        case .nothingUsed: "that used nothing"
        case .noPower: "whose full power is not known: the device reported none, or energy that came faster"
        }
    }
}
