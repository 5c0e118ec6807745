internal import EnergyModel

/// How one device is doing: what it said itself, what is planned for it, and what comes next.
struct DeviceStatus: Sendable {
    enum State: Hashable, Sendable { case charging, running, waiting, done, paused, stopped, unplugged, idle, unknown }

    let device: ManagedDevice
    /// By which people tell it from the others.
    let name: String
    let schedule: Schedule?
    /// The newest that it said of itself.
    let latest: Activity?
    /// Whether somebody could tell what it said.
    var isHeard = true
    let now: Timestamp

    /// What devices said earlier than that says nothing of now.
    static let memoryMilliseconds: Int64 = 7 * .millisecondsPerDay

    var state: State {
        switch schedule?.override {
        case .paused: return .paused
        case .stopped: return .stopped
        case .chargeNow, nil: break
        }
        switch latest?.content {
        case .session(let session) where !session.isOver:
            return device.device.kind == .electricVehicle ? .charging : .running
        case .status(let status):
            switch status.status {
            case .unplugged: return .unplugged
            case .active: return .charging
            case .idle(let reason) where Self.doneReasons.contains(reason): return .done
            case .idle, .pluggedIn: return .waiting
            }
        case .session, nil: break
        }
        if !isHeard, device.device.kind == .electricVehicle { return .unknown }
        guard let block = currentBlock else { return nextChange == nil ? .idle : .waiting }
        // A vehicle only charges when it says so.
        if block.isRunning { return device.device.kind == .electricVehicle ? .waiting : .running }
        return nextChange == nil ? .idle : .waiting
    }

    var currentBlock: ScheduleBlock? { schedule?.blocks.first { $0.interval.contains(now) } }

    enum Change {
        case starts, ends
        /// Heating and cooling do with less from then on, or until then.
        case lessens, restores
    }

    /// When the plan next has it begin to run, or end; also a battery that gives, and then takes.
    var nextChange: (at: Timestamp, change: Change)? {
        guard let schedule else { return nil }
        let isRunning = currentBlock?.isRunning ?? false
        let gives = currentBlock?.isDischarging ?? false
        let next = schedule.blocks.first {
            $0.interval.start > now && ($0.isRunning, $0.isDischarging) != (isRunning, gives)
        }
        if let next {
            let isReduced = currentBlock?.reason == .reduced
            let change: Change =
                isReduced ? .restores : next.reason == .reduced ? .lessens : isRunning ? .ends : .starts
            return (next.interval.start, change)
        }
        guard isRunning, let end = schedule.blocks.last?.interval.end, end > now else { return nil }
        return (end, .ends)
    }

    /// Whole percent; `nil` where nobody said lately.
    var stateOfCharge: Int? {
        switch latest?.content {
        case .status(let status): status.stateOfCharge
        case .session(let session): session.stateOfChargeAtLast
        case nil: nil
        }
    }

    private static let doneReasons: Set<IdleReason> = [
        .targetStateOfChargeReached, .batteryFull, .targetAlreadyReached, .scheduledEnd,
    ]

    /// One per device, in the order of `devices`.
    ///
    /// - Parameter activities: `nil` where nobody can tell them.
    static func all(
        devices: [ManagedDevice], schedules: [Schedule], activities: [Activity]?, now: Timestamp
    ) -> [DeviceStatus] {
        let schedules = Dictionary(schedules.map { ($0.deviceID, $0) }) { _, newer in newer }
        // The last of a device is its newest.
        let newest = Dictionary((activities ?? []).map { ($0.device.id, $0) }) { _, newer in newer }
        return devices.map { device in
            DeviceStatus(
                device: device, name: device.device.name(among: devices.map(\.device)),
                schedule: schedules[device.device.id], latest: newest[device.device.id], isHeard: activities != nil,
                now: now)
        }
    }
}

extension Device {
    /// Two of one name are told apart by their ids.
    func name(among devices: [Device]) -> String {
        devices.contains { $0.name == name && $0.id != id } ? "\(name) (\(id))" : name
    }
}

extension ScheduleBlock {
    /// A home battery that gives runs too.
    var isRunning: Bool {
        switch reason {
        case .reduced: false
        case .normal: true
        default: power > .zero || energy > .zero
        }
    }
}

extension DeviceStatus.State {
    var isOn: Bool { self == .charging || self == .running }

    var word: Word {
        switch self {
        case .charging: .charging
        case .running: .running
        case .waiting: .waiting
        case .done: .done
        case .paused: .paused
        case .stopped: .stopped
        case .unplugged: .unplugged
        case .idle: .idle
        case .unknown: .unknown
        }
    }
}

extension Device.Kind {
    var word: Word {
        switch self {
        case .electricVehicle: .vehicle
        case .hvac: .heating
        case .homeBattery: .battery
        case .appliance: .appliance
        }
    }
}
