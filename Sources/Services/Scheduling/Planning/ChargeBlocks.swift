internal import EnergyModel
internal import EnergyPlanning

/// Lays a vehicle's plan out as blocks without gaps, each with its energy and its reason.
struct ChargeBlocks {
    let task: ChargeTask
    let load: LoadPlan
    let timeline: PlanTimeline
    let now: Timestamp
    /// kW that each run of a slow vehicle may take; empty for one that is not slow.
    var offers: [Double] = []

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
        var (cursor, taken) = (now, 0.0)
        for (index, planned) in load.toldRuns {
            let isNearFull = task.slowsDown(from: taken, by: planned.energy)
            let run = isNearFull ? planned : stepped(planned)
            // What is shorter than some seconds comes of a rounding.
            let isWait = run.interval.start.milliseconds(since: cursor) >= 5_000
            if isWait { waits(cursor, run.interval.start, isLast: false).forEach(add) }
            let start = isWait ? run.interval.start : cursor
            cursor = run.interval.end
            guard let interval = Interval(start: start, end: cursor) else { continue }
            for (part, reason) in reasons(run, in: interval, after: taken) {
                let share = Double(part.milliseconds) / Double(interval.milliseconds)
                add(
                    Piece(
                        interval: part,
                        power: told(run, index, isNearFull ? powerNearFull(run, after: taken) : power(run)),
                        energy: run.energy * share, reason: reason))
            }
            taken += run.energy
        }
        let due = max(cursor, task.due)
        waits(cursor, due, isLast: true).forEach(add)
        if let rest = Interval(start: due, end: task.end) {
            add(Piece(interval: rest, power: .zero, energy: 0, reason: .targetReached))
        }
        return pieces
    }

    /// What is planned between two steps is told as the higher one; for a shorter time, if that is a minute or more.
    private func stepped(_ run: LoadPlan.Run) -> LoadPlan.Run {
        guard task.slowPower == nil, task.vehicle.powerMin < task.vehicle.powerMax, let step = task.vehicle.step else {
            return run
        }
        let higher = (run.power / step.kilowatts - 1e-6).rounded(.up) * step.kilowatts
        guard higher > run.power, higher <= task.powerMax.kilowatts else { return run }
        let length = Int64((Double(run.interval.milliseconds) * run.power / higher).rounded(.up))
        var run = run
        run.power = higher
        if run.interval.milliseconds - length >= .millisecondsPerMinute {
            run.interval = Interval(start: run.interval.start, milliseconds: length)
        }
        return run
    }

    /// What the vehicle is told of a run: a slow one no more than limits leave.
    private func told(_ run: LoadPlan.Run, _ index: Int, _ power: Power) -> Power {
        guard offers.indices.contains(index) else { return power }
        return min(power, Power(kilowatts: max(offers[index], run.power)))
    }

    /// What the vehicle is told: a slow one, too, may take all it can.
    private func power(_ run: LoadPlan.Run) -> Power {
        let share = run.power / max(task.powerMax.kilowatts, 1e-9)
        // What floating point leaves out of the highest power is not another power.
        return Power(kilowatts: (share > 1 - 1e-6 ? 1 : share) * task.vehicle.powerMax.kilowatts)
    }

    /// What is told near full: what it may take at first, which is more than it takes on average; and never less than it can
    /// be told.
    private func powerNearFull(_ run: LoadPlan.Run, after taken: Double) -> Power {
        let needed = task.milliseconds(from: taken, to: taken + run.energy)
        let takesAll = Double(needed) > 0.99 * Double(run.interval.milliseconds)
        let most = task.powerMax.kilowatts
        var told = max(takesAll ? task.power(after: taken) : run.power, task.vehicle.powerMin.kilowatts)
        if let step = task.vehicle.step { told = (told / step.kilowatts - 1e-6).rounded(.up) * step.kilowatts }
        return Power(kilowatts: min(1, told / max(most, 1e-9)) * task.vehicle.powerMax.kilowatts)
    }

    /// A run's times with the reason of each: what is urgent comes first.
    ///
    /// - Parameter taken: kWh before it.
    private func reasons(
        _ run: LoadPlan.Run, in interval: Interval, after taken: Double
    ) -> [(Interval, ScheduleReason)] {
        // What is kept was chosen among more than the times that are kept.
        let kept = task.kept?.blocks.first { $0.power > .zero && $0.interval.contains(interval.start) }
        let usual = kept?.reason ?? runReason(run.reason, from: interval.start)
        let hasGuarantee = task.isGuaranteeing || !task.guaranteedTimes.isEmpty
        func later(_ part: Interval) -> [(Interval, ScheduleReason)] {
            hasGuarantee ? guaranteed(part, usual) : [(part, usual)]
        }
        guard let urgent = task.urgent, run.energy > 0 else { return later(interval) }
        let share = (urgent.energy.kilowattHours - taken) / run.energy
        // What is left of it may be what was rounded.
        let isAll = task.isAtOnce || share > 1 - 1e-4
        let length = isAll ? 1 : share < 1e-4 ? 0 : share
        let end = interval.start.advanced(byMilliseconds: Int64(Double(interval.milliseconds) * length))
        let first = Interval(start: interval.start, end: min(end, interval.end)).map { [($0, urgent.reason)] } ?? []
        return first + (Interval(start: max(end, interval.start), end: interval.end).map(later) ?? [])
    }

    /// What is guaranteed runs above the ceilings too, and says so there.
    private func guaranteed(_ run: Interval, _ usual: ScheduleReason) -> [(Interval, ScheduleReason)] {
        timeline.slots.compactMap { slot in
            slot.interval.intersection(run).map { ($0, task.rules.allow(slot) ? usual : .guaranteed) }
        }
    }

    /// The time between two runs, cut where the reason changes.
    private func waits(_ start: Timestamp, _ end: Timestamp, isLast: Bool) -> [Piece] {
        guard let gap = Interval(start: start, end: end) else { return [] }
        func piece(_ interval: Interval, _ reason: ScheduleReason) -> Piece {
            Piece(interval: interval, power: .zero, energy: 0, reason: reason)
        }
        if isLast && isReached { return [piece(gap, .targetReached)] }
        var (pieces, cursor): ([Piece], Timestamp) = ([], start)
        for wait in load.waits {
            guard let part = wait.interval.intersection(gap) else { continue }
            if let before = Interval(start: cursor, end: part.start) {
                pieces.append(piece(before, waitReason(wait, at: before.start)))
            }
            pieces += split(part, of: wait).map { piece($0, $1) }
            cursor = part.end
        }
        if let rest = Interval(start: cursor, end: end) { pieces.append(piece(rest, waitReason(nil, at: rest.start))) }
        return pieces
    }

    /// Whether nothing is left to be done after the last run.
    private var isReached: Bool {
        let wanted = task.kept.map { min(task.required, $0.energy) } ?? task.required
        return load.planned >= wanted.kilowattHours - 1e-6 && !task.isGuaranteeing
    }

    /// A time in which it cannot run is an absence only where its owner said so: it may also be a rest of a plan that is
    /// kept, or one that must not be cut short.
    private func split(_ part: Interval, of wait: LoadPlan.Wait) -> [(Interval, ScheduleReason)] {
        guard wait.reason == .outsideWindow else { return [(part, waitReason(wait, at: part.start))] }
        let kept = task.kept?.blocks.filter { $0.power == .zero } ?? []
        let edges =
            (task.rules.absences + kept.map(\.interval)).flatMap { [$0.start, $0.end] }
            + [task.yieldsUntil, task.stopped?.until].compactMap(\.self)
        let cuts = Set(edges.filter { part.start < $0 && $0 < part.end } + [part.start, part.end]).sorted()
        return zip(cuts, cuts.dropFirst()).compactMap { start, end in
            guard let part = Interval(start: start, end: end) else { return nil }
            if let stopped = task.stopped, start < stopped.until { return (part, .stopped) }
            if task.rules.absences.contains(where: { $0.contains(start) }) { return (part, .away) }
            if let until = task.yieldsUntil, start < until { return (part, .loadBalancing) }
            let before = kept.first { $0.interval.contains(start) && $0.reason != .away }?.reason
            return (part, before ?? waitReason(nil, at: start))
        }
    }

    private func runReason(_ reason: PlanReason, from start: Timestamp) -> ScheduleReason {
        let isDeadline = reason == .deadline && (load.missing > 0 || isWhole)
        if isDeadline { return .deadline }
        let goesOn = reason == .deadline && start < task.goesOnUntil ?? start
        return timeline.reason(running: goesOn ? .keepingRunsLong : reason, from: start)
    }

    /// No slot is used in part: the plan needs all the time that there is.
    private var isWhole: Bool {
        let window = Interval(start: now, end: task.end)
        return timeline.slots.allSatisfy { slot in
            guard let slot = window.flatMap(slot.interval.intersection) else { return true }
            let used = load.runs.reduce(0) { $0 + ($1.interval.intersection(slot)?.milliseconds ?? 0) }
            return used == 0 || used > slot.milliseconds - 1_000
        }
    }

    /// Whether some of what it takes after a time, of whose slot it uses another part, costs as much as it would then.
    private func isAsGoodLater(than start: Timestamp) -> Bool {
        guard let slot = timeline.slots.first(where: { $0.interval.contains(start) }),
            load.runs.contains(where: { $0.interval.intersection(slot.interval) != nil })
        else { return false }
        let later = load.runs.filter { $0.interval.start >= start && $0.reason != .precondition }
        let dearest = later.map { timeline.weight(at: $0.interval.start) }.max() ?? .infinity
        return abs(dearest - timeline.weight(of: slot)) < 1e-9
    }

    /// What a time is above, where its ceilings hold.
    private func ceiling(at time: Timestamp) -> ScheduleReason? {
        guard let slot = timeline.slots.first(where: { $0.interval.contains(time) }), !task.rules.allow(slot) else {
            return nil
        }
        var price = task.rules
        price.carbonMax = nil
        return price.allow(slot) ? .aboveCarbonCeiling : .abovePriceCeiling
    }

    private var isPreconditioned: Bool { load.runs.last?.reason == .precondition }

    /// Since when all that it waits for is its preconditioning.
    private var ordinaryEnd: Timestamp { load.runs.last { $0.reason != .precondition }?.interval.end ?? now }

    private func waitReason(_ wait: LoadPlan.Wait?, at start: Timestamp) -> ScheduleReason {
        // What comes after what it was planned in may be dear, too.
        if wait == nil, !task.isGuaranteeing, !task.isAtOnce, let above = ceiling(at: start) { return above }
        return switch wait?.reason {
        // Beside what must run later, however dear that is, nothing leaves no room here.
        case .loadBalancing where wait?.limit != nil || !isPreconditioned:
            timeline.reason(waiting: .loadBalancing, for: wait?.limit)
        case .priceAboveCeiling: .abovePriceCeiling
        case .carbonAboveCeiling: .aboveCarbonCeiling
        case _ where task.isGuaranteeing: task.rules.priceMax != nil ? .abovePriceCeiling : .aboveCarbonCeiling
        case .targetReached where isReached: .targetReached
        // Nothing else keeps it from what was asked for.
        case _ where task.isAtOnce: timeline.reason(waiting: .loadBalancing)
        case _ where isPreconditioned && start >= ordinaryEnd: .waitingForPreconditioning
        case nil where isAsGoodLater(than: start): .laterIsAsGood
        case .loadBalancing, .targetReached, nil: timeline.waitingForBest
        case let reason?: timeline.reason(waiting: reason)
        }
    }
}
