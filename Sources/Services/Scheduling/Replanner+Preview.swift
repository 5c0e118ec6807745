internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

extension Replanner {
    /// What the first of `venue` would do and cost with its goals.
    ///
    /// - Parameter venue: all devices of the venue that have goals.
    /// - Throws: ``EnergyError`` `.invalidInput` for heating and cooling, whose energy nobody knows; `.unavailable`.
    func preview(
        _ venue: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp
    ) throws(EnergyError) -> GoalPreview {
        guard let record = venue.first, let vehicle = record.device.vehicle else {
            throw EnergyError(.invalidInput, "a preview is for electric vehicles")
        }
        let shift = guidance[.shift]
        func course(
            _ venue: [DeviceRecord], _ override: ChargeOverride?, _ rules: ChargingRules, _ replanner: Replanner
        ) throws(EnergyError) -> GoalPreview.Course {
            var venue = venue
            venue[0].override = override
            venue[0].device = ManagedDevice(
                device: record.device.device, venueID: record.device.venueID, vehicle: vehicle, rules: rules)
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
