internal import EnergyModel
internal import EnergyPlanning

/// Has what is urgent as early as limits and other loads leave room for it.
///
/// A goal that is due when full power would bring it says nothing of what a fuse keeps from it then: that would come
/// whenever it is cheapest. So it is planned twice. First with a goal at each slot's end, of what full power would have
/// brought until then: to miss as little as can be of all of them is to be as early as can be. Then with what came until
/// each of them, so that nothing is told to be missing that only came later than at full power.
extension VenuePlanner {
    /// Of so many slots each counts; what is not there by the last of them comes when it is cheapest.
    private static let stepsMax = 200

    /// - Returns: `nil` if all that is urgent comes at full power.
    func paced(
        _ tasks: [ChargeTask], _ homes: [HomeTask], _ answer: Answer, from now: Timestamp, guidance: Guidance?
    ) throws(EnergyError) -> (tasks: [ChargeTask], planner: VenuePlanner)? {
        guard tasks.indices.contains(where: { tasks[$0].isLate(answer.plans[$0], from: now) }) else { return nil }
        // All of them: one that is late once would come whenever it is cheapest, for another that is late at many steps.
        let urgent = tasks.indices.filter { tasks[$0].kept == nil && tasks[$0].urgent != nil }
        var (paced, planner) = (stepped(tasks, urgent, homes, from: now, guidance: guidance), self)
        var early = try within(paced, homes, from: now, guidance: guidance)
        // Whoever comes next begins when the one before is ready, not at the end of the hour.
        let ends = urgent.count > 1 ? urgent.compactMap { early.plans[$0].readySoonest } : []
        if !ends.isEmpty, time.isPlenty {
            planner.turnEnds = ends
            paced = planner.stepped(tasks, urgent, homes, from: now, guidance: guidance)
            early = try planner.within(paced, homes, from: now, guidance: guidance)
        }
        for index in urgent {
            paced[index].pace = paced[index].pace.map { step in
                let came = early.plans[index].energy(until: step.by)
                // What lacks by a rounding would come as a run of its own, whenever that is cheapest.
                return (step.by, step.energy - came <= Energy(milliwattHours: 10) ? step.energy : came)
            }
            let all = paced[index].pace.last?.energy
            paced[index].paceEnd = paced[index].pace.first { $0.energy == all }?.by
        }
        return (try planner.liftingNoLonger(paced, urgent, early, homes, from: now, guidance: guidance), planner)
    }

    /// Ceilings hold again as soon as what is urgent is there, which may be inside a slot, where that brings as much.
    private func liftingNoLonger(
        _ paced: [ChargeTask], _ urgent: [Int], _ early: Answer, _ homes: [HomeTask], from now: Timestamp,
        guidance: Guidance?
    ) throws(EnergyError) -> [ChargeTask] {
        var shorter = paced
        for index in urgent where paced[index].rules.hasCeilings && !paced[index].isAtOnce {
            guard let all = paced[index].pace.last?.energy, let end = paced[index].paceEnd,
                let soonest = early.plans[index].soonest(all)
            else { continue }
            shorter[index].paceEnd = min(end, soonest)
        }
        guard time.isPlenty, urgent.contains(where: { shorter[$0].paceEnd != paced[$0].paceEnd }) else { return paced }
        let answer = try within(shorter, homes, from: now, guidance: guidance)
        return paced.indices.map { index in
            let isThere = paced[index].pace.allSatisfy { step in
                step.energy - answer.plans[index].energy(until: step.by) <= paced[index].second
            }
            return isThere ? shorter[index] : paced[index]
        }
    }

    /// Each of them with a step at the end of each slot.
    private func stepped(
        _ tasks: [ChargeTask], _ urgent: [Int], _ homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) -> [ChargeTask] {
        let ends = timeline(tasks, homes, from: now, guidance: guidance)?.slots.map(\.interval.end) ?? []
        var stepped = tasks
        for index in urgent { stepped[index].pace = tasks[index].steps(ends, from: now, max: Self.stepsMax) }
        return stepped
    }
}

extension ChargeTask {
    /// When full power brings what is urgent.
    func fullPowerEnd(from now: Timestamp) -> Timestamp {
        now.advanced(byMilliseconds: milliseconds(for: urgent?.energy ?? .zero))
    }

    fileprivate func isLate(_ plan: DevicePlan, from now: Timestamp) -> Bool {
        guard kept == nil, let urgent else { return false }
        let end = min(fullPowerEnd(from: now), self.end)
        let possible = min(urgent.energy, powerMax.energy(overMilliseconds: end.milliseconds(since: now)))
        return possible - plan.energy(until: end) > second
    }

    /// What full power brings until `ends`, of what is urgent.
    fileprivate func steps(
        _ ends: [Timestamp], from now: Timestamp, max: Int
    ) -> [(by: Timestamp, energy: Energy)] {
        guard let urgent else { return [] }
        let by = Set(ends.prefix(max) + [fullPowerEnd(from: now)]).filter { $0 <= end }.sorted()
        return by.map { by in
            (by, min(urgent.energy, powerMax.energy(overMilliseconds: by.milliseconds(since: now))))
        }
    }
}

extension VenuePlanner {
    /// When those that charge at once are ready if they have to come one after the other: the next begins then, not at
    /// the hour after that.
    func turns(of tasks: [ChargeTask], from now: Timestamp) -> [Timestamp] {
        let urgent = tasks.filter { $0.isAtOnce && $0.kept == nil }.sorted { $0.rank > $1.rank }
        guard urgent.count > 1 else { return [] }
        var end = now
        return urgent.map { task in
            end = end.advanced(byMilliseconds: min(task.milliseconds(for: task.required), .millisecondsPerDay))
            return end
        }
    }
}

extension DevicePlan {
    /// When its last run would be over if it took all the power that it has in any; `nil` where it has none.
    fileprivate var readySoonest: Timestamp? {
        let all = blocks.reduce(.zero) { $0 + $1.energy }
        return all > .zero ? soonest(all) : nil
    }

    /// When so much is there, if it took the highest power that it has until then in any run.
    fileprivate func soonest(_ energy: Energy) -> Timestamp? {
        var (most, left) = (Power.zero, energy)
        for block in blocks {
            most = max(most, block.power)
            guard block.energy < left else {
                return block.interval.start.advanced(byMilliseconds: left.milliseconds(at: most))
            }
            left = left - block.energy
        }
        return nil
    }

    func energy(until end: Timestamp) -> Energy {
        // Rounded down: more than is possible would be missing.
        Energy(milliwattHours: Int64((blocks.energy(until: end) * 1_000_000 + 1e-3).rounded(.down)))
    }
}
