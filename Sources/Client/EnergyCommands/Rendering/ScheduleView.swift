internal import EnergyModel

/// A schedule as a heading, its explanation, and a line for each of its blocks.
struct ScheduleView {
    let schedule: Schedule
    /// `nil` when the scheduler does not name it.
    let deviceName: String?
    let venue: Venue
    let now: Timestamp
    let style: Style

    func lines() -> [String] {
        let (zone, dot) = (venue.timeZone, style.dot)
        let deadline = VenueTime(rounding: schedule.goal.readyBy, in: zone)
        let name = deviceName.map { "\(TerminalText.safe($0)) (\(TerminalText.safe(schedule.deviceID)))" }
        let date = deadline.date.told(on: VenueTime(now, in: zone).date)
        var goal = "\(Self.words(schedule.goal.target)) by \(date) \(deadline.clock)"
        if let weekly = schedule.goal.weekly { goal += ", \(weekly.weekdays.words)" }
        let more = schedule.goals.count - 1
        if more > 0 { goal += "\(dot)\(more) more goal\(more == 1 ? "" : "s")" }
        let age = Quantities.length(milliseconds: now.milliseconds(since: schedule.planned))
        var facts = "plan \(schedule.revision), \(age) old"
        if schedule.required != .zero {
            let (planned, required) = (schedule.plannedEnergy, schedule.required)
            facts += "\(dot)\(Quantities.kilowattHours(planned)) of \(Quantities.kilowattHours(required)) kWh planned"
        }
        let title = "\(name ?? TerminalText.safe(schedule.deviceID))\(dot)\(goal)"
        return TerminalText.wrap(title, to: style.width).map { style.paint($0, .bold) }
            + TerminalText.wrap(ScheduleOutlook(schedule: schedule, venue: venue).sentence(now: now), to: style.width)
            + TerminalText.wrap(facts, to: style.width).map { style.paint($0, .dim) }
            + table().lines(style)
    }

    static func words(_ target: Goal.Target) -> String {
        switch target {
        case .energy(let energy): "\(Quantities.kilowattHours(energy)) kWh"
        case .stateOfCharge(let percent): "\(percent) % full"
        case .run: "run once"
        case .reduce(let milliseconds): "reduced for up to \(Quantities.length(milliseconds: milliseconds))"
        }
    }

    /// Without guidance all count as the worst: that is no rating.
    private var isRated: Bool { schedule.guidanceToken != nil || schedule.blocks.contains { $0.rating < 1 } }

    private func table() -> Table {
        var isReduction = false
        if case .reduce = schedule.goal.target { isReduction = true }
        var table = Table([
            .init(""), .init("from"), .init("to"), .init(isReduction ? "stage" : "kW", .right),
            .init("kWh", .right, dropOrder: 3), .init("rating", .right, dropOrder: 2), .init("", dropOrder: 1),
            .init("why", wraps: true),
        ])
        var day: CivilDate?
        var isNow = false
        for block in schedule.blocks {
            let start = VenueTime(rounding: block.interval.start, in: venue.timeZone)
            let end = VenueTime(rounding: block.interval.end, in: venue.timeZone)
            isNow = isNow || block.interval.contains(now)
            // What is over within the minute is no line of its own.
            guard start != end else { continue }
            defer { isNow = false }
            if start.date != day { table.addHeading(start.date.short) }
            day = start.date
            let verdict = isRated ? Verdict(rating: block.rating) : nil
            let runs = block.power > .zero
            table.add([
                .init(isNow ? ">" : ""), .init(start.clock),
                .init(end.clock(on: start.date)),
                isReduction
                    ? .init("\(block.stageMax) %")
                    : .init(
                        runs
                            ? Quantities.kilowatts(
                                milliwatts: (block.isDischarging ? -1 : 1) * Self.power(of: block).milliwatts) : "-"),
                .init(block.energy == .zero ? "" : Quantities.kilowattHours(block.energy)),
                .init(verdict == nil ? "" : Quantities.rating(block.rating)),
                .init(verdict?.rawValue ?? "", verdict?.color),
                .init(words(block)),
            ])
        }
        return table
    }

    /// What it takes, which may be less than it is told.
    private static func power(of block: ScheduleBlock) -> Power {
        let hours = Double(block.interval.milliseconds) / Double(Int64.millisecondsPerHour)
        let mean = Power(kilowatts: block.energy.kilowattHours / hours)
        return mean.kilowatts < 0.9 * block.power.kilowatts && mean > .zero ? mean : block.power
    }

    private func words(_ block: ScheduleBlock) -> String {
        let may = Quantities.kilowatts(milliwatts: block.power.milliwatts)
        return reason(block) + (Self.power(of: block) < block.power ? "; may take \(may) kW" : "")
    }

    private func reason(_ block: ScheduleBlock) -> String {
        // At a flat price no time is worse than another.
        let isWorse = schedule.blocks.contains { $0.rating < block.rating - 0.005 }
        return Self.words(block.reason) + (block.reason == .supplying && isWorse ? ", which is worse then" : "")
    }

    static func words(_ reason: ScheduleReason) -> String {
        switch reason {
        case .cleanerEnergy: "runs: cleaner energy"
        case .lowerRates: "runs: lower rates"
        case .deadline: "runs: to be ready in time"
        case .waitingForCleanerEnergy: "waits for cleaner energy"
        case .waitingForLowerRates: "waits for lower rates"
        case .targetReached: "target reached"
        case .reduced: "reduced, to save"
        case .normal: "runs as it likes"
        case .noGuidance: "runs: no guidance to wait for"
        case .loadBalancing: "waits: no room within the limits"
        case .abovePriceCeiling: "waits: above the price ceiling"
        case .aboveCarbonCeiling: "waits: above the carbon ceiling"
        case .away: "not there"
        case .chargeNow: "runs: as asked, at once"
        case .minimumCharge: "runs: below its minimum charge"
        case .paused: "paused, as asked"
        case .stopped: "stopped, as asked"
        case .supplying: "gives: in place of the grid"
        case .comfort: "runs: keeps it comfortable"
        case .preconditioning: "runs: right before the deadline, as asked"
        case .waitingForPreconditioning: "waits: the rest is for right before the deadline"
        case .beingPlanned: "its plan is being made"
        case .ownSolar: "runs: own solar power"
        case .waitingForSolar: "waits for own solar power"
        case .longRun: "runs: to be switched less often"
        case .longPause: "waits: to be switched less often"
        case .noBetterTime: "runs: no better time is free"
        case .laterIsAsGood: "waits: later is as good"
        case .comfortable: "off: it stays comfortable"
        case .peakShaving: "runs: to keep the peak low"
        case .lowPeak: "waits: to keep the peak low"
        case .guaranteed: "runs: guaranteed, above the ceiling"
        case .tooLittleTime: "does not run: too little time"
        }
    }
}
