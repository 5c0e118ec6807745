internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore

/// What charges goes on as long as it was told to, unless another time is clearly better: also where its schedule does not
/// hold any more, or was thrown over.
extension Replanner {
    /// - Parameter free: what would be best if nothing went on yet.
    /// - Returns: the vehicles that go on, and the plan for that; `nil` where it is not worth it.
    func goingOn(
        _ charges: [Charge], insteadOf free: VenuePlanner.Answer, _ reading: Reading, _ now: Timestamp
    ) throws(EnergyError) -> (charges: [Charge], answer: VenuePlanner.Answer)? {
        var going = charges
        for (index, plan) in free.plans.enumerated() where charges[index].isCutShort(by: plan) {
            if !isHolding(charges[index], against: plan) { going[index].task.goesOnUntil = charges[index].goesOnUntil }
        }
        guard going.contains(where: { $0.task.goesOnUntil != nil }) else { return nil }
        let answer = try reading.venue.plan(
            going.map(\.task), homes: reading.homes, from: now, guidance: reading.guidance)
        let isEnough = zip(charges, zip(answer.plans, free.plans)).allSatisfy { charge, plans in
            let (going, free) = plans
            let lessLate = charge.preconditioning(by: free) - charge.preconditioning(by: going)
            return going.missing - free.missing <= charge.task.second && lessLate <= charge.task.second
        }
        return isEnough && !isWorthwhile(free, than: answer, charges, reading.homes) ? (going, answer) : nil
    }

    func isHolding(_ charge: Charge, against plan: DevicePlan) -> Bool {
        charge.holds(against: plan) && !news.contains(charge.record.key)
    }
}

extension Charge {
    /// What a plan brings in the time right before the deadline that is asked for at full power.
    fileprivate func preconditioning(by plan: DevicePlan) -> Energy {
        let start = task.end.advanced(byMilliseconds: -task.rules.shape.preconditionMilliseconds)
        return plan.blocks.energy(of: plan.planned, from: start)
    }

    /// Whether a plan ends the run that goes on clearly sooner than it was told to.
    fileprivate func isCutShort(by plan: DevicePlan) -> Bool {
        guard let goesOnUntil, !task.isAtOnce else { return false }
        let runs = Remainder(of: plan.blocks, in: window).runs
        let end = runs.first { $0.start == window.start }?.end ?? window.start
        let isOver = runs.count <= 1 && end > window.start
        return !isOver && goesOnUntil.milliseconds(since: end) > Replanner.toleranceMilliseconds
    }
}

extension DeviceRecord {
    /// Until when a vehicle that charges is told to; `nil` for one that is not.
    func toldUntil(from now: Timestamp) -> Timestamp? {
        guard progress.isCharging, let schedule, let end = schedule.blocks.last?.interval.end,
            let window = Interval(start: now, end: end)
        else { return nil }
        return Remainder(of: schedule, in: window).runs.first { $0.start == now }?.end
    }
}
