internal import EnergyModel

/// The slots of a load's window: which it may and must use, and with how much power.
struct UsableSlots {
    var isUsable: [Bool] = []
    var isForced: [Bool] = []
    /// kW at most.
    var power: [Double] = []
    /// kWh at least: all that it can take where it must run.
    var least: [Double] = []

    init(_ load: PlannedLoad, _ need: EnergyNeed, _ grid: PlanGrid, capacity: [Double]) {
        let range = grid.range(of: load)
        let end = range.isEmpty ? 0 : grid.edges[range.upperBound]
        for slot in range {
            var most = min(need.powerMax, capacity[slot])
            if let step = need.powerStep { most = (most / step + 1e-9).rounded(.down) * step }
            // One that can only run at full power, or at its least, does not run with less.
            let canRun = most > 0 && most >= need.powerMin - 1e-9
            isUsable.append(canRun && grid.allows(load, slot))
            power.append(canRun ? max(most, need.powerMin) : 0)
            isForced.append(
                need.precondition > 0 && end - grid.edges[slot] <= need.precondition && isUsable[isUsable.count - 1])
        }
        // Not more than it needs: a short charge is preconditioned for as long as it takes.
        var energy = need.energyMax
        least = Array(repeating: 0, count: range.count)
        for index in isForced.indices.reversed() where isForced[index] {
            let hours = grid.hours[range.lowerBound + index]
            let curve = need.taper.map { TaperCurve($0, need, power: power[index]) }
            least[index] =
                curve.map { min(max(0, energy), $0.energy(until: energy, hours: hours)) } ?? power[index] * hours
            energy -= least[index]
            if energy < -1e-9 || least[index] == 0 { (isForced[index], least[index]) = (false, 0) }
        }
    }
}

extension LoadModelBuilder {
    /// Minimum run and pause, number of runs, cost of a start.
    ///
    /// - Source: Rajan and Takriti, "Minimum up/down polytopes of the unit commitment problem", IBM RC23628, 2005: with
    ///   a column for starts these rows describe the runs without a gap between the relaxation and whole numbers.
    /// - Parameter isOn: it is on when the plan begins, so that going on is no start.
    func switching(
        _ shape: RunShape, need: EnergyNeed?, _ slots: UsableSlots?, isOn: Bool = false, _ columns: inout LoadColumns,
        into model: inout LinearModel
    ) {
        guard !shape.isFree, !columns.range.isEmpty else { return }
        let runMin = need.map { self.runMin(shape, $0, columns.range) } ?? shape.runMin
        let (first, end) = (columns.range.lowerBound, grid.edges[columns.range.upperBound])
        var (starts, shorts): ([Int], [Int]) = ([], [])
        for (index, slot) in columns.range.enumerated() {
            guard let on = columns.on[index] else { return }
            let goesOn = isOn && index == 0
            func isPossible(from edge: Int) -> Bool { !goesOn && end - grid.edges[edge] >= runMin }
            let start = model.column(0, isPossible(from: slot) ? 1 : 0, cost: shape.startCost)
            model.row(
                [Term(start, 1), Term(on, -1)] + (index > 0 ? columns.on[index - 1].map { [Term($0, 1)] } ?? [] : []),
                goesOn ? -1 : 0, .infinity)
            model.row([Term(start, 1), Term(on, -1)], -.infinity, 0)
            if index > 0, let before = columns.on[index - 1] {
                model.row([Term(start, 1), Term(before, 1)], -.infinity, 1)
            }
            starts.append(start)
            if runMin > 0, need?.startsInPart == true {
                shorts.append(short(start, isPossible: isPossible(from: slot + 1), into: &model))
            }
            var from = index
            while from > 0, grid.edges[slot] - grid.edges[first + from - 1] < runMin { from -= 1 }
            let recent = runMin > 0 ? from..<index + 1 : index..<index
            let before = from > 0 && !shorts.isEmpty ? [Term(shorts[from - 1], 1)] : []
            let going = recent.map { Term(starts[$0], 1) } + before
            if going.count > 1 { model.row(going + [Term(on, -1)], -.infinity, 0) }
            if let need, need.fillsRuns {
                let whole = going + (shorts.isEmpty ? [] : [Term(shorts[index], -1)])
                fill(need, runMin: runMin, index, whole: whole, start: start, columns, into: &model)
            }
        }
        if shape.pauseMin > 0 {
            if isOn, let on = columns.on.first.flatMap(\.self) {
                let soon = starts.indices.filter { grid.edges[first + $0] - grid.edges[first] < shape.pauseMin }
                model.row(soon.map { Term(starts[$0], 1) } + [Term(on, -1)], -.infinity, 0)
            }
            for index in starts.indices.dropLast() {
                guard let on = columns.on[index] else { return }
                let offFrom = grid.edges[first + index + 1]
                var after = index + 1
                while after < starts.count, grid.edges[first + after] - offFrom < shape.pauseMin { after += 1 }
                let soon = index + 1..<after
                model.row(soon.map { Term(starts[$0], 1) } + [Term(on, 1)], -.infinity, 1)
            }
        }
        limitRuns(shape, starts, columns, into: &model)
        if runMin < shape.runMin {
            // Less than one minimum run is one run.
            let goesOn = isOn ? columns.on.first?.map { [Term($0, 1)] } ?? [] : []
            model.row(starts.map { Term($0, 1) } + goesOn, -.infinity, 1)
        }
        columns.starts = starts
    }

    /// One row for all runs, or for those until each time at which they are counted anew.
    private func limitRuns(_ shape: RunShape, _ starts: [Int], _ columns: LoadColumns, into model: inout LinearModel) {
        guard let most = shape.runsMax else { return }
        let first = columns.range.lowerBound
        let times = shape.recounts?.at ?? []
        let edges = times.compactMap { time in starts.indices.first { grid.edges[first + $0] >= time } }
        let bounds = [0] + Set(edges).subtracting([0]).sorted() + [starts.count]
        for (from, to) in zip(bounds, bounds.dropFirst()) {
            var counted = starts[from..<to].map { Term($0, 1) }
            if from > 0, let on = columns.on[from] { counted[0] = Term(on, 1) }
            model.row(counted, -.infinity, Double(from > 0 ? shape.recounts?.runsMax ?? most : most))
        }
    }

    /// 1 where only a part of a run's first slot is used, so that what it lasts at least begins with the next.
    private func short(_ start: Int, isPossible: Bool, into model: inout LinearModel) -> Int {
        let short = model.column(0, isPossible ? 1 : 0, isInteger: true)
        model.row([Term(short, 1), Term(start, -1)], -.infinity, 0)
        return short
    }

    /// Power flows all through a run, and for as long as it lasts at least.
    ///
    /// - Parameters:
    ///   - whole: 1 together where the slot is one of those that a run lasts at least.
    ///   - start: 1 where a run begins with the slot.
    private func fill(
        _ need: EnergyNeed, runMin: Int64, _ index: Int, whole: [Term], start: Int, _ columns: LoadColumns,
        into model: inout LinearModel
    ) {
        let first = columns.range.lowerBound
        let least = need.powerMin * grid.hours[first + index]
        let near = yielded(need, index, columns)
        if need.hasOnePower {
            // Its first slot may be used in part, as its last: what it takes says for how long it runs.
            let end = grid.edges[first + index + 1] + runMin
            let run = (index..<columns.energy.count).prefix { grid.edges[first + $0] < end }
            let energy = need.powerMin * Double(runMin) / 3_600_000
            let flow = run.flatMap { columns.energy[$0] + yielded(need, $0, columns) }
            model.row(flow + [Term(start, -energy)], 0, .infinity)
        } else if !whole.isEmpty {
            model.row(columns.energy[index] + near + whole.map { Term($0.column, -least * $0.factor) }, 0, .infinity)
            takesAll(columns.near[index], columns.energy[index], least: least, whole: whole, of: 1, into: &model)
            fillWhole(need, index, where: whole, of: 1, columns, into: &model)
        }
        guard need.partialSlots == .any, index > 0, index + 1 < columns.on.count else { return }
        let on = columns.on[index - 1...index + 1].compactMap(\.self)
        model.row(columns.energy[index] + near + on.map { Term($0, -least) }, -2 * least, .infinity)
        takesAll(
            columns.near[index], columns.energy[index], least: least, whole: on.map { Term($0, 1) }, of: 3, into: &model
        )
        let beside = [columns.on[index - 1], columns.on[index + 1]].compactMap(\.self)
        fillWhole(need, index, where: beside.map { Term($0, 1) }, of: 2, columns, into: &model)
    }

    /// What flows less than at the least power, because it is near full.
    private func yielded(_ need: EnergyNeed, _ index: Int, _ columns: LoadColumns) -> [Term] {
        let hours = grid.hours[columns.range.lowerBound + index]
        return columns.near[index].map { [Term($0.flag, (need.powerMin - need.flowMin) * hours)] } ?? []
    }

    /// With steps a slot is used whole only if it draws one of them all through, not just the least on average.
    ///
    /// - Parameters:
    ///   - flags: `count` together where that must be.
    private func fillWhole(
        _ need: EnergyNeed, _ index: Int, where flags: [Term], of count: Int, _ columns: LoadColumns,
        into model: inout LinearModel
    ) {
        guard need.powerStep != nil else { return }
        let hours = grid.hours[columns.range.lowerBound + index]
        let most = need.powerMax * hours
        let short = columns.running[index].map { Term($0.column, -$0.factor * hours) }
        let near = columns.near[index].map { [Term($0.flag, most)] } ?? []
        model.row(
            columns.energy[index] + near + short + flags.map { Term($0.column, -most * $0.factor) },
            -most * Double(count), .infinity)
    }

    /// A load that needs less than one minimum run runs once, for what it needs.
    func runMin(_ shape: RunShape, _ need: EnergyNeed, _ range: Range<Int>) -> Int64 {
        guard need.powerMin > 0, shape.runMin > 0 else { return shape.runMin }
        let hours = need.hoursAtLeast
        let longest = range.map { grid.edges[$0 + 1] - grid.edges[$0] }.max() ?? 0
        guard longest > 0 else { return shape.runMin }
        let covered = need.fillsRuns ? (shape.runMin + longest - 1) / longest * longest : shape.runMin
        // What floating point leaves out of an energy makes it no shorter.
        guard hours * 3_600_000 < Double(covered) - 1 else { return shape.runMin }
        guard grid.evenHours(range) != nil else {
            // Where slots differ there may be some that are just long enough together.
            if need.fillsRuns, !need.hasOnePower, let shortest = shortestRun(shape.runMin, range),
                hours * 3_600_000 >= Double(shortest) - 1
            {
                return shape.runMin
            }
            // Where slots differ its length in slots depends on when it begins: it is one run in any case, and lasts for as many
            // whole slots as it is sure to have enough for.
            return need.hasOnePower ? 0 : max(0, Int64(hours * 3_600_000) - longest + 1)
        }
        let whole = Int64((hours * 3_600_000 / Double(longest) - 1e-9).rounded(.up)) * longest
        let full = Int64((hours * 3_600_000 / Double(longest) + 1e-9).rounded(.down)) * longest
        if need.fillsRuns { return min(shape.runMin, full) }
        return min(shape.runMin, max(longest, need.partialSlots == .never && !need.hasOnePower ? full : whole))
    }

    /// Milliseconds of the shortest stretch of whole slots that is as long; `nil` where there is none.
    private func shortestRun(_ runMin: Int64, _ range: Range<Int>) -> Int64? {
        range.compactMap { first in
            let end = min(range.upperBound, grid.index(at: grid.edges[first] + runMin))
            let length = grid.edges[end] - grid.edges[first]
            return length >= runMin ? length : nil
        }.min()
    }

    // MARK: A fixed course

    func build(_ load: PlannedLoad, _ profile: LoadProfile, into model: inout LinearModel) -> LoadColumns {
        let range = grid.range(of: load)
        let planner = CoursePlanner(grid: grid)
        var columns = LoadColumns(
            range: range, energy: Array(repeating: [], count: range.count),
            running: Array(repeating: [], count: range.count), on: Array(repeating: nil, count: range.count))
        let total = profile.steps.reduce(0) { $0 + $1.power * Double($1.milliseconds) / 3_600_000 }
        let missing = model.column(0, 1)
        columns.missing = [(missing, total)]
        var choice = [Term(missing, 1)]
        for placement in planner.placements(load, profile, isSliding: countsMeans) {
            let course = course(placement, cost: load.shape.startCost, into: &model)
            choice.append(Term(course.column, 1))
            columns.add(placement, as: course)
        }
        model.row(choice, 1, 1)
        return columns
    }
}
