internal import EnergyModel
internal import EnergyPlanning

/// Lets vehicles follow each other inside a slot.
///
/// A limit counts what runs in a part of a slot for all of it, so that the rest of the slot is nobody's. Where a slot is used
/// in part, or somebody waits for room, it is cut where a vehicle would end that began with it, or begin to end with it,
/// and the venue is planned once more.
extension VenuePlanner {
    /// More slots make the plan harder by more than they gain.
    private static let cutsMax = 48

    /// - Returns: `answer`, or what is better with shorter slots.
    func uncrowded(
        _ answer: Answer, _ tasks: [ChargeTask], _ homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) -> Answer {
        guard settings.limits != PlanLimits(), tasks.count + homes.count > 1, !time.isUp, !answer.isHasty,
            let slots = timeline(tasks, homes, from: now, guidance: guidance)?.slots
        else { return answer }
        let crowded = slots.map(\.interval).filter { slot in
            (answer.plans + answer.homePlans).contains { $0.isCrowded(slot) }
        }
        var finer = self
        finer.edges = Array(crowded.flatMap { slot in tasks.flatMap { $0.ends(in: slot) } }.prefix(Self.cutsMax))
        guard !finer.edges.isEmpty,
            let other = try? finer.within(tasks, homes, from: now, guidance: guidance),
            other.lacksNoMore(than: answer), other.total < answer.total - 1e-9
        else { return answer }
        return other
    }
}

extension VenuePlanner.Answer {
    fileprivate func lacksNoMore(than other: Self) -> Bool {
        let (plans, others) = (plans + homePlans, other.plans + other.homePlans)
        return plans.count == others.count && zip(plans, others).allSatisfy { $0.missing <= $1.missing }
    }
}

extension DevicePlan {
    /// Whether it waits for room in a slot, or uses a part of it.
    fileprivate func isCrowded(_ slot: Interval) -> Bool {
        let parts = blocks.filter { $0.interval.intersection(slot) != nil }
        let isRunning = parts.map { $0.power > .zero }
        return parts.contains { $0.reason == .loadBalancing } || (isRunning.contains(true) && isRunning.contains(false))
    }
}

extension ChargeTask {
    /// Where it would end in a slot whose start it charges through, and begin if it charges to its end.
    fileprivate func ends(in slot: Interval) -> [Timestamp] {
        guard kept == nil, case let rest = milliseconds(for: required) % slot.milliseconds, rest >= 1_000 else {
            return []
        }
        return [slot.start.advanced(byMilliseconds: rest), slot.end.advanced(byMilliseconds: -rest)]
    }
}
