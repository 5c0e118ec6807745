public import Foundation

/// Tells what happened in a sentence, on the clock of one zone: "Waiting for cleaner energy: starts 01:15, ready by
/// 06:40", "Charged 12.4 kWh in 2 h 10 min, 71 % of it clean, for 2.31 USD; saved 0.84 USD".
///
/// Says nothing that is not known: a cost that lacks the price of some energy is left out.
public struct ActivityTeller: Sendable {
    private let words: any ActivityWords
    private let formats: any ActivityFormats
    private let offsets: ZoneOffsets

    public init(
        in zone: TimeZone, words: any ActivityWords = EnglishActivityWords(),
        formats: any ActivityFormats = PlainActivityFormats()
    ) {
        self.words = words
        self.formats = formats
        offsets = ZoneOffsets.of(zone)
    }

    public func text(_ activity: Activity) -> String {
        switch activity.content {
        case .session(let session): text(session)
        case .status(let status): text(status, at: activity.time)
        }
    }

    // MARK: Statuses

    private func text(_ status: VehicleStatus, at time: Timestamp) -> String {
        switch status.status {
        case .pluggedIn: return words.pluggedIn
        case .unplugged: return words.unplugged
        case .active(let reason):
            return sentence(words.charging(reason), [ready(status.target, at: time)])
        case .idle(let reason):
            // Who is done waits for nothing.
            guard reason.isWaiting else { return words.waiting(reason) }
            if reason == .unknown, let target = status.target, target.scheduledStart <= time {
                let since = clock(target.scheduledStart, seen: time, isAhead: false)
                return sentence(words.waiting(reason), [words.overdue(since)])
            }
            let starts = status.target.flatMap { target in
                target.scheduledStart > time ? words.starts(clock(target.scheduledStart, seen: time)) : nil
            }
            return sentence(words.waiting(reason), [starts, ready(status.target, at: time)])
        }
    }

    private func ready(_ target: ChargingTarget?, at time: Timestamp) -> String? {
        guard let target, target.estimatedCompletion > time else { return nil }
        let clock = clock(target.estimatedCompletion, seen: time)
        return target.stateOfCharge > 0 && target.stateOfCharge < 100
            ? words.ready(clock, charge: formats.percent(target.stateOfCharge)) : words.ready(clock)
    }

    private func sentence(_ start: String, _ details: [String?]) -> String {
        let details = details.compactMap(\.self).joined(separator: ", ")
        guard !details.isEmpty else { return start }
        return start + (start.contains(":") ? ", " : ": ") + details
    }

    // MARK: Sessions

    private func text(_ session: SessionInsight) -> String {
        let use: ActivityUse =
            session.deviceKind == .hvac
            ? .heatingOrCooling : session.direction == .exported ? .givingBack : .charging
        let energy = session.amount.energy
        let kilowattHours = energy > .zero ? formats.decimal(energy.milliwattHours, decimals: 1) : nil
        guard session.isOver else {
            return words.goingOn(
                use, since: clock(session.began, seen: session.last, isAhead: false), kilowattHours: kilowattHours)
        }
        // Who takes nothing does not run: what it waited for is the session.
        let isIdle = kilowattHours == nil && use != .heatingOrCooling
        let time = isIdle ? session.last.milliseconds(since: session.began) : session.amount.runtimeMilliseconds
        var parts = [words.over(use, kilowattHours: kilowattHours, length: length(time))]
        if let clean = clean(session) { parts.append(clean) }
        let cost = energy > .zero ? session.worth.cost(ofAll: energy) : nil
        if let cost { parts.append(text(cost, use)) }
        var text = parts.joined(separator: ", ")
        for remark in [saved(session), session.isRepaired ? words.repaired : nil].compactMap(\.self) {
            text += "; " + remark
        }
        return text
    }

    private func clean(_ session: SessionInsight) -> String? {
        let total = session.amount.energy
        let cleaner = session.byCleanliness[.cleaner]?.energy ?? .zero
        let known = session.byCleanliness.filter { $0.key != .unknown }.values.reduce(.zero, +).energy
        guard session.direction == .imported, total > .zero, known > .zero else { return nil }
        let percent = Int((Double(cleaner.milliwattHours) / Double(total.milliwattHours) * 100).rounded())
        return words.clean(formats.percent(percent), isLeast: known < total)
    }

    /// Money, or carbon where no money is known. What is too little to be shown is not said.
    private func saved(_ session: SessionInsight) -> String? {
        if let money = session.savedMoney {
            guard money.micros.magnitude >= 5_000 else { return nil }
            let amount = magnitude(money)
            return money.micros > 0 ? words.saved(amount) : words.costMore(amount)
        }
        guard let carbon = session.savedCarbon, carbon.milligrams >= 50_000 else { return nil }
        return words.carbonSaved(kilograms: formats.decimal(carbon.milligrams, decimals: 1))
    }

    // MARK: Numbers and clocks

    /// Of energy that was given, a cost is what is paid for it; a price below 0 turns it round.
    private func text(_ cost: Money, _ use: ActivityUse) -> String {
        let isEarned = (cost.micros < 0) != (use == .givingBack)
        return isEarned ? words.earned(magnitude(cost)) : words.cost(magnitude(cost), use)
    }

    private func magnitude(_ money: Money) -> String {
        formats.money(Money(micros: Int64(clamping: money.micros.magnitude), currency: money.currency))
    }

    /// - Returns: `nil` for less than a minute.
    private func length(_ milliseconds: Int64) -> String? {
        let minutes = (max(0, milliseconds) + .millisecondsPerMinute / 2) / .millisecondsPerMinute
        return minutes == 0
            ? nil : words.length(days: minutes / 1_440, hours: minutes / 60 % 24, minutes: minutes % 60)
    }

    /// `01:15` within a day of when it is said; then with the weekday, `Sun 01:15`, and from a week on the date. With the
    /// offset where the clocks show the reading twice.
    ///
    /// - Parameter isAhead: people expect the next such time, to the nearest minute as schedules say it; the last one if
    ///   not, by the minute that the clocks showed, as what happened is told.
    private func clock(_ instant: Timestamp, seen now: Timestamp, isAhead: Bool = true) -> String {
        let distance = (isAhead ? 1 : -1) * instant.milliseconds(since: now)
        let instant = instant.advanced(byMilliseconds: isAhead ? .millisecondsPerMinute / 2 : 0)
            .floored(toMilliseconds: .millisecondsPerMinute)
        let local = LocalTime(instant, offsetMilliseconds: offsets.offsetMilliseconds(at: instant))
        var text = formats.clock(hour: local.hour, minute: local.minuteOfDay % 60)
        if let offset = offsets.offsetOfRepeated(instant) { text += " (\(offset))" }
        if 0..<Int64.millisecondsPerDay ~= distance { return text }
        if 0..<7 * Int64.millisecondsPerDay ~= distance { return "\(words.weekdays[local.weekday]) \(text)" }
        let (_, month, day) = CivilDate(dayNumber: local.day).components
        return "\(day) \(words.months[Int(month) - 1]) \(text)"
    }
}

extension IdleReason {
    /// Charging goes on by itself.
    fileprivate var isWaiting: Bool {
        switch self {
        case .targetStateOfChargeReached, .batteryFull, .targetAlreadyReached, .scheduledEnd, .userStopped: false
        case .scheduledPause, .waitingForCleanerEnergy, .waitingForLowerElectricityRates, .userPaused, .chargerFault,
            .demandResponseActive, .batteryThermalManagement, .batteryHealthManagement, .insufficientPower,
            .loadBalancing, .unknown:
            true
        }
    }
}
