internal import EnergyModel
public import EnergyStore
internal import Foundation

extension DeviceRecord {
    /// - Parameters:
    ///   - goals: rows of this device, by position; so are `absences` and `blocks`.
    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init<Row: ColumnRow>(_ row: Row, goals: [Row], absences: [Row], blocks: [Row]) throws {
        let venueID: UUID = try row["venue_id"]
        let device = Device(id: try row["device_id"], name: try row["name"], kind: try row.word("kind"))
        var vehicle: VehicleTraits?
        if let capacity = try row["battery_capacity_mwh"] as Int64? {
            let phases: Int = try row["phases"]
            vehicle = VehicleTraits(
                batteryCapacity: Energy(milliwattHours: capacity),
                powerMax: try Power(milliwatts: try row["power_max_mw"]),
                efficiency: try row["efficiency"],
                powerMin: try (row["power_min_mw"] as Int64?).map { try Power(milliwatts: $0) },
                phases: (1...3).filter { phases & 1 << ($0 - 1) != 0 },
                powerStep: try (row["power_step_mw"] as Int64?).map { try Power(milliwatts: $0) },
                currentStep: try (row["current_step_ma"] as Int64?).map {
                    VehicleTraits.CurrentStep(milliamperes: $0, millivolts: try row["voltage_mv"])
                },
                taper: try (row["taper_percent"] as Int?).map {
                    VehicleTraits.Taper(percent: $0, powerAtFull: try Power(milliwatts: try row["taper_power_mw"]))
                })
        }
        let rules = ChargingRules(
            stateOfChargeMin: try row["state_of_charge_min"],
            priceMax: try (row["price_max_micros"] as Int64?).map { Price(microsPerKilowattHour: $0) },
            carbonMax: try row["carbon_max_g"], absences: try absences.map { try Absence($0) },
            priority: try row["priority"],
            shape: try ChargingShape(row))
        let goalRows = try goals.filter { try $0["is_skipped"] as Int64 == 0 }
        let skipped = try goals.filter { try $0["is_skipped"] as Int64 != 0 }.map { row in
            SkippedGoal(
                goal: try Goal(row, venueID: venueID, deviceID: device.id),
                delivered: Energy(milliwattHours: try row["baseline_mwh"]))
        }
        let goals = try goalRows.map { try Goal($0, venueID: venueID, deviceID: device.id) }
        let baselines = try zip(goals, goalRows).map { ($0.id, Energy(milliwattHours: try $1["baseline_mwh"])) }
        let override: ChargeOverride? =
            try row["charge_override"] as String? == nil ? nil : try row.word("charge_override")
        self.init(
            device: ManagedDevice(
                device: device, venueID: venueID, vehicle: vehicle, rules: rules, load: try HomeLoad(row)),
            timeZone: try row.timeZone("time_zone"), goals: goals,
            baselines: Dictionary(baselines.filter { $0.1 != .zero }, uniquingKeysWith: { first, _ in first }),
            override: override, skipped: skipped,
            schedule: try goals.isEmpty ? nil : Schedule(row, goals: goals, override: override, blocks: blocks),
            revision: UInt64(bitPattern: try row["revision"] as Int64), progress: try DeviceProgress(row))
    }

    /// The row of the table `device`.
    public var columns: ColumnList { ColumnList(identityColumns + ruleColumns + scheduleColumns + progressColumns) }

    /// Tables with rows of a device besides ``columns``.
    public static let partTables = ["goal", "absence", "schedule_block"]

    /// The rows of one of ``partTables``.
    public func parts(of table: String) -> [ColumnList] {
        let rows: [[(String, (any ColumnConvertible)?)]] =
            switch table {
            case "goal":
                goals.map { $0.columns(baseline: baselines[$0.id] ?? .zero, isSkipped: false) }
                    + skipped.map { $0.goal.columns(baseline: $0.delivered, isSkipped: true) }
            case "absence": device.rules.absences.map(\.columns)
            case "schedule_block": (schedule?.blocks ?? []).map(\.columns)
            default: []
            }
        return rows.enumerated().map { position, columns in
            ColumnList(
                [("venue_id", device.venueID), ("device_id", device.device.id), ("position", position)] + columns)
        }
    }

    private var identityColumns: [(String, (any ColumnConvertible)?)] {
        [
            ("venue_id", device.venueID), ("device_id", device.device.id), ("name", device.device.name),
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
            ("home_load", device.load.map { StoredHomeLoad($0).text } ?? nil),
            ("revision", Int64(bitPattern: revision)),
        ]
    }

    private var ruleColumns: [(String, (any ColumnConvertible)?)] {
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

    private var scheduleColumns: [(String, (any ColumnConvertible)?)] {
        [
            ("schedule_id", schedule?.id), ("schedule_planned_ms", schedule?.planned.unixMilliseconds),
            ("schedule_token", schedule?.guidanceToken),
            ("schedule_required_mwh", schedule?.required.milliwattHours),
            ("schedule_planned_mwh", schedule?.plannedEnergy.milliwattHours),
            ("schedule_explanation", schedule?.explanation), ("schedule_gap", schedule?.optimalityGap),
        ]
    }

    private var progressColumns: [(String, (any ColumnConvertible)?)] {
        [
            ("state_of_charge", progress.stateOfCharge),
            ("since_state_of_charge_mwh", progress.sinceStateOfCharge.milliwattHours),
            ("since_goal_mwh", progress.sinceGoal.milliwattHours),
            ("reduced_since_goal_ms", progress.reducedSinceGoal), ("session_id", progress.session?.id),
            ("session_energy_mwh", progress.session?.energy.milliwattHours),
            ("session_power_mw", progress.session?.power.milliwatts),
            ("updated_ms", progress.updated?.unixMilliseconds),
            ("session_mean_power_mw", progress.session?.meanPower?.milliwatts),
            ("is_plugged_in", progress.isPluggedIn.map { $0 }), ("status", progress.status?.words.name),
            ("status_reason", progress.status?.words.reason),
            ("refused_since_ms", progress.refusedSince?.unixMilliseconds), ("runs", progress.runs),
            ("switched_ms", progress.switched?.unixMilliseconds), ("reading", progress.reading?.value),
            ("reading_ms", progress.reading?.at.unixMilliseconds),
            ("reading_told_ms", progress.reading?.told.unixMilliseconds),
        ]
    }
}

extension Schedule {
    fileprivate init?<Row: ColumnRow>(
        _ row: Row, goals: [Goal], override: ChargeOverride?, blocks: [Row]
    ) throws {
        guard try row["schedule_id"] as UUID? != nil, let goal = goals.first else { return nil }
        self.init(
            id: try row["schedule_id"], venueID: goal.venueID, deviceID: goal.deviceID, goal: goal,
            revision: UInt64(bitPattern: try row["revision"] as Int64),
            planned: Timestamp(unixMilliseconds: try row["schedule_planned_ms"]),
            guidanceToken: try row["schedule_token"],
            blocks: try blocks.map { try ScheduleBlock($0) },
            required: Energy(milliwattHours: try row["schedule_required_mwh"]),
            plannedEnergy: Energy(milliwattHours: try row["schedule_planned_mwh"]),
            explanation: try row["schedule_explanation"], goals: goals, override: override,
            optimalityGap: try row["schedule_gap"] as Double? ?? 0)
    }
}

extension ScheduleBlock {
    fileprivate var columns: [(String, (any ColumnConvertible)?)] {
        [
            ("start_ms", interval.start.unixMilliseconds), ("end_ms", interval.end.unixMilliseconds),
            ("power_mw", power.milliwatts), ("stage_max", stageMax), ("energy_mwh", energy.milliwattHours),
            ("rating", rating), ("reason", reason.rawValue), ("is_discharging", isDischarging),
        ]
    }

    fileprivate init(_ row: some ColumnRow) throws {
        guard
            let interval = Interval(
                start: Timestamp(unixMilliseconds: try row["start_ms"]),
                end: Timestamp(unixMilliseconds: try row["end_ms"]))
        else { throw EnergyError.damaged("schedule_block") }
        self.init(
            interval: interval, power: try Power(milliwatts: try row["power_mw"]), stageMax: try row["stage_max"],
            energy: Energy(milliwattHours: try row["energy_mwh"]), rating: try row["rating"],
            reason: try row.word("reason"), isDischarging: try row["is_discharging"])
    }
}

extension DeviceProgress {
    fileprivate init(_ row: some ColumnRow) throws {
        var session: RunningSession?
        if try row["session_id"] as UUID? != nil {
            session = RunningSession(
                id: try row["session_id"], energy: Energy(milliwattHours: try row["session_energy_mwh"]),
                power: try Power(milliwatts: try row["session_power_mw"]),
                meanPower: try (row["session_mean_power_mw"] as Int64?).map { try Power(milliwatts: $0) })
        }
        self.init(
            stateOfCharge: try row["state_of_charge"],
            sinceStateOfCharge: Energy(milliwattHours: try row["since_state_of_charge_mwh"]),
            sinceGoal: Energy(milliwattHours: try row["since_goal_mwh"]),
            reducedSinceGoal: try row["reduced_since_goal_ms"], session: session,
            updated: try (row["updated_ms"] as Int64?).map { Timestamp(unixMilliseconds: $0) },
            isPluggedIn: try row["is_plugged_in"], status: try VehicleStatus.Status(row),
            refusedSince: try (row["refused_since_ms"] as Int64?).map { Timestamp(unixMilliseconds: $0) },
            runs: try row["runs"],
            switched: try (row["switched_ms"] as Int64?).map { Timestamp(unixMilliseconds: $0) },
            reading: try (row["reading"] as Double?).map {
                Reading(
                    value: $0, at: Timestamp(unixMilliseconds: try row["reading_ms"]),
                    told: try (row["reading_told_ms"] as Int64?).map { Timestamp(unixMilliseconds: $0) })
            })
    }
}

extension ChargingShape {
    fileprivate init(_ row: some ColumnRow) throws {
        self.init(
            runMinMilliseconds: try row["run_min_ms"], pauseMinMilliseconds: try row["pause_min_ms"],
            runsMax: try row["runs_max"],
            ties: try row.word("ties"), marginMilliseconds: try row["margin_ms"],
            preconditionMilliseconds: try row["precondition_ms"], startCost: try row["start_cost"])
    }
}
