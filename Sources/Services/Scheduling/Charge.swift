internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// One vehicle of those that need a plan.
struct Charge {
    enum Reading {
        case settled(Replanner.Decision)
        case open(Charge)
    }

    let index: Int
    let record: DeviceRecord
    var task: ChargeTask
    let window: Interval
    /// What is left of its schedule.
    var kept: Remainder?
    /// Until when it was told to charge, if it does.
    var goesOnUntil: Timestamp?

    var tolerance: Energy { task.vehicle.powerMax.energy(overMilliseconds: Replanner.toleranceMilliseconds) }

    /// The task with its schedule as it is.
    var keeping: ChargeTask {
        var task = task
        task.kept = kept
        return task
    }

    /// What a vehicle with goals needs now.
    ///
    /// - Parameters:
    ///   - slowPower: what it takes at most in its session, as was found before.
    ///   - isSupposed: nobody has asked for anything, so that only the vehicle can say that it is there.
    static func read(
        _ record: DeviceRecord, _ first: Goal, now: Timestamp, _ index: Int, slowPower: Power? = nil,
        isSupposed: Bool = false
    ) -> Reading {
        guard let vehicle = record.device.vehicle, first.readyBy > now else { return .settled(.keep) }
        func need(_ target: Goal.Target, _ delivered: Energy) -> VehicleNeed {
            VehicleNeed(target, of: vehicle, after: record.progress, delivered: delivered, now: now)
        }
        let needs = record.plannedGoals.map { ($0, need($0.target, record.delivered(for: $0))) }
        let open = needs.filter { !$0.1.isReached }
        let window = Interval(start: now, milliseconds: (open.last?.0 ?? first).readyBy.milliseconds(since: now))
        let kept = record.schedule.map { Remainder(of: $0, in: window) }
        let rules = record.device.rules
        let hasMinimum =
            rules.stateOfChargeMin > 0 && record.progress.stateOfCharge != nil
            && (record.override != .stopped || !open.isEmpty)
        let minimum = hasMinimum ? need(.stateOfCharge(rules.stateOfChargeMin), .zero).expected : .zero
        let goals = cumulative(open.map { ($0.0.readyBy, $0.1.expected) }, minimum, until: window.end)
        if let held = record.held(goals.last?.energy ?? .zero, in: window, isOpen: !open.isEmpty) {
            return .settled(record.schedule != nil ? .keep : .plan(held))
        }
        if record.isFullByItself {
            return .settled(kept.map(\.runs.isEmpty) ?? false ? .keep : .plan(.full(in: window)))
        }
        if open.isEmpty, minimum == .zero {
            return .settled(kept.map(\.runs.isEmpty) ?? false ? .keep : .plan(.reached(in: window)))
        }
        // What a running session is about to report must not start another run.
        if goals.isEmpty { return .settled(kept == nil ? .plan(.reached(in: window)) : .keep) }
        var task = ChargeTask(
            deviceID: record.device.device.id, vehicle: vehicle, timeZone: record.timeZone, goals: goals,
            end: window.end, rules: ChargeRules(rules, in: window, record.timeZone),
            isGuess: open.contains { $0.1.isGuess })
        task.later = open.map { ($0.0.readyBy, $0.1.expected) }.filter { need in
            goals.contains { $0.by < need.0 && $0.energy >= need.1 }
        }
        task.guaranteed = cumulative(
            open.map { ($0.0.readyBy, $0.1.expected.share(percent: $0.0.guaranteedPercent)) }, .zero, until: window.end)
        task.slowPower = record.slowPower(now) ?? slowPower
        // One that is not there can take nothing at once: it is planned as any other, and keeps no room from others.
        let mayBeThere = record.progress.isPluggedIn != false
        task.drawsNothing = record.progress.drawsNothing
        if mayBeThere, record.override == .chargeNow {
            // Who asks for it is there, and wants no rest.
            task.rules.shape = ChargingShape()
            if !isSupposed || record.progress.isPluggedIn == true { task.rules.absences.removeAll { $0.contains(now) } }
            task.urgent = (task.required, .chargeNow)
        } else if mayBeThere, minimum > .zero {
            task.urgent = (minimum, .minimumCharge)
        }
        task.stop(record, now: now)
        task.read(record, now: now)
        task.doubts = doubts(record, task, now: now)
        if !mayBeThere {
            task.unplugged =
                record.override == .chargeNow
                ? "Not plugged in; once it is, it charges at once. Planned until then"
                : "Not plugged in, planned as if it were"
        }
        var charge = Charge(index: index, record: record, task: task, window: window, kept: kept)
        // One that began late goes on for longer.
        charge.kept = kept?.lasting(
            for: task.required - (record.schedule?.missing ?? .zero), in: window, charge.tolerance)
        return .open(charge)
    }

    private static func doubts(_ record: DeviceRecord, _ task: ChargeTask, now: Timestamp) -> [String] {
        let text = LocalTimeText(timeZone: record.timeZone, now: now)
        var doubts: [String] = []
        if let word = record.progress.status?.refusal,
            record.progress.refusesByItself || record.progress.status == .idle(.chargerFault)
        {
            doubts.append(word)
        } else if let since = record.progress.refusedSince {
            doubts.append("it should have charged since \(text.time(since)) and has not")
        }
        if let since = record.silentSince(now) {
            doubts.append("nothing was heard from it since \(text.time(since)): what it took since then does not count")
        }
        let least = record.device.rules.stateOfChargeMin
        if least > 0, record.progress.stateOfCharge == nil {
            doubts.append("its minimum of \(least) % counts once it tells its state of charge")
        }
        let full = VehicleNeed(
            .stateOfCharge(100), of: task.vehicle, after: record.progress, delivered: .zero, now: now)
        if !full.isGuess, task.required - full.expected > task.second {
            doubts.append("by its state of charge its battery takes only \(text.energy(full.expected))")
        }
        if let power = task.slowPower { doubts.append("it charges more slowly than it may, with \(text.power(power))") }
        return doubts
    }

    /// Rising, each counted from now. What an earlier goal brings counts for the later ones.
    private static func cumulative(
        _ needs: [(by: Timestamp, energy: Energy)], _ minimum: Energy, until end: Timestamp
    ) -> [(by: Timestamp, energy: Energy)] {
        var goals: [(by: Timestamp, energy: Energy)] = []
        for need in needs where need.energy > goals.last?.energy ?? .zero { goals.append(need) }
        if minimum > goals.last?.energy ?? .zero {
            if !goals.isEmpty { goals.removeLast() }
            goals.append((by: end, energy: minimum))
        }
        return goals
    }

    /// Whether the schedule still brings what it should, beside a plan that is as good as can be.
    func holds(against plan: DevicePlan) -> Bool {
        guard let kept, let schedule = record.schedule, !kept.runs.isEmpty else { return false }
        if schedule.guidanceToken == nil, plan.guidanceToken != nil { return false }
        let missing = plan.missing
        // One that has become slow brings less in the same time.
        let possible = task.slowPower.map { min(kept.energy, $0.energy(overMilliseconds: kept.milliseconds)) }
        func differ(_ a: Energy, _ b: Energy) -> Bool { max(a - b, b - a) > tolerance }
        return !differ(missing, schedule.missing) && !differ(possible ?? kept.energy, plan.required - missing)
    }

    /// Whether a plan has it take clearly more now than its schedule does.
    func takesMore(by plan: DevicePlan, _ now: Timestamp) -> Bool {
        guard let kept, !task.drawsNothing else { return false }
        return plan.blocks.kilowatts(at: now) > kept.blocks.kilowatts(at: now) + 0.05 * task.vehicle.powerMax.kilowatts
    }
}

extension [ScheduleBlock] {
    func kilowatts(at time: Timestamp) -> Double { first { $0.interval.contains(time) }?.power.kilowatts ?? 0 }
}

extension DeviceRecord {
    /// Its owner does not want it to charge.
    var isHeld: Bool { override == .paused || override == .stopped }

    /// Those that are planned: what its owner stopped is the goal that is due first.
    fileprivate var plannedGoals: [Goal] {
        guard override == .stopped, let first = goal else { return goals }
        return goals.filter { $0.readyBy > first.readyBy }
    }

    /// What its owner stopped, in words; `nil` where it has no goal.
    fileprivate func stopped(_ text: LocalTimeText) -> String? {
        guard let first = goal else { return nil }
        let others = goals.filter { $0.id != first.id && $0.readyBy <= first.readyBy }
        return text.stopped([first] + others, until: first.readyBy)
    }

    /// What a vehicle does whose owner holds it; `nil` for one that has something to do.
    ///
    /// - Parameter isOpen: whether a goal is left that is planned.
    fileprivate func held(_ required: Energy, in window: Interval, isOpen: Bool) -> DevicePlan? {
        let text = LocalTimeText(timeZone: timeZone, now: window.start)
        switch override {
        case .paused: return .held(.paused, in: window, required: required, "Paused until it is resumed")
        case .stopped where !isOpen:
            guard let goal, let vehicle = device.vehicle, let words = stopped(text) else { return nil }
            let need = VehicleNeed(
                goal.target, of: vehicle, after: progress, delivered: delivered(for: goal), now: window.start)
            let next = goal.weekly?.next(after: goal.readyBy, in: timeZone)
            return .held(
                .stopped, in: window, required: need.expected,
                words + (next.map { "; then it is planned for \(text.time($0))" } ?? ""))
        case .stopped, .chargeNow, nil: return nil
        }
    }
}

extension ChargeTask {
    /// Takes over until when its owner stopped it.
    fileprivate mutating func stop(_ record: DeviceRecord, now: Timestamp) {
        guard record.override == .stopped, let goal = record.goal, goal.readyBy > now,
            let words = record.stopped(LocalTimeText(timeZone: timeZone, now: now))
        else { return }
        stopped = (goal.readyBy, words)
    }
}

extension ChargeRules {
    init(_ rules: ChargingRules, in window: Interval, _ timeZone: TimeZone) {
        // What helps may be to be ready later: when it is away then must be known too.
        let later = window.end.advanced(byMilliseconds: 2 * .millisecondsPerDay)
        let known = Interval(start: window.start, end: later) ?? window
        self.init(
            shape: rules.shape, absences: rules.absences.flatMap { $0.intervals(in: known, timeZone) },
            priceMax: rules.priceMax.map { Double($0.microsPerKilowattHour) / 1_000_000 }, carbonMax: rules.carbonMax,
            priority: rules.priority)
    }
}

extension DevicePlan {
    /// The plan that became a schedule.
    init(_ schedule: Schedule) {
        self.init(
            blocks: schedule.blocks, guidanceToken: schedule.guidanceToken, required: schedule.required,
            planned: schedule.plannedEnergy, explanation: schedule.explanation)
        optimalityGap = schedule.optimalityGap
    }

    /// What cannot be had by the deadline.
    var missing: Energy { max(.zero, required - planned) }

    /// kWh that are taken or given.
    var energyMoved: Double { blocks.reduce(0) { $0 + $1.energy.kilowattHours } }

    /// Of a vehicle that has what it should have.
    static func reached(in window: Interval) -> DevicePlan {
        idle(.targetReached, in: window, required: .zero, explanation: "The target is reached")
    }

    /// Of an appliance that has run.
    static func done(in window: Interval) -> DevicePlan {
        idle(.targetReached, in: window, required: .zero, explanation: "It has run")
    }

    /// Of a vehicle that takes no more.
    static func full(in window: Interval) -> DevicePlan {
        idle(.targetReached, in: window, required: .zero, explanation: "The vehicle says that its battery is full")
    }

    /// The last one of a device whose goals were taken away.
    static var removed: DevicePlan {
        DevicePlan(
            blocks: [], guidanceToken: nil, required: .zero, planned: .zero, explanation: "The goal was removed")
    }

    /// Of a vehicle whose owner holds it.
    static func held(
        _ reason: ScheduleReason, in window: Interval, required: Energy, _ explanation: String
    ) -> DevicePlan {
        idle(reason, in: window, required: required, explanation: explanation)
    }

    private static func idle(
        _ reason: ScheduleReason, in window: Interval, required: Energy, explanation: String
    ) -> DevicePlan {
        DevicePlan(
            blocks: [
                ScheduleBlock(
                    interval: window, power: .zero, stageMax: 100, energy: .zero, rating: 1, reason: reason)
            ], guidanceToken: nil, required: required, planned: .zero, explanation: explanation)
    }
}
