internal import EnergyModel

/// How a load's decisions stand in the model, for those who add them up.
struct LoadColumns {
    typealias Term = LinearModel.Term

    /// First cut slot that the load may use.
    var range: Range<Int>
    /// kWh in each slot of ``range``.
    var energy: [[Term]]
    /// kW that count against limits in each slot of ``range``.
    var running: [[Term]]
    /// 1 while on; empty if the model does not need to know.
    var on: [Int?]
    /// 1 in the only slot of the plan that may be used in part, if that must be the last.
    var last: [Int?] = []
    /// kWh taken before each slot of a load that slows down near full.
    var taken: [Int?] = []
    var near: [NearFull?] = []
    /// 1 in the slot of a start.
    var starts: [Int] = []
    /// What is missing, with its column's weight in kWh (or kelvin-hours).
    var missing: [(column: Int, weight: Double)] = []
    /// Where a course may be.
    var courses: [Course] = []
    /// 1 for each start, of a run or a course.
    var anyStart: [Int] { starts + courses.map(\.column) }
    /// °C at the end of each slot.
    var temperatures: [Int] = []
    /// 1 in each slot in which the comfort band may be left; empty where it may not.
    var setback: [Int] = []

    struct Course {
        /// 1 where it is chosen.
        var column: Int
        var start: Int64
        /// How much later it begins: a column from 0 to 1, and the milliseconds that are 1.
        var slide: (column: Int, milliseconds: Int64)?

        func start(_ values: [Double]) -> Int64 {
            start + (slide.map { Int64((values[$0.column] * Double($0.milliseconds)).rounded()) } ?? 0)
        }
    }
}

/// Builds the rows and columns of one load.
struct LoadModelBuilder {
    typealias Term = LinearModel.Term

    let problem: PlanProblem
    let grid: PlanGrid
    /// Whether what runs at the same time matters, so that the model must know the power while running.
    let isLimited: Bool

    func build(_ load: PlannedLoad, capacity: [Double], into model: inout LinearModel) -> LoadColumns {
        switch load.need {
        case .energy(let need): build(load, need, capacity: capacity, into: &model)
        case .profile(let profile): build(load, profile, into: &model)
        case .comfort(let need): build(load, need, into: &model)
        }
    }

    // MARK: Energy

    /// - Parameter capacity: kW that the load alone may draw in each cut slot.
    private func build(
        _ load: PlannedLoad, _ need: EnergyNeed, capacity: [Double], into model: inout LinearModel
    ) -> LoadColumns {
        let range = grid.range(of: load)
        let slots = UsableSlots(load, need, grid, capacity: capacity)
        let isFree = load.shape.isFree && (need.powerStep == nil || need.partialSlots == .any)
        let needsOn =
            !isFree || (need.partialSlots != .any && need.powerMin > 0)
            || (isLimited && (need.powerMin > 0 || need.powerStep != nil))
            || problem.limits.exclusive.contains { $0.contains(load.name) }
        var columns = LoadColumns(range: range, energy: [], running: [], on: [])
        let blocks = blocks(load, capacity: capacity, into: &model)
        for slot in range {
            let most = slots.isUsable[slot - range.lowerBound] ? 1.0 : 0
            let must = slots.isForced[slot - range.lowerBound] && blocks.isEmpty
            columns.on.append(needsOn ? model.column(must ? 1 : 0, most, isInteger: true) : nil)
        }
        columns.last =
            need.partialSlots == .last && needsOn
            ? lastSlot(columns, &model) : Array(repeating: nil, count: range.count)
        let slowsDown = (need.taper?.slope(from: need.powerMax) ?? 0) > 0
        let yields = needsOn && !(need.partialSlots == .any && load.shape.isFree)
        var (taken, most): (Int?, Double) = (nil, 0)
        for (index, slot) in range.enumerated() {
            let powerMax = slots.power[index]
            let (hours, on) = (grid.hours[slot], columns.on[index])
            let isUsable = slots.isUsable[index]
            columns.taken.append(taken)
            columns.near.append(
                yields && isUsable ? nearFull(need, hours, taken: taken, most: most, into: &model) : nil)
            defer {
                if slowsDown { taken = takenAfter(columns.energy[index], taken, into: &model) }
                if isUsable { most += powerMax * hours }
            }
            guard let on else {
                let energy = model.column(slots.least[index], isUsable ? powerMax * hours : 0)
                columns.energy.append([Term(energy, 1)])
                columns.running.append([Term(energy, 1 / hours)])
                continue
            }
            if need.hasOnePower, need.partialSlots == .never, !need.yieldsNearFull {
                columns.energy.append([Term(on, powerMax * hours)])
                columns.running.append([Term(on, powerMax)])
                continue
            }
            let energy = model.column(blocks.isEmpty ? slots.least[index] : 0, powerMax * hours)
            columns.energy.append([Term(energy, 1)])
            columns.running.append(
                power(
                    load.shape, need, powerMax, hours, energy: energy, on: on,
                    last: columns.last[index], near: columns.near[index], into: &model))
        }
        countSlots(need, columns, into: &model)
        switching(load.shape, need: need, slots, isOn: load.shape.goesOn(range), &columns, into: &model)
        goals(need, most: mostEnergy(need, slots, range), blocks, &columns, into: &model)
        add(blocks, slots, &columns, into: &model)
        if let taper = need.taper, slowsDown { self.taper(taper, need, slots, columns, into: &model) }
        return columns
    }

    /// Links a slot's energy to being on, and says what power counts against limits.
    private func power(
        _ shape: RunShape, _ need: EnergyNeed, _ powerMax: Double, _ hours: Double, energy: Int, on: Int, last: Int?,
        near: NearFull?,
        into model: inout LinearModel
    ) -> [Term] {
        model.row([Term(energy, 1), Term(on, -powerMax * hours)], -.infinity, 0)
        func atLeast(_ power: Double, _ lessNearFull: Double) {
            let last = last.map { [Term($0, power * hours)] } ?? []
            let near = near.map { [Term($0.flag, lessNearFull * hours)] } ?? []
            model.row([Term(energy, 1), Term(on, -power * hours)] + last + near, 0, .infinity)
        }
        if need.partialSlots == .last {
            let whole = [Term(on, 1)] + (last.map { [Term($0, -1)] } ?? [])
            takesAll(near, [Term(energy, 1)], least: need.powerMin * hours, whole: whole, of: 1, into: &model)
        }
        let least = min(need.powerMin, powerMax)
        // Near full it still takes what it does when it is as full as it will be.
        let flow = min(need.flowMin, powerMax)
        if let step = need.powerStep, need.partialSlots != .any || isLimited || !shape.isFree {
            let level = model.column(0, (powerMax / step + 1e-9).rounded(.down), isInteger: true)
            model.row([Term(level, step), Term(on, -powerMax)], -.infinity, 0)
            model.row([Term(level, step), Term(on, -least)], 0, .infinity)
            model.row([Term(energy, 1), Term(level, -step * hours)], -.infinity, 0)
            if need.partialSlots != .any {
                let short = [last, near?.flag].compactMap { $0.map { Term($0, powerMax * hours) } }
                model.row([Term(energy, 1), Term(level, -step * hours)] + short, 0, .infinity)
                if near != nil { atLeast(flow, 0) }
            }
            return [Term(level, step)]
        }
        if need.partialSlots != .any {
            atLeast(least, least - flow)
        }
        if need.partialSlots == .never { return [Term(energy, 1 / hours)] }
        guard isLimited, least > 0 else { return [Term(energy, 1 / hours)] }
        if need.hasOnePower { return [Term(on, powerMax)] }
        let running = model.column(0, powerMax)
        // Near full what it takes is what counts.
        let yielded = near.map { [Term($0.flag, least - flow)] } ?? []
        model.row([Term(running, 1), Term(on, -least)] + yielded, 0, .infinity)
        model.row([Term(running, hours), Term(energy, -1)], 0, .infinity)
        return [Term(running, 1)]
    }

    /// A column for each slot that says whether it is the last of the plan.
    private func lastSlot(_ columns: LoadColumns, _ model: inout LinearModel) -> [Int?] {
        var (flags, ended): ([Int?], Int?) = ([], nil)
        for on in columns.on {
            guard let on else { continue }
            let flag = model.column(0, 1, isInteger: true)
            model.row([Term(flag, 1), Term(on, -1)], -.infinity, 0)
            if let ended { model.row([Term(on, 1), Term(ended, 1)], -.infinity, 1) }
            let sum = model.column(0, 1)
            model.row([Term(sum, 1), Term(flag, -1)] + (ended.map { [Term($0, -1)] } ?? []), 0, 0)
            ended = sum
            flags.append(flag)
        }
        return flags
    }

    /// A load of one power is on for as many slots as it needs and no more: an idle last slot would only feign a run.
    private func countSlots(_ need: EnergyNeed, _ columns: LoadColumns, into model: inout LinearModel) {
        guard need.hasOnePower, need.partialSlots == .last, need.energyMax <= need.energy, need.powerMax > 0,
            let hours = grid.evenHours(columns.range), columns.on.allSatisfy({ $0 != nil })
        else { return }
        let count = (need.hoursAtLeast / hours - 1e-9).rounded(.up)
        guard count.isFinite else { return }
        model.row(columns.on.compactMap { $0.map { Term($0, 1) } }, -.infinity, max(0, count))
    }

    /// The most that may be taken: in whole steps where nothing else can be. The solver would have to try all of them to
    /// find that what is left of the energy is out of reach.
    private func mostEnergy(_ need: EnergyNeed, _ slots: UsableSlots, _ range: Range<Int>) -> Double {
        let most = max(need.energyMax, need.energy)
        let powers = Set(zip(slots.power, slots.isUsable).filter(\.1).map(\.0))
        guard need.partialSlots == .never, !need.yieldsNearFull, let hours = grid.evenHours(range),
            let power = need.powerStep ?? (need.hasOnePower && powers.count == 1 ? powers.first : nil), power > 0
        else { return most }
        let step = power * hours
        return (most / step + 1e-9).rounded(.down) * step
    }

    /// - Parameters:
    ///   - most: kWh in all.
    ///   - blocks: each is all that is needed, but for what is left out by lasting for whole milliseconds.
    private func goals(
        _ need: EnergyNeed, most: Double, _ blocks: [Block], _ columns: inout LoadColumns, into model: inout LinearModel
    ) {
        for (index, goal) in grid.dues(need, in: columns.range).enumerated() {
            let isLast = index == need.goals.count - 1
            let end = columns.range.lowerBound + goal.end
            let ofBlocks =
                isLast
                ? blocks.map { Term($0.course.column, need.energy) } : blocks.flatMap { $0.energy(before: end) }
            let terms = zip(columns.range, columns.energy).filter { $0.0 < end }.flatMap(\.1) + ofBlocks
            let missing = model.column(0, max(0, goal.energy))
            columns.missing.append((missing, 1))
            model.row(terms + [Term(missing, 1)], goal.energy, isLast ? max(need.energyMax, goal.energy) : .infinity)
            if isLast { model.row(terms, -.infinity, most) }
        }
    }
}
