internal import EnergyModel
internal import EnergyStore

/// Decides whether a device's schedule still holds, and what replaces it. Knows no clock, store or network.
///
/// A schedule is kept while it still brings what is needed and no other is clearly better: following a plan matters more
/// than the last percent of its rating.
struct Replanner {
    enum Decision: Hashable {
        case keep
        case plan(DevicePlan)
        /// The deadline has passed.
        case expire
    }

    /// A better plan is worth a change from this gain in mean rating.
    static let ratingGainMin = 0.02
    /// A rest that is shorter than this counts as this long: 2 h.
    static let restMillisecondsMin = Double(2 * Int64.millisecondsPerHour)
    /// What a plan may bring too much or too little, as time at full power. Longer than a device takes to report.
    static let toleranceMilliseconds = 10 * Int64.millisecondsPerMinute

    /// - Parameter guidance: of the goal's action; `nil` while none is known.
    func decide(_ record: DeviceRecord, guidance: Guidance?, now: Timestamp) -> Decision {
        guard let goal = record.goal else { return .keep }
        guard let window = Interval(start: now, end: goal.readyBy) else { return .expire }
        let guidance = guidance ?? record.schedule?.rememberedGuidance
        switch goal.target {
        case .energy, .stateOfCharge:
            guard let vehicle = record.device.vehicle else { return .keep }
            return charge(record, goal, vehicle, window, guidance)
        case .reduce(let milliseconds): return reduce(record, milliseconds, window, guidance)
        }
    }

    // MARK: Vehicles

    private func charge(
        _ record: DeviceRecord, _ goal: Goal, _ vehicle: VehicleTraits, _ window: Interval, _ guidance: Guidance?
    ) -> Decision {
        let need = VehicleNeed(goal.target, of: vehicle, after: record.progress, now: window.start)
        let plan = chargePlan(need, vehicle, window, guidance, record)
        guard let schedule = record.schedule else { return .plan(plan) }
        let kept = Remainder(of: schedule, in: window)
        if need.isReached { return kept.runs.isEmpty ? .keep : .plan(plan) }
        // What a running session is about to report must not start another run.
        if need.expected == .zero { return .keep }
        let tolerance = vehicle.powerMax.energy(overMilliseconds: Self.toleranceMilliseconds)
        if kept.runs.isEmpty { return .plan(plan) }
        let new = Remainder(of: plan.blocks, in: window)
        let missing = plan.required - plan.planned
        if new.runs == kept.runs && abs(missing, schedule.missing) <= tolerance { return .keep }
        if abs(kept.energy, need.expected - missing) > tolerance { return .plan(plan) }
        return isWorthwhile(new, than: kept, schedule, plan, guidance) ? .plan(plan) : .keep
    }

    private func chargePlan(
        _ need: VehicleNeed, _ vehicle: VehicleTraits, _ window: Interval, _ guidance: Guidance?,
        _ record: DeviceRecord
    ) -> DevicePlan {
        let plan = ChargePlanner().plan(
            required: need.isReached ? .zero : need.expected, power: vehicle.powerMax, window: window,
            guidance: guidance, timeZone: record.timeZone)
        guard need.isGuess, !need.isReached else { return plan }
        return DevicePlan(
            blocks: plan.blocks, guidanceToken: plan.guidanceToken, required: plan.required, planned: plan.planned,
            explanation: plan.explanation + "; its state of charge is not known yet and counts as 0 %")
    }

    private func abs(_ a: Energy, _ b: Energy) -> Energy { max(a - b, b - a) }

    // MARK: Heating and cooling

    private func reduce(
        _ record: DeviceRecord, _ milliseconds: Int64, _ window: Interval, _ guidance: Guidance?
    ) -> Decision {
        let left = max(0, milliseconds - record.reducedMilliseconds(until: window.start))
        let plan = ReducePlanner().plan(
            milliseconds: left, window: window, guidance: guidance, timeZone: record.timeZone)
        guard let schedule = record.schedule else { return .plan(plan) }
        let (kept, new) = (Remainder(of: schedule, in: window), Remainder(of: plan.blocks, in: window))
        guard let values = guidance?.values, new.runs != kept.runs else { return .keep }
        if schedule.guidanceToken == nil { return plan.guidanceToken == nil ? .keep : .plan(plan) }
        // Worst first: what is reduced should rate high.
        let gain = new.ratedSum(values) - kept.ratedSum(values)
        return gain > Self.ratingGainMin * Double(max(1, left)) ? .plan(plan) : .keep
    }

    // MARK: Comparing

    private func isWorthwhile(
        _ new: Remainder, than kept: Remainder, _ schedule: Schedule, _ plan: DevicePlan, _ guidance: Guidance?
    ) -> Bool {
        guard let values = guidance?.values, plan.guidanceToken != nil else { return false }
        if schedule.guidanceToken == nil { return true }
        // A short rest cannot gain enough to be worth a change, however much better its rating would be.
        let length = Double(kept.milliseconds)
        let gain = (kept.meanRating(values) - new.meanRating(values)) * length
        return gain > Self.ratingGainMin * max(length, Self.restMillisecondsMin)
    }
}

/// What a schedule still has to do, from now on.
struct Remainder {
    /// When the device runs, or runs reduced; adjacent blocks joined.
    let runs: [Interval]
    let energy: Energy

    init(of schedule: Schedule, in window: Interval) { self.init(of: schedule.blocks, in: window) }

    init(of blocks: [ScheduleBlock], in window: Interval) {
        var runs: [Interval] = []
        var energy = Energy.zero
        for block in blocks where block.power > .zero || block.reason == .reduced {
            guard let part = block.interval.intersection(window) else { continue }
            energy += min(block.energy, block.power.energy(overMilliseconds: part.milliseconds))
            if let last = runs.last, last.end == part.start, let joined = Interval(start: last.start, end: part.end) {
                runs[runs.count - 1] = joined
            } else {
                runs.append(part)
            }
        }
        self.runs = runs
        self.energy = energy
    }

    var milliseconds: Int64 { runs.reduce(0) { $0 + $1.milliseconds } }

    /// Weighted by time; what is not rated counts as 2, worse than any rating.
    func meanRating(_ values: [GuidanceValue]) -> Double {
        let (sum, rated, length) = sums(values)
        return length > 0 ? (sum + 2 * (length - rated)) / length : 0
    }

    /// Rating x milliseconds of what is rated.
    func ratedSum(_ values: [GuidanceValue]) -> Double { sums(values).sum }

    private func sums(_ values: [GuidanceValue]) -> (sum: Double, rated: Double, length: Double) {
        var (sum, rated, length) = (0.0, 0.0, 0.0)
        for run in runs {
            length += Double(run.milliseconds)
            for value in values {
                guard let part = value.interval.intersection(run) else { continue }
                sum += value.rating * Double(part.milliseconds)
                rated += Double(part.milliseconds)
            }
        }
        return (sum, rated, length)
    }
}

extension Schedule {
    /// The ratings that the schedule was made by, as far as its blocks tell: better than none while the
    /// guidance-publisher is away. `nil` for a schedule that followed none.
    fileprivate var rememberedGuidance: Guidance? {
        guard
            let guidanceToken, let first = blocks.first, let last = blocks.last,
            let interval = Interval(start: first.interval.start, end: last.interval.end)
        else { return nil }
        let isByRates = blocks.contains { $0.reason == .lowerRates || $0.reason == .waitingForLowerRates }
        return Guidance(
            token: guidanceToken, venueID: venueID, action: goal.target.action, interval: interval,
            values: blocks.map { GuidanceValue(interval: $0.interval, rating: $0.rating) },
            locationHasRatePlan: isByRates, incorporatesRatePlan: isByRates, issued: planned,
            basis: GuidanceBasis(
                source: "schedule", kind: .averageDirect, method: "remembered", priceWeight: isByRates ? 1 : 0))
    }
}

extension DeviceRecord {
    /// How long the device was meant to run reduced since its goal was set.
    func reducedMilliseconds(until now: Timestamp) -> Int64 {
        guard let schedule, let past = Interval(start: schedule.planned, end: now) else {
            return progress.reducedSinceGoal
        }
        return Remainder(of: schedule, in: past).runs.reduce(progress.reducedSinceGoal) { $0 + $1.milliseconds }
    }
}
