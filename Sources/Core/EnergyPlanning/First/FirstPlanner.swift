import EnergyModel

/// Finds a plan at once, for when there is no time to find the best one.
///
/// One load after the other, those that matter more and are due earlier first, each by the closed method of its kind into
/// what the limits leave; where there is none, by ``EnergyFiller`` or ``ComfortFiller``. Then each is looked at again beside
/// all others, as long as that gains something. With buildings also in the order that places them first. Batteries rest.
struct FirstPlanner {
    private let work: PlanWork
    private let timer: PlanTimer
    /// For what buildings do.
    private let solver: any PlanSolver
    /// Of what is missing.
    private let penalty: Double

    /// Of looking at every load again.
    private static let passesMax = 4
    /// Of the time that is left, for one load's closed method.
    private static let soloShare = 0.25
    /// Ceilings that are tried to make a demand charge small.
    private static let ceilings = [0.75, 0.5, 0.25, 0.12, 0]

    init(work: PlanWork, timer: PlanTimer, solver: any PlanSolver) {
        (self.work, self.timer, self.solver, penalty) = (work, timer, solver, work.penalty)
    }

    /// - Returns: `nil` if nothing keeps the limits when batteries rest.
    func plan() -> PlanDecisions? {
        // At once is quick, and where much is missing lacks less than what is cheap for each by itself.
        guard var best = better(below: .infinity, isQuick: true) else { return nil }
        guard !timer.isUp else { return best }
        if let careful = better(below: .infinity) { best = work.better(careful, than: best) }
        guard work.problem.demandCharge != nil else { return best }
        var least = PlanWorth(best, work)
        let (idle, peak) = (work.peak(PlanDecisions(work.grid, work.rows)), work.peak(best))
        for share in Self.ceilings where !timer.isUp {
            guard let other = better(below: idle + (peak - idle) * share) else { continue }
            let worth = PlanWorth(other, work)
            if worth.isBetter(than: least) { (best, least) = (other, worth) }
        }
        return best
    }

    /// The better of two orders: others can wait for room, and a building that does so cools down.
    private func better(below ceiling: Double, isQuick: Bool = false) -> PlanDecisions? {
        guard work.problem.loads.count > 1, work.problem.loads.contains(where: \.isBuilding) else {
            return plan(below: ceiling, isQuick: isQuick)
        }
        let half = FirstPlanner(work: work, timer: timer.part(0.5), solver: solver)
        let buildings = half.plan(below: ceiling, isQuick: isQuick, areBuildingsFirst: true)
        guard isQuick || !timer.isUp, let all = plan(below: ceiling, isQuick: isQuick) else { return buildings }
        return work.better(all, than: buildings)
    }

    /// - Parameters:
    ///   - ceiling: kW of import that loads keep to, besides the limits.
    ///   - isQuick: whether each is placed at once, and not looked at again.
    ///   - areBuildingsFirst: whether buildings are placed before all others, whatever matters more.
    private func plan(
        below ceiling: Double, isQuick: Bool = false, areBuildingsFirst: Bool = false
    ) -> PlanDecisions? {
        var room = FirstRoom(work, ceiling: ceiling)
        let loads = work.problem.loads
        let ends = loads.map { load in load.window?.end.unixMilliseconds ?? .max }
        let turns = loads.map { areBuildingsFirst && $0.isBuilding ? 0 : 1 }
        let order = loads.indices.sorted {
            (turns[$0], -loads[$0].priority, ends[$0], $0) < (turns[$1], -loads[$1].priority, ends[$1], $1)
        }
        var placed: [LoadDecision?] = Array(repeating: nil, count: loads.count)
        for load in order {
            // As a thermostat would have it a building draws little at a time, which leaves others room.
            let isFirst = turns[load] == 0
            let decision = placing(load, room, isQuick: isQuick || isFirst || timer.isUp).decision
            room.take(decision, of: load)
            placed[load] = decision
        }
        // In a home of one load there is nothing that could have moved.
        for _ in 0..<(loads.count > 1 && !isQuick ? Self.passesMax : 0) where improve(order, &placed, &room) == false {
            break
        }
        return settled(placed, room)
    }

    /// The same loads placed anew, one after the other, beside what the others do in a plan of work that is like this one but
    /// asks less.
    func plan(near other: PlanDecisions) -> PlanDecisions? {
        let order = Array(work.problem.loads.indices)
        let plans = [order, order.reversed()].compactMap { order -> PlanDecisions? in
            var room = FirstRoom(work, ceiling: .infinity)
            var placed: [LoadDecision?] = other.loads
            for (load, decision) in other.loads.enumerated() { room.take(decision, of: load) }
            for load in order where !timer.isUp {
                room.give(other.loads[load], of: load)
                let decision = placing(load, room, isQuick: false).decision
                room.take(decision, of: load)
                placed[load] = decision
            }
            guard !timer.isUp else { return nil }
            for _ in 0..<Self.passesMax where improve(order, &placed, &room) == false { break }
            return settled(placed, room)
        }
        return plans.reduce(nil) { work.better($1, than: $0) }
    }

    private func settled(_ placed: [LoadDecision?], _ room: FirstRoom) -> PlanDecisions? {
        var room = room
        var decisions = PlanDecisions(work.grid, work.rows)
        decisions.loads = placed.compactMap(\.self)
        return room.settle(&decisions) ? decisions : nil
    }

    /// - Returns: whether any load found a better place.
    private func improve(_ order: [Int], _ placed: inout [LoadDecision?], _ room: inout FirstRoom) -> Bool {
        var isBetter = false
        for load in order {
            guard !timer.isUp else { return false }
            guard let old = placed[load] else { continue }
            room.give(old, of: load)
            let (found, cost) = placing(load, room, isQuick: false)
            if cost < worth(load, old, room) - 1e-9 {
                placed[load] = found
                isBetter = true
            }
            room.take(placed[load] ?? old, of: load)
        }
        return isBetter
    }

    /// The best that the quick methods find for one load in what is left.
    private func placing(_ load: Int, _ room: FirstRoom, isQuick: Bool) -> (decision: LoadDecision, cost: Double) {
        let part = work.beside(load, capacity: room.capacity(of: load), surplus: room.surplus)
        var found: [LoadDecision] = []
        if !isQuick, let decision = SoloPlanner(work: part, timer: timer.part(Self.soloShare)).plan(0) {
            found.append(decision)
        }
        if found.isEmpty {
            switch part.problem.loads[0].need {
            case .comfort(let need):
                found.append(ComfortFiller(part, need).decision())
                guard !isQuick, let course = ComfortCourse(part, need, solver: solver, timer) else { break }
                found.append(ComfortFiller(part, need, following: course).decision())
            case .profile(let profile):
                found.append(CoursePlanner(grid: part.grid).first(part.problem.loads[0], profile, part.capacities[0]))
            case .energy(let need):
                found += EnergyFiller(part, need).decisions(isQuick: isQuick)
            }
        }
        return found.map { ($0, worth(load, $0, room)) }.min { $0.1 < $1.1 } ?? (.idle(work.grid), .infinity)
    }

    private func worth(_ load: Int, _ decision: LoadDecision, _ room: FirstRoom) -> Double {
        penalty * work.missing(load, decision) + work.cost(load, decision, surplus: room.surplus)
    }
}

extension CoursePlanner {
    /// The first start at a slot's edge that fits.
    func first(_ load: PlannedLoad, _ profile: LoadProfile, _ capacity: [Double]) -> LoadDecision {
        let range = grid.range(of: load)
        for slot in range where grid.edges[range.upperBound] - grid.edges[slot] >= profile.milliseconds {
            let fits = parts(profile, from: grid.edges[slot]).allSatisfy { part in
                part.power <= capacity[part.slot] + 1e-9 && grid.allows(load, part.slot)
            }
            if fits { return LoadDecision(course: profile, start: grid.edges[slot], grid) }
        }
        return LoadDecision(course: profile, start: nil, grid)
    }
}

extension LoadDecision {
    static func idle(_ grid: PlanGrid) -> LoadDecision {
        var idle = LoadDecision(course: LoadProfile(steps: []), start: nil, grid)
        idle.isLeftOut = false
        return idle
    }
}
