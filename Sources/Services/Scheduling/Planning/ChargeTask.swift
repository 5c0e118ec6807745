internal import EnergyModel
internal import EnergyPlanning
internal import Foundation

/// A vehicle that needs energy, as its venue's plan sees it.
struct ChargeTask {
    let deviceID: String
    let vehicle: VehicleTraits
    let timeZone: TimeZone
    /// From the grid, counted from now; sorted by time, rising, at least one.
    var goals: [(by: Timestamp, energy: Energy)]
    /// Goals that need no more than an earlier one: they count where that is missed.
    var later: [(by: Timestamp, energy: Energy)] = []
    /// Goals that are missed although the plan brings what the later ones need, with what they lack, and why the first does.
    var missed: (goals: [(by: Timestamp, energy: Energy)], shortfall: Shortfall?) = ([], nil)
    /// Of what is planned; not before the last goal.
    var end: Timestamp
    /// When the last of its goals is due: one that asks for less, and has it by then, may follow.
    var due: Timestamp { goals.last?.by ?? end }
    var rules = ChargeRules()
    /// What is needed at once, and why; part of what the goals need.
    var urgent: (energy: Energy, reason: ScheduleReason)?
    /// Of what is asked for at once: 0 takes all it can, the next what that leaves.
    var turn = 0
    /// When which part of what is urgent has to be there, where it cannot come at full power; empty: all at full power.
    var pace: [(by: Timestamp, energy: Energy)] = []
    /// When all that is urgent is there by its pace: ceilings hold from then on.
    var paceEnd: Timestamp?
    /// The vehicle has not said its state of charge.
    var isGuess = false
    /// What it really takes, if that is less than it should.
    var slowPower: Power?
    /// Until when its owner stopped it, in words too.
    var stopped: (until: Timestamp, words: String)?
    /// Why the plan may not be followed, for its explanation.
    var doubts: [String] = []
    /// What to say of one that is not plugged in, before what is planned.
    var unplugged: String?
    /// It is not there, or does not do as it is told: whatever it is told, it takes nothing now.
    var drawsNothing = false
    /// Until then it leaves its room to others.
    var yieldsUntil: Timestamp?
    /// A plan that is to be kept: it runs only then.
    var kept: Remainder?
    /// Parts of the goals that are had even above the ceilings.
    var guaranteed: [(by: Timestamp, energy: Energy)] = []
    /// What is guaranteed, whatever it costs, in place of the goals within the ceilings.
    var isGuaranteeing = false
    /// When what is guaranteed comes; all else keeps to the ceilings.
    var guaranteedTimes: [Interval] = []
    /// It shares what photovoltaics or a battery give, or a demand charge: at full power for a part of a slot it would not
    /// take the slot's mean of them.
    var isSwitchedWhole = false
    /// A meter counts its highest mean: minutes of more power than that are no lower peak.
    var isMetered = false
    /// What it lacks below its ceilings, where they only leave what is guaranteed.
    var belowCeilings: Shortfall?
    /// Ready so long before each deadline; 0 where there is no time for it.
    var marginMilliseconds: Int64 = 0
    /// Of ``ChargeRules/shape``, how many are left; the run that goes on counts.
    var runsMax: Int?
    /// It charges now, so that going on is no start.
    var isRunning = false
    /// A run that goes on does so until then, or until it has all it needs.
    var runsUntil: Timestamp?
    /// It was told to charge until then, and to stop sooner is not worth it.
    var goesOnUntil: Timestamp?
    /// A pause that goes on does so until then.
    var pausesUntil: Timestamp?
    /// kWh at the grid until the battery's power begins to fall, and until it is full.
    var taper: (start: Double, full: Double, powerAtFull: Power)?

    /// It charges with one power or not at all.
    var isSwitched: Bool { vehicle.powerMin == vehicle.powerMax }

    /// Whether it keeps to more than its deadlines, which may be too much.
    var hasWishes: Bool {
        kept == nil && (marginMilliseconds > 0 || runShape != freeShape)
    }

    private var freeShape: RunShape {
        RunShape(
            startsAnywhere: runShape.startsAnywhere, startCost: rules.shape.startCost, ties: rules.shape.ties,
            isOn: isRunning)
    }

    mutating func dropWishes() {
        let wishes = [marginMilliseconds > 0 ? "its margin" : nil, runShape != freeShape ? "its runs and pauses" : nil]
        doubts.append("there is no time for \(wishes.compactMap(\.self).joined(separator: ", or for "))")
        (marginMilliseconds, runsMax, runsUntil, pausesUntil) = (0, nil, nil, nil)
        rules.shape = ChargingShape(
            ties: rules.shape.ties, preconditionMilliseconds: rules.shape.preconditionMilliseconds,
            startCost: rules.shape.startCost)
    }

    /// Until when a run that goes on, does.
    private var runEnd: Timestamp? { [runsUntil, goesOnUntil].compactMap(\.self).max() }

    /// Whether a plan breaks off a run that was to go on: it cannot, and so asks for nothing.
    func breaksOff(in plan: DevicePlan) -> Bool {
        guard kept == nil, urgent == nil, let runEnd, let now = plan.blocks.first?.interval.start else { return false }
        let run = running(from: now, until: min(runEnd, end))
        return Energy(kilowattHours: run.energy) - Energy(kilowattHours: plan.blocks.energy(until: run.by)) > second
    }

    mutating func dropRun() { (runsUntil, goesOnUntil) = (nil, nil) }

    /// Whether a part of what it needs has to come even above the ceilings.
    var hasGuarantee: Bool {
        !isGuaranteeing && kept == nil && !isAtOnce && !guaranteed.isEmpty && rules.hasCeilings
    }

    /// Whether a plan brings less of a guaranteed part than is to be there by its time.
    func lacksGuarantee(in plan: DevicePlan) -> Bool {
        guaranteed.contains { $0.energy - Energy(kilowattHours: plan.blocks.energy(until: $0.by)) > second }
    }

    /// Whether more than what is guaranteed may be had within the ceilings: for other goals, or above the minimum.
    var wantsMore: Bool {
        isGuaranteeing && (goals.count > 1 || urgent != nil) && required - (guaranteed.last?.energy ?? .zero) > second
    }

    /// Whether a plan brings less than `energy`.
    func lacks(_ energy: Energy, in plan: DevicePlan) -> Bool {
        energy - plan.planned > second
    }

    /// What a second at full power brings: less comes of a rounding.
    var second: Energy { powerMax.energy(overMilliseconds: 1_000) }

    var required: Energy { goals.last?.energy ?? .zero }

    /// All that it needs comes at once, as its owner asked.
    var isAtOnce: Bool { urgent?.reason == .chargeNow }

    /// Among the loads of a venue: what was asked for at once comes before others of the same priority, in its turn, and
    /// what is kept before what comes anew.
    var rank: Int { HomeTask.rank(rules.priority) + (isAtOnce ? 900 - min(turn, 800) : kept == nil ? 0 : 1) }

    /// What it takes when it charges with all it can.
    var powerMax: Power { slowPower ?? vehicle.powerMax }

    /// - Parameter now: before ``end``.
    func load(from now: Timestamp) -> PlannedLoad? {
        var goals = plannedGoals(from: now)
        guard let last = kept == nil ? goals.last?.by : end, let window = Interval(start: now, end: last) else {
            return nil
        }
        var rests = [yieldsUntil, stopped?.until].compactMap { $0.flatMap { Interval(start: now, end: $0) } }
        var ceilingsOff = guaranteedTimes
        if let urgent {
            let steps = pace.isEmpty ? [(by: fullPowerEnd(from: now), energy: urgent.energy)] : pace
            let hurries = isAtOnce ? end : paceEnd ?? steps.last?.by ?? now
            ceilingsOff += [Interval(start: now, end: hurries)].compactMap(\.self)
            for step in steps where step.by < last {
                let goal = EnergyNeed.Goal(by: step.by, energy: step.energy.kilowattHours)
                // To be late counts at each step of a pace, also at those that ask for no more.
                goals = pace.isEmpty ? Self.adding(goal, to: goals) : Self.joining(goal, to: goals)
            }
        }
        if isGuaranteeing { ceilingsOff = [window] }
        if kept == nil, urgent == nil {
            if let pausesUntil, let pause = Interval(start: now, end: min(pausesUntil, last)) { rests.append(pause) }
            if let runEnd { goals = Self.adding(running(from: now, until: min(runEnd, last)), to: goals) }
        }
        if let kept {
            let most = min(required, kept.energy).kilowattHours
            goals = [.init(by: last, energy: most)]
            rests += kept.pauses(in: window)
        }
        let shape = kept == nil ? runShape : RunShape(ties: rules.shape.ties)
        var load = PlannedLoad(
            name: deviceID, need: .energy(need(goals, shape)), window: window, shape: shape, phases: vehicle.phases,
            priority: rank, priceMax: rules.priceMax, carbonMax: rules.carbonMax, absences: rules.absences)
        (load.ceilingsOff, load.rests) = (ceilingsOff, rests)
        return load
    }

    private func need(_ goals: [EnergyNeed.Goal], _ shape: RunShape) -> EnergyNeed {
        let powerMax = self.powerMax.kilowatts
        let powerMin = min(vehicle.powerMin.kilowatts, powerMax)
        // One that is slow does not keep to its steps.
        let step = slowPower == nil && powerMin < powerMax ? vehicle.step?.kilowatts : nil
        var need = EnergyNeed(
            goals: goals, powerMin: powerMin, powerMax: powerMax, powerStep: step,
            partialSlots: shape.isFree && !isMetered && !(isSwitchedWhole && powerMin == powerMax) ? .any : .last,
            precondition: kept == nil ? rules.shape.preconditionMilliseconds : 0)
        need.taper = taper.map {
            Taper(
                energyAtStart: $0.start, energyAtFull: max($0.full, need.energyMax),
                powerAtFull: min(powerMax, $0.powerAtFull.kilowatts))
        }
        return need
    }

    private var runShape: RunShape {
        var shape = RunShape(
            runMin: rules.shape.runMinMilliseconds, pauseMin: rules.shape.pauseMinMilliseconds,
            runsMax: runsMax.map { isRunning ? $0 - 1 : $0 },
            startsAnywhere: isSwitched, startCost: rules.shape.startCost,
            ties: rules.shape.ties, isOn: isRunning)
        if runsMax != nil, let most = rules.shape.runsMax {
            let passed = Set((goals + later).map(\.by).filter { $0 < due }.map(\.unixMilliseconds))
            if !passed.isEmpty { shape.recounts = .init(at: passed.sorted(), runsMax: most) }
        }
        return shape
    }

    /// Each as early as the margin wants, if that is not past, nor before it may charge.
    private func plannedGoals(from now: Timestamp) -> [EnergyNeed.Goal] {
        let begin = firstTime(from: now)
        let margin = rules.shape.preconditionMilliseconds > 0 ? 0 : marginMilliseconds
        var planned: [EnergyNeed.Goal] = []
        for goal in isGuaranteeing ? guaranteed : goals {
            let early = goal.by.advanced(byMilliseconds: -margin)
            let by = max(early > begin ? early : goal.by, planned.last?.by ?? now)
            if planned.last?.by == by { planned.removeLast() }
            planned.append(.init(by: by, energy: goal.energy.kilowattHours))
        }
        return planned
    }

    /// When it may charge first: what keeps it from it may go over into something else that does.
    private func firstTime(from now: Timestamp) -> Timestamp {
        let pauses = [yieldsUntil, pausesUntil, stopped?.until].compactMap {
            $0.flatMap { Interval(start: now, end: $0) }
        }
        var time = now
        while let rest = (rules.absences + pauses).first(where: { $0.contains(time) }) { time = rest.end }
        return time
    }

    /// What a run that may not stop yet brings until `end`.
    private func running(from now: Timestamp, until end: Timestamp) -> EnergyNeed.Goal {
        let time = max(0, end.milliseconds(since: now))
        let power = taper == nil ? powerMax : min(powerMax, vehicle.powerMin)
        let most = (isGuaranteeing ? guaranteed.last?.energy : nil) ?? required
        return .init(by: end, energy: min(most, power.energy(overMilliseconds: time)).kilowattHours)
    }

    private static func adding(_ goal: EnergyNeed.Goal, to goals: [EnergyNeed.Goal]) -> [EnergyNeed.Goal] {
        guard goal.energy > 0, !goals.contains(where: { $0.by <= goal.by && $0.energy >= goal.energy }) else {
            return goals
        }
        return joining(goal, to: goals)
    }

    private static func joining(_ goal: EnergyNeed.Goal, to goals: [EnergyNeed.Goal]) -> [EnergyNeed.Goal] {
        guard goal.energy > 0 else { return goals }
        let earlier = goals.filter { $0.by < goal.by }
        let later = goals.filter { $0.by >= goal.by && ($0.by > goal.by || $0.energy > goal.energy) }
        return earlier + [goal] + later
    }
}

/// What a vehicle's charging has to keep to besides its goals.
struct ChargeRules: Hashable, Sendable {
    var shape = ChargingShape()
    /// Times at which the vehicle is not there.
    var absences: [Interval] = []
    /// Currency per kWh.
    var priceMax: Double?
    /// g CO2 per kWh.
    var carbonMax: Double?
    /// When not all can have what they need, those with a higher one have it first.
    var priority = 0

    var hasCeilings: Bool { priceMax != nil || carbonMax != nil }

    /// Whether its ceilings hold in a slot.
    func allow(_ slot: PlanSlot) -> Bool {
        (priceMax.map { (slot.expectedPrice ?? slot.importPrice) <= $0 } ?? true)
            && (carbonMax.map { (slot.expectedCarbon ?? slot.carbon) <= $0 } ?? true)
    }
}

extension Energy {
    /// Rounded to a milliwatt-hour; at most 1 GWh.
    init(kilowattHours: Double) {
        self.init(milliwattHours: Int64((min(max(kilowattHours, 0), 1_000_000) * 1_000_000).rounded()))
    }

    /// How long `power` takes to bring it, rounded up to a millisecond.
    func milliseconds(at power: Power) -> Int64 {
        guard power > .zero, self > .zero else { return 0 }
        let product = milliwattHours.multipliedFullWidth(by: .millisecondsPerHour)
        // The quotient must fit: more than 292 million years is as good as never.
        guard product.high < power.milliwatts else { return .max }
        let (quotient, remainder) = power.milliwatts.dividingFullWidth(product)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
