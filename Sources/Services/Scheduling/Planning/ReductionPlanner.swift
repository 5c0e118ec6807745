internal import EnergyModel
internal import EnergyPlanning
internal import Foundation

/// Plans when heating or cooling runs reduced: the highest sum, over a total length, of what a kWh counts then.
///
/// The same problem as a vehicle's, turned over: time is what is taken, and the worst of it is worth the most. Only rated
/// time is reduced, and none in which energy counts nothing: nothing would be gained.
struct ReductionPlanner: Sendable {
    let planner: HomePlanner
    let settings: VenueSettings
    /// `0...100`: how hard the device may work while it is reduced.
    var reducedStage = 40

    /// - Parameters:
    ///   - milliseconds: the longest total time to run reduced.
    ///   - window: from now until the deadline.
    ///   - guidance: for `.reduce`; without one the device runs as it likes.
    func plan(
        milliseconds: Int64, window: Interval, guidance: Guidance?, timeZone: TimeZone
    ) throws(EnergyError) -> DevicePlan {
        let timeline = timeline(window, guidance, timeZone)
        let slots = timeline.slots.map { slot in
            PlanSlot(interval: slot.interval, importPrice: 0, rating: slot.isForecast ? 0 : timeline.weight(of: slot))
        }
        let hours = Double(max(0, milliseconds)) / Double(Int64.millisecondsPerHour)
        let need = EnergyNeed(goals: [.init(by: window.end, energy: 0)], energyMax: hours, powerMin: 1, powerMax: 1)
        let home = try planner.plan(
            PlanProblem(
                slots: slots, loads: [PlannedLoad(name: "reduced time", need: .energy(need), window: window)],
                objective: PlanObjective(money: 0, carbon: 0, rating: -1)))
        let runs = home.loads.first?.runs.map(\.interval) ?? []
        return DevicePlan(
            blocks: blocks(runs, in: window, timeline), guidanceToken: timeline.guidance?.token, required: .zero,
            planned: .zero, explanation: sentence(runs, timeline, LocalTimeText(timeZone: timeZone, now: window.start)))
    }

    /// Whether running reduced at other times gains enough, for each hour that is left, to be worth a change.
    func isWorthwhile(
        _ new: Remainder, than kept: Remainder, left: Int64, _ gainMin: Double, window: Interval, guidance: Guidance,
        timeZone: TimeZone
    ) -> Bool {
        let timeline = timeline(window, guidance, timeZone)
        let known = timeline.slots.filter { !$0.isForecast }
        func sum(_ remainder: Remainder) -> Double {
            remainder.runs.reduce(0) { sum, run in
                known.reduce(sum) { sum, slot in
                    sum + timeline.weight(of: slot) * Double(slot.interval.intersection(run)?.milliseconds ?? 0)
                }
            }
        }
        let most = known.map(timeline.weight(of:)).max() ?? 0
        return sum(new) - sum(kept) > gainMin * most * Double(max(1, left))
    }

    private func timeline(_ window: Interval, _ guidance: Guidance?, _ timeZone: TimeZone) -> PlanTimeline {
        PlanTimeline(window, by: guidance, VenueSettings(objective: settings.objective), in: timeZone)
    }

    private func blocks(_ runs: [Interval], in window: Interval, _ timeline: PlanTimeline) -> [ScheduleBlock] {
        var blocks: [ScheduleBlock] = []
        var cursor = window.start
        func add(until end: Timestamp, isReduced: Bool) {
            guard let interval = Interval(start: cursor, end: end) else { return }
            cursor = end
            blocks.append(
                ScheduleBlock(
                    interval: interval, power: .zero, stageMax: isReduced ? reducedStage : 100, energy: .zero,
                    rating: timeline.rating(of: interval),
                    reason: isReduced ? .reduced : timeline.guidance == nil ? .noGuidance : .normal))
        }
        for run in runs {
            add(until: run.start, isReduced: false)
            let joins = blocks.last?.reason == .reduced ? blocks.popLast() : nil
            cursor = joins?.interval.start ?? cursor
            add(until: run.end, isReduced: true)
        }
        add(until: window.end, isReduced: false)
        return blocks
    }

    private func sentence(_ runs: [Interval], _ timeline: PlanTimeline, _ text: LocalTimeText) -> String {
        guard timeline.guidance != nil else { return "Runs as usual, because there is no guidance" }
        guard let first = runs.first, let last = runs.last else { return "Runs as usual" }
        let total = runs.reduce(0) { $0 + $1.milliseconds }
        let pauses = zip(runs, runs.dropFirst()).count { $0.end < $1.start }
        let when = "from \(text.time(first.start)) to \(text.time(last.end))"
        let how = pauses == 0 ? "" : ", with \(pauses) pause\(pauses == 1 ? "" : "s")"
        return "Runs reduced \(when)\(how), \(text.duration(milliseconds: total)) in all, \(timeline.worst)"
    }
}

extension PlanTimeline {
    /// When a kWh counts most, in words.
    fileprivate var worst: String {
        let rates = objective.money != 0 || (objective.rating != 0 && (guidance?.basis.priceWeight ?? 0) > 0)
        let carbon = objective.carbon != 0 || (objective.rating != 0 && (guidance?.basis.priceWeight ?? 0) < 1)
        return rates && carbon
            ? "when rates and carbon are worst together"
            : rates ? "when rates are highest" : "when energy is least clean"
    }
}
