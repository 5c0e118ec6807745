internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

extension Replanner {
    /// What the first of `venue` would do and cost with its goals.
    ///
    /// - Parameter venue: all devices of the venue that have goals.
    /// - Throws: ``EnergyError`` `.invalidInput` for home batteries, and for heating and cooling, which run all the time:
    ///   nothing of them is "at once"; `.unavailable`.
    func preview(
        _ venue: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp
    ) throws(EnergyError) -> GoalPreview {
        guard let record = venue.first, let goal = record.goal else {
            throw EnergyError(.invalidInput, "the goal cannot be planned")
        }
        if case .appliance(let appliance) = record.device.load {
            return try preview(appliance, goal, venue, guidance: guidance, now: now)
        }
        guard record.device.vehicle != nil else {
            throw EnergyError(
                .invalidInput,
                "what can be previewed are electric vehicles and appliances; of home batteries, heating and cooling set "
                    + "the goal and see the schedule")
        }
        let shift = guidance[.shift]
        func course(
            _ venue: [DeviceRecord], _ override: ChargeOverride?, _ rules: ChargingRules, _ replanner: Replanner
        ) throws(EnergyError) -> GoalPreview.Course {
            var venue = venue
            venue[0].override = override
            venue[0].device.rules = rules
            guard case .plan(let plan) = try replanner.decide(venue, guidance: guidance, now: now).first else {
                throw EnergyError(.invalidInput, "the goal cannot be planned")
            }
            return replanner.course(plan, shift, in: record.timeZone, now: now)
        }
        var alone = self
        alone.settings.limits = PlanLimits()
        let minimum = ChargingRules(stateOfChargeMin: record.device.rules.stateOfChargeMin)
        return GoalPreview(
            planned: try course(venue, nil, record.device.rules, self),
            atOnce: try course(venue, .chargeNow, record.device.rules, self),
            best: try course([record], nil, minimum, alone), currency: shift?.basis.currency)
    }

    private func preview(
        _ appliance: ApplianceTraits, _ goal: Goal, _ venue: [DeviceRecord], guidance: [SuggestedAction: Guidance],
        now: Timestamp
    ) throws(EnergyError) -> GoalPreview {
        let record = venue[0]
        func planned(_ venue: [DeviceRecord], _ replanner: Replanner) throws(EnergyError) -> GoalPreview.Course {
            guard case .plan(let plan) = try replanner.decide(venue, guidance: guidance, now: now).first else {
                throw EnergyError(.invalidInput, "the goal cannot be planned")
            }
            return replanner.course(plan, guidance[.shift], in: record.timeZone, now: now)
        }
        guard let window = Interval(start: now, end: goal.readyBy) else {
            throw EnergyError(.invalidInput, "the goal cannot be planned")
        }
        var alone = self
        alone.settings.limits = PlanLimits()
        return GoalPreview(
            planned: try planned(venue, self),
            atOnce: course(
                .running(appliance, atOnceIn: window), guidance[.shift], in: record.timeZone, now: now),
            best: try planned([record], alone), currency: guidance[.shift]?.basis.currency)
    }

    private func course(
        _ plan: DevicePlan, _ guidance: Guidance?, in timeZone: TimeZone, now: Timestamp
    ) -> GoalPreview.Course {
        var totals = PlanTimeline.Totals()
        if let end = plan.blocks.last?.interval.end, let window = Interval(start: now, end: end) {
            totals = PlanTimeline(window, by: guidance, settings, in: timeZone).totals(of: plan.blocks)
        }
        return GoalPreview.Course(
            blocks: plan.blocks, planned: plan.planned, missing: max(.zero, plan.required - plan.planned),
            costMicros: totals.money.map { Int64(($0 * 1_000_000).rounded()) }, carbonGrams: totals.carbon,
            rating: totals.rating, explanation: plan.explanation)
    }
}

extension DevicePlan {
    /// An appliance that begins now, as far as the window reaches.
    fileprivate static func running(_ appliance: ApplianceTraits, atOnceIn window: Interval) -> DevicePlan {
        var (blocks, cursor) = ([ScheduleBlock](), window.start)
        func add(until end: Timestamp, _ power: Power, _ reason: ScheduleReason) {
            guard let interval = Interval(start: cursor, end: min(end, window.end)) else { return }
            blocks.append(
                ScheduleBlock(
                    interval: interval, power: power, stageMax: 100,
                    energy: power.energy(overMilliseconds: interval.milliseconds), rating: 1, reason: reason))
            cursor = interval.end
        }
        for step in appliance.steps {
            add(until: cursor.advanced(byMilliseconds: step.milliseconds), step.power, .chargeNow)
        }
        add(until: window.end, .zero, .targetReached)
        return DevicePlan(
            blocks: blocks, guidanceToken: nil, required: appliance.energy,
            planned: blocks.reduce(.zero) { $0 + $1.energy }, explanation: "Runs at once")
    }
}
