internal import EnergyModel
internal import Foundation

extension Goal {
    init(_ row: some ColumnRow, venueID: UUID, deviceID: String) throws {
        let amount: Int64 = try row["amount"]
        let target: Target =
            switch try row["target"] as String {
            case "energy": .energy(Energy(milliwattHours: amount))
            case "stateOfCharge": .stateOfCharge(Int(amount))
            case "reduce": .reduce(maxMilliseconds: amount)
            case "run": .run
            default: throw EnergyError.damaged("target")
            }
        var weekly: WeeklyTime?
        if let weekdays = try row["weekdays"] as Int64?, let days = UInt32(exactly: weekdays) {
            let exceptions = (try row["exception_days"] as String? ?? "").split(separator: ",").compactMap { Int64($0) }
            weekly = WeeklyTime(
                weekdays: Weekdays(rawValue: days), minuteOfDay: try row["minute"], exceptions: exceptions)
        }
        self.init(
            id: try row["goal_id"], venueID: venueID, deviceID: deviceID,
            readyBy: Timestamp(unixMilliseconds: try row["ready_by_ms"]), target: target,
            created: Timestamp(unixMilliseconds: try row["created_ms"]), weekly: weekly,
            guaranteedPercent: try row["guaranteed_percent"])
    }

    /// Without those of its key.
    ///
    /// - Parameter baseline: of one that is skipped, what was delivered for it.
    func columns(baseline: Energy, isSkipped: Bool) -> [(String, (any ColumnConvertible)?)] {
        let (name, amount): (String, Int64) =
            switch target {
            case .energy(let energy): ("energy", energy.milliwattHours)
            case .stateOfCharge(let percent): ("stateOfCharge", Int64(percent))
            case .reduce(let milliseconds): ("reduce", milliseconds)
            case .run: ("run", 0)
            }
        return [
            ("goal_id", id), ("ready_by_ms", readyBy.unixMilliseconds), ("target", name), ("amount", amount),
            ("created_ms", created.unixMilliseconds), ("baseline_mwh", baseline.milliwattHours),
            ("weekdays", weekly.map { Int64($0.weekdays.rawValue) }), ("minute", weekly?.minuteOfDay),
            ("exception_days", weekly.map { $0.exceptions.map(String.init).joined(separator: ",") }),
            ("guaranteed_percent", guaranteedPercent), ("is_skipped", isSkipped ? 1 : 0),
        ]
    }
}

extension Absence {
    init(_ row: some ColumnRow) throws {
        if let weekdays = try row["weekdays"] as Int64?, let days = UInt32(exactly: weekdays) {
            self = .weekly(
                Weekdays(rawValue: days), startMinute: try row["start_minute"], endMinute: try row["end_minute"])
            return
        }
        guard let start = try row["start_ms"] as Int64?, let end = try row["end_ms"] as Int64?,
            let interval = Interval(
                start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
        else { throw EnergyError.damaged("absence") }
        self = .once(interval)
    }

    /// Without those of its key.
    var columns: [(String, (any ColumnConvertible)?)] {
        switch self {
        case .once(let interval):
            [("start_ms", interval.start.unixMilliseconds), ("end_ms", interval.end.unixMilliseconds)]
        case .weekly(let weekdays, let startMinute, let endMinute):
            [("weekdays", Int64(weekdays.rawValue)), ("start_minute", startMinute), ("end_minute", endMinute)]
        }
    }
}
