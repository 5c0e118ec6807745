internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

/// What a home battery's goals are to its home, while the others do what they would do without them.
///
/// Until the battery's own last goal, whatever is planned for longer: with its goals it then holds what they ask for,
/// without them what it holds now, and what becomes of either afterwards nobody has planned. Others keep what they have
/// because a plan is kept unless another is clearly better (``Replanner``).
struct BatteryBeside {
    let replanner: Replanner
    let time: PlanningTime
    /// What the others do.
    let others: [DevicePlan]
    let guidance: Guidance?
    /// From now until the battery's last goal.
    let window: Interval
    let zone: TimeZone

    /// - Throws: ``EnergyError`` `.unavailable`, `.invalidInput`.
    func preview(_ record: DeviceRecord, _ battery: BatteryTraits) throws(EnergyError) -> GoalPreview {
        let now = window.start
        guard let goal = record.goal, let task = HomeTask(record, goal, now: now, replanner.settings, 0) else {
            throw Replanner.unplanned
        }
        let eager = DevicePlan.charging(battery, record, replanner.settings, atOnceIn: window)
        var told = record
        told.adopt(eager, now: now)
        guard let kept = HomeTask(told, goal, now: now, replanner.settings, 0)?.keeping else {
            throw Replanner.unplanned
        }
        // What has its price is no limit.
        var free = replanner
        free.settings.limits = PlanLimits(demandCharge: free.settings.limits.demandCharge)
        return GoalPreview(
            planned: try course(task, replanner, time.part(1 / 3)),
            atOnce: try course(kept, replanner, time.part(1 / 2)),
            best: try course(task, free, time),
            currency: guidance?.basis.currency)
    }

    private func course(
        _ task: HomeTask, _ replanner: Replanner, _ time: PlanningTime
    ) throws(EnergyError) -> GoalPreview.Course {
        let with = try answer([task], replanner, time)
        let without = try answer([], replanner, time).whole
        guard let plan = with.homePlans.first else { throw Replanner.unplanned }
        return replanner.outcome(
            plan, with.whole - without, guidance, in: task.record.timeZone, now: window.start
        ).course
    }

    private func answer(
        _ homes: [HomeTask], _ replanner: Replanner, _ time: PlanningTime
    ) throws(EnergyError) -> VenuePlanner.Answer {
        let planner = VenuePlanner(
            planner: replanner.planner, settings: replanner.settings, time: time,
            horizon: (window.end, zone), others: others)
        return try planner.plan([], homes: homes, from: window.start, guidance: guidance)
    }
}
