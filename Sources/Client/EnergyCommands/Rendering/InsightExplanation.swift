internal import EnergyModel
internal import Foundation

/// How an answer's sums come about, and what its sessions saved, in sentences.
struct InsightExplanation {
    private static let sessionsMax = 20

    /// With its ratings.
    let total: InsightRecord
    /// That began in the time.
    let sessions: [SessionInsight]
    let venue: Venue
    let style: Style

    func lines() -> [String] { [""] + worth() + adherence() + guided() + savings() }

    private func worth() -> [String] {
        var lines: [String] = []
        let worth = total.worth
        if let cost = worth.costs.only, let price = worth.averagePrice {
            lines.append(
                "Cost: \(Quantities.kilowattHours(worth.pricedEnergy)) kWh at \(Quantities.price(price)) "
                    + "\(cost.currency)/kWh on average is \(Quantities.money(cost)) \(cost.currency).")
        }
        for mass in worth.carbon {
            guard let intensity = mass.gramsPerKilowattHour else { continue }
            lines.append(
                "CO2: \(Quantities.kilowattHours(mass.energy)) kWh at \(Quantities.carbonIntensity(intensity)) g/kWh "
                    + "on average (\(Words.spaced(mass.kind.rawValue))) is \(Quantities.kilograms(mass.milligrams)) kg."
            )
        }
        if !lines.isEmpty {
            lines.append("Each quarter of an hour counts by the price and intensity that were known when it was used.")
        }
        return lines
    }

    private func adherence() -> [String] {
        guard let bands = total.byBand else { return [] }
        let rated = RatingBand.allCases.filter { $0 != .unknown }.reduce(Energy.zero) {
            $0 + (bands[$1]?.energy ?? .zero)
        }
        guard rated > .zero else { return [] }
        let shares = InsightTable.bands.filter { $0.0 != .unknown }.map { band, word in
            "\(Quantities.percent(share(bands[band]?.energy, of: rated))) in times rated \(word)"
        }
        return ["Of what was rated, \(shares.joined(separator: ", "))."]
    }

    /// Sessions that followed guidance against those that did not.
    private func guided() -> [String] {
        guard !sessions.isEmpty else { return [] }
        return [true, false].compactMap { followed in
            let some = sessions.filter { $0.wasFollowingGuidance == followed }
            guard !some.isEmpty else { return nil }
            let energy = some.reduce(Energy.zero) { $0 + $1.amount.energy }
            let worth = some.reduce(.none) { $0 + $1.worth }
            var text = "\(Quantities.count(some.count, "session")) "
            text += followed ? "followed guidance: " : "did not follow guidance: "
            text += "\(Quantities.kilowattHours(energy)) kWh"
            if let price = worth.averagePrice, let cost = worth.costs.only {
                text += ", \(Quantities.price(price)) \(cost.currency)/kWh"
            }
            if let intensity = worth.carbon.only?.gramsPerKilowattHour {
                text += ", \(Quantities.carbonIntensity(intensity)) g/kWh"
            }
            return text + "."
        }
    }

    private func savings() -> [String] {
        let compared = sessions.filter { $0.baseline != nil }
        guard !compared.isEmpty else { return [] }
        var lines = ["", "Saved, against the same energy taken from plug-in on at full power:"]
        lines += compared.suffix(Self.sessionsMax).map(line)
        if compared.count > Self.sessionsMax {
            lines.append("(the newest \(Self.sessionsMax) of \(compared.count); 'energyctl sessions' lists all)")
        }
        let money = InsightWorth(
            costs: [], pricedEnergy: .zero, carbon: []
        ).adding(compared.compactMap(\.savedMoney), compared.compactMap(\.savedCarbon))
        let parts =
            money.costs.map { "\(Quantities.money($0)) \($0.currency)" }
            + money.carbon.map { "\(Quantities.kilograms($0.milligrams)) kg CO2" }
        if !parts.isEmpty { lines.append("Together: \(parts.joined(separator: ", ")).") }
        return lines
    }

    private func line(_ session: SessionInsight) -> String {
        guard let baseline = session.baseline else { return "" }
        let (from, to) = (
            VenueTime(baseline.interval.start, in: venue.timeZone), VenueTime(baseline.interval.end, in: venue.timeZone)
        )
        var text = "  \(from.date.short) \(TerminalText.safe(session.deviceID)): "
        text += "\(Quantities.kilowattHours(session.amount.energy)) kWh at "
        text += "\(Quantities.kilowatts(milliwatts: baseline.power.milliwatts)) kW from \(from.clock) to \(to.clock)"
        let energy = session.amount.energy
        if let before = baseline.worth.cost(ofAll: energy), let after = session.worth.cost(ofAll: energy),
            let saved = session.savedMoney
        {
            text += "; \(Quantities.money(before)) - \(Quantities.money(after)) = "
            text += "\(Quantities.money(saved)) \(saved.currency)"
        } else {
            text += "; not all prices were known"
        }
        if let before = baseline.worth.carbon(ofAll: energy), let after = session.worth.carbon(ofAll: energy),
            let saved = session.savedCarbon
        {
            text += "; \(Quantities.kilograms(before.milligrams)) - \(Quantities.kilograms(after.milligrams)) = "
            text += "\(Quantities.kilograms(saved.milligrams)) kg CO2"
        }
        return text
    }

    private func share(_ part: Energy?, of whole: Energy) -> Double {
        Double(part?.milliwattHours ?? 0) / Double(max(1, whole.milliwattHours))
    }
}

extension InsightWorth {
    fileprivate func adding(_ costs: [Money], _ carbon: [CarbonMass]) -> InsightWorth {
        costs.map { InsightWorth(costs: [$0]) }.reduce(self, +)
            + carbon.map { InsightWorth(carbon: [$0]) }.reduce(.none, +)
    }
}

extension Array {
    fileprivate var only: Element? { count == 1 ? first : nil }
}
