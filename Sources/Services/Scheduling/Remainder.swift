internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What a schedule still has to do, from now on.
struct Remainder: Hashable {
    /// When the device runs, or runs reduced; adjacent blocks joined.
    let runs: [Interval]
    let energy: Energy
    /// What it is left of.
    let blocks: [ScheduleBlock]

    private init(runs: [Interval], energy: Energy, blocks: [ScheduleBlock]) {
        (self.runs, self.energy, self.blocks) = (runs, energy, blocks)
    }

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
        self.blocks = blocks
    }

    /// The same with a last run that ends so much later that it brings `needed`: a device that began late goes on for
    /// longer.
    ///
    /// - Parameter most: what may lack of it; with more it is another plan.
    func lasting(for needed: Energy, in window: Interval, _ most: Energy) -> Remainder {
        let lacking = needed - energy
        guard .zero < lacking, lacking <= most, let last = runs.last,
            let power = blocks.last(where: { $0.power > .zero && $0.interval.intersection(last) != nil })?.power
        else { return self }
        let end = min(window.end, last.end.advanced(byMilliseconds: lacking.milliseconds(at: power)))
        guard let longer = Interval(start: last.start, end: end) else { return self }
        let gained = power.energy(overMilliseconds: end.milliseconds(since: last.end))
        return Remainder(runs: runs.dropLast() + [longer], energy: energy + min(lacking, gained), blocks: blocks)
    }

    /// Whether both run at the same times, but for a second: that comes of a rounding, and is worth no new schedule.
    func isLike(_ other: Remainder?) -> Bool {
        guard let other, runs.count == other.runs.count else { return false }
        return zip(runs, other.runs).allSatisfy { a, b in
            abs(a.start.milliseconds(since: b.start)) < 1_000 && abs(a.end.milliseconds(since: b.end)) < 1_000
        }
    }

    var milliseconds: Int64 { runs.reduce(0) { $0 + $1.milliseconds } }

    /// The times of `window` at which nothing runs.
    func pauses(in window: Interval) -> [Interval] {
        var (pauses, cursor): ([Interval], Timestamp) = ([], window.start)
        for run in runs {
            if let pause = Interval(start: cursor, end: min(run.start, window.end)) { pauses.append(pause) }
            cursor = max(cursor, run.end)
        }
        if let rest = Interval(start: cursor, end: window.end) { pauses.append(rest) }
        return pauses
    }
}

extension Schedule {
    /// The ratings that the schedule was made by, as far as its blocks tell: better than none while the
    /// guidance-publisher is away. `nil` for a schedule that followed none.
    var rememberedGuidance: Guidance? {
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
        // A building's schedule says, too, when it is heated or cooled: that is no setback.
        return schedule.blocks.reduce(progress.reducedSinceGoal) { sum, block in
            sum + (block.reason == .reduced ? block.interval.intersection(past)?.milliseconds ?? 0 : 0)
        }
    }
}
