internal import EnergyModel

extension Savings {
    /// `2.50 EUR, 3.00 kg CO2. Of 5 sessions, 4 have no baseline: what they saved is not known.`
    func sentence(_ head: String) -> String? {
        // Kinds have no sum: of several each is named.
        let masses: [String] = carbon.map { mass in
            let kind = carbon.count > 1 ? " (\(Words.short(mass.kind)))" : ""
            return "\(Quantities.kilograms(mass.milligrams)) kg CO2\(kind)"
        }
        let sums = costs.map { "\(Quantities.money($0)) \($0.currency)" } + masses
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

    init(_ savings: Savings) {
        let document = WorthDocument(InsightWorth(costs: savings.costs, carbon: savings.carbon))
        costs = document.costs
        carbon = document.carbon
        sessions = savings.sessionCount
        withoutBaseline = savings.withoutBaseline
        withoutPrice = savings.withoutPrice
        withoutCarbon = savings.withoutCarbon
    }
}
