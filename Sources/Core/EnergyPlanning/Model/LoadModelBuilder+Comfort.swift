internal import EnergyModel

/// Rows and columns of a building.
extension LoadModelBuilder {
    func build(_ load: PlannedLoad, _ need: ThermalNeed, into model: inout LinearModel) -> LoadColumns {
        let range = 0..<grid.count
        let window = grid.range(of: load)
        var columns = LoadColumns(range: range, energy: [], running: [], on: [])
        let isExclusive = problem.limits.exclusive.contains { $0.contains(load.name) }
        let needsOn = !load.shape.isFree || need.powerMin > 0 || isExclusive
        var before: Int?
        for slot in range {
            let isUsable = window.contains(slot) && grid.allows(load, slot)
            let powerMax = isUsable ? need.powerMax : 0
            let hours = grid.hours[slot]
            let energy = model.column(0, powerMax * hours)
            columns.energy.append([Term(energy, 1)])
            columns.running.append([Term(energy, 1 / hours)])
            if needsOn {
                let goesOn = need.runsUntil.map { grid.edges[slot] < $0.unixMilliseconds } ?? false
                let on = model.column(goesOn && powerMax > 0 ? 1 : 0, powerMax > 0 ? 1 : 0, isInteger: true)
                columns.on.append(on)
                model.row([Term(energy, 1), Term(on, -powerMax * hours)], -.infinity, 0)
                model.row([Term(energy, 1), Term(on, -min(need.powerMin, powerMax) * hours)], 0, .infinity)
            } else {
                columns.on.append(nil)
            }
            let kept = need.kept(hours: hours)
            let temperature = model.column(-.infinity, .infinity)
            let gain = (1 - kept) * need.resistance * need.performance / hours * (need.isCooling ? -1 : 1)
            let outdoor = (1 - kept) * need.outdoor[grid.origin[slot]]
            model.row(
                [Term(temperature, 1), Term(energy, -gain)] + (before.map { [Term($0, -kept)] } ?? []),
                outdoor + (before == nil ? kept * need.initial : 0),
                outdoor + (before == nil ? kept * need.initial : 0))
            comfort(need, slot, temperature, &columns, into: &model)
            columns.temperatures.append(temperature)
            before = temperature
        }
        setbacks(need, columns.setback, into: &model)
        switching(
            load.shape, need: nil, nil, isOn: need.runsUntil != nil || load.shape.goesOn(window), &columns, into: &model
        )
        return columns
    }

    private func comfort(
        _ need: ThermalNeed, _ slot: Int, _ temperature: Int, _ columns: inout LoadColumns,
        into model: inout LinearModel
    ) {
        let (low, high) = (need.comfortMin[grid.origin[slot]], need.comfortMax[grid.origin[slot]])
        let (cold, hot) = (model.column(), model.column())
        columns.missing += [(cold, grid.hours[slot]), (hot, grid.hours[slot])]
        let (below, above) = ([Term(temperature, 1), Term(cold, 1)], [Term(temperature, 1), Term(hot, -1)])
        var back: [Term] = []
        if need.setbackDepth > 0, need.setbackMilliseconds > 0 {
            let isOver = need.setbackBefore.map { grid.edges[slot] >= $0.unixMilliseconds } ?? false
            let flag = model.column(0, isOver ? 0 : 1, isInteger: true)
            columns.setback.append(flag)
            back = [Term(flag, need.isCooling ? -need.setbackDepth : need.setbackDepth)]
        }
        model.row(below + (need.isCooling ? [] : back), low, .infinity)
        model.row(above + (need.isCooling ? back : []), -.infinity, high)
        // What it has again at the end it has without a setback.
        guard slot == grid.count - 1, let final = need.final else { return }
        if need.isCooling { model.row(above, -.infinity, final) } else { model.row(below, final, .infinity) }
    }

    /// For how long in all, and each at least.
    private func setbacks(_ need: ThermalNeed, _ flags: [Int], into model: inout LinearModel) {
        guard !flags.isEmpty, let end = grid.edges.last else { return }
        let most = Double(need.setbackMilliseconds) / 3_600_000
        model.row(zip(flags, grid.hours).map { Term($0, $1) }, -.infinity, most)
        guard need.setbackMin > 0 else { return }
        var (starts, used): ([Int], Double) = ([], 0)
        for (slot, flag) in flags.enumerated() {
            used += grid.hours[slot]
            if let until = need.setbackUntil, grid.edges[slot] < until.unixMilliseconds, used <= most,
                model.upper[flag] > 0
            {
                model.setBounds(flag, 1, 1)
            }
            let goesOn = slot == 0 && need.setbackUntil != nil
            let isPossible = !goesOn && end - grid.edges[slot] >= need.setbackMin
            let start = model.column(0, isPossible ? 1 : 0)
            model.row(
                [Term(start, 1), Term(flag, -1)] + (slot > 0 ? [Term(flags[slot - 1], 1)] : []), goesOn ? -1 : 0,
                .infinity)
            starts.append(start)
            let recent = starts.indices.filter { grid.edges[slot] - grid.edges[$0] < need.setbackMin }
            model.row(recent.map { Term(starts[$0], 1) } + [Term(flag, -1)], -.infinity, 0)
        }
    }
}
