internal import EnergyModel

/// The planned power of a venue over time.
struct PlannedPower {
    /// During which nothing begins or ends.
    struct Step {
        let interval: Interval
        /// With what is not planned.
        let total: Power
        /// Least that a fuse has left, in kW: of its power, or of the fullest phase. `nil` without a fuse.
        let headroom: Headroom?
        /// Of each device in order; `nil` while it does not run.
        let parts: [ScheduleBlock?]
    }

    let steps: [Step]
    /// Most that the venue may draw.
    let limit: Power?

    /// What is left of a limit.
    struct Headroom {
        /// kW
        var power: Double
        /// Of the one phase that has least left.
        var isOfPhase: Bool
    }

    /// Whether there is anything to draw to scale.
    var isAny: Bool { limit != nil || steps.contains { $0.total > .zero } }

    /// - Parameter interval: at most a few days.
    init(devices: [DeviceStatus], limits: VenueLimits?, interval: Interval) {
        let fuse = limits.flatMap(Fuse.init)
        limit = fuse?.total
        let blocks = devices.map { status in
            status.shownBlocks.filter { $0.interval.overlaps(interval) }
        }
        let hours = (0...(interval.milliseconds / .millisecondsPerHour)).map {
            interval.start.advanced(byMilliseconds: $0 * .millisecondsPerHour)
        }
        // To the minute, as they are told.
        let bounds = blocks.joined().flatMap { [$0.interval.start, $0.interval.end] }.map(\.nearestMinute)
        let edges = Set(bounds + hours + [interval.end]).filter { interval.start <= $0 && $0 <= interval.end }.sorted()
        let base = (limits?.baseLoad ?? []).reduce(0) { $0 + $1.kilowatts }
        steps = zip(edges, edges.dropFirst()).compactMap { start, end in
            guard let span = Interval(start: start, end: end) else { return nil }
            let middle = start.advanced(byMilliseconds: span.milliseconds / 2)
            let running = blocks.map { $0.first { $0.interval.contains(middle) } }
            let planned = running.reduce(0.0) { sum, block in
                guard let block else { return sum }
                return sum + (block.isDischarging ? -1 : 1) * block.power.kilowatts
            }
            let headroom = fuse?.headroom(planned: planned, base: limits?.baseLoad ?? [], running, devices)
            return Step(
                interval: span, total: Power(kilowatts: max(0, base + planned)), headroom: headroom, parts: running)
        }
    }
}

/// What the whole venue may draw: its connection, or the circuit that everything is on.
private struct Fuse {
    private let power: Double?
    private let perPhase: Double?

    /// - Returns: `nil` where nothing is limited.
    init?(_ limits: VenueLimits) {
        let main = limits.mainFuse
        power = [limits.importPower, main?.power].compactMap { $0?.kilowatts }.min()
        perPhase = main?.powerPerPhase?.kilowatts
        if power == nil, perPhase == nil { return nil }
    }

    /// Over three phases.
    var total: Power { Power(kilowatts: [power, perPhase.map { $0 * 3 }].compactMap(\.self).min() ?? 0) }

    /// - Parameter planned: kW of all that runs.
    func headroom(
        planned: Double, base: [Power], _ running: [ScheduleBlock?], _ devices: [DeviceStatus]
    ) -> PlannedPower.Headroom {
        let whole = power.map { $0 - planned - base.reduce(0) { $0 + $1.kilowatts } }
        let phases = perPhase.map { limit in
            (1...3).map { phase in
                limit - (base.count == 3 ? base[phase - 1].kilowatts : 0)
                    - zip(devices, running).reduce(0) { sum, item in
                        sum + Self.share(of: item.1, item.0.device.vehicle?.phases ?? [1, 2, 3], on: phase)
                    }
            }
        }
        let (least, fullest) = (whole ?? .infinity, phases?.min() ?? .infinity)
        return PlannedPower.Headroom(power: min(least, fullest), isOfPhase: fullest < least)
    }

    /// A device's power is spread evenly over its phases.
    private static func share(of block: ScheduleBlock?, _ phases: [Int], on phase: Int) -> Double {
        guard let block, phases.contains(phase) else { return 0 }
        return (block.isDischarging ? -1 : 1) * block.power.kilowatts / Double(phases.count)
    }
}
