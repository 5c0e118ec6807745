internal import EnergyModel
internal import Foundation
internal import GRDB

extension Goal {
    init(_ row: Row, venueID: UUID, deviceID: String) throws {
        let amount: Int64 = row["amount"]
        let target: Target =
            switch row["target"] as String {
            case "energy": .energy(Energy(milliwattHours: amount))
            case "stateOfCharge": .stateOfCharge(Int(amount))
            case "reduce": .reduce(maxMilliseconds: amount)
            case "run": .run
            default: throw EnergyError.damaged("target")
            }
        var weekly: WeeklyTime?
        if let weekdays = row["weekdays"] as Int64?, let days = UInt32(exactly: weekdays) {
            let exceptions = (row["exception_days"] as String? ?? "").split(separator: ",").compactMap { Int64($0) }
            weekly = WeeklyTime(
                weekdays: Weekdays(rawValue: days), minuteOfDay: row["minute"], exceptions: exceptions)
        }
        self.init(
            id: try row.uuid("goal_id"), venueID: venueID, deviceID: deviceID,
            readyBy: Timestamp(unixMilliseconds: row["ready_by_ms"]), target: target,
            created: Timestamp(unixMilliseconds: row["created_ms"]), weekly: weekly,
            guaranteedPercent: row["guaranteed_percent"])
    }

    /// Those after the position.
    func columns(baseline: Energy) -> [(any DatabaseValueConvertible)?] {
        let (name, amount): (String, Int64) =
            switch target {
            case .energy(let energy): ("energy", energy.milliwattHours)
            case .stateOfCharge(let percent): ("stateOfCharge", Int64(percent))
            case .reduce(let milliseconds): ("reduce", milliseconds)
            case .run: ("run", 0)
            }
        return [
            id.bytes, readyBy.unixMilliseconds, name, amount, created.unixMilliseconds, baseline.milliwattHours,
            weekly.map { Int64($0.weekdays.rawValue) }, weekly?.minuteOfDay,
            weekly.map { $0.exceptions.map(String.init).joined(separator: ",") }, guaranteedPercent,
        ]
    }
}

extension Absence {
    init(_ row: Row) throws {
        if let weekdays = row["weekdays"] as Int64?, let days = UInt32(exactly: weekdays) {
            self = .weekly(
                Weekdays(rawValue: days), startMinute: row["start_minute"], endMinute: row["end_minute"])
            return
        }
        guard let start = row["start_ms"] as Int64?, let end = row["end_ms"] as Int64?,
            let interval = Interval(
                start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
        else { throw EnergyError.damaged("absence") }
        self = .once(interval)
    }

    /// Those after the position.
    var columns: [(any DatabaseValueConvertible)?] {
        switch self {
        case .once(let interval):
            [interval.start.unixMilliseconds, interval.end.unixMilliseconds, nil, nil, nil]
        case .weekly(let weekdays, let startMinute, let endMinute):
            [nil, nil, Int64(weekdays.rawValue), startMinute, endMinute]
        }
    }
}
