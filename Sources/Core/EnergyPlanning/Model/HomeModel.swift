import EnergyModel

/// The whole home as one linear model with whole numbers.
struct HomeModel {
    typealias Term = LinearModel.Term

    struct BatteryColumns {
        var charge: [Int]
        var discharge: [Int]
        var stored: [Int]
        /// kWh that goals lack, each with the weight of its column.
        var missing: [(column: Int, weight: Double)] = []
        /// kWh below its least in each slot, with the slot's hours; empty for one that does not begin there.
        var low: [(column: Int, weight: Double)] = []
    }

    var model = LinearModel()
    var loads: [LoadColumns] = []
    var batteries: [BatteryColumns] = []
    /// kWh in each cut slot; `nil` where the home cannot export, and each load pays for itself.
    var imports: [Int?] = []
    var exports: [Int?] = []
    var curtailed: [Int?] = []

    /// The time was up, or there were more whole numbers than can be decided, before it was complete.
    private(set) var isCut = false

    /// With more the solver finds nothing in the time that somebody waits, and does not look at the clock while it copies the
    /// model. Without whole numbers a year of hours is planned in seconds.
    private static let wholeMost = 15_000

    /// The column of the highest mean kW of a slot, where a demand charge counts that.
    private(set) var peak: Int?

    let problem: PlanProblem
    let grid: PlanGrid
    private let rows: [LimitRow]
    private let timer: PlanTimer

    init(_ problem: PlanProblem, _ grid: PlanGrid, rows: [LimitRow], capacities: [[Double]], _ timer: PlanTimer) {
        self.timer = timer
        self.problem = problem
        self.grid = grid
        self.rows = rows
        let builder = LoadModelBuilder(problem: problem, grid: grid, isLimited: !rows.isEmpty)
        var whole = 0
        for (index, load) in problem.loads.enumerated() {
            let known = model.columnCount
            loads.append(builder.build(load, capacity: capacities[index], into: &model))
            whole += model.isInteger[known...].count { $0 }
            isCut = timer.isUp || whole > Self.wholeMost
            guard !isCut else { return }
        }
        for battery in problem.batteries { add(battery) }
        addBalance()
        addLimits()
        guard !isCut else { return }
        addExclusion()
        addDemandCharge()
    }

    /// What may be missing, of every load and battery, with its column's weight.
    var needs: [(priority: Int, missing: [(column: Int, weight: Double)])] {
        zip(problem.loads, loads).map { ($0.priority, $1.missing) }
            + zip(problem.batteries, batteries).map { ($0.priority, $1.missing + $1.low) }
    }

    /// The same of what can be helped, as ``PlanWork/lacks(_:)``.
    var lacks: [[(column: Int, weight: Double)]] {
        loads.map(\.missing) + batteries.map { $0.missing + ($0.low.last.map { [($0.column, 1)] } ?? []) }
    }

    /// Every term of what loads and batteries draw in a slot, in kWh.
    private func energy(_ slot: Int) -> [Term] {
        var terms: [Term] = []
        for load in loads where load.range.contains(slot) { terms += load.energy[slot - load.range.lowerBound] }
        for battery in batteries {
            terms += [Term(battery.charge[slot], 1), Term(battery.discharge[slot], -1)]
        }
        return terms
    }

    private mutating func add(_ battery: HomeBattery) {
        var columns = BatteryColumns(charge: [], discharge: [], stored: [])
        let lastBurning = (0..<grid.count).last { paysForBurning(battery, $0) } ?? -1
        for slot in 0..<grid.count {
            let hours = grid.hours[slot]
            let wear = battery.wear * problem.objective.money
            let charge = model.column(0, battery.chargeMax * hours, cost: wear)
            let discharge = model.column(0, battery.dischargeMax * hours, cost: wear)
            let isLast = slot == grid.count - 1
            let stored = model.column(
                min(battery.energyMin, battery.initial), max(battery.energyMax, battery.initial),
                cost: isLast ? -battery.endValue * problem.objective.money : 0)
            model.row(
                [
                    Term(stored, 1), Term(charge, -battery.chargeEfficiency),
                    Term(discharge, 1 / battery.dischargeEfficiency),
                ] + (columns.stored.last.map { [Term($0, -1)] } ?? []), slot == 0 ? battery.initial : 0,
                slot == 0 ? battery.initial : 0)
            // Charging and discharging at once would burn energy.
            if slot <= lastBurning || battery.isOverfull {
                let direction = model.column(0, 1, isInteger: true)
                model.row([Term(charge, 1), Term(direction, -battery.chargeMax * hours)], -.infinity, 0)
                model.row(
                    [Term(discharge, 1), Term(direction, battery.dischargeMax * hours)], -.infinity,
                    battery.dischargeMax * hours)
                if battery.isOverfull {
                    let over = battery.initial - battery.energyMax
                    model.row([Term(stored, 1), Term(direction, over)], -.infinity, battery.initial)
                }
            }
            columns.charge.append(charge)
            columns.discharge.append(discharge)
            columns.stored.append(stored)
        }
        addNeeds(of: battery, &columns)
        batteries.append(columns)
    }

    /// Whether burning energy would pay in a slot, or before it: who is paid for what it takes then wants room for that.
    private func paysForBurning(_ battery: HomeBattery, _ slot: Int) -> Bool {
        grid.importWeight[slot] < 0 || grid.exportWeight[slot] < 0
            || grid.exportWeight[slot] > grid.importWeight[slot] || makesRoom(battery, slot)
    }

    /// Whether burning energy would make room on a limit for what flows toward the grid.
    private func makesRoom(_ battery: HomeBattery, _ slot: Int) -> Bool {
        if problem.limits.exportPower != nil, !grid.isPVCurtailable { return true }
        return rows.contains { row in
            guard let share = row.batteries[batteries.count] else { return false }
            return row.floor[slot] > -share * battery.dischargeMax
        }
    }

    /// What a battery should hold, each with what may be missing.
    private mutating func addNeeds(of battery: HomeBattery, _ columns: inout BatteryColumns) {
        if battery.initial < battery.energyMin {
            for (slot, stored) in columns.stored.enumerated() {
                let low = model.column(0, battery.energyMin - battery.initial)
                model.row([Term(stored, 1), Term(low, 1)], battery.energyMin, .infinity)
                columns.low.append((low, grid.hours[slot]))
            }
        }
        for due in battery.dues(grid) where due.slots > 0 && due.energy > min(battery.energyMin, battery.initial) {
            let missing = model.column(0, due.energy)
            model.row([Term(columns.stored[due.slots - 1], 1), Term(missing, 1)], due.energy, .infinity)
            columns.missing.append((missing, 1))
        }
    }

    private mutating func addBalance() {
        for slot in 0..<grid.count {
            let hours = grid.hours[slot]
            let terms = energy(slot)
            let net = (grid.base[slot] - grid.pv[slot]) * hours
            // Thrown away is also what the home would use, where what is imported instead is paid for.
            let isWasted = grid.canWaste(slot)
            let isNeeded = grid.importWeight[slot] < 0 || rows.contains { $0.floor[slot] > 0 }
            guard net < 0 || !batteries.isEmpty || (isWasted && isNeeded) else {
                for term in terms { model.addCost(term.column, term.factor * grid.importWeight[slot]) }
                model.constant += net * grid.importWeight[slot]
                imports.append(nil)
                exports.append(nil)
                curtailed.append(nil)
                continue
            }
            let most = problem.limits.exportPower.map { $0 * hours } ?? .infinity
            let imported = model.column(cost: grid.importWeight[slot])
            let exported = model.column(0, most, cost: -grid.exportWeight[slot])
            let wasted = isWasted ? model.column(0, grid.pv[slot] * hours) : nil
            model.row(
                [Term(imported, 1), Term(exported, -1)] + terms.map { Term($0.column, -$0.factor) }
                    + (wasted.map { [Term($0, -1)] } ?? []), net, net)
            if grid.exportWeight[slot] > grid.importWeight[slot] {
                // One meter: what comes in and what goes out at the same time cancel out.
                let direction = model.column(0, 1, isInteger: true)
                let (high, low) = powerBounds(slot)
                model.row([Term(imported, 1), Term(direction, -high)], -.infinity, 0)
                model.row([Term(exported, 1), Term(direction, low)], -.infinity, low)
            }
            imports.append(imported)
            exports.append(exported)
            curtailed.append(wasted)
        }
    }

    /// kWh that can at most come in and go out in a slot.
    func powerBounds(_ slot: Int) -> (most: Double, given: Double) {
        let hours = grid.hours[slot]
        var most = grid.base[slot] * hours
        for (index, load) in loads.enumerated() where load.range.contains(slot) {
            let terms = load.energy[slot - load.range.lowerBound].filter { model.upper[$0.column] < .infinity }
            let sum = terms.reduce(0) { $0 + max(0, $1.factor) * model.upper[$1.column] }
            // Of all ways to place a block one is taken.
            most += min(sum, problem.loads[index].powerMost * hours)
        }
        let stored = problem.batteries.reduce((0.0, 0.0)) { ($0.0 + $1.chargeMax, $0.1 + $1.dischargeMax) }
        return (most + stored.0 * hours, (grid.pv[slot] + stored.1) * hours)
    }

    private mutating func addLimits() {
        for row in rows {
            for slot in 0..<grid.count {
                guard !timer.isUp else {
                    isCut = true
                    return
                }
                var terms: [Term] = []
                var (least, most) = (0.0, 0.0)
                for (index, share) in row.loads.sorted(by: { $0.key < $1.key }) where loads[index].range.contains(slot)
                {
                    let running = loads[index].running[slot - loads[index].range.lowerBound]
                    terms += running.map { Term($0.column, $0.factor * share) }
                    most += running.reduce(0) { $0 + $1.factor * share * model.upper[$1.column] }
                }
                for (index, share) in row.batteries.sorted(by: { $0.key < $1.key }) {
                    let hours = grid.hours[slot]
                    terms += [
                        Term(batteries[index].charge[slot], share / hours),
                        Term(batteries[index].discharge[slot], -share / hours),
                    ]
                    least -= share * problem.batteries[index].dischargeMax
                    most = .infinity
                }
                if row.pvShare > 0, let wasted = curtailed[slot] {
                    terms.append(Term(wasted, row.pvShare / grid.hours[slot]))
                    most = .infinity
                }
                if row.floor[slot] > least { addFloor(row, slot) }
                guard !terms.isEmpty, most > row.room[slot] else { continue }
                model.row(terms, -.infinity, model.most(of: terms, within: row.room[slot]))
                addCovers(row, slot)
            }
        }
    }

    /// What flows toward the grid, as the mean of the slot: a load that runs in a part of it takes only so much of it.
    private mutating func addFloor(_ row: LimitRow, _ slot: Int) {
        let hours = grid.hours[slot]
        var terms: [Term] = []
        for (index, share) in row.loads.sorted(by: { $0.key < $1.key }) where loads[index].range.contains(slot) {
            let energy = loads[index].energy[slot - loads[index].range.lowerBound]
            terms += energy.map { Term($0.column, $0.factor * share / hours) }
        }
        for (index, share) in row.batteries.sorted(by: { $0.key < $1.key }) {
            terms += [
                Term(batteries[index].charge[slot], share / hours),
                Term(batteries[index].discharge[slot], -share / hours),
            ]
        }
        if row.pvShare > 0, let wasted = curtailed[slot] { terms.append(Term(wasted, row.pvShare / hours)) }
        if !terms.isEmpty { model.row(terms, row.floor[slot], .infinity) }
    }

    /// Loads of one power that together do not fit: at most all but one of them run. Together with the row itself this
    /// leaves branch and bound far less to do than the row alone.
    private mutating func addCovers(_ row: LimitRow, _ slot: Int) {
        var members: [(column: Int, power: Double)] = []
        for (index, share) in row.loads.sorted(by: { $0.key < $1.key }) where loads[index].range.contains(slot) {
            let position = slot - loads[index].range.lowerBound
            guard let on = loads[index].on[position], case .energy(let need) = problem.loads[index].need,
                need.powerMin > 0, model.upper[on] > 0
            else { continue }
            members.append((on, need.flowMin * share))
        }
        // What batteries give makes room too.
        let given = row.batteries.reduce(0) { $0 + $1.value * problem.batteries[$1.key].dischargeMax }
        for cover in Covers.minimal(members.map(\.power), room: row.room[slot] + given) {
            model.row(cover.members.map { Term(members[$0].column, 1) }, -.infinity, Double(cover.most))
        }
    }

    private mutating func addExclusion() {
        for group in problem.limits.exclusive {
            let members = problem.loads.indices.filter { group.contains(problem.loads[$0].name) }
            let batteries = problem.batteries.indices.filter { group.contains(problem.batteries[$0].name) }
            // These say how much later a block begins, and nothing of whether it runs.
            let slides = Set(members.flatMap { loads[$0].courses.compactMap(\.slide?.column) })
            for slot in 0..<grid.count {
                var terms = members.flatMap { index -> [Term] in
                    guard loads[index].range.contains(slot) else { return [] }
                    let position = slot - loads[index].range.lowerBound
                    let energy = loads[index].energy[position].filter { !slides.contains($0.column) }
                        .map { Term($0.column, 1) }
                    // Beside being on by slots there may be blocks.
                    return loads[index].on[position].map { [Term($0, 1)] + energy.dropFirst() } ?? energy
                }
                for battery in batteries { terms.append(Term(active(battery, slot), 1)) }
                if terms.count > 1 { model.row(terms, -.infinity, 1) }
            }
        }
    }

    /// A column that is 1 where a battery does not rest.
    private mutating func active(_ index: Int, _ slot: Int) -> Int {
        let (battery, columns) = (problem.batteries[index], batteries[index])
        let on = model.column(0, 1, isInteger: true)
        let hours = grid.hours[slot]
        model.row([Term(columns.charge[slot], 1), Term(on, -battery.chargeMax * hours)], -.infinity, 0)
        model.row([Term(columns.discharge[slot], 1), Term(on, -battery.dischargeMax * hours)], -.infinity, 0)
        return on
    }

    private mutating func addDemandCharge() {
        guard let charge = problem.demandCharge else { return }
        let peak = model.column(charge.peakSoFar, .infinity, cost: charge.price * problem.objective.money)
        self.peak = peak
        model.constant -= charge.price * charge.peakSoFar * problem.objective.money
        for part in grid.parts {
            let hours = grid.hours(of: part)
            var (terms, anyway) = ([Term(peak, 1)], 0.0)
            for slot in part {
                if let imported = imports[slot] {
                    terms.append(Term(imported, -1 / hours))
                } else {
                    terms += energy(slot).map { Term($0.column, -$0.factor / hours) }
                    anyway += (grid.base[slot] - grid.pv[slot]) * grid.hours[slot] / hours
                }
            }
            model.row(terms, anyway, .infinity)
        }
    }
}

/// Which loads do not fit together.
enum Covers {
    struct Cover: Hashable {
        var members: [Int]
        /// How many of them may run at once.
        var most: Int
    }

    /// The minimal sets that do not fit into `room`, each extended by the members that are as large as its largest.
    static func minimal(_ powers: [Double], room: Double) -> [Cover] {
        // Beyond a dozen there are more sets than they are worth.
        guard powers.count > 1, powers.count <= 12 else { return [] }
        var covers: Set<Cover> = []
        for set in 1..<(1 << powers.count) {
            let members = powers.indices.filter { set & (1 << $0) != 0 }
            let sum = members.reduce(0) { $0 + powers[$1] }
            guard members.count > 1, sum > room + 1e-9,
                members.allSatisfy({ sum - powers[$0] <= room + 1e-9 }),
                let largest = members.map({ powers[$0] }).max()
            else { continue }
            let all = powers.indices.filter { members.contains($0) || powers[$0] >= largest - 1e-12 }
            covers.insert(Cover(members: all, most: members.count - 1))
        }
        return covers.filter { cover in
            !covers.contains { $0 != cover && $0.most <= cover.most && Set(cover.members).isSubset(of: $0.members) }
        }.sorted { $0.members.lexicographicallyPrecedes($1.members) }
    }
}
