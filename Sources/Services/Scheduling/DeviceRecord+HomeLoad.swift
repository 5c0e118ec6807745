internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What a home battery, an appliance or a building is in, as far as its plan was followed.
extension DeviceRecord {
    /// The run that the schedule has for an appliance, if it is not over.
    func scheduledRun(_ now: Timestamp) -> Interval? {
        let blocks = schedule?.blocks.filter { $0.reason.isOfRun } ?? []
        guard let first = blocks.first, let last = blocks.last, last.interval.end > now else { return nil }
        return Interval(start: first.interval.start, end: last.interval.end)
    }

    /// Whether an appliance has done what a goal asks for.
    func hasRun(for goal: Goal) -> Bool {
        if case .appliance = device.load { delivered(for: goal) > .zero } else { false }
    }

    /// Counts an appliance's run that is over: nobody reports it.
    ///
    /// - Returns: whether that is news.
    mutating func noticeRun(_ now: Timestamp) -> Bool {
        guard case .appliance(let appliance) = device.load, let goal, delivered(for: goal) == .zero,
            let last = schedule?.blocks.last(where: { $0.reason.isOfRun }), last.interval.end <= now
        else { return false }
        progress.sinceGoal += appliance.energy
        return true
    }

    /// Whether heating or cooling runs by its schedule, and since when, as far as known; `nil` where no schedule says it.
    func running(at now: Timestamp) -> (isOn: Bool, since: Timestamp?)? {
        guard case .climate = device.load, let first = schedule?.blocks.first, first.interval.start <= now else {
            return nil
        }
        var (isOn, since) = (first.power > .zero, progress.switched)
        for block in schedule?.blocks.dropFirst() ?? []
        where block.interval.start < now && (block.power > .zero) != isOn {
            (isOn, since) = (!isOn, block.interval.start)
        }
        return (isOn, since)
    }

    /// Remembers when the state began in which heating or cooling is by a new plan.
    mutating func noteSwitch(to plan: DevicePlan, now: Timestamp) {
        guard case .climate = device.load, let first = plan.blocks.first else { return }
        let isOn = first.power > .zero
        guard let before = running(at: now) else {
            // Nobody knows how long it has been off.
            progress.switched = isOn ? now : nil
            return
        }
        progress.switched = before.isOn == isOn ? before.since : now
    }

    /// What was read takes the place of what was expected.
    mutating func read(_ value: Double, now: Timestamp) { progress.reading = .init(value: value, at: now) }

    /// Percent of a home battery, °C of a building: as it was read, and as the plan went on from there.
    ///
    /// - Parameter outdoor: °C at a time.
    func state(at now: Timestamp, outdoor: (Timestamp) -> Double?) -> Double? {
        guard let load = device.load, let reading = progress.reading else { return nil }
        var state = reading.value
        let past = Interval(start: reading.at, end: now)
        for block in schedule?.blocks ?? [] {
            guard let past, let part = block.interval.intersection(past) else { continue }
            let hours = Double(part.milliseconds) / Double(Int64.millisecondsPerHour)
            switch load {
            case .battery(let battery): state = battery.state(after: hours, block, from: state)
            case .climate(let climate):
                state = climate.course([block], in: part, from: state, outdoor).last?.celsius ?? state
            case .appliance: break
            }
        }
        return state
    }
}

extension BatteryTraits {
    /// Percent: what it was put with. While nobody said it, its reserve: it should be no less, and no more can be counted on.
    var assumedStateOfCharge: Double { stateOfCharge ?? Double(reservePercent) }

    fileprivate func state(after hours: Double, _ block: ScheduleBlock, from percent: Double) -> Double {
        let energy = block.power.kilowatts * hours
        let stored = block.isDischarging ? -energy / dischargeEfficiency : energy * chargeEfficiency
        return min(100, max(0, percent + 100 * stored / max(1e-6, capacity.kilowattHours)))
    }
}

extension ClimateTraits {
    /// A part of a schedule, and °C at its end.
    struct Step {
        let interval: Interval
        let reason: ScheduleReason
        let celsius: Double
    }

    /// What a building comes to by a schedule, step by step: each ends with a block, or an hour, for which forecasts say one
    /// temperature.
    ///
    /// - Parameter outdoor: °C at a time.
    func course(
        _ blocks: [ScheduleBlock], in span: Interval, from celsius: Double, _ outdoor: (Timestamp) -> Double?
    ) -> [Step] {
        var (steps, celsius) = ([Step](), celsius)
        for block in blocks {
            guard let part = block.interval.intersection(span) else { continue }
            let heat = resistance * performance * block.power.kilowatts * (isCooling ? -1 : 1)
            for hour in part.hours {
                let kept = exp(-Double(hour.milliseconds) / Double(Int64.millisecondsPerHour) / (resistance * capacity))
                celsius = celsius * kept + (1 - kept) * ((outdoor(hour.start) ?? self.outdoor) + heat)
                steps.append(Step(interval: hour, reason: block.reason, celsius: celsius))
            }
        }
        return steps
    }

    /// K outside the comfort band; a setback is none.
    fileprivate func excursion(_ step: Step) -> Double {
        let depth = step.reason == .reduced ? setback : 0
        let (low, high) = isCooling ? (comfortMin, comfortMax + depth) : (comfortMin - depth, comfortMax)
        return max(0, low - step.celsius, step.celsius - high)
    }
}

extension HomeTask {
    /// K h that a building is outside its comfort band by a schedule, from now on; 0 for anything else.
    func discomfort(_ blocks: [ScheduleBlock], _ settings: VenueSettings) -> Double {
        guard case .climate(let climate) = load else { return 0 }
        return climate.course(blocks, in: window, from: state, settings.outdoor).reduce(0) {
            $0 + climate.excursion($1) * Double($1.interval.milliseconds) / Double(Int64.millisecondsPerHour)
        }
    }
}

extension Interval {
    /// Cut at full hours.
    fileprivate var hours: [Interval] {
        var (parts, cursor) = ([Interval](), start)
        while cursor < end {
            let next = min(end, cursor.nextHour)
            parts.append(Interval(start: cursor, milliseconds: next.milliseconds(since: cursor)))
            cursor = next
        }
        return parts
    }
}

extension ScheduleReason {
    /// Of an appliance: what is not a wait.
    fileprivate var isOfRun: Bool {
        switch self {
        case .cleanerEnergy, .lowerRates, .deadline, .noGuidance, .chargeNow, .ownSolar, .noBetterTime, .peakShaving,
            .preconditioning, .guaranteed:
            true
        default: false
        }
    }
}
