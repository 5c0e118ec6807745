/// Where a load is so near full that it takes less than its least power, or than the step that it is offered.
struct NearFull {
    /// 1 only in such a slot.
    var flag: Int
    /// kWh taken before; `nil` in the first slot.
    var taken: Int?
    /// kWh that it takes at least if it is on all through, by what was taken before.
    var least: (atZero: Double, fall: Double)
}

extension LoadModelBuilder {
    /// - Parameter most: kWh that may have been taken before at most.
    func nearFull(
        _ need: EnergyNeed, _ hours: Double, taken: Int?, most: Double, into model: inout LinearModel
    ) -> NearFull? {
        guard need.yieldsNearFull, let taper = need.taper else { return nil }
        let curve = TaperCurve(taper, need, power: need.powerMax)
        let from = max(0, curve.nearFull(hours: hours))
        guard min(most, need.energyMax) >= from else { return nil }
        let flag = model.column(0, 1, isInteger: true)
        if let taken { model.row([Term(taken, 1), Term(flag, -from)], 0, .infinity) }
        return NearFull(flag: flag, taken: taken, least: curve.leastLine(hours: hours, from: from))
    }

    /// Near full a slot that is used all through takes what it can.
    ///
    /// - Parameters:
    ///   - whole: `count` together where the slot is used all through.
    ///   - least: kWh that it takes at least where it is not near full.
    func takesAll(
        _ near: NearFull?, _ energy: [Term], least: Double, whole: [Term], of count: Int, into model: inout LinearModel
    ) {
        guard let near else { return }
        let (most, fall) = near.least
        let waived = max(0, most - least)
        let taken = near.taken.map { [Term($0, fall)] } ?? []
        model.row(
            energy + taken + [Term(near.flag, -waived)] + whole.map { Term($0.column, -most * $0.factor) },
            -waived - most * Double(count - 1), .infinity)
    }

    /// A column for what is taken before each slot from the second on.
    func takenAfter(_ energy: [Term], _ before: Int?, into model: inout LinearModel) -> Int {
        let sum = model.column()
        let parts = energy.map { Term($0.column, -$0.factor) } + (before.map { [Term($0, -1)] } ?? [])
        model.row([Term(sum, 1)] + parts, 0, 0)
        return sum
    }

    func taper(
        _ taper: Taper, _ need: EnergyNeed, _ slots: UsableSlots, _ columns: LoadColumns, into model: inout LinearModel
    ) {
        // What limits leave counts as the mean of a slot, alone as beside others.
        let curve = TaperCurve(taper, need, power: need.powerMax)
        var most = 0.0
        for (index, slot) in columns.range.enumerated() where slots.isUsable[index] {
            let hours = grid.hours[slot]
            for line in curve.bends(after: most, hours: hours) ? curve.lines(hours: hours) : [] {
                let terms = columns.energy[index] + (columns.taken[index].map { [Term($0, line.fall)] } ?? [])
                guard let on = columns.on[index], columns.taken[index] != nil else {
                    model.row(terms, -.infinity, line.atZero)
                    continue
                }
                // Off it takes nothing, and has taken no more than all: half on it takes half of what it could, also near full.
                let full = line.fall * need.energyMax
                model.row(terms + [Term(on, full - line.atZero)], -.infinity, full)
            }
            most += slots.power[index] * hours
        }
    }
}
