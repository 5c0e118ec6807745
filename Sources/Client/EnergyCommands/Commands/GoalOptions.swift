internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire

/// A goal as people type it.
struct GoalOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The device.", valueName: "id"), completion: .devices) var device: String
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The deadline: \(TimeExpression.futureHelp).", valueName: "time"),
        transform: futureTimeExpression)
    var readyBy: TimeExpression
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Energy from the grid, on top of what it has.", valueName: "kWh"))
    var energy: Double?
    @Option(
        name: [.long, .customLong("state-of-charge")], parsing: .unconditional,
        help: ArgumentHelp("How full its battery shall be.", valueName: "percent"))
    var soc: Int?
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Heating or cooling: reduce it for at most so long.", valueName: "minutes"))
    var reduce: Int?
    @Flag(name: .long, help: "An appliance: run it once.") var run = false
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Repeats at the time of day that --ready-by says: daily, mon-fri, sat,sun.", valueName: "days"),
        transform: weekdays)
    var every: Weekdays?
    @Option(
        name: .long, help: ArgumentHelp("Days that --every leaves out: 2026-12-24.", valueName: "date"),
        transform: civilDay)
    var except: [Int64] = []

    @Flag(name: .long, help: "Keep the device's other goals; without it they are replaced.") var add = false
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "This share of what it needs is had in time even above the rules' ceilings.", valueName: "percent"))
    var guarantee: Int = 0

    func validate() throws {
        _ = try target()
        guard 0...100 ~= guarantee else { throw ValidationError("--guarantee must be 0 to 100 percent.") }
        guard guarantee == 0 || (reduce == nil && !run) else { throw ValidationError("--guarantee is for vehicles.") }
        guard every == nil || !readyBy.namesDay else {
            throw ValidationError(
                "--every repeats at a time of day: say --ready-by 07:00, without a day. A goal for one day goes without --every."
            )
        }
        guard except.isEmpty || every != nil else { throw ValidationError("--except goes with --every.") }
    }

    func draft(_ venue: Venue, now: Timestamp) throws(CommandFailure) -> GoalDraft {
        var draft = try goal(venue, now: now)
        draft.keepsOthers = add
        return draft
    }

    private func goal(_ venue: Venue, now: Timestamp) throws(CommandFailure) -> GoalDraft {
        let deadline = readyBy.timestamp(now: now, in: venue.timeZone, toward: .future)
        guard !venue.isStandIn || !readyBy.dependsOnZone else {
            throw CommandFailure(
                .unavailable,
                "--ready-by is on the venue's clock, and which zone that is nobody tells now: say it with its offset, as in "
                    + "\(deadline.iso8601(in: venue.timeZone)), or as a span from now, as in 8h.")
        }
        guard let target = try? target() else { throw .usage("Say just one of --energy, --soc, --reduce and --run.") }
        if let every {
            let local = LocalTime(deadline, offsetMilliseconds: venue.timeZone.offsetMilliseconds(at: deadline))
            return GoalDraft(
                venueID: venue.id, deviceID: device, readyBy: deadline, target: target,
                weekly: WeeklyTime(
                    weekdays: every, minuteOfDay: readyBy.minuteOfDay ?? local.minuteOfDay, exceptions: except),
                guaranteedPercent: guarantee)
        }
        guard deadline > now else {
            throw .usage("--ready-by is \(deadline.iso8601(in: venue.timeZone)): that is past.")
        }
        if let reduce, case let left = deadline.milliseconds(since: now) / .millisecondsPerMinute, reduce > left + 1 {
            throw .usage("--reduce is \(reduce) minutes: until --ready-by there are only \(left).")
        }
        // The scheduler's own limit, told on the clock that it was typed on.
        guard deadline <= now.advanced(byMilliseconds: 14 * .millisecondsPerDay) else {
            throw .usage(
                "--ready-by is \(deadline.iso8601(in: venue.timeZone)): it must be within 14 days from now.")
        }
        return GoalDraft(
            venueID: venue.id, deviceID: device, readyBy: deadline, target: target, guaranteedPercent: guarantee)
    }

    private func target() throws -> Goal.Target {
        if run, energy == nil, soc == nil, reduce == nil { return .run }
        guard !run else { throw ValidationError("Say just one of --energy, --soc, --reduce and --run.") }
        switch (energy, soc, reduce) {
        case (let energy?, nil, nil):
            guard energy > 0, energy <= 1_000_000 else {
                throw ValidationError("--energy must be above 0, up to 1000000 kWh.")
            }
            return .energy(Energy(milliwattHours: Int64((energy * 1_000_000).rounded())))
        case (nil, let percent?, nil):
            guard 1...100 ~= percent else { throw ValidationError("--soc must be 1 to 100 percent.") }
            return .stateOfCharge(percent)
        case (nil, nil, let minutes?):
            guard 1...10_080 ~= minutes else { throw ValidationError("--reduce must be 1 to 10080 minutes.") }
            return .reduce(maxMilliseconds: Int64(minutes) * .millisecondsPerMinute)
        default: throw ValidationError("Say just one of --energy, --soc, --reduce and --run.")
        }
    }
}
