internal import EnergyModel

extension URDBTariff {
    /// `energyratestructure` with its labels.
    struct Periods {
        struct Period {
            let label: String
            let price: Price
            let tiers: [RateTier]
            let sell: Price?
        }

        var all: [Period] = []
        var findings: [RatePlanFinding] = []

        init(_ rate: DocumentNode) throws(EnergyError) {
            let labels = rate["energytoulabels"]
            let structure = try rate["energyratestructure"].elements("must be a list of periods", count: 1...200)
            for (index, node) in structure.enumerated() {
                let label = try labels["\(index)"].textIfPresent() ?? ""
                all.append(try period(node, label: label))
                if !label.isEmpty, PeakLabel.peak(label) == .unknown {
                    findings.append(
                        RatePlanFinding(
                            .note, at: labels["\(index)"].path,
                            "\(labels["\(index)"].summary) names no peak: found by the order of the prices"))
                }
            }
        }

        private mutating func period(_ node: DocumentNode, label: String) throws(EnergyError) -> Period {
            var (prices, limits): ([Price], [Energy]) = ([], [])
            let tiers = try node.elements("must be a list of tiers", count: 1...RateZone.tiersMax)
            for (index, tier) in tiers.enumerated() {
                let unit = try tier["unit"].textIfPresent() ?? "kWh"
                guard unit == "kWh" else {
                    throw tier["unit"].refusal("must be kWh: other ways to count tiers are not kept")
                }
                let adjustment = tier["adj"].exists ? try tier["adj"].decimal("must be a price per kWh") : 0
                let rate = tier["rate"].exists ? try tier["rate"].decimal("must be a price per kWh") : 0
                if !tier["rate"].exists, !tier["adj"].exists { throw tier["rate"].refusal("must be a price per kWh") }
                if !tier["rate"].exists {
                    findings.append(
                        RatePlanFinding(
                            .warning, at: tier["rate"].path, "is missing: the adjustment alone is taken as the price"))
                }
                prices.append(try DocumentNode.price(rate + adjustment, at: tier["rate"]))
                guard tier["max"].exists else {
                    if index + 1 < tiers.count {
                        throw tier["max"].refusal("must say where the next tier begins, in kWh")
                    }
                    continue
                }
                let limit = try tier["max"].decimal("must be a number of kWh")
                guard 0..<1e9 ~= limit, limit > 0, Energy(kilowattHours: limit) > limits.last ?? .zero else {
                    throw tier["max"].refusal("must be above the tier's before it, and below 1,000,000,000 kWh")
                }
                limits.append(Energy(kilowattHours: limit))
                if index + 1 == tiers.count {
                    findings.append(
                        RatePlanFinding(.warning, at: tier["max"].path, "nothing follows the last tier: it goes on"))
                }
            }
            let sell = tiers[0]["sell"].exists ? try tiers[0]["sell"].price() : nil
            return Period(
                label: String(label.prefix(RateZone.nameUnitsMax / 2)), price: prices[0],
                tiers: zip(limits, prices.dropFirst()).map { RateTier(above: $0, price: $1) }, sell: sell)
        }
    }
}

extension Energy {
    /// Rounded to 1 mWh.
    init(kilowattHours: Double) { self.init(milliwattHours: Int64((kilowattHours * 1_000_000).rounded())) }
}
