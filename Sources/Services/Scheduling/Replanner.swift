internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore

/// Decides whether the schedules of a venue still hold, and what replaces them. Knows no clock, store or network.
///
/// A schedule is kept while it still brings what is needed and no other is clearly better: following a plan matters more
/// than the last percent of its cost. Where one device needs another plan, the others keep theirs if that costs little.
struct Replanner: Sendable {
    enum Decision: Hashable {
        case keep
        case plan(DevicePlan)
        /// The deadline has passed.
        case expire
    }

    let planner: HomePlanner
    var settings = VenueSettings()
    var timeLimit = Duration.seconds(5)

    /// A better plan is worth a change from this gain, as a share of what a kWh could cost at most.
    static let gainMin = 0.02
    /// A rest that is shorter than this counts as this long: 2 h.
    static let restHoursMin = 2.0
    /// What a plan may bring too much or too little, as time at full power. Longer than a device takes to report.
    static let toleranceMilliseconds = 10 * Int64.millisecondsPerMinute

    /// - Parameters:
    ///   - records: all devices of one venue.
    ///   - guidance: of the venue, as far as known.
    /// - Returns: a decision for each record, in their order.
    /// - Throws: ``EnergyError`` `.unavailable` or `.invalidInput` when no plan was found.
    func decide(
        _ records: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp
    ) throws(EnergyError) -> [Decision] {
        var decisions = Array(repeating: Decision.keep, count: records.count)
        var charges: [Charge] = []
        for (index, record) in records.enumerated() {
            guard let goal = record.goal else { continue }
            guard let window = Interval(start: now, end: goal.readyBy) else {
                decisions[index] = .expire
                continue
            }
            switch goal.target {
            case .reduce(let milliseconds):
                decisions[index] = try reduce(record, milliseconds, window, guidance[.reduce])
            case .energy, .stateOfCharge:
                switch Charge.read(record, goal, window, index) {
                case .settled(let decision): decisions[index] = decision
                case .open(let charge): charges.append(charge)
                }
            }
        }
        let remembered = guidance[.shift] ?? charges.lazy.compactMap { $0.record.schedule?.rememberedGuidance }.first
        for (index, plan) in try charge(charges, remembered, now) { decisions[index] = .plan(plan) }
        return decisions
    }

    // MARK: Vehicles

    /// - Returns: the plans that replace others, by the record's index.
    private func charge(
        _ charges: [Charge], _ guidance: Guidance?, _ now: Timestamp
    ) throws(EnergyError) -> [(Int, DevicePlan)] {
        guard !charges.isEmpty else { return [] }
        let venue = VenuePlanner(planner: planner, settings: settings, timeLimit: timeLimit)
        let free = try venue.plan(charges.map(\.task), from: now, guidance: guidance)
        let holds = zip(charges, free.plans).map { charge, plan in charge.holds(against: plan) }
        var chosen = free
        if holds.contains(true) {
            let tasks = zip(charges, holds).map { charge, holds in holds ? charge.keeping : charge.task }
            let kept = try venue.plan(tasks, from: now, guidance: guidance)
            if !isWorthwhile(free, than: kept, charges) { chosen = kept }
        }
        let isKept = chosen.plans != free.plans
        return zip(charges, zip(chosen.plans, holds)).compactMap { charge, answer in
            let (plan, holds) = answer
            if holds, isKept || Remainder(of: plan.blocks, in: charge.window).runs == charge.kept?.runs { return nil }
            return (charge.index, plan)
        }
    }

    private func isWorthwhile(
        _ free: VenuePlanner.Answer, than kept: VenuePlanner.Answer, _ charges: [Charge]
    ) -> Bool {
        // What is kept may bring a little less than what is needed, within what a device reports late.
        let tolerance = charges.reduce(Energy.zero) { $0 + $1.tolerance }
        if kept.missing > free.missing + tolerance { return true }
        guard kept.energy > 0, free.energy > 0 else { return false }
        let gain = kept.cost - free.cost / free.energy * kept.energy
        // A short rest cannot gain enough to be worth a change, however much better its rating would be.
        let rest = charges.reduce(0) { $0 + $1.task.vehicle.powerMax.kilowatts } * Self.restHoursMin
        return gain > Self.gainMin * kept.scale * max(kept.energy, rest)
    }

    // MARK: Heating and cooling

    private func reduce(
        _ record: DeviceRecord, _ milliseconds: Int64, _ window: Interval, _ guidance: Guidance?
    ) throws(EnergyError) -> Decision {
        let guidance = guidance ?? record.schedule?.rememberedGuidance
        let left = max(0, milliseconds - record.reducedMilliseconds(until: window.start))
        let plan = try ReductionPlanner(planner: planner).plan(
            milliseconds: left, window: window, guidance: guidance, timeZone: record.timeZone)
        guard let schedule = record.schedule else { return .plan(plan) }
        let (kept, new) = (Remainder(of: schedule, in: window), Remainder(of: plan.blocks, in: window))
        guard let values = guidance?.values, new.runs != kept.runs else { return .keep }
        if schedule.guidanceToken == nil { return plan.guidanceToken == nil ? .keep : .plan(plan) }
        // Worst first: what is reduced should rate high.
        let gain = new.ratedSum(values) - kept.ratedSum(values)
        return gain > Self.gainMin * Double(max(1, left)) ? .plan(plan) : .keep
    }
}

/// One vehicle of those that need a plan.
private struct Charge {
    enum Reading {
        case settled(Replanner.Decision)
        case open(Charge)
    }

    let index: Int
    let record: DeviceRecord
    let task: ChargeTask
    let window: Interval
    /// What is left of its schedule.
    let kept: Remainder?

    var tolerance: Energy { task.vehicle.powerMax.energy(overMilliseconds: Replanner.toleranceMilliseconds) }

    /// The task with its schedule as it is.
    var keeping: ChargeTask {
        var task = task
        task.kept = kept
        return task
    }

    static func read(_ record: DeviceRecord, _ goal: Goal, _ window: Interval, _ index: Int) -> Reading {
        guard let vehicle = record.device.vehicle else { return .settled(.keep) }
        let need = VehicleNeed(goal.target, of: vehicle, after: record.progress, now: window.start)
        let kept = record.schedule.map { Remainder(of: $0, in: window) }
        if need.isReached {
            return .settled(kept.map(\.runs.isEmpty) ?? false ? .keep : .plan(.reached(in: window)))
        }
        // What a running session is about to report must not start another run.
        if need.expected == .zero, kept != nil { return .settled(.keep) }
        let task = ChargeTask(
            deviceID: record.device.device.id, vehicle: vehicle, timeZone: record.timeZone,
            goals: [(by: goal.readyBy, energy: need.expected)], isGuess: need.isGuess)
        return .open(Charge(index: index, record: record, task: task, window: window, kept: kept))
    }

    /// Whether the schedule still brings what it should, beside a plan that is as good as can be.
    func holds(against plan: DevicePlan) -> Bool {
        guard let kept, let schedule = record.schedule, !kept.runs.isEmpty else { return false }
        if schedule.guidanceToken == nil, plan.guidanceToken != nil { return false }
        let missing = max(.zero, plan.required - plan.planned)
        func differ(_ a: Energy, _ b: Energy) -> Bool { max(a - b, b - a) > tolerance }
        return !differ(missing, schedule.missing) && !differ(kept.energy, task.required - missing)
    }
}

extension DevicePlan {
    /// Of a vehicle that has what it should have.
    static func reached(in window: Interval) -> DevicePlan {
        DevicePlan(
            blocks: [
                ScheduleBlock(
                    interval: window, power: .zero, stageMax: 100, energy: .zero, rating: 1, reason: .targetReached)
            ], guidanceToken: nil, required: .zero, planned: .zero, explanation: "The target is reached")
    }
}
