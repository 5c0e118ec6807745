internal import EnergyModel
internal import EnergyPlanning
internal import Foundation

/// Says in one sentence what a vehicle does and why.
struct ChargeExplanation {
    let task: ChargeTask
    let load: LoadPlan
    let blocks: [ScheduleBlock]
    let timeline: PlanTimeline
    let planned: Energy
    let now: Timestamp
    /// It was planned beside what others do already: nobody knows what is in its way.
    var isInTurn = false

    private var text: LocalTimeText { LocalTimeText(timeZone: task.timeZone, now: now) }

    var sentence: String {
        guard let doubt = task.unplugged else { return whole }
        return "\(doubt): \(whole.prefix(1).lowercased())\(whole.dropFirst())"
    }

    private var whole: String {
        ((task.stopped.map { ["\($0.words)", "then: \(plan)"] } ?? [plan]) + missed + late + cutShort
            + unpreconditioned
            + unkept + (task.isGuess ? ["its state of charge is not known yet and counts as 0 %"] : []) + task.doubts)
            .joined(separator: "; ")
    }

    /// Where nobody says what power costs, or how clean it is, all of the time is as good as below a ceiling.
    private var unkept: [String] {
        guard !task.isAtOnce else { return [] }
        let ceilings = [
            task.rules.priceMax != nil && !timeline.hasPrices ? "price" : nil,
            task.rules.carbonMax != nil && !timeline.hasCarbon ? "carbon" : nil,
        ].compactMap(\.self)
        return ceilings.map { "its \($0) ceiling cannot be kept: no guidance says the \($0)" }
    }

    /// A plan that keeps all but the least length of a run says so.
    private var cutShort: [String] {
        guard task.kept == nil, let end = Interval(start: now, end: task.end) else { return [] }
        let (least, runs) = (task.rules.shape.runMinMilliseconds, Remainder(of: blocks, in: end).runs)
        let isCut = runs.contains {
            $0.milliseconds < least - .millisecondsPerMinute && !(task.isRunning && $0.start == now)
        }
        guard runs.count > 1, isCut else { return [] }
        return ["not every run lasts the \(text.duration(milliseconds: least)) asked for"]
    }

    /// What is asked for in the time before its deadline yields to needs, ceilings and limits.
    private var unpreconditioned: [String] {
        let whole = min(task.rules.shape.preconditionMilliseconds, task.milliseconds(for: planned))
        let start = task.end.advanced(byMilliseconds: -whole)
        guard whole > 0, task.kept == nil, start > now else { return [] }
        let came = blocks.energy(of: planned, from: start)
        guard task.powerMax.energy(overMilliseconds: whole) - came > task.second, task.taper == nil else { return [] }
        return [
            "it does not charge through the \(text.duration(milliseconds: whole)) before its deadline, as was asked"
        ]
    }

    /// Of a goal that is not reached, where the plan is for later ones.
    private var missed: [String] {
        guard let first = task.missed.goals.first else { return [] }
        let start = "\(due(task.missed.goals)) will be missing then"
        guard let shortfall = task.missed.shortfall else { return [start] }
        return [
            "\(start), because \(causes(of: shortfall, first).joined(separator: " and "))\(shortfall.help)"
        ]
    }

    /// `2.0 kWh that should be there by 07:00, and 3.0 kWh by 08:00`
    private func due(_ lacks: [Due]) -> String {
        let parts = lacks.sorted { $0.by < $1.by }.enumerated().map { index, lack in
            "\(text.energy(lack.energy)) \(index == 0 ? "that should be there " : "")by \(text.time(lack.by))"
        }
        return parts.joined(separator: ", and ")
    }

    /// Goals before the last that are missed.
    private var early: [(goal: Due, lack: Due)] {
        task.goals.dropLast().compactMap { goal in
            let lack = goal.energy - Energy(kilowattHours: blocks.energy(until: goal.by))
            guard lack > task.second else { return nil }
            return (goal: goal, lack: (by: goal.by, energy: lack))
        }
    }

    private func causes(of shortfall: Shortfall, _ goal: Due) -> [String] {
        if isInTurn { return [cause(.timeLimit, [], goal)] }
        return shortfall.causes.map { cause($0.cause, $0.who, goal) }
    }

    /// Of goals that are reached only after their time.
    private var late: [String] {
        guard task.required <= planned, let shortfall = load.shortfall, let first = early.first else { return [] }
        let causes = causes(of: shortfall, first.goal).joined(separator: " and ")
        let help = shortfall.help
        return ["\(due(early.map(\.lack))) will come later, because \(causes)\(help)"]
    }

    private var aboveCeilings: String {
        let (rates, carbon) = (task.rules.priceMax != nil, task.rules.carbonMax != nil)
        return rates && carbon ? "rates or carbon are" : carbon ? "carbon is" : "rates are"
    }

    private var plan: String {
        let runs = blocks.filter { $0.power > .zero }
        let needed = task.milliseconds(for: task.required)
        let most = task.slowsDown(from: 0, by: task.required.kilowattHours) ? "up to " : ""
        let need = "needs \(text.duration(milliseconds: needed)) at \(most)\(text.power(task.powerMax))"
        let missing = task.required - planned
        if let shortfall = load.shortfall, missing > .zero {
            if task.isGuaranteeing, let share = task.guaranteed.last, share.energy < task.required {
                return short(shortfall, of: share, missing: missing, need, runs: !runs.isEmpty)
            }
            return short(shortfall, missing: missing, need, runs: !runs.isEmpty)
        }
        if task.isGuaranteeing, missing > .zero, load.missing == 0 {
            return "Charges only what is guaranteed, because \(aboveCeilings) above the ceiling for too long: "
                + "\(text.energy(missing)) will be missing (\(need))\(task.belowCeilings?.help ?? "")"
        }
        guard let first = runs.first, let last = runs.last else { return "The target is reached" }
        if !blocks.contains(where: { $0.power == .zero }) {
            return "Charges at once: takes all the time until \(text.time(task.due)) (\(need))"
        }
        let ready = "ready by \(text.time(last.interval.end)) (\(need))"
        switch first.reason {
        case .chargeNow: return atOnce(from: first, as: "as asked", ready)
        case .minimumCharge: return atOnce(from: first, as: "up to its minimum", ready)
        default: break
        }
        guard timeline.guidance != nil else {
            return first.interval.start > now
                ? waiting(from: first, ready) + "; there is no guidance"
                : "Charges at once, because there is no guidance: \(ready)"
        }
        return waiting(from: first, ready) + balancing + horizon(last.interval)
    }

    /// - Parameter purpose: `as asked`
    private func atOnce(from first: ScheduleBlock, as purpose: String, _ ready: String) -> String {
        let rests = Set(blocks.filter { $0.power == .zero && $0.interval.start < first.interval.start }.map(\.reason))
        guard rests.isEmpty else {
            return "Charges \(purpose) as soon as it can, and waits for \(other(rests)) until then: starts "
                + "\(text.time(first.interval.start)), \(ready)"
        }
        let isPaced = blocks.contains {
            $0.reason == first.reason && $0.power.kilowatts < 0.995 * task.vehicle.powerMax.kilowatts
        }
        return "Charges at once, \(purpose)" + (isPaced ? ", with what its limits leave" : "") + ": \(ready)"
    }

    private func waiting(from first: ScheduleBlock, _ ready: String) -> String {
        if first.interval.start > now {
            // What it waits for now is told first, as its block does.
            let next = blocks.first.map { $0.power == .zero ? [$0.reason] : [] } ?? []
            return "Waits for \(wish(Set(next))): starts \(text.time(first.interval.start)), \(ready)"
        }
        let pauses = Set(blocks.filter { $0.power == .zero }.map(\.reason))
        if !pauses.isDisjoint(with: Self.wishes) {
            let next = blocks.first { Self.wishes.contains($0.reason) }
            return "Charges now and pauses for \(wish(Set([next?.reason].compactMap(\.self)))): \(ready)"
        }
        return "Charges now, \(first.reason.purpose): \(ready)"
    }

    private static let wishes: Set<ScheduleReason> = [
        .waitingForLowerRates, .waitingForCleanerEnergy, .abovePriceCeiling, .aboveCarbonCeiling,
    ]

    private func wish(_ reasons: Set<ScheduleReason>) -> String {
        if reasons.contains(.waitingForLowerRates) { return "lower rates" }
        return reasons.contains(.waitingForCleanerEnergy) ? "cleaner energy" : other(reasons)
    }

    private func other(_ reasons: Set<ScheduleReason>) -> String {
        if reasons.contains(.loadBalancing) { return "room beside other loads" }
        if reasons.contains(.lowPeak) { return "a lower peak" }
        if reasons.contains(.waitingForSolar) { return "own solar power" }
        if reasons.contains(.abovePriceCeiling) { return "lower rates, below the ceiling" }
        if reasons.contains(.aboveCarbonCeiling) { return "cleaner energy, below the ceiling" }
        if reasons.contains(.waitingForPreconditioning) { return "the time right before its deadline" }
        return reasons.contains(.away) ? "the vehicle to be there" : "its time"
    }

    private func short(_ shortfall: Shortfall, missing: Energy, _ need: String, runs: Bool) -> String {
        let ceilings = ceilings(beside: shortfall.causes.map(\.cause))
        // What is to blame is so for the first goal that is missed.
        let last = (goal: (by: task.due, energy: task.required), lack: (by: task.due, energy: missing))
        let goal = (early.first ?? last).goal
        let lacks = early.isEmpty ? text.energy(missing) : due(early.map(\.lack) + [last.lack])
        let end = "\(lacks) will be missing (\(need))\(shortfall.help)"
        let isOnlyTime = shortfall.causes.map(\.cause) == [.window] && ceilings.isEmpty && !isAbsence(goal)
        if isOnlyTime, runs, blocks.first.map({ $0.power > .zero }) ?? false {
            return "Charges at once, the time until \(text.time(goal.by)) is too short: \(end)"
        }
        let causes = causes(of: shortfall, goal) + ceilings.map { cause($0, [], goal) }
        return "\(runs ? "Charges what it can" : "Cannot charge") until \(text.time(task.due)), because "
            + "\(causes.joined(separator: " and ")): \(end)"
    }

    /// - Parameter share: what is guaranteed, of which a part is missing, too: what helps, helps that.
    private func short(
        _ shortfall: Shortfall, of share: Due, missing: Energy, _ need: String, runs: Bool
    ) -> String {
        let lacking = Energy(kilowattHours: load.missing)
        // What the planner knows to be asked for is the share.
        let help = shortfall.help
            .replacingOccurrences(of: "ask for", with: "guarantee")
        return
            "\(runs ? "Charges what it can" : "Cannot charge") of what is guaranteed until \(text.time(task.due)), because "
            + "\(causes(of: shortfall, share).joined(separator: " and ")): \(text.energy(lacking)) of that will be missing, "
            + "and \(text.energy(missing)) in all, because \(aboveCeilings) above the ceiling (\(need))\(help)"
    }

    /// Ceilings that keep it from charging more, besides those that are named as causes.
    private func ceilings(beside named: [Shortfall.Cause]) -> [Shortfall.Cause] {
        let waits = Set(load.waits.map(\.reason))
        let found: [(PlanReason, Shortfall.Cause)] = [
            (.priceAboveCeiling, .priceCeiling), (.carbonAboveCeiling, .carbonCeiling),
        ]
        return found.filter { waits.contains($0.0) && !named.contains($0.1) }.map(\.1)
    }

    private typealias Due = (by: Timestamp, energy: Energy)

    /// Since it may charge; those that follow each other are one.
    private func absences(until end: Timestamp) -> [Interval] {
        guard let window = Interval(start: task.stopped?.until ?? now, end: end) else { return [] }
        return task.rules.absences.compactMap(window.intersection).joined
    }

    private func away(_ absence: Interval) -> String {
        absence.start <= now
            ? "until \(text.time(absence.end))" : "\(text.time(absence.start)) to \(text.time(absence.end))"
    }

    /// Whether there would be time enough if the vehicle were always there.
    private func isAbsence(_ goal: Due) -> Bool {
        let start = task.stopped?.until ?? now
        return !absences(until: goal.by).isEmpty
            && task.milliseconds(for: goal.energy) <= goal.by.milliseconds(since: start)
    }

    private func cause(_ cause: Shortfall.Cause, _ who: [String], _ goal: Due) -> String {
        switch cause {
        case .window where isAbsence(goal):
            "it is away "
                + absences(until: goal.by).prefix(2).map(away).joined(separator: " and ")
        case .window: "the time until \(text.time(goal.by)) is too short"
        case .power: "it is too weak"
        case .limit, .otherLoads: Shortfall.tooLittleRoom(who)
        case .baseLoad: Shortfall.tooLittleBeside(who)
        case .exclusion: "it must not charge while \(Shortfall.run(who))"
        case .priceCeiling: "rates are above the ceiling for too long"
        case .carbonCeiling: "carbon is above the ceiling for too long"
        case .capacity: "the battery takes no more"
        case .shape: "runs and pauses are too long"
        case .timeLimit: "there was no time to find a better plan"
        }
    }

    private var balancing: String {
        let limits = Set(load.waits.filter { $0.reason == .loadBalancing }.compactMap(\.limit))
        // At one time a whole circuit may be full, and a phase of it at another.
        let full = limits.subtracting([PlanReason.demandCharge])
            .filter { limit in !limits.contains { limit.hasPrefix("\($0), phase ") } }
            .sorted().joined(separator: " and ")
        return (full.isEmpty ? "" : "; waits while other loads take all of \(full)")
            + (limits.contains(PlanReason.demandCharge) ? "; waits to keep the peak low" : "")
    }

    /// Only when it changes the plan: time without a rating had to be used.
    private func horizon(_ last: Interval) -> String {
        guard let ratedUntil = timeline.ratedUntil, last.end > ratedUntil else { return "" }
        let rest = timeline.isByRates && timeline.isContracted ? "by what the contract says" : "a forecast"
        return "; guidance ends \(text.time(ratedUntil)), what follows is \(rest)"
    }
}
