internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

extension DeviceRecord {
    /// - Throws: ``EnergyError`` `.unavailable` for a row that no version of this program writes.
    init(_ row: Row, blocks: [Row]) throws {
        let venueID = try UUID(stored: row["venue_id"])
        let device = Device(id: row["device_id"], name: row["name"], kind: try .init(stored: row["kind"]))
        var vehicle: VehicleTraits?
        if let capacity = row["battery_capacity_mwh"] as Int64? {
            vehicle = VehicleTraits(
                batteryCapacity: Energy(milliwattHours: capacity), powerMax: try Power(milliwatts: row["power_max_mw"]),
                efficiency: row["efficiency"])
        }
        guard let timeZone = TimeZone(identifier: row["time_zone"]) else { throw EnergyError.damagedRow("time_zone") }
        let goal = try Goal(row, venueID: venueID, deviceID: device.id)
        self.init(
            device: ManagedDevice(device: device, venueID: venueID, vehicle: vehicle), timeZone: timeZone, goal: goal,
            schedule: try goal.flatMap { try Schedule(row, goal: $0, blocks: blocks) },
            revision: UInt64(bitPattern: row["revision"] as Int64), progress: try DeviceProgress(row))
    }

    func save(in connection: Database) throws {
        let columns: [(String, (any DatabaseValueConvertible)?)] =
            identityColumns + goalColumns + scheduleColumns + progressColumns
        let names = columns.map(\.0).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try connection.execute(
            sql: "INSERT OR REPLACE INTO device (\(names)) VALUES (\(marks))",
            arguments: StatementArguments(columns.map(\.1)))
        let key = [device.venueID.stored, device.device.id] as [any DatabaseValueConvertible]
        try connection.execute(
            sql: "DELETE FROM schedule_block WHERE venue_id = ? AND device_id = ?", arguments: StatementArguments(key))
        for (position, block) in (schedule?.blocks ?? []).enumerated() {
            try connection.execute(
                sql: "INSERT INTO schedule_block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: StatementArguments(
                    key + [
                        position, block.interval.start.unixMilliseconds, block.interval.end.unixMilliseconds,
                        block.power.milliwatts, block.stageMax, block.energy.milliwattHours, block.rating,
                        block.reason.rawValue,
                    ]))
        }
    }

    private typealias Columns = [(String, (any DatabaseValueConvertible)?)]

    private var identityColumns: Columns {
        [
            ("venue_id", device.venueID.stored), ("device_id", device.device.id), ("name", device.device.name),
            ("kind", device.device.kind.rawValue), ("time_zone", timeZone.identifier),
            ("battery_capacity_mwh", device.vehicle?.batteryCapacity.milliwattHours),
            ("power_max_mw", device.vehicle?.powerMax.milliwatts), ("efficiency", device.vehicle?.efficiency),
            ("revision", Int64(bitPattern: revision)),
        ]
    }

    private var goalColumns: Columns {
        let target: (String, Int64)? =
            switch goal?.target {
            case .energy(let energy): ("energy", energy.milliwattHours)
            case .stateOfCharge(let percent): ("stateOfCharge", Int64(percent))
            case .reduce(let milliseconds): ("reduce", milliseconds)
            case nil: nil
            }
        return [
            ("goal_id", goal?.id.stored), ("goal_ready_by_ms", goal?.readyBy.unixMilliseconds),
            ("goal_target", target?.0), ("goal_amount", target?.1),
            ("goal_created_ms", goal?.created.unixMilliseconds),
        ]
    }

    private var scheduleColumns: Columns {
        [
            ("schedule_id", schedule?.id.stored), ("schedule_planned_ms", schedule?.planned.unixMilliseconds),
            ("schedule_token", schedule?.guidanceToken?.stored),
            ("schedule_required_mwh", schedule?.required.milliwattHours),
            ("schedule_planned_mwh", schedule?.plannedEnergy.milliwattHours),
            ("schedule_explanation", schedule?.explanation),
        ]
    }

    private var progressColumns: Columns {
        [
            ("state_of_charge", progress.stateOfCharge),
            ("since_state_of_charge_mwh", progress.sinceStateOfCharge.milliwattHours),
            ("since_goal_mwh", progress.sinceGoal.milliwattHours),
            ("reduced_since_goal_ms", progress.reducedSinceGoal), ("session_id", progress.session?.id.stored),
            ("session_energy_mwh", progress.session?.energy.milliwattHours),
            ("session_power_mw", progress.session?.power.milliwatts),
            ("updated_ms", progress.updated?.unixMilliseconds),
        ]
    }
}

extension Goal {
    fileprivate init?(_ row: Row, venueID: UUID, deviceID: String) throws {
        guard let id = row["goal_id"] as Data? else { return nil }
        let amount: Int64 = row["goal_amount"]
        let target: Target =
            switch row["goal_target"] as String {
            case "energy": .energy(Energy(milliwattHours: amount))
            case "stateOfCharge": .stateOfCharge(Int(amount))
            case "reduce": .reduce(maxMilliseconds: amount)
            default: throw EnergyError.damagedRow("goal_target")
            }
        self.init(
            id: try UUID(stored: id), venueID: venueID, deviceID: deviceID,
            readyBy: Timestamp(unixMilliseconds: row["goal_ready_by_ms"]), target: target,
            created: Timestamp(unixMilliseconds: row["goal_created_ms"]))
    }
}

extension Schedule {
    fileprivate init?(_ row: Row, goal: Goal, blocks: [Row]) throws {
        guard let id = row["schedule_id"] as Data? else { return nil }
        self.init(
            id: try UUID(stored: id), venueID: goal.venueID, deviceID: goal.deviceID, goal: goal,
            revision: UInt64(bitPattern: row["revision"] as Int64),
            planned: Timestamp(unixMilliseconds: row["schedule_planned_ms"]),
            guidanceToken: try (row["schedule_token"] as Data?).map { try UUID(stored: $0) },
            blocks: try blocks.map { try ScheduleBlock($0) },
            required: Energy(milliwattHours: row["schedule_required_mwh"]),
            plannedEnergy: Energy(milliwattHours: row["schedule_planned_mwh"]),
            explanation: row["schedule_explanation"])
    }
}

extension ScheduleBlock {
    fileprivate init(_ row: Row) throws {
        guard
            let interval = Interval(
                start: Timestamp(unixMilliseconds: row["start_ms"]), end: Timestamp(unixMilliseconds: row["end_ms"]))
        else { throw EnergyError.damagedRow("schedule_block") }
        self.init(
            interval: interval, power: try Power(milliwatts: row["power_mw"]), stageMax: row["stage_max"],
            energy: Energy(milliwattHours: row["energy_mwh"]), rating: row["rating"],
            reason: try .init(stored: row["reason"]))
    }
}

extension DeviceProgress {
    fileprivate init(_ row: Row) throws {
        var session: RunningSession?
        if let id = row["session_id"] as Data? {
            session = RunningSession(
                id: try UUID(stored: id), energy: Energy(milliwattHours: row["session_energy_mwh"]),
                power: try Power(milliwatts: row["session_power_mw"]))
        }
        self.init(
            stateOfCharge: row["state_of_charge"],
            sinceStateOfCharge: Energy(milliwattHours: row["since_state_of_charge_mwh"]),
            sinceGoal: Energy(milliwattHours: row["since_goal_mwh"]),
            reducedSinceGoal: row["reduced_since_goal_ms"], session: session,
            updated: (row["updated_ms"] as Int64?).map { Timestamp(unixMilliseconds: $0) })
    }
}

extension RawRepresentable where RawValue == String {
    fileprivate init(stored name: String) throws {
        guard let value = Self(rawValue: name) else { throw EnergyError.damagedRow(name) }
        self = value
    }
}

extension UUID {
    fileprivate var stored: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    fileprivate init(stored data: Data) throws {
        guard data.count == 16 else { throw EnergyError.damagedRow("a UUID of \(data.count) bytes") }
        var bytes: uuid_t = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: data) }
        self.init(uuid: bytes)
    }
}

extension EnergyError {
    fileprivate static func damagedRow(_ what: String) -> EnergyError {
        EnergyError(.unavailable, "the schedule database holds a row that cannot be read: \(what)")
    }
}
