import EnergyModel

extension PlanWork {
    /// Whether a plan takes less in a slot than it could because a battery is nearly full.
    func meetsTaper(_ decisions: PlanDecisions) -> Bool {
        var isMet = false
        eachTapered(decisions) { _, energy, curve, taken, hours in
            isMet = isMet || (energy > 0 && curve.slowsDown(after: taken, hours: hours))
        }
        return isMet
    }

    /// From now on models hold tapers from above.
    mutating func touchTapers() {
        for load in problem.loads.indices { problem.loads[load].changeNeed { $0.taperTouches = $0.taperTouches ?? [] } }
    }

    /// Adds a line where a plan takes more than a curve allows.
    ///
    /// - Returns: whether there was any.
    mutating func addTaperTouches(of decisions: PlanDecisions) -> Bool {
        var touches: [(load: Int, taken: Double)] = []
        eachTapered(decisions) { load, energy, curve, taken, hours in
            if energy > curve.energy(after: taken, hours: hours) + Self.taperBeyondMost {
                touches.append((load, taken))
            }
        }
        for touch in touches {
            problem.loads[touch.load].changeNeed { $0.taperTouches = ($0.taperTouches ?? []) + [touch.taken] }
        }
        return !touches.isEmpty
    }

    mutating func dropTaperTouches() {
        for load in problem.loads.indices { problem.loads[load].changeNeed { $0.taperTouches = nil } }
    }

    /// kWh that a plan may take beyond a curve: what solvers leave.
    private static let taperBeyondMost = 1e-7

    /// Each slot that a load with a taper may use: the load, what it takes, its curve there, what it took before, hours.
    private func eachTapered(_ decisions: PlanDecisions, _ body: (Int, Double, TaperCurve, Double, Double) -> Void) {
        for load in problem.loads.indices {
            guard case .energy(let need) = problem.loads[load].need, let taper = need.taper,
                taper.slope(from: need.powerMax) > 0
            else { continue }
            let curve = TaperCurve(taper, need, power: need.powerMax)
            var taken = 0.0
            for slot in grid.range(of: problem.loads[load]) {
                let energy = decisions.loads[load].energy[slot]
                body(load, energy, curve, taken, grid.hours[slot])
                taken += energy
            }
        }
    }
}
