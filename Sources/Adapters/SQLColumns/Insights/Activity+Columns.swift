public import EnergyModel
internal import Foundation

extension Activity {
    /// The row of the table `status`, without its place in the order; `nil` for what is not of a vehicle.
    public var statusColumns: ColumnList? {
        guard case .status(let status) = content else { return nil }
        return ColumnList([
            ("venue_id", venueID), ("time_unix_ms", time), ("event_id", id), ("device_id", device.id),
            ("device_name", device.name), ("kind", kind.rawValue), ("reason", status.status.reason),
            ("state_of_charge", status.stateOfCharge), ("energy_mwh", status.energyMilliwattHours),
            ("range_mm", status.estimatedRangeMillimetres), ("target_state_of_charge", status.target?.stateOfCharge),
            ("target_completion_unix_ms", status.target?.estimatedCompletion),
            ("target_start_unix_ms", status.target?.scheduledStart),
            ("target_range_mm", status.target?.estimatedRangeMillimetres), ("session_id", status.sessionID),
        ])
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws {
        var target: ChargingTarget?
        if let percent = try row["target_state_of_charge"] as Int? {
            target = ChargingTarget(
                stateOfCharge: percent, estimatedCompletion: try row["target_completion_unix_ms"],
                scheduledStart: try row["target_start_unix_ms"], estimatedRangeMillimetres: try row["target_range_mm"])
        }
        let status = VehicleStatus(
            status: try VehicleStatus.Status(words: row), stateOfCharge: try row["state_of_charge"],
            energyMilliwattHours: try row["energy_mwh"], estimatedRangeMillimetres: try row["range_mm"],
            target: target, sessionID: try row["session_id"])
        self.init(
            id: try row["event_id"], venueID: try row["venue_id"],
            device: Device(id: try row["device_id"], name: try row["device_name"], kind: .electricVehicle),
            time: try row["time_unix_ms"], content: .status(status))
    }
}

extension PlugHistory.Word {
    public init(_ row: some ColumnRow) throws(EnergyError) {
        let time: Timestamp = try row["time_unix_ms"]
        self.init(time: time.clamped, status: try VehicleStatus.Status(words: row))
    }
}

extension VehicleStatus.Status {
    fileprivate var reason: String {
        switch self {
        case .pluggedIn: "pluggedIn"
        case .unplugged: "unplugged"
        case .active(let reason): reason.rawValue
        case .idle(let reason): reason.rawValue
        }
    }

    /// What a later version wrote reads as unknown.
    fileprivate init(words row: some ColumnRow) throws(EnergyError) {
        let (kind, reason): (String, String) = (try row["kind"], try row["reason"])
        switch Activity.Kind(rawValue: kind) {
        case .plug: self = reason == "unplugged" ? .unplugged : .pluggedIn
        case .charging: self = .active(ActiveReason(rawValue: reason) ?? .unknown)
        case .waiting, .session, nil: self = .idle(IdleReason(rawValue: reason) ?? .unknown)
        }
    }
}
