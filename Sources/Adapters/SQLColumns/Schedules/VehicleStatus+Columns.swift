internal import EnergyModel

extension VehicleStatus.Status {
    init?(_ row: some ColumnRow) throws {
        switch try row["status"] as String? {
        case nil: return nil
        case "pluggedIn": self = .pluggedIn
        case "unplugged": self = .unplugged
        case "active": self = .active(try row.word("status_reason"))
        case "idle": self = .idle(try row.word("status_reason"))
        default: throw EnergyError.damaged("status")
        }
    }

    var words: (name: String, reason: String?) {
        switch self {
        case .pluggedIn: ("pluggedIn", nil)
        case .unplugged: ("unplugged", nil)
        case .active(let reason): ("active", reason.rawValue)
        case .idle(let reason): ("idle", reason.rawValue)
        }
    }
}
