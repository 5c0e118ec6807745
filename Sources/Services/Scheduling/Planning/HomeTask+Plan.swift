internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

/// Makes a schedule of what was found for a home battery or an appliance.
extension HomeTask {
    var text: LocalTimeText { LocalTimeText(timeZone: record.timeZone, now: now) }

    // MARK: Appliance

    func plan(_ load: LoadPlan, _ timeline: PlanTimeline) -> DevicePlan {
        var blocks: [ScheduleBlock] = []
        var cursor = now
        func idle(until end: Timestamp) {
            for wait in load.waits {
                guard let gap = Interval(start: cursor, end: end), let part = wait.interval.intersection(gap) else {
                    continue
                }
                idle(until: part.start, timeline.waitingForBest)
                idle(until: part.end, timeline.reason(waiting: wait.reason))
            }
            idle(until: end, timeline.waitingForBest)
        }
        func idle(until end: Timestamp, _ reason: ScheduleReason) {
            guard let gap = Interval(start: cursor, end: end) else { return }
            blocks.append(block(gap, 0, reason, timeline))
            cursor = end
        }
        for run in load.runs {
            idle(until: run.interval.start)
            blocks.append(block(run.interval, run.power, why(run, timeline), timeline))
            cursor = run.interval.end
        }
        let rest: ScheduleReason? =
            load.runs.isEmpty ? load.shortfall?.cause == .window ? .tooLittleTime : nil : .targetReached
        if let rest { idle(until: window.end, rest) } else { idle(until: window.end) }
        blocks = timeline.told(Self.joined(blocks))
        let (required, planned) = (Energy(kilowattHours: load.required), Energy(kilowattHours: load.planned))
        return DevicePlan(
            blocks: blocks, guidanceToken: timeline.guidance?.token, required: required,
            planned: min(required, planned), explanation: sentence(load, blocks))
    }

    /// A course is never interrupted: that is no reason for it.
    private func why(_ run: LoadPlan.Run, _ timeline: PlanTimeline) -> ScheduleReason {
        timeline.reason(running: run.reason == .keepingRunsLong ? .deadline : run.reason, from: run.interval.start)
    }

    private func sentence(_ load: LoadPlan, _ blocks: [ScheduleBlock]) -> String {
        guard let first = load.runs.first, let last = load.runs.last else {
            let why = load.shortfall.map(Self.why) ?? Self.cause(.limit, [])
            return "Cannot run until \(text.time(window.end)), because \(why)"
        }
        return "Runs from \(text.time(first.interval.start)) to \(text.time(last.interval.end)), "
            + (blocks.first { $0.power > .zero }?.reason.purpose ?? "")
    }

    /// What goes on after "because": all that is in the way, and what helps.
    static func why(_ shortfall: Shortfall) -> String {
        shortfall.causes.map { cause($0.cause, $0.who) }.joined(separator: " and ") + shortfall.help
    }

    private static func cause(_ cause: Shortfall.Cause, _ who: [String]) -> String {
        switch cause {
        case .window: "there is too little time"
        case .power: "it is too weak"
        case .baseLoad: Shortfall.tooLittleBeside(who)
        case .exclusion: "it must not run while \(Shortfall.run(who))"
        case .priceCeiling: "rates are above the ceiling for too long"
        case .carbonCeiling: "carbon is above the ceiling for too long"
        case .timeLimit: "there was no time to find a better plan"
        case .limit, .otherLoads, .capacity, .shape: Shortfall.tooLittleRoom(who)
        }
    }

    // MARK: Battery

    func plan(_ battery: BatteryPlan, _ slots: [HomePlan.Slot], _ timeline: PlanTimeline) -> DevicePlan {
        var (blocks, taken, given) = ([ScheduleBlock](), 0.0, 0.0)
        let (initial, least) = self.battery.map { ($0.initial, $0.energyMin) } ?? (0, 0)
        let lastCharge = battery.power.lastIndex { $0 > 1e-6 } ?? -1
        for (index, (slot, power)) in zip(slots, battery.power).enumerated() {
            // What is charged no more has what it should have.
            let rest = index > lastCharge && battery.missing < 1e-6 ? .targetReached : timeline.waitingForBest
            guard let part = slot.interval.intersection(window) else { continue }
            let before = index > 0 ? battery.stored[index - 1] : initial
            let charging: ScheduleReason =
                before < least - 1e-6 ? .minimumCharge : timeline.isOwnSolar(slot) ? .ownSolar : timeline.best
            let reason: ScheduleReason = power > 1e-6 ? charging : power < -1e-6 ? .supplying : rest
            let energy = power * Double(part.milliseconds) / Double(Int64.millisecondsPerHour)
            if energy > 0 { taken += energy } else { given -= energy }
            blocks.append(block(part, power, reason, timeline))
        }
        let missing = Energy(kilowattHours: battery.missing)
        let required = max(missing, required)
        return DevicePlan(
            blocks: Self.joined(blocks), guidanceToken: timeline.guidance?.token, required: required,
            planned: required - missing,
            explanation:
                "\(charge); \(amounts(taken, given)) until \(text.time(window.end)), and holds \(left(battery)) % then"
                + (battery.shortfall.map {
                    "; \(text.energy(missing)) will be missing, because \(cause($0))\($0.help)"
                } ?? ""))
    }

    /// - Parameters: kWh.
    private func amounts(_ taken: Double, _ given: Double) -> String {
        let parts = [("takes", taken), ("gives", given)].map { ($0, Energy(kilowattHours: $1)) }
        let words = parts.filter { $1.milliwattHours >= 1_000 }.map { "\($0) \(text.energy($1))" }
        return words.isEmpty ? "rests" : words.joined(separator: " and ")
    }

    /// Whole percent at the end: what is stored then is worth nothing to a plan, so that only a goal or a reserve keeps it.
    private func left(_ plan: BatteryPlan) -> Int {
        guard case .battery(let battery) = load, let stored = plan.stored.last else { return Int(state.rounded()) }
        return Int((100 * stored / max(battery.capacity.kilowattHours, 1e-6)).rounded())
    }

    private var charge: String {
        guard case .battery(let battery) = load, battery.stateOfCharge == nil else {
            return "Holds \(Int(state.rounded())) %\(age)"
        }
        return "Nobody has told what it holds: counts as \(Int(state.rounded())) % until it is added again with its "
            + "state of charge"
    }

    /// How old is what was told of its charge: what it did since then is taken to be its plan.
    private var age: String {
        guard let told = record.progress.reading?.told, case let age = now.milliseconds(since: told),
            age >= .millisecondsPerMinute
        else { return "" }
        let ago = text.duration(milliseconds: age)
        return age < Self.ageMax
            ? " if it did as planned since it was told \(ago) ago"
            : " if it did as planned, but what was told is \(ago) old: add it again with its state of charge"
    }

    /// From then on what was told of a battery counts as old: 24 h.
    private static let ageMax = Int64.millisecondsPerDay

    /// What a battery must come to hold beside what it holds.
    private var required: Energy {
        guard let battery = self.battery else { return .zero }
        let most = battery.goals.map(\.energy).max() ?? 0
        return Energy(kilowattHours: max(0, max(most, battery.energyMin) - battery.initial))
    }

    private func cause(_ shortfall: Shortfall) -> String {
        switch shortfall.cause {
        case .limit, .otherLoads: Shortfall.tooLittleRoom(shortfall.who)
        case .baseLoad: Shortfall.tooLittleBeside(shortfall.who)
        case .capacity: "it holds no more"
        case .timeLimit: "there was no time to find a better plan"
        default: "the time is too short"
        }
    }

    // MARK: Blocks

    func block(
        _ interval: Interval, _ kilowatts: Double, _ reason: ScheduleReason, _ timeline: PlanTimeline,
        stage: Int = 100
    ) -> ScheduleBlock {
        let power = Power(kilowatts: abs(kilowatts) < 1e-6 ? 0 : abs(kilowatts))
        return ScheduleBlock(
            interval: interval, power: power, stageMax: stage,
            energy: power.energy(overMilliseconds: interval.milliseconds), rating: timeline.rating(of: interval),
            reason: reason, isDischarging: kilowatts < -1e-6)
    }

    /// Those that are the same one after the other are one.
    static func joined(_ blocks: [ScheduleBlock]) -> [ScheduleBlock] {
        blocks.reduce(into: []) { joined, block in
            guard let last = joined.last, last.interval.end == block.interval.start, last.power == block.power,
                last.reason == block.reason, last.stageMax == block.stageMax,
                last.isDischarging == block.isDischarging,
                let interval = Interval(start: last.interval.start, end: block.interval.end)
            else {
                joined.append(block)
                return
            }
            let (a, b) = (Double(last.interval.milliseconds), Double(block.interval.milliseconds))
            joined[joined.count - 1] = ScheduleBlock(
                interval: interval, power: block.power, stageMax: block.stageMax, energy: last.energy + block.energy,
                rating: (last.rating * a + block.rating * b) / (a + b), reason: block.reason,
                isDischarging: block.isDischarging)
        }
    }
}
