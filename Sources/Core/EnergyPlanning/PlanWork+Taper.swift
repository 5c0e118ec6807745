extension PlanWork {
    /// Makes the model of tapers exact where a plan takes what its lines tell.
    ///
    /// - Returns: whether they told less than the curves.
    mutating func addTaperKnots(of decisions: PlanDecisions) -> Bool {
        var isAny = false
        for load in problem.loads.indices {
            guard case .energy(let need) = problem.loads[load].need, let taper = need.taper,
                taper.slope(from: need.powerMax) > 0
            else { continue }
            let slots = UsableSlots(problem.loads[load], need, grid, capacity: capacities[load])
            var taken = 0.0
            for (index, slot) in grid.range(of: problem.loads[load]).enumerated() {
                let curve = TaperCurve(taper, need, power: slots.power[index])
                if decisions.loads[load].energy[slot] > 0, curve.isRough(after: taken, hours: grid.hours[slot]) {
                    let knot = taken
                    problem.loads[load].changeNeed { $0.taperKnots.append(knot) }
                    isAny = true
                }
                taken += decisions.loads[load].energy[slot]
            }
        }
        return isAny
    }

    mutating func dropTaperKnots() {
        for load in problem.loads.indices where problem.loads[load].hasTaperKnots {
            problem.loads[load].changeNeed { $0.taperKnots = [] }
        }
    }
}

extension PlannedLoad {
    fileprivate var hasTaperKnots: Bool { if case .energy(let need) = need { !need.taperKnots.isEmpty } else { false } }
}
