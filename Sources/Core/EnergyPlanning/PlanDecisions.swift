import EnergyModel

/// What a load does in each cut slot of the grid.
struct LoadDecision: Sendable {
    /// kWh
    var energy: [Double]
    /// kW while it runs in the slot.
    var running: [Double]
    /// Whether it is on; a slot may be on without taking energy.
    var isOn: [Bool]
    /// A fixed course, and when it begins.
    var course: (profile: LoadProfile, start: Int64)?
    /// A fixed course that fits nowhere.
    var isLeftOut = false
    var temperatures: [Double] = []
    /// Whether the comfort band may be left; empty where it never may.
    var isSetBack: [Bool] = []

    /// kWh: what floating point leaves of a sum would be told as a run of a millisecond.
    private static let roundingMost = 1e-9

    /// - Parameter energies: of the slots of the load's window.
    init(_ load: PlannedLoad, _ need: EnergyNeed, energies: [Double], _ grid: PlanGrid) {
        let range = grid.range(of: load)
        energy = Array(repeating: 0, count: grid.count)
        running = energy
        isOn = Array(repeating: false, count: grid.count)
        for (index, slot) in range.enumerated() where energies[index] > Self.roundingMost {
            energy[slot] = energies[index]
            running[slot] = need.power(with: energies[index] / grid.hours[slot])
            isOn[slot] = true
        }
        slowDown(need, grid)
    }

    init(course profile: LoadProfile, start: Int64?, _ grid: PlanGrid) {
        energy = Array(repeating: 0, count: grid.count)
        running = energy
        isOn = Array(repeating: false, count: grid.count)
        guard let start else {
            isLeftOut = true
            return
        }
        course = (profile, start)
        for part in CoursePlanner(grid: grid).parts(profile, from: start) {
            energy[part.slot] = part.energy
            running[part.slot] = part.power
            isOn[part.slot] = true
        }
    }

    init(_ load: PlannedLoad, _ columns: LoadColumns, _ values: [Double], _ grid: PlanGrid) {
        energy = Array(repeating: 0, count: grid.count)
        running = energy
        isOn = Array(repeating: false, count: grid.count)
        temperatures = columns.temperatures.map { values[$0] }
        if case .comfort(let need) = load.need {
            isSetBack = need.setbacks(columns.setback.map { values[$0] > 0.5 }, temperatures, grid)
        }
        for (index, slot) in columns.range.enumerated() {
            let sum = columns.energy[index].reduce(0) { $0 + $1.factor * values[$1.column] }
            energy[slot] = sum < 1e-8 ? 0 : sum
        }
        if case .energy(let need) = load.need, need.partialSlots == .any, load.shape.isFree { sweep(need, grid) }
        for (index, slot) in columns.range.enumerated() {
            let power = columns.running[index].reduce(0) { $0 + $1.factor * values[$1.column] }
            running[slot] = energy[slot] == 0 ? 0 : power
            if case .energy(let need) = load.need, energy[slot] > 0 {
                // The solver may choose any that is enough. The least is within all limits too, and makes no pauses inside runs.
                running[slot] = need.power(with: energy[slot] / grid.hours[slot])
            }
            isOn[slot] =
                load.shape.isFree ? energy[slot] > 0 : columns.on[index].map { values[$0] > 0.5 } ?? (energy[slot] > 0)
        }
        if case .energy(let need) = load.need { slowDown(need, grid) }
    }
}

extension LoadDecision {
    /// Near full it takes less than it is offered, and so long as that takes: inside a run all of the slot.
    private mutating func slowDown(_ need: EnergyNeed, _ grid: PlanGrid) {
        guard let taper = need.taper else { return }
        var taken = 0.0
        for slot in energy.indices where energy[slot] > 0 {
            let curve = TaperCurve(taper, need, power: running[slot])
            let hours = min(grid.hours[slot], curve.hours(from: taken, to: taken + energy[slot]))
            let goesOn = slot + 1 < energy.count && isOn[slot + 1] && taken + energy[slot] > taper.energyAtStart
            let mean = energy[slot] / grid.hours[slot]
            running[slot] = goesOn ? mean : max(mean, min(running[slot], energy[slot] / hours))
            taken += energy[slot]
        }
    }

    /// kWh: what a solver may leave in a slot for nothing.
    private static let crumbMost = 1e-6

    /// Puts what would be a run of a millisecond to a slot that is used anyway, before it if it can be: no goal has it later
    /// then.
    fileprivate mutating func sweep(_ need: EnergyNeed, _ grid: PlanGrid) {
        func isCrumb(_ slot: Int) -> Bool { energy[slot] > 0 && energy[slot] < Self.crumbMost }
        for slot in energy.indices where isCrumb(slot) {
            func takes(_ other: Int) -> Bool {
                energy[other] >= Self.crumbMost
                    && energy[other] + energy[slot] <= need.powerMax * grid.hours[other]
            }
            let slots = energy.indices
            guard let other = slots[..<slot].last(where: takes) ?? slots[slot...].first(where: takes) else { continue }
            energy[other] += energy[slot]
            energy[slot] = 0
        }
    }
}

extension EnergyNeed {
    /// - Parameter mean: kW in a slot.
    /// - Returns: kW that it runs at in the slot, perhaps only in a part of it.
    fileprivate func power(with mean: Double) -> Double {
        guard !hasOnePower else { return powerMax }
        guard let powerStep else { return max(powerMin, mean) }
        return (max(powerMin, mean) / powerStep - 1e-5).rounded(.up) * powerStep
    }
}

/// What everything in the home does.
struct PlanDecisions: Sendable {
    var loads: [LoadDecision] = []
    /// kWh in each cut slot.
    var charge: [[Double]] = []
    var discharge: [[Double]] = []
    var stored: [[Double]] = []
    var curtailed: [Double]

    /// - Parameter rows: limits that what is thrown away keeps to.
    init(_ grid: PlanGrid, _ rows: [LimitRow]) {
        curtailed = (0..<grid.count).map { grid.idleWaste($0, rows) }
    }

    /// Whether a battery gives in a slot.
    func isServed(_ slot: Int) -> Bool { discharge.contains { $0[slot] > 1e-6 } }

    /// Nothing is thrown away that a load takes, unless its import is paid for.
    mutating func takeSurplus(_ grid: PlanGrid) {
        for slot in curtailed.indices where curtailed[slot] > 0 && grid.importWeight[slot] >= 0 {
            curtailed[slot] = max(0, curtailed[slot] - loads.reduce(0) { $0 + $1.energy[slot] })
        }
    }

    init(_ home: HomeModel, _ values: [Double], _ work: PlanWork) {
        let grid = work.grid
        curtailed = (0..<grid.count).map { home.curtailed[$0].map { values[$0] } ?? 0 }
        for (load, columns) in zip(work.problem.loads, home.loads) {
            let chosen = columns.courses.first { values[$0.column] > 0.5 }
            switch load.need {
            case .profile(let profile):
                loads.append(LoadDecision(course: profile, start: chosen?.start(values), grid))
            case .energy where load.isBlock:
                if let profile = load.asCourse(grid) {
                    loads.append(LoadDecision(course: profile, start: chosen?.start(values), grid))
                }
            default:
                let block = chosen.flatMap { chosen in
                    load.blockBesides(grid).map { LoadDecision(course: $0, start: chosen.start(values), grid) }
                }
                loads.append(block ?? LoadDecision(load, columns, values, grid))
            }
        }
        charge = home.batteries.map { $0.charge.map { max(0, values[$0]) } }
        discharge = home.batteries.map { $0.discharge.map { max(0, values[$0]) } }
        stored = home.batteries.map { $0.stored.map { values[$0] } }
    }
}
