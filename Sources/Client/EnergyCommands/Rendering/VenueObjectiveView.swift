internal import EnergyModel

/// What a venue's plans make small, as a line.
struct VenueObjectiveView {
    let objective: VenueObjective

    var line: String {
        let weights = [("cost", objective.money), ("carbon", objective.carbon), ("rating", objective.rating)]
        let parts = weights.filter { $0.1 > 0 }
        guard let first = parts.first else { return "plans for the best rating" }
        if parts.count == 1 {
            return first.0 == "rating" ? "plans for the best rating" : "plans for the least \(first.0)"
        }
        let units = ["cost": "of cost", "carbon": "per kg CO2", "rating": "per kWh at the worst rating"]
        return "plans for the least sum of "
            + parts.map { "\(Self.number($0.1)) \(units[$0.0] ?? "")" }.joined(separator: ", ")
    }

    private static func number(_ weight: Double) -> String {
        weight == weight.rounded() ? "\(Int64(weight))" : "\(weight)"
    }
}
