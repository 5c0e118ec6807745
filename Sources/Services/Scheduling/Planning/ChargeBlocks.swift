internal import EnergyModel
internal import EnergyPlanning

/// Lays a vehicle's plan out as blocks without gaps, each with its energy and its reason.
struct ChargeBlocks {
    let task: ChargeTask
    let load: LoadPlan
    let timeline: PlanTimeline
    let now: Timestamp

    private struct Piece {
        var interval: Interval
        var power: Power
        /// kWh
        var energy: Double
        var reason: ScheduleReason
    }

    var blocks: [ScheduleBlock] {
        var (exact, delivered) = (0.0, Energy.zero)
        return pieces.map { piece in
            // From the running total, so that no rounding adds up.
            exact += piece.energy
            let total = max(delivered, min(task.required, Energy(kilowattHours: exact)))
            defer { delivered = total }
            return ScheduleBlock(
                interval: piece.interval, power: piece.power, stageMax: 100, energy: total - delivered,
                rating: timeline.rating(of: piece.interval), reason: piece.reason)
        }
    }

    private var pieces: [Piece] {
        var pieces: [Piece] = []
        func add(_ piece: Piece) {
            if let last = pieces.last, last.power == piece.power, last.reason == piece.reason,
                let joined = Interval(start: last.interval.start, end: piece.interval.end)
            {
                pieces[pieces.count - 1].interval = joined
                pieces[pieces.count - 1].energy += piece.energy
            } else {
                pieces.append(piece)
            }
        }
        var cursor = now
        for run in load.runs {
            waits(cursor, run.interval.start, isLast: false).forEach(add)
            cursor = run.interval.end
            for (part, reason) in reasons(run) {
                let share = Double(part.milliseconds) / Double(run.interval.milliseconds)
                add(
                    Piece(
                        interval: part, power: power(run), energy: run.energy * share, reason: reason))
            }
        }
        waits(cursor, task.end, isLast: true).forEach(add)
        return pieces
    }

    /// What the vehicle is told: a slow one, too, may take all it can.
    private func power(_ run: LoadPlan.Run) -> Power {
        let share = run.power / max(task.powerMax.kilowatts, 1e-9)
        return Power(kilowatts: min(1, share) * task.vehicle.powerMax.kilowatts)
    }

    /// A run's times with the reason of each: what is urgent comes first.
    private func reasons(_ run: LoadPlan.Run) -> [(Interval, ScheduleReason)] {
        let usual = runReason(run.reason)
        guard let urgent = task.urgent else { return [(run.interval, usual)] }
        let end = now.advanced(byMilliseconds: urgent.energy.milliseconds(at: task.powerMax))
        let parts = [
            (Interval(start: run.interval.start, end: min(end, run.interval.end)), urgent.reason),
            (Interval(start: max(end, run.interval.start), end: run.interval.end), usual),
        ]
        return parts.compactMap { part, reason in part.map { ($0, reason) } }
    }

    /// The time between two runs, cut where the reason changes.
    private func waits(_ start: Timestamp, _ end: Timestamp, isLast: Bool) -> [Piece] {
        guard let gap = Interval(start: start, end: end) else { return [] }
        func piece(_ interval: Interval, _ reason: ScheduleReason) -> Piece {
            Piece(interval: interval, power: .zero, energy: 0, reason: reason)
        }
        let isReached = load.missing == 0 && !task.isGuaranteeing
        if isLast && isReached { return [piece(gap, .targetReached)] }
        var (pieces, cursor): ([Piece], Timestamp) = ([], start)
        for wait in load.waits {
            guard let part = wait.interval.intersection(gap) else { continue }
            let reason = waitReason(wait.reason)
            if let before = Interval(start: cursor, end: part.start) { pieces.append(piece(before, reason)) }
            pieces.append(piece(part, reason))
            cursor = part.end
        }
        if let rest = Interval(start: cursor, end: end) { pieces.append(piece(rest, waitReason(nil))) }
        return pieces
    }

    private func runReason(_ reason: PlanReason) -> ScheduleReason {
        if reason == .deadline, load.missing > 0 || isWhole { return .deadline }
        if timeline.guidance == nil { return .noGuidance }
        return timeline.isByRates ? .lowerRates : .cleanerEnergy
    }

    /// No slot is used in part: the plan needs all the time that there is.
    private var isWhole: Bool {
        let told = load.runs.map(\.interval) + load.waits.map(\.interval)
        return told.reduce(0) { $0 + $1.milliseconds } >= task.end.milliseconds(since: now) - 1_000
    }

    private func waitReason(_ reason: PlanReason?) -> ScheduleReason {
        switch reason {
        case .loadBalancing: .loadBalancing
        case .outsideWindow: .away
        case .priceAboveCeiling: .abovePriceCeiling
        case .carbonAboveCeiling: .aboveCarbonCeiling
        case _ where task.isGuaranteeing: task.rules.priceMax != nil ? .abovePriceCeiling : .aboveCarbonCeiling
        case .targetReached where load.missing == 0: .targetReached
        default: timeline.isByRates ? .waitingForLowerRates : .waitingForCleanerEnergy
        }
    }
}
