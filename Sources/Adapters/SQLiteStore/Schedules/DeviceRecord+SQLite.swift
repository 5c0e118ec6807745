internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

extension DeviceRecord {
    /// - Throws: ``EnergyError`` `.unavailable` for a row that no version of this program writes.
    init(_ row: Row, blocks: [Row]) throws {
        let venueID = try row.uuid("venue_id")
        let device = Device(id: row["device_id"], name: row["name"], kind: try row.value("kind"))
        var vehicle: VehicleTraits?
        if let capacity = row["battery_capacity_mwh"] as Int64? {
            let phases: Int = row["phases"]
            vehicle = VehicleTraits(
                batteryCapacity: Energy(milliwattHours: capacity), powerMax: try Power(milliwatts: row["power_max_mw"]),
                efficiency: row["efficiency"],
                powerMin: try (row["power_min_mw"] as Int64?).map { try Power(milliwatts: $0) },
                phases: (1...3).filter { phases & 1 << ($0 - 1) != 0 })
        }
        let goal = try Goal(row, venueID: venueID, deviceID: device.id)
        self.init(
            device: ManagedDevice(device: device, venueID: venueID, vehicle: vehicle),
            timeZone: try row.timeZone("time_zone"), goal: goal,
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
        let key = [device.venueID.bytes, device.device.id] as [any DatabaseValueConvertible]
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
            ("venue_id", device.venueID.bytes), ("device_id", device.device.id), ("name", device.device.name),
            ("kind", device.device.kind.rawValue), ("time_zone", timeZone.identifier),
            ("battery_capacity_mwh", device.vehicle?.batteryCapacity.milliwattHours),
            ("power_max_mw", device.vehicle?.powerMax.milliwatts), ("efficiency", device.vehicle?.efficiency),
            ("power_min_mw", device.vehicle?.powerMin.milliwatts),
            ("phases", device.vehicle?.phases.reduce(0) { $0 | 1 << ($1 - 1) } ?? 7),
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
            ("goal_id", goal?.id.bytes), ("goal_ready_by_ms", goal?.readyBy.unixMilliseconds),
            ("goal_target", target?.0), ("goal_amount", target?.1),
            ("goal_created_ms", goal?.created.unixMilliseconds),
        ]
    }

    private var scheduleColumns: Columns {
        [
            ("schedule_id", schedule?.id.bytes), ("schedule_planned_ms", schedule?.planned.unixMilliseconds),
            ("schedule_token", schedule?.guidanceToken?.bytes),
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
            ("reduced_since_goal_ms", progress.reducedSinceGoal), ("session_id", progress.session?.id.bytes),
            ("session_energy_mwh", progress.session?.energy.milliwattHours),
            ("session_power_mw", progress.session?.power.milliwatts),
            ("updated_ms", progress.updated?.unixMilliseconds),
        ]
    }
}

extension Goal {
    fileprivate init?(_ row: Row, venueID: UUID, deviceID: String) throws {
        guard row["goal_id"] as Data? != nil else { return nil }
        let amount: Int64 = row["goal_amount"]
        let target: Target =
            switch row["goal_target"] as String {
            case "energy": .energy(Energy(milliwattHours: amount))
            case "stateOfCharge": .stateOfCharge(Int(amount))
            case "reduce": .reduce(maxMilliseconds: amount)
            default: throw EnergyError.damaged("goal_target")
            }
        self.init(
            id: try row.uuid("goal_id"), venueID: venueID, deviceID: deviceID,
            readyBy: Timestamp(unixMilliseconds: row["goal_ready_by_ms"]), target: target,
            created: Timestamp(unixMilliseconds: row["goal_created_ms"]))
    }
}

extension Schedule {
    fileprivate init?(_ row: Row, goal: Goal, blocks: [Row]) throws {
        guard row["schedule_id"] as Data? != nil else { return nil }
        self.init(
            id: try row.uuid("schedule_id"), venueID: goal.venueID, deviceID: goal.deviceID, goal: goal,
            revision: UInt64(bitPattern: row["revision"] as Int64),
            planned: Timestamp(unixMilliseconds: row["schedule_planned_ms"]),
            guidanceToken: row["schedule_token"] as Data? == nil ? nil : try row.uuid("schedule_token"),
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
        else { throw EnergyError.damaged("schedule_block") }
        self.init(
            interval: interval, power: try Power(milliwatts: row["power_mw"]), stageMax: row["stage_max"],
            energy: Energy(milliwattHours: row["energy_mwh"]), rating: row["rating"],
            reason: try row.value("reason"))
    }
}

extension DeviceProgress {
    fileprivate init(_ row: Row) throws {
        var session: RunningSession?
        if row["session_id"] as Data? != nil {
            session = RunningSession(
                id: try row.uuid("session_id"), energy: Energy(milliwattHours: row["session_energy_mwh"]),
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
