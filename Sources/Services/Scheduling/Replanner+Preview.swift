internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

extension Replanner {
    /// What the first of `venue` would do and cost with its goals.
    ///
    /// A battery gives a car what it would have given the house, and a heat pump moves for a fuse: what a goal costs in a
    /// home with either is not what its own runs cost, but the difference between the home with it and the home without.
    ///
    /// - Parameters:
    ///   - venue: all devices of the venue that have goals.
    ///   - time: of all plans that this takes.
    /// - Throws: ``EnergyError`` `.invalidInput` for heating and cooling, which run all the time: nothing of them is "at
    ///   once"; `.unavailable`.
    func preview(
        _ venue: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp, within time: PlanningTime
    ) throws(EnergyError) -> GoalPreview {
        guard let record = venue.first, let end = record.goals.last?.readyBy,
            let window = Interval(start: now, end: end)
        else { throw Self.unplanned }
        let others = Array(venue.dropFirst())
        if case .battery(let battery) = record.device.load {
            let plans = try plans(of: others, guidance: guidance, now: now, within: time.part(1 / 4))
            let beside = BatteryBeside(
                replanner: self, time: time, others: plans, guidance: guidance[.shift], window: window,
                zone: record.timeZone)
            return try beside.preview(record, battery)
        }
        let outlook = Outlook(venue, guidance, now, settings)
        let (eager, free) = try extremes(of: record, until: window)
        // What has its price is no limit.
        var (supposing, unlimited) = (self, self)
        supposing.isSupposed = true
        unlimited.settings.limits = PlanLimits(demandCharge: settings.limits.demandCharge)
        var eased = record
        eased.override = nil
        let courses: (planned: Outcome, atOnce: Outcome, best: Outcome)
        if outlook.isShared {
            var home = try PreviewedHome(self, others, outlook, time, part: 1 / 5)
            let planned = try home.course(of: eased, by: self, part: 1 / 4)
            let atOnce = try home.course(of: eager, by: supposing, part: 1 / 3, isKept: true)
            var boundless = try PreviewedHome(unlimited, others, outlook, time, part: 1 / 2, atMost: home)
            let best = try boundless.course(of: free, by: unlimited, part: 3 / 4)
            courses = (try home.outcome(planned), try home.outcome(atOnce), try boundless.outcome(best))
        } else {
            courses = (
                try outcome(answer([eased] + others, outlook, time.part(1 / 4)), nil, outlook, record.timeZone),
                try outcome(
                    supposing.answer([eager] + others, outlook, time.part(1 / 3), keepsFirst: true), nil, outlook,
                    record.timeZone),
                try outcome(unlimited.answer([free], outlook, time), nil, outlook, record.timeZone)
            )
        }
        // What was found in the time that there was need not be the best: none is dearer than one with less freedom.
        let isAllowed = record.device.rules.allowsAnyTime
        let planned =
            isAllowed && courses.atOnce.isBetter(than: courses.planned) ? courses.atOnce : courses.planned
        let best = planned.isBetter(than: courses.best) ? planned : courses.best
        return GoalPreview(
            planned: planned.course, atOnce: courses.atOnce.course, best: best.course,
            currency: guidance[.shift]?.basis.currency)
    }

    /// The same device as it would run at once, and as if it were switched as one likes.
    private func extremes(
        of record: DeviceRecord, until window: Interval
    ) throws(EnergyError) -> (eager: DeviceRecord, free: DeviceRecord) {
        var (eager, free) = (record, record)
        switch record.device.load {
        case nil where record.device.vehicle != nil:
            eager.override = .chargeNow
            // It is asked for one that will be plugged in then: who knows that it is not may look before coming home.
            if record.progress.isPluggedIn == false { eager.progress.isPluggedIn = nil }
            free.override = nil
            free.device.rules = record.device.rules.alone
        case .appliance(let appliance):
            eager.adopt(.running(appliance, atOnceIn: window), now: window.start)
        case .climate, .battery, nil:
            throw EnergyError(
                .invalidInput,
                "heating and cooling run all the time, so nothing of them is at once: set the goal, see the schedule, "
                    + "and clear it again")
        }
        return (eager, free)
    }

    // MARK: Plans

    /// What all plans of one preview are about.
    struct Outlook {
        let guidance: [SuggestedAction: Guidance]
        let now: Timestamp
        /// The same for all, so that what they cost can be compared.
        let end: Timestamp?
        /// Of the venue.
        let zone: TimeZone?
        /// Whether others move for the first of them, or it raises the home's peak: only the whole home says what it costs.
        let isShared: Bool

        init(
            _ venue: [DeviceRecord], _ guidance: [SuggestedAction: Guidance], _ now: Timestamp,
            _ settings: VenueSettings
        ) {
            self.guidance = guidance
            self.now = now
            end = venue.flatMap(\.goals).map(\.readyBy).max()
            zone = venue.first?.timeZone
            let movesOthers = venue.contains { record in
                switch record.device.load {
                case .battery, .climate: true
                case .appliance, nil: false
                }
            }
            isShared = movesOthers || settings.limits.demandCharge != nil
        }
    }

    struct VenueAnswer {
        /// What each does from now on; of one without a plan `nil`.
        var plans: [DevicePlan?]
        /// `nil` where not all could be planned together.
        var whole: HomePlan.Totals?
    }

    /// What one device would do, and what that counts.
    struct Outcome {
        var course: GoalPreview.Course
        /// The objective.
        let value: Double

        fileprivate func isBetter(than other: Outcome) -> Bool {
            course.missing <= other.course.missing && value < other.value
        }
    }

    /// All of `venue` planned anew, whatever their schedules say.
    ///
    /// - Parameters:
    ///   - keepsFirst: but for the first, if it has a schedule.
    ///   - others: what the rest of the home does, whatever is planned.
    func answer(
        _ venue: [DeviceRecord], _ outlook: Outlook, _ time: PlanningTime, keepsFirst: Bool = false,
        beside others: [DevicePlan] = []
    ) throws(EnergyError) -> VenueAnswer {
        var reading = try read(
            venue, guidance: outlook.guidance, now: outlook.now, until: outlook.end, within: time)
        if let zone = venue.first?.timeZone { reading.venue.horizon = outlook.end.map { ($0, zone) } }
        reading.venue.others = others
        let homes = reading.homes.map { keepsFirst && $0.index == 0 ? $0.keeping : $0 }
        let answer = try reading.venue.plan(
            reading.charges.map(\.task), homes: homes, from: outlook.now, guidance: reading.guidance)
        var plans = zip(venue, reading.decisions).map { record, decision -> DevicePlan? in
            if case .plan(let plan) = decision { plan } else { record.schedule.map(DevicePlan.init) }
        }
        for (charge, plan) in zip(reading.charges, answer.plans) { plans[charge.index] = plan }
        for (home, plan) in zip(homes, answer.homePlans) { plans[home.index] = home.isKept ? home.keptPlan : plan }
        return VenueAnswer(plans: plans, whole: answer.homePlans.count == homes.count ? answer.whole : nil)
    }

    /// - Parameter difference: what the first of them is to the home; `nil`: what its own blocks say.
    func outcome(
        _ answer: VenueAnswer, _ difference: HomePlan.Totals?, _ outlook: Outlook, _ zone: TimeZone
    ) throws(EnergyError) -> Outcome {
        guard let plan = answer.plans.first ?? nil else { throw Self.unplanned }
        return outcome(plan, difference, outlook.guidance[.shift], in: zone, now: outlook.now)
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

    /// - Parameter difference: what it is to the home; `nil`: what its own blocks say.
    func outcome(
        _ plan: DevicePlan, _ difference: HomePlan.Totals?, _ guidance: Guidance?, in timeZone: TimeZone,
        now: Timestamp
    ) -> Outcome {
        var (plan, totals, value) = (plan, PlanTimeline.Totals(), 0.0)
        if let end = plan.blocks.last?.interval.end, let window = Interval(start: now, end: end) {
            let timeline = PlanTimeline(window, by: guidance, settings, in: timeZone)
            totals = timeline.totals(of: plan.blocks.filter { !$0.isDischarging })
            value = timeline.objective.value(of: totals, energy: plan.planned)
            plan = timeline.rating(plan)
        }
        if let difference {
            value = difference.objective
            totals.money = totals.money.map { _ in difference.money }
            totals.carbon = totals.carbon.map { _ in difference.carbon * 1000 }
        }
        let course = GoalPreview.Course(
            blocks: plan.blocks, planned: plan.planned, missing: plan.missing,
            costMicros: totals.money.map { Int64(($0 * 1_000_000).rounded()) }, carbonGrams: totals.carbon,
            rating: totals.rating, explanation: plan.explanation)
        return Outcome(course: course, value: value)
    }

    static let unplanned = EnergyError(.invalidInput, "the goal cannot be planned")
}

extension PlanObjective {
    fileprivate func value(of totals: PlanTimeline.Totals, energy: Energy) -> Double {
        money * (totals.money ?? 0) + carbon * (totals.carbon ?? 0) / 1000
            + rating * totals.rating * energy.kilowattHours
    }
}

extension ChargingRules {
    /// Who charges at once may do so at times that these rules leave out.
    fileprivate var allowsAnyTime: Bool { absences.isEmpty && priceMax == nil && carbonMax == nil }

    /// Without what is only about how it is switched, and about others.
    fileprivate var alone: ChargingRules {
        ChargingRules(
            stateOfChargeMin: stateOfChargeMin, priceMax: priceMax, carbonMax: carbonMax, absences: absences)
    }
}
