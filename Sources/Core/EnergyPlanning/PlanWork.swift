import EnergyModel

/// A problem with all that follows from it before any decision.
struct PlanWork: Sendable {
    var problem: PlanProblem
    var grid: PlanGrid
    let rows: [LimitRow]
    /// kW that each load may draw in each cut slot when no other runs.
    let capacities: [[Double]]
    /// Indices into the whole problem's loads.
    let members: [Int]

    init(_ problem: PlanProblem) {
        var problem = problem
        problem.pauseEndedRuns()
        for index in problem.loads.indices {
            problem.loads[index].keepToSteps()
            problem.loads[index].dropTaperNeverMet()
            problem.loads[index].keepRunsOn()
            problem.loads[index].shortenPrecondition(problem.slots)
        }
        let grid = PlanGrid(problem)
        let rows = LimitRow.rows(problem, grid)
        problem.holdLongCourses(grid)
        self.problem = problem
        self.grid = grid
        self.rows = rows
        members = Array(problem.loads.indices)
        capacities = Self.capacities(problem, grid, rows)
    }

    init(problem: PlanProblem, grid: PlanGrid, rows: [LimitRow], capacities: [[Double]], members: [Int]) {
        self.problem = problem
        self.grid = grid
        self.rows = rows
        self.capacities = capacities
        self.members = members
    }

    /// kW that each load may draw in each cut slot when no other runs.
    static func capacities(_ problem: PlanProblem, _ grid: PlanGrid, _ rows: [LimitRow]) -> [[Double]] {
        problem.loads.indices.map { load in
            // A battery can make room on a circuit that is full without it.
            guard problem.batteries.isEmpty else { return Array(repeating: .infinity, count: grid.count) }
            let shares = rows.compactMap { row in row.loads[load].map { (row, $0) } }
            return (0..<grid.count).map { slot in
                shares.reduce(Double.infinity) { min($0, $1.0.room[slot] / $1.1) }
            }
        }
    }

    /// One load's part of the same problem.
    func restricted(to load: Int) -> PlanWork {
        var alone = problem
        alone.loads = [problem.loads[load]]
        alone.limits.exclusive = []
        let rows = rows.map { row in
            LimitRow(
                name: row.name, source: row.source, loads: row.loads[load].map { [0: $0] } ?? [:], batteries: [:],
                pvShare: row.pvShare,
                room: row.room, floor: row.floor)
        }
        return PlanWork(
            problem: alone, grid: grid, rows: rows, capacities: [capacities[load]], members: [members[load]])
    }

    /// - Returns: one that is cut off if the time was up before it was complete.
    func model(_ timer: PlanTimer) -> HomeModel {
        var problem = problem
        for index in problem.loads.indices {
            if let course = problem.loads[index].asCourse(grid) { problem.loads[index].need = .profile(course) }
        }
        return HomeModel(problem, grid, rows: rows, capacities: capacities, timer)
    }

    /// Plans blocks by whole slots, so that a part of one can be had where the whole does not fit. One that may begin between
    /// the edges of slots then no longer may.
    ///
    /// - Parameter isDropped: of which loads, by index.
    /// - Returns: whether there was any.
    mutating func dropBlocks(where isDropped: (Int) -> Bool = { _ in true }) -> Bool {
        var changed = false
        for index in problem.loads.indices where problem.loads[index].isBlock && isDropped(index) {
            problem.loads[index].isSplit = true
            changed = true
        }
        return changed
    }

    /// Whether each load may be planned as if there were no others, as long as the limits turn out to hold, and what it pays
    /// for a slot's energy never bends down.
    var isSeparable: Bool { areLoadsSeparable && !(0..<grid.count).contains(where: grid.bendsDown) }

    /// Whether each load may be planned as if there were no others, as long as the limits turn out to hold.
    var areLoadsSeparable: Bool {
        guard problem.batteries.isEmpty, problem.demandCharge == nil else { return false }
        var users = Array(repeating: 0, count: grid.count)
        for load in problem.loads { for slot in grid.range(of: load) { users[slot] += 1 } }
        // Only all together can take what photovoltaics give too much for a limit.
        guard !rows.contains(where: { $0.floor.contains { $0 > 0 } }) else { return false }
        // What a load takes of photovoltaics that are better thrown away says nothing about its cost.
        guard !(0..<grid.count).contains(where: { grid.canWaste($0) && grid.importWeight[$0] < 0 }) else {
            return false
        }
        let exportMax = problem.limits.exportPower ?? .infinity
        for slot in 0..<grid.count where grid.surplus[slot] > 0 {
            // Shared surplus couples loads, and so does one that exceeds the export limit.
            if users[slot] > 1 || grid.surplus[slot] > exportMax { return false }
        }
        return true
    }

    /// Whether no limit and no exclusion is broken.
    func fits(_ decisions: PlanDecisions) -> Bool {
        for row in rows {
            for slot in 0..<grid.count {
                if row.used(decisions, slot) > row.room[slot] + 1e-9 { return false }
            }
        }
        for group in problem.limits.exclusive {
            let members = problem.loads.indices.filter { group.contains(problem.loads[$0].name) }
            for slot in 0..<grid.count where members.count(where: { decisions.loads[$0].running[slot] > 0 }) > 1 {
                return false
            }
        }
        return true
    }
}

extension PlanWork {
    /// Notes that name the courses which may begin anywhere and were tried at the starts of slots only.
    func held(_ asked: PlanProblem) -> [String] {
        let held = zip(asked.loads, problem.loads).filter { $0.shape.startsAnywhere && !$1.shape.startsAnywhere }
        guard !held.isEmpty else { return [] }
        return [
            "The course has so many powers that only the starts of slots were tried: "
                + "\(held.map(\.0.name).joined(separator: ", "))."
        ]
    }
}

extension PlannedLoad {
    /// Whether it heats or cools a building whose temperature is kept.
    var isBuilding: Bool { if case .comfort = need { true } else { false } }

    /// One block at one power, which is the same as a fixed course. Preconditioned it ends at its deadline.
    var isBlock: Bool {
        guard let need = needOfBlock, need.goals.count == 1, need.energyMax <= need.energy, shape.runsMax == 1,
            shape.countsOnce, !shape.isOn, !isSplit
        else { return false }
        return need.precondition == 0 || shape.startsAnywhere
    }

    /// Of one that may take all it needs at one power in one block.
    private var needOfBlock: EnergyNeed? {
        guard case .energy(let need) = need, need.hasOnePower, need.partialSlots == .last, need.taper == nil,
            need.energy > 0, need.powerMax > 0, shape.runsMax != 0
        else { return nil }
        return need
    }

    /// As long as the window is, at most.
    func asCourse(_ grid: PlanGrid) -> LoadProfile? {
        guard isBlock, let need = needOfBlock else { return nil }
        let range = grid.range(of: self)
        guard !range.isEmpty else { return nil }
        return need.block(atMost: grid.edges[range.upperBound] - grid.edges[range.lowerBound])
    }

    /// All that it needs as one block between the edges of slots, beside what it may do slot by slot: what allows more runs
    /// than one block, or more energy, allows that one, too. `nil` where a block is no better than whole slots.
    func blockBesides(_ grid: PlanGrid) -> LoadProfile? {
        guard shape.startsAnywhere, !isBlock, let need = needOfBlock else { return nil }
        let range = grid.range(of: self)
        guard !range.isEmpty else { return nil }
        let needsEdges = need.goals.count == 1 && !(shape.goesOn(range) && shape.pauseMin > 0)
        if needsEdges, let hours = grid.evenHours(range), range.allSatisfy({ grid.surplus[$0] <= 0 }) {
            let slots = need.energy / (need.powerMax * hours)
            guard abs(slots - slots.rounded()) > 1e-9 else { return nil }
        }
        let longest = grid.edges[range.upperBound] - grid.edges[range.lowerBound]
        let block = need.block(atMost: .max)
        return block.milliseconds <= longest ? block : nil
    }
}

extension EnergyNeed {
    /// All of it at once, for so many milliseconds at most.
    fileprivate func block(atMost longest: Int64) -> LoadProfile {
        let milliseconds = min(energy / powerMax * 3_600_000, min(Double(longest), 1e15))
        return LoadProfile(steps: [.init(milliseconds: max(1, Int64(milliseconds.rounded())), power: powerMax)])
    }
}

extension PlanProblem {
    /// A course that has too many starts to try them all begins with a slot.
    fileprivate mutating func holdLongCourses(_ grid: PlanGrid) {
        let planner = CoursePlanner(grid: grid)
        for index in loads.indices where loads[index].shape.startsAnywhere {
            guard case .profile(let profile) = loads[index].need, !planner.canTry(loads[index], profile) else {
                continue
            }
            loads[index].shape.startsAnywhere = false
        }
    }

    /// A run that goes on when the plan begins, and may not, ends there: the pause after it is kept.
    fileprivate mutating func pauseEndedRuns() {
        guard let begin = slots.first?.interval.start else { return }
        for index in loads.indices where loads[index].shape.isOn && loads[index].shape.pauseMin > 0 {
            guard let window = loads[index].window, window.start > begin else { continue }
            loads[index].rests.append(Interval(start: begin, milliseconds: loads[index].shape.pauseMin))
        }
    }
}
