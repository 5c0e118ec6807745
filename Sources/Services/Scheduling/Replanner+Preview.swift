internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

extension Replanner {
    /// What the first of `venue` would do and cost with its goals.
    ///
    /// - Parameters:
    ///   - venue: all devices of the venue that have goals.
    ///   - time: of all plans that this takes.
    /// - Throws: ``EnergyError`` `.invalidInput` for heating and cooling, which run all the time: nothing of them is "at
    ///   once"; `.unavailable`.
    func preview(
        _ venue: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp, within time: PlanningTime
    ) throws(EnergyError) -> GoalPreview {
        guard let record = venue.first, let goal = record.goal, let end = record.goals.last?.readyBy,
            let window = Interval(start: now, end: end)
        else { throw EnergyError(.invalidInput, "the goal cannot be planned") }
        let shift = guidance[.shift]
        if case .battery(let battery) = record.device.load {
            let others = try plans(of: Array(venue.dropFirst()), guidance: guidance, now: now, within: time.part(1 / 4))
            let beside = BatteryBeside(
                replanner: self, time: time, others: others, guidance: shift, window: window, zone: record.timeZone)
            return try beside.preview(record, battery)
        }
        var alone = self
        alone.settings.limits = PlanLimits()
        func planned(
            _ venue: [DeviceRecord], _ replanner: Replanner, _ time: PlanningTime
        ) throws(EnergyError) -> GoalPreview.Course {
            guard
                case .plan(let plan) = try replanner.decide(
                    venue, guidance: guidance, now: now, within: time.part(1 / 2)
                ).first
            else {
                throw EnergyError(.invalidInput, "the goal cannot be planned")
            }
            let cost = HomeCost(replanner, venue, guidance: shift, now: now, within: time)
            return replanner.course(plan, try cost?.difference(of: venue), shift, in: record.timeZone, now: now)
        }
        let (atOnce, best): (GoalPreview.Course, DeviceRecord)
        switch record.device.load {
        case nil where record.device.vehicle != nil:
            var (eager, supposing, free) = (venue, self, record)
            eager[0].override = .chargeNow
            supposing.isSupposed = true
            free.device.rules = record.device.rules.alone
            (atOnce, best) = (try planned(eager, supposing, time.part(1 / 3)), free)
        case .appliance(let appliance):
            let plan = DevicePlan.running(appliance, atOnceIn: Interval(start: now, end: goal.readyBy) ?? window)
            (atOnce, best) = (try course(plan, of: venue, shift, now: now, time.part(1 / 3)), record)
        case .climate, .battery, nil:
            throw EnergyError(
                .invalidInput,
                "heating and cooling run all the time, so nothing of them is at once: set the goal, see the schedule, "
                    + "and clear it again")
        }
        var eased = venue[0]
        eased.override = nil
        // A battery or a building moves for it.
        let isShared = HomeCost(self, venue, guidance: shift, now: now, within: time) != nil
        return GoalPreview(
            planned: try planned([eased] + venue.dropFirst(), self, time.part(1 / 2)), atOnce: atOnce,
            best: try planned([best] + (isShared ? Array(venue.dropFirst()) : []), alone, time),
            currency: shift?.basis.currency)
    }

    /// What all of `venue` do from now on.
    private func plans(
        of venue: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp, within time: PlanningTime
    ) throws(EnergyError) -> [DevicePlan] {
        guard !venue.isEmpty else { return [] }
        return zip(venue, try decide(venue, guidance: guidance, now: now, within: time)).compactMap {
            record, decision in
            switch decision {
            case .plan(let plan): plan
            case .keep: record.schedule.map(DevicePlan.init)
            }
        }
    }

    /// What the first of `venue` does anyway, beside the others.
    private func course(
        _ plan: DevicePlan, of venue: [DeviceRecord], _ guidance: Guidance?, now: Timestamp, _ time: PlanningTime
    ) throws(EnergyError) -> GoalPreview.Course {
        var venue = venue
        venue[0].adopt(plan, now: now)
        let cost = HomeCost(self, venue, guidance: guidance, now: now, within: time)
        return course(
            plan, try cost?.difference(of: venue, keepsFirst: true), guidance, in: venue[0].timeZone, now: now)
    }

    /// - Parameter difference: what it is to the home; `nil`: what its own blocks say.
    func course(
        _ plan: DevicePlan, _ difference: (money: Double, carbon: Double)?, _ guidance: Guidance?,
        in timeZone: TimeZone, now: Timestamp
    ) -> GoalPreview.Course {
        var (plan, totals) = (plan, PlanTimeline.Totals())
        if let end = plan.blocks.last?.interval.end, let window = Interval(start: now, end: end) {
            let timeline = PlanTimeline(window, by: guidance, settings, in: timeZone)
            totals = timeline.totals(of: plan.blocks.filter { !$0.isDischarging })
            plan = timeline.rating(plan)
        }
        if let difference {
            totals.money = totals.money.map { _ in difference.money }
            totals.carbon = totals.carbon.map { _ in difference.carbon * 1000 }
        }
        return GoalPreview.Course(
            blocks: plan.blocks, planned: plan.planned, missing: max(.zero, plan.required - plan.planned),
            costMicros: totals.money.map { Int64(($0 * 1_000_000).rounded()) }, carbonGrams: totals.carbon,
            rating: totals.rating, explanation: plan.explanation)
    }
}

extension ChargingRules {
    /// Without what is only about how it is switched, and about others.
    fileprivate var alone: ChargingRules {
        ChargingRules(
            stateOfChargeMin: stateOfChargeMin, priceMax: priceMax, carbonMax: carbonMax, absences: absences)
    }
}
