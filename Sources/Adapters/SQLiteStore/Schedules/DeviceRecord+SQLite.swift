internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

extension DeviceRecord {
    /// - Throws: ``EnergyError`` `.unavailable` for a row that no version of this program writes.
    init(_ row: Row, goals: [Row], absences: [Row], blocks: [Row]) throws {
        let venueID = try row.uuid("venue_id")
        let device = Device(id: row["device_id"], name: row["name"], kind: try row.value("kind"))
        var vehicle: VehicleTraits?
        if let capacity = row["battery_capacity_mwh"] as Int64? {
            let phases: Int = row["phases"]
            vehicle = VehicleTraits(
                batteryCapacity: Energy(milliwattHours: capacity), powerMax: try Power(milliwatts: row["power_max_mw"]),
                efficiency: row["efficiency"],
                powerMin: try (row["power_min_mw"] as Int64?).map { try Power(milliwatts: $0) },
                phases: (1...3).filter { phases & 1 << ($0 - 1) != 0 },
                powerStep: try (row["power_step_mw"] as Int64?).map { try Power(milliwatts: $0) },
                currentStep: (row["current_step_ma"] as Int64?).map {
                    VehicleTraits.CurrentStep(milliamperes: $0, millivolts: row["voltage_mv"])
                },
                taper: try (row["taper_percent"] as Int?).map {
                    VehicleTraits.Taper(percent: $0, powerAtFull: try Power(milliwatts: row["taper_power_mw"]))
                })
        }
        let rules = ChargingRules(
            stateOfChargeMin: row["state_of_charge_min"],
            priceMax: (row["price_max_micros"] as Int64?).map { Price(microsPerKilowattHour: $0) },
            carbonMax: row["carbon_max_g"], absences: try absences.map { try Absence($0) }, priority: row["priority"],
            shape: try ChargingShape(row))
        let goalRows = goals
        let goals = try goalRows.map { try Goal($0, venueID: venueID, deviceID: device.id) }
        let baselines = zip(goals, goalRows).map { ($0.id, Energy(milliwattHours: $1["baseline_mwh"])) }
        let override: ChargeOverride? =
            row["charge_override"] as String? == nil ? nil : try row.value("charge_override")
        self.init(
            device: ManagedDevice(
                device: device, venueID: venueID, vehicle: vehicle, rules: rules, load: try HomeLoad(row)),
            timeZone: try row.timeZone("time_zone"), goals: goals,
            baselines: Dictionary(baselines.filter { $0.1 != .zero }, uniquingKeysWith: { first, _ in first }),
            override: override,
            schedule: try goals.isEmpty ? nil : Schedule(row, goals: goals, override: override, blocks: blocks),
            revision: UInt64(bitPattern: row["revision"] as Int64), progress: try DeviceProgress(row))
    }

    func save(in connection: Database) throws {
        let columns: [(String, (any DatabaseValueConvertible)?)] =
            identityColumns + ruleColumns + scheduleColumns + progressColumns
        let names = columns.map(\.0).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try connection.execute(
            sql: "INSERT OR REPLACE INTO device (\(names)) VALUES (\(marks))",
            arguments: StatementArguments(columns.map(\.1)))
        let key = [device.venueID.bytes, device.device.id] as [any DatabaseValueConvertible]
        for table in ["schedule_block", "goal", "absence"] {
            try connection.execute(
                sql: "DELETE FROM \(table) WHERE venue_id = ? AND device_id = ?", arguments: StatementArguments(key))
        }
        for (position, goal) in goals.enumerated() {
            let columns = goal.columns(baseline: baselines[goal.id] ?? .zero)
            try connection.execute(
                sql: "INSERT INTO goal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: StatementArguments(key + [position] + columns))
        }
        for (position, absence) in device.rules.absences.enumerated() {
            try connection.execute(
                sql: "INSERT INTO absence VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: StatementArguments(key + [position] + absence.columns))
        }
        for (position, block) in (schedule?.blocks ?? []).enumerated() {
            try connection.execute(
                sql: "INSERT INTO schedule_block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: StatementArguments(
                    key + [
                        position, block.interval.start.unixMilliseconds, block.interval.end.unixMilliseconds,
                        block.power.milliwatts, block.stageMax, block.energy.milliwattHours, block.rating,
                        block.reason.rawValue, block.isDischarging ? 1 : 0,
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
            ("power_step_mw", device.vehicle?.powerStep?.milliwatts),
            ("current_step_ma", device.vehicle?.currentStep?.milliamperes),
            ("voltage_mv", device.vehicle?.currentStep?.millivolts),
            ("taper_percent", device.vehicle?.taper?.percent),
            ("taper_power_mw", device.vehicle?.taper?.powerAtFull.milliwatts),
            ("home_load", device.load.map { StoredHomeLoad($0).text }), ("revision", Int64(bitPattern: revision)),
        ]
    }

    private var ruleColumns: Columns {
        let rules = device.rules
        return [
            ("charge_override", override?.rawValue), ("state_of_charge_min", rules.stateOfChargeMin),
            ("price_max_micros", rules.priceMax?.microsPerKilowattHour), ("carbon_max_g", rules.carbonMax),
            ("priority", rules.priority), ("run_min_ms", rules.shape.runMinMilliseconds),
            ("pause_min_ms", rules.shape.pauseMinMilliseconds), ("runs_max", rules.shape.runsMax),
            ("ties", rules.shape.ties.rawValue), ("margin_ms", rules.shape.marginMilliseconds),
            ("precondition_ms", rules.shape.preconditionMilliseconds), ("start_cost", rules.shape.startCost),
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
            ("session_mean_power_mw", progress.session?.meanPower?.milliwatts),
            ("is_plugged_in", progress.isPluggedIn.map { $0 ? 1 : 0 }), ("status", progress.status?.words.name),
            ("status_reason", progress.status?.words.reason),
            ("refused_since_ms", progress.refusedSince?.unixMilliseconds), ("runs", progress.runs),
            ("switched_ms", progress.switched?.unixMilliseconds), ("reading", progress.reading?.value),
            ("reading_ms", progress.reading?.at.unixMilliseconds),
        ]
    }
}

extension Schedule {
    fileprivate init?(_ row: Row, goals: [Goal], override: ChargeOverride?, blocks: [Row]) throws {
        guard row["schedule_id"] as Data? != nil, let goal = goals.first else { return nil }
        self.init(
            id: try row.uuid("schedule_id"), venueID: goal.venueID, deviceID: goal.deviceID, goal: goal,
            revision: UInt64(bitPattern: row["revision"] as Int64),
            planned: Timestamp(unixMilliseconds: row["schedule_planned_ms"]),
            guidanceToken: row["schedule_token"] as Data? == nil ? nil : try row.uuid("schedule_token"),
            blocks: try blocks.map { try ScheduleBlock($0) },
            required: Energy(milliwattHours: row["schedule_required_mwh"]),
            plannedEnergy: Energy(milliwattHours: row["schedule_planned_mwh"]),
            explanation: row["schedule_explanation"], goals: goals, override: override)
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
            reason: try row.value("reason"), isDischarging: row["is_discharging"] as Int != 0)
    }
}

extension DeviceProgress {
    fileprivate init(_ row: Row) throws {
        var session: RunningSession?
        if row["session_id"] as Data? != nil {
            session = RunningSession(
                id: try row.uuid("session_id"), energy: Energy(milliwattHours: row["session_energy_mwh"]),
                power: try Power(milliwatts: row["session_power_mw"]),
                meanPower: try (row["session_mean_power_mw"] as Int64?).map { try Power(milliwatts: $0) })
        }
        self.init(
            stateOfCharge: row["state_of_charge"],
            sinceStateOfCharge: Energy(milliwattHours: row["since_state_of_charge_mwh"]),
            sinceGoal: Energy(milliwattHours: row["since_goal_mwh"]),
            reducedSinceGoal: row["reduced_since_goal_ms"], session: session,
            updated: (row["updated_ms"] as Int64?).map { Timestamp(unixMilliseconds: $0) },
            isPluggedIn: (row["is_plugged_in"] as Int?).map { $0 != 0 }, status: try VehicleStatus.Status(row),
            refusedSince: (row["refused_since_ms"] as Int64?).map { Timestamp(unixMilliseconds: $0) },
            runs: row["runs"],
            switched: (row["switched_ms"] as Int64?).map { Timestamp(unixMilliseconds: $0) },
            reading: (row["reading"] as Double?).map {
                Reading(value: $0, at: Timestamp(unixMilliseconds: row["reading_ms"]))
            })
    }
}

extension ChargingShape {
    fileprivate init(_ row: Row) throws {
        self.init(
            runMinMilliseconds: row["run_min_ms"], pauseMinMilliseconds: row["pause_min_ms"], runsMax: row["runs_max"],
            ties: try row.value("ties"), marginMilliseconds: row["margin_ms"],
            preconditionMilliseconds: row["precondition_ms"], startCost: row["start_cost"])
    }
}
