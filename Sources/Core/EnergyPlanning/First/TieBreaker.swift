import EnergyModel

/// Of plans that cost the same takes one with fewer starts, and then an earlier or later one, as each load asks.
///
/// A second look after the optimum, so that the optimum is what it was. Each load is placed again beside all others, as long
/// as that helps; so is what ``FirstPlanner`` finds, where that costs no more: loads that a solver has woven into each other
/// cannot be parted one by one. What is left is for the solver (``TieModel``).
struct TieBreaker {
    let work: PlanWork
    let timer: PlanTimer
    let solver: any PlanSolver

    private static let passesMax = 4
    /// In units of the objective: what costs that are the same may differ by.
    private static let tolerance = 1e-8

    private var grid: PlanGrid { work.grid }

    /// - Parameters:
    ///   - decisions: the best that are known.
    ///   - first: those of ``FirstPlanner``, if it was asked already.
    func broken(_ decisions: PlanDecisions, first: PlanDecisions? = nil) -> PlanDecisions {
        guard hasEqualSlots, !timer.isUp else { return decisions }
        let worth = PlanWorth(decisions, work)
        var best = parted(decisions, worth)
        func take(_ other: PlanDecisions?) {
            guard let other, isEqual(other, worth), isPreconditioned(other, as: decisions) else { return }
            let better = parted(other, worth)
            if rank(better) < rank(best) { best = better }
        }
        guard !timer.isUp, !isAtBest(best) else { return best }
        if work.problem.loads.count > 1 || hasBatteries {
            take((first ?? FirstPlanner(work: work, timer: timer, solver: solver).plan()).flatMap(balanced))
        }
        for keepsBatteries in hasBatteries ? [true, false] : [true] {
            guard !timer.isUp, !isAtBest(best) else { break }
            let model = TieModel(
                work: work, solver: solver, timer: timer.part(keepsBatteries && hasBatteries ? 0.5 : 1))
            let found = model.plan(
                like: decisions, costing: worth.objective, below: rank(best), keepsBatteries: keepsBatteries)
            take(found.flatMap(balanced))
        }
        return best
    }

    private var hasBatteries: Bool { !work.problem.batteries.isEmpty }

    /// The same loads, with what batteries do best beside them.
    private func balanced(_ plan: PlanDecisions) -> PlanDecisions? {
        guard hasBatteries else { return plan }
        // Who may charge while somebody rests is not said by what is left of limits.
        guard !work.problem.excludesBatteries else { return nil }
        var home = work.part([], beside: plan).model(timer)
        guard !home.isCut else { return nil }
        for (column, weight) in home.needs.flatMap(\.missing) { home.model.addCost(column, work.penalty * weight) }
        let solution = solver.solve(home.model, timeLimit: timer.left)
        guard solution.status == .optimal else { return nil }
        let rested = BatteryRest(home: home, solver: solver, timer: timer).rested(solution)
        var balanced = PlanDecisions(home, rested.values, work)
        balanced.loads = plan.loads
        return balanced
    }

    /// Whether any load could run at another time at the same price. What a battery gives can be had at any time.
    private var hasEqualSlots: Bool {
        var prices: Set<Double> = []
        return hasBatteries || grid.importWeight.contains { !prices.insert($0).inserted }
            || grid.surplus.contains { $0 > 0 }
    }

    /// Whether every load takes as much before its deadline as it must.
    private func isPreconditioned(_ decisions: PlanDecisions, as known: PlanDecisions) -> Bool {
        decisions.loads.indices.allSatisfy { isPreconditioned($0, decisions.loads[$0], as: known.loads[$0]) }
    }

    private func isPreconditioned(_ load: Int, _ decision: LoadDecision, as known: LoadDecision) -> Bool {
        guard case .energy(let need) = work.problem.loads[load].need, need.precondition > 0 else { return true }
        let range = grid.range(of: work.problem.loads[load])
        let last = range.filter { grid.edges[range.upperBound] - grid.edges[$0] <= need.precondition }
        return last.allSatisfy { decision.energy[$0] >= known.energy[$0] - 1e-9 }
    }

    private func isEqual(_ decisions: PlanDecisions, _ worth: PlanWorth) -> Bool {
        let own = PlanWorth(decisions, work)
        return !worth.lacksLess(than: own) && own.objective <= worth.objective + Self.tolerance
    }

    /// Whether every load does as it would if all times cost the same.
    private func isAtBest(_ decisions: PlanDecisions) -> Bool {
        decisions.loads.indices.allSatisfy { load in
            let decision = decisions.loads[load]
            guard let ideal = ideal(load) else { return !decision.energy.contains { $0 > 0 } }
            return abs(ideal.energy.reduce(0, +) - decision.energy.reduce(0, +)) < 1e-6
                && !(rank(load, ideal) < rank(load, decision))
        }
    }

    private func ideal(_ load: Int) -> LoadDecision? {
        let none = Array(repeating: 0.0, count: grid.count)
        var part = work.beside(load, capacity: work.capacities[load], surplus: none)
        part.grid.importWeight = none
        return SoloPlanner(work: part, timer: timer).plan(0)
    }

    // MARK: How good

    struct Rank: Comparable {
        var starts = 0
        /// kWh x hours that energy comes later than it could, or earlier, as the loads ask.
        var lean = 0.0

        static func < (left: Rank, right: Rank) -> Bool {
            left.starts != right.starts ? left.starts < right.starts : left.lean < right.lean - 1e-6
        }
    }

    private func rank(_ load: Int, _ decision: LoadDecision) -> Rank {
        let begin = grid.edges.first ?? 0
        let sum = decision.energy.indices.reduce(0) { sum, slot in
            sum + decision.energy[slot] * Double(grid.edges[slot] - begin) / 3_600_000
        }
        let isEarly = work.problem.loads[load].shape.ties == .earlier
        return Rank(starts: work.starts(load, decision) + pauses(decision), lean: isEarly ? sum : -sum)
    }

    /// Slots inside a run that are used in part.
    private func pauses(_ decision: LoadDecision) -> Int {
        guard decision.course == nil else { return 0 }
        return decision.energy.indices.dropFirst().dropLast().count { slot in
            decision.energy[slot - 1] > 0 && decision.energy[slot] > 0 && decision.energy[slot + 1] > 0
                && decision.energy[slot] < decision.running[slot] * grid.hours[slot] - 1e-6
        }
    }

    private func rank(_ decisions: PlanDecisions) -> Rank {
        decisions.loads.enumerated().reduce(into: Rank()) { sum, load in
            let own = rank(load.offset, load.element)
            sum.starts += own.starts
            sum.lean += own.lean
        }
    }

    /// One by one, and where all that is done in like slots is moved together.
    private func parted(_ decisions: PlanDecisions, _ worth: PlanWorth) -> PlanDecisions {
        let alone = improved(decisions, worth)
        guard work.problem.loads.count > 1, !timer.isUp else { return alone }
        let ordered = LikeSlots(work: work).ordered(alone) { other, known in
            rank(other) < rank(known) && isEqual(other, worth) && isPreconditioned(other, as: decisions)
        }
        return rank(ordered) < rank(alone) ? improved(ordered, worth) : alone
    }

    // MARK: One by one

    /// - Returns: the same where that would cost more in the end.
    private func improved(_ decisions: PlanDecisions, _ worth: PlanWorth) -> PlanDecisions {
        let ceiling = work.problem.demandCharge.map { max($0.peakSoFar, work.peak(decisions)) }
        var room = FirstRoom(work, ceiling: ceiling ?? .infinity)
        room.takeBatteries(decisions)
        for (load, decision) in decisions.loads.enumerated() { room.take(decision, of: load) }
        var (better, isBetter) = (decisions, true)
        for _ in 0..<Self.passesMax where isBetter {
            isBetter = false
            for load in better.loads.indices where !timer.isUp {
                room.give(better.loads[load], of: load)
                if let placed = placed(load, better.loads[load], room) {
                    better.loads[load] = placed
                    isBetter = true
                }
                room.take(better.loads[load], of: load)
            }
        }
        guard rank(better) < rank(decisions), room.throwAway(&better), isEqual(better, worth) else { return decisions }
        return better
    }

    /// A better place for a load that costs no more, in what others leave.
    private func placed(_ load: Int, _ old: LoadDecision, _ room: FirstRoom) -> LoadDecision? {
        let part = work.beside(load, capacity: room.capacity(of: load), surplus: room.surplus)
        var found = SoloPlanner(work: part, timer: timer).plan(0).map { [$0] } ?? []
        if case .energy(let need) = part.problem.loads[0].need {
            found += EnergyFiller(part, need).decisions(besides: old)
        }
        let (missing, cost) = (work.missing(load, old), work.cost(load, old, surplus: room.surplus))
        let equal = found.filter {
            work.missing(load, $0) <= missing + 1e-9 && isPreconditioned(load, $0, as: old)
                && work.cost(load, $0, surplus: room.surplus) <= cost + Self.tolerance / 1000
        }
        guard let best = equal.min(by: { rank(load, $0) < rank(load, $1) }), rank(load, best) < rank(load, old) else {
            return nil
        }
        return best
    }
}
