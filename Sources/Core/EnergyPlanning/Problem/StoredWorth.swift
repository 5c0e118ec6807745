import EnergyModel

/// What each kWh that a battery holds at the end of the plan is worth, in the terms of every objective.
///
/// Its money is said. Where that is more than 0 it will spare an import at a time that nobody knows, whose carbon and rating
/// count as the median slot's, less what giving it loses: the end of the plan is no reason to empty it.
struct StoredWorth: Sendable {
    /// Currency
    let money: Double
    /// kg CO2
    let carbon: Double
    /// Rating x kWh
    let rating: Double

    init(_ battery: HomeBattery, _ slots: [PlanSlot]) {
        money = battery.endValue
        let given = money > 0 ? battery.dischargeEfficiency : 0
        carbon = slots.map(\.carbon).median / 1000 * given
        rating = slots.map(\.rating).median * given
    }

    /// In units of the objective.
    func value(_ objective: PlanObjective) -> Double {
        money * objective.money + carbon * objective.carbon + rating * objective.rating
    }
}

extension [Double] {
    /// 0 if there is none.
    fileprivate var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = self.sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
