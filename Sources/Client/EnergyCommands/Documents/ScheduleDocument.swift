internal import EnergyModel
internal import Foundation

struct SchedulesDocument: Encodable {
    let schedules: [ScheduleDocument]
}

struct ScheduleDocument: Encodable {
    struct GoalPart: Encodable {
        let id: String
        let readyBy: String
        let created: String
        let energyMwh: Int64?
        let stateOfCharge: Int?
        let reduceMaxMs: Int64?
        let run: Bool?
        let weekly: Weekly?
        let guaranteedPercent: Int
    }
    struct Weekly: Encodable {
        let days: String
        let minuteOfDay: Int
        /// Days since 1970-01-01.
        let exceptionDays: [Int64]
    }
    struct Block: Codable {
        let start: String
        let end: String
        let powerMw: Int64
        let stageMax: Int
        let energyMwh: Int64
        let rating: Double
        let reason: String
        let isDischarging: Bool
    }
    let id: String
    let venueId: String
    let deviceId: String
    let revision: UInt64
    let planned: String
    let guidanceToken: String?
    let requiredMwh: Int64
    let plannedMwh: Int64
    let missingMwh: Int64
    let explanation: String
    let optimalityGap: Double
    let goal: GoalPart
    let goals: [GoalPart]
    let override: String?
    let blocks: [Block]

    init(_ schedule: Schedule, in zone: TimeZone) {
        id = schedule.id.text
        venueId = schedule.venueID.text
        deviceId = schedule.deviceID
        revision = schedule.revision
        planned = schedule.planned.iso8601(in: zone)
        guidanceToken = schedule.guidanceToken?.text
        requiredMwh = schedule.required.milliwattHours
        plannedMwh = schedule.plannedEnergy.milliwattHours
        missingMwh = schedule.missing.milliwattHours
        explanation = schedule.explanation
        optimalityGap = schedule.optimalityGap
        goal = GoalPart(schedule.goal, in: zone)
        goals = schedule.goals.map { GoalPart($0, in: zone) }
        override = schedule.override.map { Words.snake($0.rawValue) }
        blocks = schedule.blocks.map { Block($0, in: zone) }
    }
}

/// A block of a plan after whose it is, as a row of `--csv`.
struct ScheduleRow: Codable {
    let deviceId: String
    let block: ScheduleDocument.Block

    static func rows(of schedule: ScheduleDocument) -> [ScheduleRow] {
        schedule.blocks.map { ScheduleRow(deviceId: schedule.deviceId, block: $0) }
    }

    private enum Key: CodingKey { case deviceId }

    private init(deviceId: String, block: ScheduleDocument.Block) { (self.deviceId, self.block) = (deviceId, block) }

    init(from decoder: any Decoder) throws {
        deviceId = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .deviceId)
        block = try ScheduleDocument.Block(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(deviceId, forKey: .deviceId)
        try block.encode(to: encoder)
    }
}

extension ScheduleDocument.Block {
    init(_ block: ScheduleBlock, in zone: TimeZone) {
        self.init(
            start: block.interval.start.iso8601(in: zone), end: block.interval.end.iso8601(in: zone),
            powerMw: block.power.milliwatts, stageMax: block.stageMax, energyMwh: block.energy.milliwattHours,
            rating: block.rating, reason: Words.snake(block.reason.rawValue),
            isDischarging: block.isDischarging)
    }
}

extension ScheduleDocument.GoalPart {
    init(_ goal: Goal, in zone: TimeZone) {
        let (energy, percent, reduce): (Int64?, Int?, Int64?) =
            switch goal.target {
            case .energy(let energy): (energy.milliwattHours, nil, nil)
            case .stateOfCharge(let percent): (nil, percent, nil)
            case .reduce(let milliseconds): (nil, nil, milliseconds)
            case .run: (nil, nil, nil)
            }
        self.init(
            id: goal.id.text, readyBy: goal.readyBy.iso8601(in: zone), created: goal.created.iso8601(in: zone),
            energyMwh: energy, stateOfCharge: percent, reduceMaxMs: reduce,
            run: goal.target == .run ? true : nil,
            weekly: goal.weekly.map {
                .init(days: $0.weekdays.words, minuteOfDay: $0.minuteOfDay, exceptionDays: $0.exceptions)
            }, guaranteedPercent: goal.guaranteedPercent)
    }
}

struct ManagedDevicesDocument: Encodable {
    let devices: [ManagedDeviceDocument]
}

struct ManagedDeviceDocument: Codable {
    struct VehiclePart: Codable {
        let batteryCapacityMwh: Int64
        let powerMaxMw: Int64
        let efficiency: Double
        let powerMinMw: Int64
        let phases: [Int]
        let powerStepMw: Int64?
        let currentStepMa: Int64?
        let voltageMv: Int64?
        let taperFromPercent: Int?
        let taperPowerMw: Int64?
    }
    struct ShapePart: Codable {
        let runMinMs: Int64
        let pauseMinMs: Int64
        let runsMax: Int?
        let prefersLate: Bool
        let marginMs: Int64
        let preconditionMs: Int64
        let startCost: Double
    }
    struct RulesPart: Codable {
        let stateOfChargeMin: Int
        let priceMaxMicros: Int64?
        let carbonMaxG: Double?
        let priority: Int
        let absences: Int
        let shape: ShapePart
    }
    let device: DeviceDocument
    let venueId: String
    let vehicle: VehiclePart?
    let load: HomeLoadDocument?
    let rules: RulesPart

    init(_ managed: ManagedDevice) {
        device = DeviceDocument(managed.device)
        venueId = managed.venueID.text
        load = managed.load.map(HomeLoadDocument.init)
        rules = RulesPart(
            stateOfChargeMin: managed.rules.stateOfChargeMin,
            priceMaxMicros: managed.rules.priceMax?.microsPerKilowattHour, carbonMaxG: managed.rules.carbonMax,
            priority: managed.rules.priority, absences: managed.rules.absences.count,
            shape: ShapePart(managed.rules.shape))
        vehicle = managed.vehicle.map {
            VehiclePart(
                batteryCapacityMwh: $0.batteryCapacity.milliwattHours, powerMaxMw: $0.powerMax.milliwatts,
                efficiency: $0.efficiency, powerMinMw: $0.powerMin.milliwatts, phases: $0.phases,
                powerStepMw: $0.powerStep?.milliwatts,
                currentStepMa: $0.currentStep?.milliamperes, voltageMv: $0.currentStep?.millivolts,
                taperFromPercent: $0.taper?.percent,
                taperPowerMw: $0.taper?.powerAtFull.milliwatts)
        }
    }
}

extension ManagedDeviceDocument.ShapePart {
    init(_ shape: ChargingShape) {
        self.init(
            runMinMs: shape.runMinMilliseconds, pauseMinMs: shape.pauseMinMilliseconds, runsMax: shape.runsMax,
            prefersLate: shape.ties == .later, marginMs: shape.marginMilliseconds,
            preconditionMs: shape.preconditionMilliseconds, startCost: shape.startCost)
    }
}
