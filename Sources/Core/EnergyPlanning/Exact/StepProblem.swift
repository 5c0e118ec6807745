/// What ``StepPlanner``'s programme works on. Amounts are of energy, in steps x milliseconds.
struct StepProblem {
    /// An amount that must have come in before the slot `end`.
    struct Goal {
        var end: Int
        var amount: Double
    }

    /// That may be drawn while on; `nil` where the load has to be off. Forced it draws the highest.
    var steps: [ClosedRange<Int>?]
    var rules: RunRules
    /// In order of time.
    var goals: [Goal]
    /// Most that may be taken.
    var most: Double
    /// For what is lacking of an amount of 1, where there is more than one goal.
    var penalty: Double
    /// kWh of an amount of 1.
    var energy: Double
    /// Up to which amount a slot has photovoltaics to spare.
    var bends: [Double]
    /// Cost of an amount of 1, up to the bend and above.
    var weights: [(Double, Double)]
    /// Cost of an amount of 1 for each slot that it comes later.
    var lean: Double

    var count: Int { steps.count }

    func length(_ slot: Int) -> Int64 { rules.edges[slot + 1] - rules.edges[slot] }

    func cost(_ slot: Int, _ amount: Double) -> Double {
        let own = min(amount, bends[slot])
        return own * weights[slot].0 + (amount - own) * weights[slot].1 + lean * Double(slot) * amount
    }

    /// The amount by which goals due between two slots are missed.
    func lack(_ taken: Double, after first: Int, upTo last: Int) -> Double {
        goals.reduce(0) { $1.end > first && $1.end <= last ? $0 + max(0, $1.amount - taken) : $0 }
    }
}
