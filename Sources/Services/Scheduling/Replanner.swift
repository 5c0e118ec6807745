internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

/// Decides whether the schedules of a venue still hold, and what replaces them. Knows no clock, store or network.
///
/// A schedule is kept while it still brings what is needed and no other is clearly better: following a plan matters more
/// than the last percent of its cost. Where one device needs another plan, the others keep theirs if that costs little.
struct Replanner: Sendable {
    enum Decision: Hashable {
        case keep
        case plan(DevicePlan)
    }

    let planner: HomePlanner
    var settings = VenueSettings()
    /// Of all plans that one decision takes.
    var timeLimit = Duration.seconds(5)
    var clock: any Clock<Duration> = ContinuousClock()
    /// Devices of the venue that have no goal.
    var bystanders: [DeviceRecord] = []
    /// Since when vehicles were told to wait, or less than they draw, also by schedules before the present ones.
    var restrainedSince: [Scheduler.DeviceKey: Timestamp] = [:]
    /// What vehicles take at most in their present session: one that is told no more than that by now cannot show it.
    var slowPowers: [Scheduler.DeviceKey: Power] = [:]

    /// Until when vehicles were told to charge that have no schedule any more.
    var toldUntil: [Scheduler.DeviceKey: Timestamp] = [:]

    /// Those whose ``Deviation`` began, or is over, since their venue was planned last: their schedules do not tell that yet.
    var news: Set<Scheduler.DeviceKey> = []
    /// Somebody has changed what counts at the venue since it was planned last.
    var isAsked = false
    /// Only looks what would be: see ``Charge/read(_:_:now:_:slowPower:isSupposed:)``.
    var isSupposed = false

    /// A better plan is worth a change from this gain, as a share of what a kWh could cost at most; from twice that with
    /// one more start of each load, and so on. On 60 days of random ratings with a noise of 0.05, updated every 5
    /// minutes, a car starts as often as with the perfect plan, never twice more a day, and pays 1 % less than if it
    /// followed every update, which is twice the starts. (0.02: up to five more on a day.)
    var gainMin = Self.gainMinUsual
    static let gainMinUsual = 0.03
    /// The same where somebody has just changed what a device is to do, or a plan was made in haste.
    static let gainMinWhenAsked = 0.01
    /// A rest that is shorter than this counts as this long: 2 h.
    static let restHoursMin = 2.0
    /// K h: what rounding leaves.
    private static let discomfortMin = 0.01
    /// What a plan may bring too much or too little, as time at full power. Longer than a device takes to report.
    static let toleranceMilliseconds = 10 * Int64.millisecondsPerMinute

    /// - Parameters:
    ///   - records: all devices of one venue, none with a deadline that is over.
    ///   - guidance: of the venue, as far as known.
    /// - Returns: a decision for each record, in their order.
    /// - Throws: ``EnergyError`` `.unavailable` or `.invalidInput` when no plan was found.
    func decide(
        _ records: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp
    ) throws(EnergyError) -> [Decision] {
        try decide(records, guidance: guidance, now: now, within: PlanningTime(timeLimit, clock: clock))
    }

    /// The same, within what is left of the time for more than that.
    func decide(
        _ records: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp, within time: PlanningTime
    ) throws(EnergyError) -> [Decision] {
        let reading = try read(records, guidance: guidance, now: now, within: time)
        var decisions = reading.decisions
        for (index, plan) in try charge(reading, now) { decisions[index] = .plan(plan) }
        return decisions
    }

    /// What there is to plan at a venue.
    struct Reading {
        /// Of each record; ``Decision/keep`` also for what is to be planned.
        var decisions: [Decision]
        var charges: [Charge] = []
        var homes: [HomeTask] = []
        var guidance: Guidance?
        var venue: VenuePlanner
    }

    /// - Parameter end: until then batteries and buildings are planned; `nil`: until the last deadline.
    func read(
        _ records: [DeviceRecord], guidance: [SuggestedAction: Guidance], now: Timestamp, until end: Timestamp? = nil,
        within time: PlanningTime
    ) throws(EnergyError) -> Reading {
        let excesses = excesses(records, now: now)
        var reading = Reading(
            decisions: Array(repeating: .keep, count: records.count),
            venue: VenuePlanner(
                planner: planner, settings: settings, time: time,
                excesses: excesses.sorted { $0.key < $1.key }.map(\.value)))
        let horizon = end ?? records.flatMap(\.goals).map(\.readyBy).max()
        for (index, record) in records.enumerated() {
            guard let goal = record.goal, let window = Interval(start: now, end: goal.readyBy) else { continue }
            if record.device.load != nil {
                if case .appliance = record.device.load, record.delivered(for: goal) > .zero {
                    if record.schedule.map({ Remainder(of: $0, in: window).runs.isEmpty }) != true {
                        reading.decisions[index] = rated(
                            .plan(.done(in: window)), guidance[.shift], record.timeZone, now: now)
                    }
                } else if let home = HomeTask(record, goal, now: now, settings, index, until: horizon) {
                    reading.homes.append(home)
                }
                continue
            }
            switch goal.target {
            case .run: continue
            case .reduce(let milliseconds):
                reading.decisions[index] = try reduce(record, milliseconds, window, guidance[.reduce])
            case .energy, .stateOfCharge:
                switch Charge.read(
                    record, goal, now: now, index, slowPower: slowPowers[record.key], isSupposed: isSupposed)
                {
                case .settled(let decision):
                    reading.decisions[index] = rated(decision, guidance[.shift], record.timeZone, now: now)
                case .open(var charge):
                    charge.goesOnUntil =
                        record.schedule != nil ? record.toldUntil(from: now) : toldUntil[record.key]
                    if let excess = excesses[record.key] { charge.task.doubts.append(excess.words(record, now: now)) }
                    reading.charges.append(charge)
                }
            }
        }
        // Both rate 0 best to 1 worst; where there are buildings only, the one for reducing is what is followed.
        let known = guidance[.shift] ?? (reading.homes.isEmpty ? nil : guidance[.reduce])
        let planned = reading.charges.map(\.record) + reading.homes.map(\.record)
        reading.guidance = known ?? planned.lazy.compactMap { $0.schedule?.rememberedGuidance }.first
        for index in reading.homes.indices { reading.homes[index].isGuided = reading.guidance != nil }
        reading.charges = Charge.inTurn(reading.charges, now: now)
        return reading
    }

    /// What vehicles draw now that they were not told to.
    ///
    /// - Parameter records: all devices of the venue that have a goal.
    func excesses(_ records: [DeviceRecord], now: Timestamp) -> [Scheduler.DeviceKey: Excess] {
        (records + bystanders).reduce(into: [:]) { excesses, record in
            excesses[record.key] = Excess(record, restrainedSince: restrainedSince[record.key], now: now)
        }
    }

    /// What stands still has the ratings of its time too.
    private func rated(
        _ decision: Decision, _ guidance: Guidance?, _ timeZone: TimeZone, now: Timestamp
    ) -> Decision {
        guard case .plan(let plan) = decision, let end = plan.blocks.last?.interval.end,
            let window = Interval(start: now, end: end)
        else { return decision }
        return .plan(PlanTimeline(window, by: guidance, settings, in: timeZone).rating(plan))
    }

    // MARK: Vehicles

    /// - Returns: the plans that replace others, by the record's index.
    private func charge(_ reading: Reading, _ now: Timestamp) throws(EnergyError) -> [(Int, DevicePlan)] {
        var charges = reading.charges
        var homes = reading.homes
        let (venue, guidance) = (reading.venue, reading.guidance)
        guard !charges.isEmpty || !homes.isEmpty else { return [] }
        var free = try venue.plan(charges.map(\.task), homes: homes, from: now, guidance: guidance)
        if let going = try goingOn(charges, insteadOf: free, reading, now) { (charges, free) = going }
        for (home, plan) in zip(homes.indices, free.homePlans) {
            homes[home].isUncomfortable = homes[home].isLessComfortable(than: plan, settings)
        }
        let holds = zip(charges, free.plans).map(isHolding)
        let isSame = zip(charges, free.plans).allSatisfy { charge, plan in
            Remainder(of: plan.blocks, in: charge.window).isLike(charge.kept)
        }
        var chosen = free
        let homesHold = homes.map(\.holds)
        // What was asked for at once does not wait for what others keep.
        let isOrdered =
            zip(charges, holds).contains { $0.task.isAtOnce && !$1 } || Self.isSooner(zip(charges, free.plans))
            || (free.hasYielded && zip(charges, free.plans).contains { $0.takesMore(by: $1, now) })
        if !isOrdered, holds.contains(true) || homesHold.contains(true), !isSame || !homes.isEmpty {
            let tasks = zip(charges, holds).map { charge, holds in holds ? charge.keeping : charge.task }
            let kept = try venue.plan(tasks, homes: homes.map(\.keeping), from: now, guidance: guidance)
            // Who is planned anew lacks nothing, and does without nothing, for the sake of those that keep their plans.
            let others = kept.withoutWishes.subtracting(free.withoutWishes)
            let isShort = zip(charges.indices, holds).contains { index, holds in
                let lack = kept.plans[index].missing - free.plans[index].missing
                return !holds && (lack > charges[index].task.second || others.contains(index))
            }
            let isUncomfortable = zip(homesHold, zip(kept.homePlans, free.homePlans)).contains { holds, plans in
                !holds && plans.0.discomfort > plans.1.discomfort + Self.discomfortMin
            }
            if !isShort, !isUncomfortable, !isWorthwhile(free, than: kept, charges, homes) {
                chosen = kept.telling(of: free)
            }
        }
        var isKept = chosen.plans != free.plans || chosen.homePlans != free.homePlans
        var stays = zip(charges, zip(chosen.plans, holds)).map { charge, answer in
            answer.1 && (isKept || Remainder(of: answer.0.blocks, in: charge.window).isLike(charge.kept))
        }
        func staysHome(_ home: HomeTask, _ plan: DevicePlan) -> Bool {
            home.keeping.isKept && (isKept || home.isSame(plan, now: now))
        }
        let beside = zip(homes, chosen.homePlans).map { (home: $0, plan: $1, stays: staysHome($0, $1)) }
        let isBroken = breaksLimits(
            zip(charges, zip(chosen.plans, stays)).map { ($0, $1.0, $1.1) }, beside: beside, venue, now)
        // What has to be told anew lacks nothing for the sake of what was told before.
        if isBroken, isKept, chosen.missing > free.missing {
            (chosen, isKept, stays) = (free, false, stays.map { _ in false })
        }
        let homePlans = zip(homes, chosen.homePlans).compactMap { home, plan -> (Int, DevicePlan)? in
            staysHome(home, plan) && !home.record.isNewlyProven(by: plan, isKept) ? nil : (home.index, plan)
        }
        return homePlans
            + zip(charges, zip(chosen.plans, stays)).compactMap { charge, answer in
                answer.1 && !isBroken && !charge.record.isNewlyProven(by: answer.0, isKept)
                    ? nil : (charge.index, answer.0)
            }
    }

    /// Whether what was asked for at once could be had sooner than it is kept to: room may have become free. In all, so that
    /// two do not take turns in being first.
    private static func isSooner(_ answers: some Sequence<(Charge, DevicePlan)>) -> Bool {
        let gain = answers.reduce(Int64(0)) { sum, answer in
            let (charge, plan) = answer
            guard charge.task.isAtOnce, let kept = charge.kept?.runs.last,
                let free = Remainder(of: plan.blocks, in: charge.window).runs.last
            else { return sum }
            return sum + kept.end.milliseconds(since: free.end)
        }
        return gain > toleranceMilliseconds
    }

    /// Whether what stays as it is has to go on with less power: beside what runs anyway by now, or beside what is planned
    /// anew, unless that is too much by itself (as it is where a battery gives what there is no room for).
    private func breaksLimits(
        _ answers: [(charge: Charge, plan: DevicePlan, stays: Bool)],
        beside homes: [(home: HomeTask, plan: DevicePlan, stays: Bool)], _ venue: VenuePlanner, _ now: Timestamp
    ) -> Bool {
        func course(_ answer: (charge: Charge, plan: DevicePlan, stays: Bool)) -> (
            charge: Charge, blocks: [ScheduleBlock]
        ) {
            (answer.charge, (answer.stays ? answer.charge.kept?.blocks : nil) ?? answer.plan.blocks)
        }
        let kept = answers.filter(\.stays).map(course)
        guard !kept.isEmpty else { return false }
        if venue.breaksLimits(kept, homes.map(\.home.keeping), from: now) { return true }
        let told = homes.map { $0.stays ? $0.home.keeping : $0.home.keeping($0.plan) }
        return venue.breaksLimits(answers.map(course), told, from: now)
            && !venue.breaksLimits(
                answers.map { ($0.charge, $0.plan.blocks) }, homes.map { $0.home.keeping($0.plan) }, from: now)
    }

    func isWorthwhile(
        _ free: VenuePlanner.Answer, than kept: VenuePlanner.Answer, _ charges: [Charge], _ homes: [HomeTask]
    ) -> Bool {
        // What is kept may bring a little less than what is needed, within what a device reports late.
        let tolerance = charges.reduce(Energy.zero) { $0 + $1.tolerance }
        if kept.missing > free.missing + tolerance { return true }
        // What was found in haste only is not what keeping costs.
        if kept.isHasty, free.missing <= kept.missing, free.total < kept.total || !free.isHasty { return true }
        guard (kept.energy > 0 && free.energy > 0) || !homes.isEmpty else { return false }
        // What is kept may bring a little more or less: that costs what it costs on average.
        let (freeCost, keptCost) = (free.cost - free.startCosts, kept.cost - kept.startCosts)
        let average = free.energy > 0 ? freeCost / free.energy : 0
        let gain =
            (homes.isEmpty
                ? keptCost - average * kept.energy
                : kept.total - kept.startCosts - free.total + free.startCosts)
            + Self.startCosts(of: kept, charges, homes) - Self.startCosts(of: free, charges, homes)
        // A short rest cannot gain enough to be worth a change, however much better its rating would be.
        let power = charges.reduce(0) { $0 + $1.task.vehicle.powerMax.kilowatts } + homes.reduce(0) { $0 + $1.power }
        let rest = power * Self.restHoursMin
        // What a battery or a building takes now it does without later: a change moves both.
        let moved = max(kept.energy + 2 * free.homePlans.reduce(0) { $0 + $1.energyMoved }, rest)
        let starts = max(0, Self.runs(of: free, charges) - Self.runs(of: kept, charges))
        // Somebody has just asked for something else: what follows from that is no surprise.
        let isAsked =
            isAsked || !news.isEmpty || (charges.map(\.record) + homes.map(\.record)).contains { $0.schedule == nil }
        let share = isAsked ? min(gainMin, Self.gainMinWhenAsked) : gainMin
        // Of several loads another start is one of a part of what all of them take.
        let least = share * (1 + Double(starts) / Double(max(1, charges.count))) * kept.scale * moved
        // What a battery moves twice is mostly noise, but where a plan is new anyway.
        return gain > (homes.isEmpty || share == Self.gainMinUsual ? least : min(least, share * abs(kept.total)))
    }

    /// A run that goes on counts too.
    private static func runs(of answer: VenuePlanner.Answer, _ charges: [Charge]) -> Int {
        zip(charges, answer.plans).reduce(0) { $0 + Remainder(of: $1.1.blocks, in: $1.0.window).runs.count }
    }

    /// What the starts of plans cost. A run that goes on costs none, and one that is kept what it would cost if planned.
    private static func startCosts(
        of answer: VenuePlanner.Answer, _ charges: [Charge], _ homes: [HomeTask]
    ) -> Double {
        func starts(_ plan: DevicePlan, _ window: Interval, isOn: Bool) -> Double {
            Double(Remainder(of: plan.blocks, in: window).runs.count { !isOn || $0.start > window.start })
        }
        let vehicles = zip(charges, answer.plans).reduce(0) { sum, pair in
            let (charge, plan) = pair
            let isOn = charge.record.progress.session != nil
            return sum + charge.task.rules.shape.startCost * starts(plan, charge.window, isOn: isOn)
        }
        return zip(homes, answer.homePlans).reduce(vehicles) { sum, pair in
            let (home, plan) = pair
            let isOn = home.record.schedule?.blocks.first { $0.interval.contains(home.window.start) }
            return sum + home.record.device.rules.shape.startCost
                * starts(plan, home.window, isOn: (isOn?.power ?? .zero) > .zero)
        }
    }

    // MARK: Heating and cooling

    private func reduce(
        _ record: DeviceRecord, _ milliseconds: Int64, _ window: Interval, _ guidance: Guidance?
    ) throws(EnergyError) -> Decision {
        let guidance = guidance ?? record.schedule?.rememberedGuidance
        let left = max(0, milliseconds - record.reducedMilliseconds(until: window.start))
        let reduction = ReductionPlanner(planner: planner, settings: settings)
        let plan = try reduction.plan(
            milliseconds: left, window: window, guidance: guidance, timeZone: record.timeZone)
        guard let schedule = record.schedule else { return .plan(plan) }
        let (kept, new) = (Remainder(of: schedule, in: window), Remainder(of: plan.blocks, in: window))
        guard let guidance, new.runs != kept.runs else { return .keep }
        if schedule.guidanceToken == nil { return plan.guidanceToken == nil ? .keep : .plan(plan) }
        let isBetter = reduction.isWorthwhile(
            new, than: kept, left: left, gainMin, window: window, guidance: guidance, timeZone: record.timeZone)
        return isBetter ? .plan(plan) : .keep
    }
}

extension DeviceRecord {
    /// Whether its schedule says that a better one may be, and that is known by now not to be so, or half as much at most.
    ///
    /// - Parameter isKept: `plan` is the best beside what others keep only.
    fileprivate func isNewlyProven(by plan: DevicePlan, _ isKept: Bool) -> Bool {
        !isKept && plan.optimalityGap < (schedule?.optimalityGap ?? 0) / 2
    }
}
