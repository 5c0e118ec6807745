internal import EnergyModel
internal import EnergyPlanning
internal import Foundation

extension HomePlan {
    /// 0...1: the best plan costs less by this share of the home's cost at most, or of what is planned, if that is more.
    var optimalityGap: Double {
        guard !isOptimal else { return 0 }
        let isShort = loads.contains { $0.missing > 0 } || batteries.contains { $0.missing > 0 }
        let cost = max(abs(totals.objective), abs(totals.objective - baseline.objective))
        // Where another plan may lack less, what it costs says nothing.
        guard !isShort, cost > 0 else { return 1 }
        return min(1, max(0.0001, (totals.objective - bound) / cost))
    }
}

extension DevicePlan {
    /// The same plan, which says how well it is proven.
    func proven(to gap: Double) -> DevicePlan {
        var plan = self
        plan.optimalityGap = gap
        guard gap > 0 else { return plan }
        let better =
            gap < 1 ? "that is up to \((gap * 100).formatted(places: gap < 0.01 ? 2 : 0)) % better" : "that is better"
        plan.explanation += "; a plan \(better) is not ruled out"
        return plan
    }
}

extension VenuePlanner.Answer {
    /// The same plans, beside some that stay as they are, which say what that costs.
    ///
    /// - Parameter free: where nothing stays.
    func telling(of free: Self) -> Self {
        let share = (total - free.total) / max(abs(total), 1e-9)
        guard share >= 0.001, missing <= free.missing else { return self }
        var answer = self
        let words = "; that others keep their plans costs up to \((min(1, share) * 100).formatted(places: 1)) % more"
        for index in plans.indices { answer.plans[index].explanation += words }
        for index in homePlans.indices { answer.homePlans[index].explanation += words }
        return answer
    }
}

extension Double {
    fileprivate func formatted(places: Int) -> String {
        let unit = pow(10, Double(places))
        let text = String((self * unit).rounded(.up) / unit)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
