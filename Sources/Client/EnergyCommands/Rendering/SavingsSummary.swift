internal import EnergyModel

/// What some sessions saved together, and of how many that is not known: unknown is never 0.
struct SavingsSummary {
    let costs: [Money]
    let carbon: [CarbonMass]
    let sessionCount: Int
    let withoutBaseline: Int
    /// With a baseline, but of times whose price, or carbon, was not known throughout.
    let withoutPrice: Int
    let withoutCarbon: Int

    init(_ sessions: [SessionInsight]) {
        let compared = sessions.filter { $0.baseline != nil }
        let (money, mass) = (compared.compactMap(\.savedMoney), compared.compactMap(\.savedCarbon))
        let worths = money.map { InsightWorth(costs: [$0]) } + mass.map { InsightWorth(carbon: [$0]) }
        let worth = worths.reduce(.none, +)
        (costs, carbon) = (worth.costs, worth.carbon)
        sessionCount = sessions.count
        withoutBaseline = sessions.count - compared.count
        withoutPrice = compared.count - money.count
        withoutCarbon = compared.count - mass.count
    }

    /// `2.50 EUR, 3.00 kg CO2. Of 5 sessions, 4 have no baseline: what they saved is not known.`
    func sentence(_ head: String) -> String? {
        let sums =
            costs.map { "\(Quantities.money($0)) \($0.currency)" }
            + carbon.map { "\(Quantities.kilograms($0.milligrams)) kg CO2" }
        var sentences = sums.isEmpty ? [] : ["\(head): \(sums.joined(separator: ", "))."]
        if withoutBaseline > 0 {
            sentences.append(
                "Of \(Quantities.count(sessionCount, "session")), \(withoutBaseline) "
                    + "\(withoutBaseline == 1 ? "has" : "have") no baseline: what "
                    + "\(withoutBaseline == 1 ? "it" : "they") saved is not known.")
        }
        if withoutPrice > 0, !costs.isEmpty {
            sentences.append("The money leaves out \(Quantities.count(withoutPrice, "session")) of unknown price.")
        }
        if withoutCarbon > 0, !carbon.isEmpty {
            sentences.append("The CO2 leaves out \(Quantities.count(withoutCarbon, "session")) of unknown intensity.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

/// The same as JSON.
struct SavingsDocument: Encodable {
    let costs: [WorthDocument.Cost]
    let carbon: [WorthDocument.Carbon]
    let sessions: Int
    let withoutBaseline: Int
    let withoutPrice: Int
    let withoutCarbon: Int

    init(_ summary: SavingsSummary) {
        let document = WorthDocument(InsightWorth(costs: summary.costs, carbon: summary.carbon))
        costs = document.costs
        carbon = document.carbon
        sessions = summary.sessionCount
        withoutBaseline = summary.withoutBaseline
        withoutPrice = summary.withoutPrice
        withoutCarbon = summary.withoutCarbon
    }
}
