internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// What somebody typed into the form of a goal. Kept as text, so that nothing is lost when some of it is wrong.
struct GoalInput: Hashable, Sendable {
    enum Target: String, CaseIterable, Sendable { case charge, energy, reduce, run }

    var target = ""
    var amount = ""
    var day = ""
    var clock = ""
    /// 0 is Monday.
    var weekdays: Set<Int> = []
    var keepsOthers = false
    var guaranteed = "0"

    init() {}

    init(_ request: PageRequest) {
        target = FormText.line(request, "target")
        amount = FormText.line(request, "amount")
        day = FormText.line(request, "day")
        clock = FormText.line(request, "clock")
        weekdays = Set(request.fields("weekday").compactMap { Int($0) }.filter { 0...6 ~= $0 })
        keepsOthers = request.field("keep") == "yes"
        guaranteed = FormText.line(request, "guaranteed")
    }

    /// As a goal is now, or as a new one of the device begins.
    init(_ goal: Goal?, for device: ManagedDevice, now: Timestamp, formats: Formats) {
        target = (Self.targets(of: device.device.kind).first ?? .run).rawValue
        amount = device.device.kind == .hvac ? "60" : "80"
        // Tomorrow morning.
        let tomorrow = now.advanced(byMilliseconds: .millisecondsPerDay)
        (day, clock) = (formats.isoDate(tomorrow), "07:00")
        guard let goal else { return }
        // As the pages tell it.
        let readyBy = goal.readyBy.nearestMinute
        (day, clock) = (formats.isoDate(readyBy), formats.isoClock(readyBy))
        guaranteed = "\(goal.guaranteedPercent)"
        if let weekly = goal.weekly {
            weekdays = Set((0...6).filter { weekly.weekdays.contains(day: $0) })
            // On a day whose clocks skip that time it is due at another.
            clock = formats.isoClock(minuteOfDay: weekly.minuteOfDay)
        }
        switch goal.target {
        case .stateOfCharge(let percent): (target, amount) = (Target.charge.rawValue, "\(percent)")
        case .energy(let energy): (target, amount) = (Target.energy.rawValue, FormText.text(energy.kilowattHours))
        case .reduce(let milliseconds):
            (target, amount) = (Target.reduce.rawValue, "\(milliseconds / .millisecondsPerMinute)")
        case .run: (target, amount) = (Target.run.rawValue, "")
        }
    }

    static func targets(of kind: Device.Kind) -> [Target] {
        switch kind {
        case .electricVehicle: [.charge, .energy]
        case .homeBattery: [.charge]
        case .hvac: [.reduce]
        case .appliance: [.run, .energy]
        }
    }

    /// - Returns: the goal to ask for, or what is wrong with the input; never both.
    func draft(
        for device: ManagedDevice, now: Timestamp, formats: Formats
    ) -> (draft: GoalDraft?, problems: FormProblems) {
        var problems: FormProblems = [:]
        let language = formats.language
        let target = readTarget(of: device.device.kind, language, &problems)
        let minute = LocalInput.minuteOfDay(clock)
        if minute == nil { problems["clock"] = language(.mustBeClock) }
        var readyBy: Timestamp?
        if weekdays.isEmpty {
            if LocalInput.day(day, in: formats.timeZone) == nil {
                problems["day"] = language(.mustBeDate)
            } else if minute != nil, let instant = LocalInput.instant(day, clock, in: formats.timeZone) {
                readyBy = instant
                if instant <= now { problems["day"] = language(.mustBeAhead) }
                if instant > now.advanced(byMilliseconds: Goal.aheadMillisecondsMax) {
                    problems["day"] = language(.mustBeNear, "\(Goal.aheadMillisecondsMax / .millisecondsPerDay)")
                }
            }
        }
        let share = guaranteed.isEmpty ? 0 : Int(guaranteed)
        if share.map({ 0...100 ~= $0 }) != true {
            problems["guaranteed"] = language(.mustBeNumber, language(.formGuaranteed), "0", "100")
        }
        guard problems.isEmpty, let target, let minute, let share else { return (nil, problems) }
        let days = Weekdays(rawValue: weekdays.reduce(0) { $0 | 1 << UInt32($1) })
        let draft = GoalDraft(
            venueID: device.venueID, deviceID: device.device.id, readyBy: readyBy ?? now, target: target,
            weekly: weekdays.isEmpty ? nil : WeeklyTime(weekdays: days, minuteOfDay: minute),
            keepsOthers: keepsOthers, guaranteedPercent: share)
        return (draft, [:])
    }

    private func readTarget(of kind: Device.Kind, _ language: Language, _ problems: inout FormProblems) -> Goal.Target?
    {
        guard let wanted = Target(rawValue: target), Self.targets(of: kind).contains(wanted) else {
            problems["target"] = language(.mustBeTarget)
            return nil
        }
        func read(_ range: ClosedRange<Double>) -> Double? {
            if let number = FormText.number(amount, in: range) { return number }
            problems["amount"] = language(
                .mustBeNumber, language(.formAmount), language.decimal(range.lowerBound),
                language.decimal(range.upperBound))
            return nil
        }
        switch wanted {
        case .charge: return read(1...100).map { .stateOfCharge(Int($0.rounded())) }
        case .energy:
            return read(0.1...1_000).map { .energy(Energy(milliwattHours: Int64(($0 * 1_000_000).rounded()))) }
        case .reduce:
            return read(1...1_440).map { .reduce(maxMilliseconds: Int64($0.rounded()) * .millisecondsPerMinute) }
        case .run: return .run
        }
    }
}
