internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

/// Plans all that moves at one venue, together and within its limits. Knows no clock, store or network.
struct VenuePlanner: Sendable {
    let planner: HomePlanner
    var settings: VenueSettings
    /// The best plan found by then is the answer.
    let time: PlanningTime
    /// Plans until then at least, and also where nothing moves; `nil`: until the last deadline.
    var horizon: (end: Timestamp, zone: TimeZone)?
    /// What others do, whatever is planned: it counts as what runs anyway.
    var others: [DevicePlan] = []
    /// What vehicles draw now that they were not told to.
    var excesses: [Excess] = []
    /// Times at which slots end besides.
    var moreCuts: [Timestamp] = []
    /// When those are ready that charge at once, where that was found.
    var turnEnds: [Timestamp] = []

    struct Answer {
        /// Of each task, in their order.
        var plans: [DevicePlan]
        /// The objective of what the tasks take, without what runs anyway.
        let cost: Double
        /// Part of the objective: of every start in it.
        var startCosts = 0.0
        /// Of each task.
        var shortfalls: [Shortfall?] = []
        /// Of each home battery, appliance and building; empty if they were left out.
        var homePlans: [DevicePlan] = []
        /// The objective of the whole venue.
        var total = 0.0
        /// kWh that the tasks take.
        let energy: Double
        /// The largest weight of a kWh in the objective: what a kWh could cost at most.
        let scale: Double
        /// Of the tasks, those that do without their margin, or their runs and pauses, for want of time.
        var withoutWishes: Set<Int> = []
        /// Some that draw nothing now leave their room to others.
        var hasYielded = false
        /// One after the other, for want of time for all together.
        var isHasty = false
        /// kg of CO2 and currency of what the tasks take.
        let totals: HomePlan.Totals
        /// The same of the whole venue, as a meter counts that counts every minute.
        var whole = HomePlan.Totals()

        var missing: Energy { (plans + homePlans).reduce(.zero) { $0 + $1.missing } }
    }

    /// - Parameter tasks: each ends after `now`.
    /// - Throws: ``EnergyError`` `.unavailable` if no plan was found in time, `.invalidInput` if there is none.
    func plan(
        _ tasks: [ChargeTask], homes: [HomeTask] = [], from now: Timestamp, guidance: Guidance?
    ) throws(EnergyError) -> Answer {
        guard !homes.isEmpty else { return try shared(tasks, homes: [], from: now, guidance: guidance) }
        do throws(EnergyError) {
            return try shared(tasks, homes: homes, from: now, guidance: guidance)
        } catch {
            // A battery that contradicts the limits, or too much to plan in time, must not keep cars from charging.
            return try shared(tasks, homes: [], from: now, guidance: guidance)
        }
    }

    private func shared(
        _ tasks: [ChargeTask], homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) throws(EnergyError) -> Answer {
        let answer = try relaxed(tasks, homes: homes, from: now, guidance: guidance)
        return yielded(tasks, homes, answer, from: now, guidance: guidance) ?? answer
    }

    func relaxed(
        _ tasks: [ChargeTask], homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) throws(EnergyError) -> Answer {
        let asked = tasks
        var tasks = tasks
        var answer = try within(tasks, homes, from: now, guidance: guidance)
        if relax(&tasks, after: answer, { $0.breaksOff(in: $1) }, { task, _ in task.dropRun() }) {
            answer = try within(tasks, homes, from: now, guidance: guidance)
        }
        if let free = try withoutWishes(tasks, homes, answer, from: now, guidance: guidance) { (tasks, answer) = free }
        let isShort = { (task: ChargeTask, plan: DevicePlan) in task.hasGuarantee && task.lacksGuarantee(in: plan) }
        if relax(&tasks, after: answer, isShort, { ($0.isGuaranteeing, $0.belowCeilings) = (true, $1) }) {
            answer = try within(tasks, homes, from: now, guidance: guidance)
            if let more = try beyondGuarantees(tasks, homes, answer, from: now, guidance: guidance) {
                (tasks, answer) = more
            }
        }
        if let caughtUp = caughtUp(tasks, answer) {
            tasks = caughtUp
            answer = try within(tasks, homes, from: now, guidance: guidance)
        }
        if let paced = try paced(tasks, homes, answer, from: now, guidance: guidance) {
            answer = try paced.planner.within(paced.tasks, homes, from: now, guidance: guidance)
        }
        answer.withoutWishes = Set(asked.indices.filter { asked[$0].hasWishes && !tasks[$0].hasWishes })
        return answer
    }

    /// What is only wished for must not cost what is needed: whoever gets more without, is planned without.
    ///
    /// - Returns: `nil` if that is nobody.
    private func withoutWishes(
        _ tasks: [ChargeTask], _ homes: [HomeTask], _ answer: Answer, from now: Timestamp, guidance: Guidance?
    ) throws(EnergyError) -> (tasks: [ChargeTask], answer: Answer)? {
        var free = tasks
        let hasNoRoom = { (task: ChargeTask, plan: DevicePlan) in
            task.hasWishes && task.lacks(task.required, in: plan)
        }
        guard relax(&free, after: answer, hasNoRoom, { task, _ in task.dropWishes() }) else { return nil }
        let other = try within(free, homes, from: now, guidance: guidance)
        let dropped = tasks.indices.filter { hasNoRoom(tasks[$0], answer.plans[$0]) }
        let vain = dropped.filter { other.plans[$0].planned - answer.plans[$0].planned <= tasks[$0].second }
        guard vain.count < dropped.count else { return nil }
        guard !vain.isEmpty else { return (free, other) }
        for index in vain { free[index] = tasks[index] }
        return (free, try within(free, homes, from: now, guidance: guidance))
    }

    /// With what is guaranteed when it comes in `answer`, and what can be had besides within the ceilings.
    ///
    /// - Returns: `nil` if that is nothing.
    private func beyondGuarantees(
        _ tasks: [ChargeTask], _ homes: [HomeTask], _ answer: Answer, from now: Timestamp, guidance: Guidance?
    ) throws(EnergyError) -> (tasks: [ChargeTask], answer: Answer)? {
        var open = tasks
        let wanting = tasks.indices.filter { tasks[$0].wantsMore }
        guard !wanting.isEmpty else { return nil }
        for index in wanting {
            open[index].isGuaranteeing = false
            open[index].guaranteedTimes = answer.plans[index].blocks.filter { $0.power > .zero }.map(\.interval)
        }
        let other = try within(open, homes, from: now, guidance: guidance)
        let gains = wanting.contains { other.plans[$0].planned - answer.plans[$0].planned > tasks[$0].second }
        return gains ? (open, other) : nil
    }

    /// - Returns: whether a task that lacks something was changed.
    private func relax(
        _ tasks: inout [ChargeTask], after answer: Answer, _ applies: (ChargeTask, DevicePlan) -> Bool,
        _ change: (inout ChargeTask, Shortfall?) -> Void
    ) -> Bool {
        var isChanged = false
        for (index, plan) in answer.plans.enumerated() where applies(tasks[index], plan) {
            change(&tasks[index], answer.shortfalls[index])
            isChanged = true
        }
        return isChanged
    }

    func within(
        _ tasks: [ChargeTask], _ homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) throws(EnergyError) -> Answer {
        do throws(EnergyError) {
            let answer = try together(tasks, homes, from: now, guidance: guidance)
            return finer(than: answer, tasks, homes, from: now, guidance: guidance) ?? answer
        } catch {
            guard error.code == .unavailable, tasks.count > 1 else { throw error }
            // Too hard for the time there is: some plan within the limits is better than none.
            return try inTurn(tasks, homes, from: now, guidance: guidance)
        }
    }

    /// One after the other, those that matter more first: each as well as can be beside what is planned already.
    private func inTurn(
        _ tasks: [ChargeTask], _ homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) throws(EnergyError) -> Answer {
        let order = tasks.indices.sorted { a, b in
            (-tasks[a].rank, tasks[a].end, a) < (-tasks[b].rank, tasks[b].end, b)
        }
        var plans: [Int: DevicePlan] = [:]
        var shortfalls: [Int: Shortfall] = [:]
        var last: Answer?
        for index in order {
            let settled = order.filter { plans[$0] != nil }
            let part = settled.map { index in
                var task = tasks[index]
                task.kept = Interval(start: now, end: task.end).map {
                    Remainder(of: plans[index]?.blocks ?? [], in: $0)
                }
                return task
            }
            let answer = try together(
                part + [tasks[index]], homes, from: now, guidance: guidance, isInTurn: !part.isEmpty)
            plans[index] = answer.plans.last
            shortfalls[index] = answer.shortfalls.last ?? nil
            last = answer
        }
        return Answer(
            plans: tasks.indices.compactMap { plans[$0] }, cost: last?.cost ?? 0, startCosts: last?.startCosts ?? 0,
            shortfalls: tasks.indices.map { shortfalls[$0] }, homePlans: last?.homePlans ?? [], total: last?.total ?? 0,
            energy: last?.energy ?? 0, scale: last?.scale ?? 1, isHasty: true, totals: last?.totals ?? .init(),
            whole: last?.whole ?? .init())
    }

    /// - Parameter isInTurn: all but the last task do what was found for them before, for want of time.
    func together(
        _ tasks: [ChargeTask], _ homes: [HomeTask], from now: Timestamp, guidance: Guidance?, isInTurn: Bool = false
    ) throws(EnergyError) -> Answer {
        guard let timeline = timeline(tasks, homes, from: now, guidance: guidance) else {
            return Answer(plans: [], cost: 0, energy: 0, scale: 1, totals: .init())
        }
        let isShared =
            homes.contains { $0.battery != nil } || timeline.hasPeak
            || timeline.slots.contains { $0.pv > 0 }
        let tasks = tasks.map { task in
            var task = task
            task.isSwitchedWhole = isShared
            task.isMetered = timeline.hasPeak
            return task
        }
        let loads = homes.map { $0.plannedLoad(timeline, settings) }
        let batteries = homes.map(\.battery)
        let planned = tasks.compactMap { $0.load(from: now) } + loads.compactMap(\.self)
        var problem = PlanProblem(
            slots: timeline.slots.map { slot($0, beside: homes, from: now) }, limits: settings.limits,
            loads: planned, batteries: batteries.compactMap(\.self), objective: timeline.objective,
            // No schedule tells an inverter to throw away more than its own limit does.
            isPVCurtailable: settings.limits.exportPower != nil, timeLimit: time.next)
        problem.countsMinutes = true
        if let zone = tasks.first?.timeZone ?? homes.first?.record.timeZone {
            problem.timeText = LocalTimeText(timeZone: zone, now: now).time
        }
        let home = hurried(try planner.plan(problem), tasks, of: problem)
        var (nextLoad, nextBattery) = (tasks.count, 0)
        let gap = isInTurn ? 1 : home.optimalityGap
        let homePlans = homes.indices.map { index -> DevicePlan in
            if batteries[index] != nil {
                defer { nextBattery += 1 }
                return homes[index].plan(home.batteries[nextBattery], home.slots, timeline)
            }
            guard loads[index] != nil else { return homes[index].keptPlan }
            defer { nextLoad += 1 }
            return homes[index].plan(home.loads[nextLoad], home.slots, timeline)
        }
        let plans = zip(zip(tasks, home.loads), offers(tasks, home, of: problem)).map { planned, offers in
            Self.devicePlan(planned.0, planned.1, timeline, offers, now: now, isInTurn: isInTurn)
        }
        let weights = timeline.slots.map { abs(timeline.weight(of: $0)) }
        let totals = home.totals - home.baseline
        let starts = zip(planned, home.loads).reduce(0) { $0 + $1.0.shape.startCost * Double($1.1.starts) }
        return Answer(
            plans: plans.map { $0.proven(to: gap) }, cost: totals.objective, startCosts: starts,
            shortfalls: home.loads.prefix(tasks.count).map(\.shortfall),
            homePlans: homePlans.map { $0.proven(to: gap) },
            total: home.totals.objective,
            energy: home.loads.prefix(tasks.count).reduce(0) { $0 + $1.planned },
            scale: weights.max() ?? 1, totals: totals, whole: home.asRun)
    }

    /// - Returns: `nil` where there is no time ahead.
    func timeline(
        _ tasks: [ChargeTask], _ homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) -> PlanTimeline? {
        let zone = tasks.first?.timeZone ?? homes.first?.record.timeZone ?? horizon?.zone
        let ends = tasks.map(\.end) + homes.map(\.window.end) + [horizon?.end].compactMap(\.self)
        guard let end = ends.max(), let zone, let window = Interval(start: now, end: end) else { return nil }
        let cuts =
            turns(of: tasks, from: now) + cuts(homes, from: now) + homes.flatMap { $0.setbackCuts(until: end) }
            + moreCuts + turnEnds
        return PlanTimeline(window, by: guidance, settings, in: zone, cuts: cuts)
    }

    /// When what is not planned here begins and ends: the mean of a slot says nothing of a part of it.
    private func cuts(_ homes: [HomeTask], from now: Timestamp) -> [Timestamp] {
        let kept = homes.filter(\.isKept).flatMap(\.keptBlocks) + others.flatMap(\.blocks)
        return kept.flatMap { [$0.interval.start, $0.interval.end] }
            + excesses.map { $0.end(from: now) }
    }

    /// Whether what vehicles are to do breaks a limit: what is kept need not be what was planned beside it, and what runs
    /// anyway may have changed since.
    ///
    /// - Parameters:
    ///   - courses: what each of them does from now on.
    ///   - homes: of which those that are kept count.
    func breaksLimits(
        _ courses: [(charge: Charge, blocks: [ScheduleBlock])], _ homes: [HomeTask], from now: Timestamp
    ) -> Bool {
        // Most venues have none: theirs need no second look at each update.
        guard settings.limits != PlanLimits(),
            let end = (courses.map(\.charge.window.end) + homes.map(\.window.end)).max(),
            let window = Interval(start: now, end: end), let zone = courses.first?.charge.record.timeZone
        else { return false }
        let timeline = PlanTimeline(window, by: nil, settings, in: zone, cuts: cuts(homes, from: now))
        let loads = courses.compactMap { course in course.charge.task.load(from: now).map { ($0, course.blocks) } }
        let appliances = homes.filter(\.isKept).compactMap { home in
            home.plannedLoad(timeline, settings).map { ($0, home.keptBlocks) }
        }
        let all = loads + appliances
        let problem = PlanProblem(
            slots: timeline.slots.map { slot($0, beside: homes, from: now) }, limits: settings.limits,
            loads: all.map(\.0))
        return planner.brokenLimit(problem, by: all.map { Self.course($0.1, from: now) }) != nil
    }

    /// Without the last second of each run: where runs follow each other, an overlap of less comes of a rounding.
    private static func course(_ blocks: [ScheduleBlock], from now: Timestamp) -> HomePlanner.Course {
        let runs = blocks.compactMap { block -> (Interval, Double)? in
            guard block.power > .zero, block.interval.end > now else { return nil }
            let end = block.interval.end.advanced(byMilliseconds: -1_000)
            return Interval(start: block.interval.start, end: end).map { ($0, block.power.kilowatts) }
        }
        return HomePlanner.Course(runs: runs.map(\.0), powers: runs.map(\.1))
    }

    /// What stays as it is counts as what runs anyway.
    private func slot(_ slot: PlanSlot, beside homes: [HomeTask], from now: Timestamp) -> PlanSlot {
        let power = others.reduce(0) { $0 + $1.blocks.power(in: slot.interval) }
        var slot = slot
        for home in homes { home.addKeptPower(to: &slot.baseLoad, in: slot.interval) }
        if power != 0 { slot.baseLoad = slot.baseLoad.map { $0 + power / 3 } }
        for excess in excesses where slot.interval.start < excess.end(from: now) { excess.add(to: &slot.baseLoad) }
        return slot
    }

    /// - Parameter isInTurn: it was planned beside what others do already, so that nobody knows who is in its way.
    private static func devicePlan(
        _ task: ChargeTask, _ load: LoadPlan, _ timeline: PlanTimeline, _ offers: [Double], now: Timestamp,
        isInTurn: Bool
    ) -> DevicePlan {
        let blocks = timeline.told(
            ChargeBlocks(task: task, load: load, timeline: timeline, now: now, offers: offers).blocks)
        let planned = min(task.required, Energy(kilowattHours: load.planned))
        let explanation = ChargeExplanation(
            task: task, load: load, blocks: blocks, timeline: timeline, planned: planned, now: now,
            isInTurn: isInTurn)
        return DevicePlan(
            blocks: blocks, guidanceToken: timeline.guidance?.token, required: task.required, planned: planned,
            explanation: explanation.sentence)
    }
}
