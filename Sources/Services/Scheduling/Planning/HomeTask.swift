internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

/// A home battery, an appliance or a building, as its venue's plan sees it.
struct HomeTask {
    let index: Int
    let record: DeviceRecord
    let load: HomeLoad
    /// From now until its last deadline; of a battery or a building until the last of the home.
    let window: Interval
    /// Percent of a battery, °C of a building, now.
    let state: Double
    /// Milliseconds that a building may still be outside its comfort band.
    let setbackMilliseconds: Int64
    /// Until when it may be.
    let setbackEnd: Timestamp
    /// What it does is settled: ``keptBlocks``, and not planned.
    var isKept = false
    /// Its schedule, or what else was found for it.
    var keptBlocks: [ScheduleBlock]
    /// Its schedule leaves a building colder, or warmer, than it has to be by now.
    var isUncomfortable = false
    /// There is guidance to plan by.
    var isGuided = false

    var deviceID: String { record.device.device.id }
    var now: Timestamp { window.start }

    /// Leaves room between two priorities for the order of those of the same one.
    static func rank(_ priority: Int) -> Int { 1_000 * priority }

    /// - Parameter horizon: until when the home is planned.
    /// - Returns: `nil` for what is planned otherwise, or not at all.
    init?(
        _ record: DeviceRecord, _ goal: Goal, now: Timestamp, _ settings: VenueSettings, _ index: Int,
        until horizon: Timestamp? = nil
    ) {
        guard let load = record.device.load else { return nil }
        var end = goal.readyBy
        // A battery and a building take power at all times: others must see all of it.
        switch load {
        case .battery, .climate: end = [end, record.goals.last?.readyBy, horizon].compactMap(\.self).max() ?? end
        case .appliance: break
        }
        guard let window = Interval(start: now, end: end) else { return nil }
        self.index = index
        self.record = record
        self.load = load
        self.window = window
        keptBlocks = record.schedule?.blocks ?? []
        switch load {
        case .appliance: state = 0
        case .battery(let battery):
            state = record.state(at: now, outdoor: settings.outdoor) ?? battery.assumedStateOfCharge
        case .climate(let climate): state = record.state(at: now, outdoor: settings.outdoor) ?? climate.indoor
        }
        var setback: Int64 = 0
        if case .reduce(let milliseconds) = goal.target {
            setback = max(0, milliseconds - record.reducedMilliseconds(until: now))
        }
        setbackMilliseconds = setback
        setbackEnd = goal.readyBy
    }

    /// K h outside its band: what roundings of a day or two come to.
    private static let discomfortMost = 1.0

    /// Whether a plan is clearly more comfortable than its schedule has become: by a new forecast of outdoors, for example.
    func isLessComfortable(than plan: DevicePlan, _ settings: VenueSettings) -> Bool {
        discomfort(keptPlan.blocks, settings) > discomfort(plan.blocks, settings) + Self.discomfortMost
    }

    /// Whether its schedule can stay: it goes on, nothing was read since it was made, and it still is as comfortable as can be.
    var holds: Bool {
        guard !isUncomfortable, let schedule = record.schedule, let last = schedule.blocks.last,
            last.interval.end >= window.end,
            schedule.guidanceToken != nil || !isGuided
        else { return false }
        if case .appliance = load { return record.scheduledRun(now) != nil }
        return (record.progress.reading?.at ?? schedule.planned) <= schedule.planned
    }

    /// Whether a plan is what its schedule has already.
    func isSame(_ plan: DevicePlan, now: Timestamp) -> Bool {
        guard case .appliance = load else { return false }
        let run = Remainder(of: plan.blocks, in: window).runs
        return record.scheduledRun(now).map { $0.intersection(window).map { [$0] } == run } ?? false
    }

    private var hasSetbackOfQuarters: Bool {
        guard case .climate(let climate) = load else { return false }
        return climate.setback > 0 && setbackMilliseconds > 0 && setbackMilliseconds % .millisecondsPerHour != 0
    }

    /// Times at which slots end besides, so that a setback that is no number of hours can be had.
    func setbackCuts(until end: Timestamp) -> [Timestamp] {
        guard hasSetbackOfQuarters else { return [] }
        let step = 15 * Int64.millisecondsPerMinute
        let first = now.floored(toMilliseconds: step)
        let until = min(end, setbackEnd, now.advanced(byMilliseconds: .millisecondsPerDay))
        return (1...96).map { first.advanced(byMilliseconds: $0 * step) }.filter { $0 < until }
    }

    var keeping: HomeTask {
        var task = self
        task.isKept = holds
        return task
    }

    /// As if it did nothing but what was planned for it.
    func keeping(_ plan: DevicePlan) -> HomeTask {
        var task = self
        (task.isKept, task.keptBlocks) = (true, plan.blocks)
        return task
    }

    /// Its schedule, as a plan.
    var keptPlan: DevicePlan {
        record.schedule.map(DevicePlan.init)
            ?? DevicePlan(blocks: [], guidanceToken: nil, required: .zero, planned: .zero, explanation: "")
    }

    /// kW that a change could move, for what a change must be worth.
    var power: Double {
        switch load {
        case .battery(let battery): battery.chargeMax.kilowatts
        case .appliance(let appliance): appliance.steps.map(\.power.kilowatts).max() ?? 0
        case .climate(let climate): climate.powerMax.kilowatts
        }
    }

    /// Adds what a battery or a building that is kept takes to what runs anyway; less where a battery gives.
    ///
    /// - Parameter load: mean kW on each phase in `interval`.
    func addKeptPower(to load: inout [Double], in interval: Interval) {
        guard isKept, let phases else { return }
        let power = keptBlocks.power(in: interval)
        for phase in phases { load[phase - 1] += power / Double(phases.count) }
    }

    /// `nil` for an appliance: it is planned as a load, also where it is kept.
    private var phases: [Int]? {
        switch load {
        case .appliance: nil
        case .battery(let battery): battery.phases
        case .climate(let climate): climate.phases
        }
    }

    /// - Returns: `nil` for a battery, and for what stays as it is.
    func plannedLoad(_ timeline: PlanTimeline, _ settings: VenueSettings) -> PlannedLoad? {
        switch load {
        case .battery: return nil
        case .appliance(let appliance):
            let run = record.scheduledRun(now)
            let isRunning = run.map { $0.start <= now } ?? false
            var steps = appliance.steps.map {
                LoadProfile.Step(milliseconds: $0.milliseconds, power: $0.power.kilowatts)
            }
            var window = window
            if let run, isRunning, let rest = Interval(start: now, end: run.end) {
                (steps, window) = (Self.rest(of: steps, milliseconds: rest.milliseconds), rest)
            } else if let run, isKept {
                window = run
            }
            return PlannedLoad(
                name: deviceID, need: .profile(LoadProfile(steps: steps)), window: window,
                shape: RunShape(startsAnywhere: true), phases: appliance.phases,
                priority: Self.rank(record.device.rules.priority))
        case .climate(let climate):
            guard !isKept else { return nil }
            let count = timeline.slots.count
            var need = ThermalNeed(
                isCooling: climate.isCooling, resistance: climate.resistance, capacity: climate.capacity,
                performance: climate.performance, initial: state,
                outdoor: timeline.slots.map { settings.outdoor(at: $0.interval.start) ?? climate.outdoor },
                comfortMin: Array(repeating: climate.comfortMin, count: count),
                comfortMax: Array(repeating: climate.comfortMax, count: count), setbackDepth: climate.setback,
                setbackMilliseconds: setbackMilliseconds,
                // What was saved by letting it go at the end would only be paid later.
                final: climate.isCooling ? climate.comfortMax : climate.comfortMin,
                powerMin: climate.powerMin.kilowatts, powerMax: climate.powerMax.kilowatts)
            need.setbackMin = climate.setbackMinMilliseconds
            need.setbackBefore = setbackEnd
            need.setbackUntil = setbackSince.map {
                max(now, $0.advanced(byMilliseconds: climate.setbackMinMilliseconds))
            }
            var rests: [Interval] = []
            if let running = record.running(at: now) {
                let least = running.isOn ? climate.runMinMilliseconds : climate.pauseMinMilliseconds
                let until = running.since?.advanced(byMilliseconds: least) ?? now
                if running.isOn { need.runsUntil = max(now, until) }
                if !running.isOn { rests = [Interval(start: now, end: until)].compactMap(\.self) }
            }
            // It is not switched more often because its setback needs shorter slots than hours.
            let least = hasSetbackOfQuarters ? Int64.millisecondsPerHour : 0
            var load = PlannedLoad(
                name: deviceID, need: .comfort(need),
                shape: RunShape(
                    runMin: max(climate.runMinMilliseconds, least), pauseMin: max(climate.pauseMinMilliseconds, least),
                    startCost: record.device.rules.shape.startCost),
                phases: climate.phases, priority: Self.rank(record.device.rules.priority))
            load.rests = rests
            return load
        }
    }

    /// Since when a building is outside its band by its schedule; `nil` if it is not.
    private var setbackSince: Timestamp? {
        var since: Timestamp?
        for block in record.schedule?.blocks ?? [] where block.interval.start < now {
            since = block.reason == .reduced ? since ?? block.interval.start : nil
        }
        return since
    }

    /// Its goals hold each at its own time, those that repeat at all their times; between and after them it is free, down
    /// to its reserve.
    var battery: HomeBattery? {
        guard case .battery(let battery) = load, !isKept else { return nil }
        let capacity = battery.capacity.kilowattHours
        let stored = state / 100 * capacity
        let reserve = Double(battery.reservePercent) / 100 * capacity
        return HomeBattery(
            name: deviceID, energyMin: reserve, energyMax: capacity, initial: stored, finalMin: reserve,
            goals: wanted(capacity), priority: Self.rank(record.device.rules.priority),
            chargeMax: battery.chargeMax.kilowatts,
            dischargeMax: battery.dischargeMax.kilowatts, chargeEfficiency: battery.chargeEfficiency,
            dischargeEfficiency: battery.dischargeEfficiency,
            wear: Double(battery.wear.microsPerKilowattHour) / 1_000_000, phases: battery.phases)
    }

    private func wanted(_ capacity: Double) -> [HomeBattery.Goal] {
        record.goals.flatMap { goal -> [HomeBattery.Goal] in
            guard case .stateOfCharge(let percent) = goal.target else { return [] }
            return times(goal).map { .init(by: $0, energy: Double(percent) / 100 * capacity) }
        }
    }

    /// The times of a goal inside the window.
    private func times(_ goal: Goal) -> [Timestamp] {
        var (times, next) = ([Timestamp](), goal.readyBy > now ? goal.readyBy : nil)
        while let time = next, time <= window.end {
            times.append(time)
            next = goal.weekly?.next(after: time, in: record.timeZone)
        }
        return times
    }

    /// The last so many milliseconds of a course.
    private static func rest(of steps: [LoadProfile.Step], milliseconds: Int64) -> [LoadProfile.Step] {
        var (left, rest) = (milliseconds, [LoadProfile.Step]())
        for step in steps.reversed() where left > 0 {
            let part = min(step.milliseconds, left)
            rest.insert(LoadProfile.Step(milliseconds: part, power: step.power), at: 0)
            left -= part
        }
        return rest
    }
}

extension [ScheduleBlock] {
    /// kWh that are taken until then.
    func energy(until end: Timestamp) -> Double {
        reduce(0) { sum, block in
            let part = Double(Swift.min(end, block.interval.end).milliseconds(since: block.interval.start))
            return sum + block.energy.kilowattHours * Swift.max(0, part / Double(block.interval.milliseconds))
        }
    }

    /// What comes from then on of all that is planned.
    func energy(of planned: Energy, from start: Timestamp) -> Energy {
        Energy(kilowattHours: planned.kilowattHours - energy(until: start))
    }

    /// Mean kW over all of `interval`; negative where a battery gives.
    func power(in interval: Interval) -> Double {
        reduce(0) { sum, block in
            guard let part = block.interval.intersection(interval) else { return sum }
            let share = Double(part.milliseconds) / Double(interval.milliseconds)
            return sum + (block.isDischarging ? -1 : 1) * block.power.kilowatts * share
        }
    }
}

extension VenueSettings {
    /// °C by the forecast.
    func outdoor(at time: Timestamp) -> Double? {
        forecast?.outdoor.first { $0.interval.contains(time) }?.celsius
    }
}
