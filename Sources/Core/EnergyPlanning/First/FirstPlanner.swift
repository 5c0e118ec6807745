import EnergyModel

/// Finds a plan at once, for when there is no time to find the best one.
///
/// One load after the other, those that matter more and are due earlier first, each by the closed method of its kind into
/// what the limits leave; where there is none, by ``EnergyFiller`` or ``ComfortFiller``. Then each is looked at again beside
/// all others, as long as that gains something. Batteries rest.
struct FirstPlanner {
    private let work: PlanWork
    private let timer: PlanTimer
    /// Of what is missing.
    private let penalty: Double

    /// Of looking at every load again.
    private static let passesMax = 4
    /// Ceilings that are tried to make a demand charge small.
    private static let ceilings = [0.75, 0.5, 0.25, 0.12, 0]

    init(work: PlanWork, timer: PlanTimer) {
        (self.work, self.timer, penalty) = (work, timer, work.penalty)
    }

    /// - Returns: `nil` if nothing keeps the limits when batteries rest.
    func plan() -> PlanDecisions? {
        // At once is quick, and where much is missing lacks less than what is cheap for each by itself.
        guard var best = plan(below: .infinity, isQuick: true) else { return nil }
        guard !timer.isUp else { return best }
        if let careful = plan(below: .infinity) { best = work.better(careful, than: best) }
        guard work.problem.demandCharge != nil else { return best }
        var least = PlanWorth(best, work)
        let (idle, peak) = (work.peak(PlanDecisions(work.grid, work.rows)), work.peak(best))
        for share in Self.ceilings where !timer.isUp {
            guard let other = plan(below: idle + (peak - idle) * share) else { continue }
            let worth = PlanWorth(other, work)
            if worth.isBetter(than: least) { (best, least) = (other, worth) }
        }
        return best
    }

    /// - Parameters:
    ///   - ceiling: kW of import that loads keep to, besides the limits.
    ///   - isQuick: whether each is placed at once, and not looked at again.
    private func plan(below ceiling: Double, isQuick: Bool = false) -> PlanDecisions? {
        var room = FirstRoom(work, ceiling: ceiling)
        let loads = work.problem.loads
        let ends = loads.map { load in load.window?.end.unixMilliseconds ?? .max }
        let order = loads.indices.sorted {
            (-loads[$0].priority, ends[$0], $0) < (-loads[$1].priority, ends[$1], $1)
        }
        var placed: [LoadDecision?] = Array(repeating: nil, count: loads.count)
        for load in order {
            let decision = placing(load, room, isQuick: isQuick || timer.isUp).decision
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
        if !isQuick, let decision = SoloPlanner(work: part, timer: timer).plan(0) { found.append(decision) }
        if found.isEmpty {
            switch part.problem.loads[0].need {
            case .comfort(let need):
                found.append(ComfortFiller(part, need).decision())
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
