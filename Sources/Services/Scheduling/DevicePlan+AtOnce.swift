internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What a load would do that waits for nothing.
extension DevicePlan {
    /// An appliance that begins now, as far as the window reaches.
    static func running(_ appliance: ApplianceTraits, atOnceIn window: Interval) -> DevicePlan {
        var blocks = AtOnce(window)
        for step in appliance.steps { blocks.add(step.milliseconds, step.power, .chargeNow) }
        return blocks.plan(required: appliance.energy, "Runs at once")
    }

    /// A home battery that is filled at full power up to the most that its goals ask for, and holds that.
    static func charging(
        _ battery: BatteryTraits, _ record: DeviceRecord, _ settings: VenueSettings, atOnceIn window: Interval
    ) -> DevicePlan {
        let wanted = record.goals.reduce(battery.reservePercent) { most, goal in
            if case .stateOfCharge(let percent) = goal.target { max(most, percent) } else { most }
        }
        let state = record.state(at: window.start, outdoor: settings.outdoor) ?? battery.assumedStateOfCharge
        let share = max(0, Double(wanted) - state) / 100
        let needed = Energy(
            kilowattHours: share * battery.capacity.kilowattHours / max(0.01, battery.chargeEfficiency))
        var blocks = AtOnce(window)
        blocks.add(needed.milliseconds(at: battery.chargeMax), battery.chargeMax, .chargeNow)
        return blocks.plan(required: needed, "Charges at once")
    }
}

/// Blocks one after the other from now on.
private struct AtOnce {
    let window: Interval
    private var blocks: [ScheduleBlock] = []
    private var cursor: Timestamp

    init(_ window: Interval) {
        self.window = window
        cursor = window.start
    }

    mutating func add(_ milliseconds: Int64, _ power: Power, _ reason: ScheduleReason) {
        let end = min(cursor.advanced(byMilliseconds: milliseconds), window.end)
        guard let interval = Interval(start: cursor, end: end) else { return }
        blocks.append(
            ScheduleBlock(
                interval: interval, power: power, stageMax: 100,
                energy: power.energy(overMilliseconds: interval.milliseconds), rating: 1, reason: reason))
        cursor = end
    }

    /// It does nothing more until the window's end.
    func plan(required: Energy, _ explanation: String) -> DevicePlan {
        var rest = self
        rest.add(window.end.milliseconds(since: cursor), .zero, .targetReached)
        return DevicePlan(
            blocks: rest.blocks, guidanceToken: nil, required: required,
            planned: min(required, rest.blocks.reduce(.zero) { $0 + $1.energy }), explanation: explanation)
    }
}
