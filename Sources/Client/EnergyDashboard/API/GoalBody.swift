internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// What a device is to have done by when, as a program says it.
struct GoalBody: JSONBody {
    struct Weekly: Decodable {
        /// `monday` to `sunday`.
        let days: [String]
        /// `07:00`, as the venue's clocks read.
        let time: String
    }

    enum Name: String, CodingKey, CaseIterable {
        case stateOfCharge = "state_of_charge"
        case energyMwh = "energy_mwh"
        case reduceMaxMs = "reduce_max_ms"
        case run
        case readyBy = "ready_by"
        case weekly
        case keepsOthers = "keeps_others"
        case guaranteedPercent = "guaranteed_percent"
    }
    typealias CodingKeys = Name

    private static let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    let stateOfCharge: Int?
    let energyMwh: Int64?
    let reduceMaxMs: Int64?
    let run: Bool?
    let readyBy: String?
    let weekly: Weekly?
    let keepsOthers: Bool?
    let guaranteedPercent: Int?

    /// - Throws: `.invalidInput` that names the member and what would be right.
    func draft(venueID: UUID, deviceID: String, now: Timestamp) throws(EnergyError) -> GoalDraft {
        let weekly = try weeklyTime()
        guard (readyBy == nil) != (weekly == nil) else {
            throw violation("ready_by", "must be present, or weekly, and not both", readyBy ?? "absent")
        }
        return GoalDraft(
            venueID: venueID, deviceID: deviceID, readyBy: try readyByTime() ?? now, target: try target(),
            weekly: weekly, keepsOthers: keepsOthers ?? false,
            guaranteedPercent: try check(guaranteedPercent ?? 0, 0...100, .guaranteedPercent))
    }

    private func target() throws(EnergyError) -> Goal.Target {
        switch (stateOfCharge, energyMwh, reduceMaxMs, run) {
        case (let percent?, nil, nil, nil): .stateOfCharge(try check(percent, 1...100, .stateOfCharge))
        case (nil, let energy?, nil, nil):
            .energy(Energy(milliwattHours: try check(energy, 1...1_000_000_000, .energyMwh)))
        case (nil, nil, let length?, nil):
            .reduce(maxMilliseconds: try check(length, .millisecondsPerMinute ... .millisecondsPerDay, .reduceMaxMs))
        case (nil, nil, nil, true?): .run
        default:
            throw violation(
                "body", "must have exactly one of state_of_charge, energy_mwh, reduce_max_ms and run, which is true",
                "of none or several")
        }
    }

    private func readyByTime() throws(EnergyError) -> Timestamp? {
        guard let readyBy else { return nil }
        return try JSONText.time(readyBy, "ready_by")
    }

    private func weeklyTime() throws(EnergyError) -> WeeklyTime? {
        guard let weekly else { return nil }
        var days: UInt32 = 0
        for day in weekly.days {
            guard let number = Self.days.firstIndex(of: day) else {
                throw violation(
                    "weekly.days", "must be of \(Self.days.joined(separator: ", "))", String(day.prefix(60)))
            }
            days |= 1 << UInt32(number)
        }
        guard days != 0 else { throw violation("weekly.days", "must have a day", "empty") }
        guard let minute = LocalInput.minuteOfDay(weekly.time) else {
            throw violation("weekly.time", "must be a time of day such as 07:00", String(weekly.time.prefix(60)))
        }
        return WeeklyTime(weekdays: Weekdays(rawValue: days), minuteOfDay: minute)
    }

    private func check<Number: BinaryInteger>(
        _ value: Number, _ range: ClosedRange<Number>, _ name: Name
    ) throws(EnergyError) -> Number {
        guard range.contains(value) else {
            throw violation(name.rawValue, "must be \(range.lowerBound) to \(range.upperBound)", "\(value)")
        }
        return value
    }

    private func violation(_ field: String, _ rule: String, _ value: String) -> EnergyError {
        .invalidInput(RuleViolation(field: field, rule: rule, value: value))
    }
}

/// What is to happen now, whatever the plan says.
struct OverrideBody: JSONBody {
    enum Name: String, CodingKey, CaseIterable { case action }
    typealias CodingKeys = Name

    let action: String

    func request(venueID: UUID, deviceID: String) throws(EnergyError) -> OverrideRequest {
        OverrideRequest(venueID: venueID, deviceID: deviceID, action: try JSONText.choice(action, "action"))
    }
}
