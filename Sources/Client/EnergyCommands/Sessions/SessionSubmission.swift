internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import InsightFiles
internal import ServiceEndpoints

/// Submits past sessions, many at a time; those that are there already are left.
final class SessionSubmission {
    /// A batch has at most 1,000 events.
    private static let sessionsMax = 1_000 / PastSession.eventsMax
    private static let countingMax = Duration.seconds(30)

    private let context: CommandContext
    private let venue: Venue
    private let device: Device
    private let isDryRun: Bool
    private let skipsOverlapping: Bool
    /// By the sessions of the file so far.
    private var occupied = OccupiedTimes()
    private var waiting: [PastSession] = []
    /// The last in the log.
    private var stored: PastSession?
    /// As every client, an import asks for guidance before it submits.
    private var token: UUID?

    init(context: CommandContext, venue: Venue, device: Device, isDryRun: Bool, skipsOverlapping: Bool) {
        self.context = context
        self.venue = venue
        self.device = device
        self.isDryRun = isDryRun
        self.skipsOverlapping = skipsOverlapping
    }

    func add(_ session: PastSession, _ report: SessionImportReport) async throws(CommandFailure) {
        waiting.append(session)
        if waiting.count >= Self.sessionsMax { try await finish(report) }
    }

    func finish(_ report: SessionImportReport) async throws(CommandFailure) {
        let sessions = waiting
        waiting = []
        guard !sessions.isEmpty else { return }
        let known = try await known(sessions.sorted { $0.interval.start < $1.interval.start })
        var new: [PastSession] = []
        for session in sessions {
            if let before = session.exportedID.flatMap({ known[$0] }) {
                isOwn(before) ? report.known(session) : belongs(session, to: before, report)
            } else if let before = known[id(of: session)] {
                compare(session, before, report)
            } else if isFree(session, known, report) {
                occupied.take(session, id: id(of: session))
                new.append(session)
            }
        }
        guard !new.isEmpty else { return }
        new.sort { $0.interval.start < $1.interval.start }
        guard !isDryRun else {
            for session in new { check(session, report) }
            return
        }
        try await submit(new, report)
    }

    /// Whether the next import will find what this one stored. Waits for that, but not for ever.
    func isCounted() async -> Bool {
        guard let stored else { return true }
        return await context.isCounted(
            SessionKey(venueID: venue.id, sessionID: id(of: stored)), of: device.id, began: stored.interval.start,
            within: Self.countingMax)
    }

    private func id(of session: PastSession) -> UUID { session.sessionID(venueID: venue.id, deviceID: device.id) }

    // MARK: What overlaps

    /// - Returns: `false` where the vehicle has another session in that time, which is told.
    private func isFree(
        _ session: PastSession, _ known: [UUID: SessionInsight], _ report: SessionImportReport
    ) -> Bool {
        if let (other, otherID) = occupied.overlap(with: session) {
            let isSame = otherID == id(of: session) && other.interval == session.interval
            if isSame, other.energy == session.energy {
                report.known(session)
            } else {
                overlaps(session, "that in line \(other.line)", report)
            }
            return false
        }
        let other = known.values.filter { other in
            other.deviceID == device.id && other.direction == session.direction
                && other.began < session.interval.end && other.last > session.interval.start
        }.min { $0.began < $1.began }
        guard let other else { return true }
        guard !isSame(session, other) else {
            report.known(session)
            return false
        }
        let (began, last) = (other.began.iso8601(in: venue.timeZone), other.last.iso8601(in: venue.timeZone))
        overlaps(session, "one that is counted already, \(began) to \(last)", report)
        return false
    }

    /// The same session as another program has recorded it: files have whole seconds, and some only whole Wh.
    private func isSame(_ session: PastSession, _ other: SessionInsight) -> Bool {
        let difference = session.energy.milliwattHours - other.amount.energy.milliwattHours
        return other.isOver && difference.magnitude < 1_000
            && other.began.milliseconds(since: session.interval.start).magnitude < 1_000
            && other.last.milliseconds(since: session.interval.end).magnitude < 1_000
    }

    private func overlaps(_ session: PastSession, _ other: String, _ report: SessionImportReport) {
        guard !skipsOverlapping else {
            report.overlapping += 1
            return
        }
        report.refused(
            PastSessionFault(
                line: session.line,
                reason: "overlaps \(other): one vehicle has one session at a time. Say --only NAME if it is another "
                    + "vehicle's, or --skip-overlapping"))
    }

    // MARK: What is there

    /// The log forgets ids after some weeks; the insights do not.
    private func known(_ sessions: [PastSession]) async throws(CommandFailure) -> [UUID: SessionInsight] {
        var known: [UUID: SessionInsight] = [:]
        var rest = sessions[...]
        while let first = rest.first {
            // A question is about five years at most.
            let limit = first.interval.start.advanced(byMilliseconds: 366 * .millisecondsPerDay)
            let part = rest.prefix { $0.interval.start < limit }
            rest = rest.dropFirst(part.count)
            // Also those that began before and last into it.
            let start = max(
                CalendarPeriods.supported.lowerBound,
                first.interval.start.advanced(byMilliseconds: -2 * PastSession.lengthMax))
            let end = part.map(\.interval.end).max() ?? first.interval.end
            let range = Interval(start: start, milliseconds: end.milliseconds(since: start))
            for session in try await context.sessions(SessionQuery(venueID: venue.id, range: range)) {
                known[session.id] = session
            }
        }
        return known
    }

    private func isOwn(_ before: SessionInsight) -> Bool { before.deviceID == device.id }

    /// An exported session that is counted of another device: for this one it would count twice.
    private func belongs(_ session: PastSession, to before: SessionInsight, _ report: SessionImportReport) {
        report.refused(
            PastSessionFault(
                line: session.line,
                reason: "is counted already, as a session of '\(TerminalText.safe(before.deviceID))': a session counts "
                    + "once, and not for '\(device.id)' too"))
    }

    private func compare(_ session: PastSession, _ before: SessionInsight, _ report: SessionImportReport) {
        let isSame =
            before.amount.energy == session.energy && before.last == session.interval.end
            && before.direction == session.direction
        guard !isSame, !before.isRepaired else { return report.known(session) }
        // Another row of the same start was taken, now or in an earlier import.
        guard !skipsOverlapping else {
            report.overlapping += 1
            return
        }
        let energy = Quantities.kilowattHours(before.amount.energy)
        report.refused(
            PastSessionFault(
                line: session.line,
                reason: "was imported before with other values, \(energy) kWh until "
                    + "\(before.last.iso8601(in: venue.timeZone)): what was counted stays; see energyctl insights repair"
            ))
    }

    // MARK: A dry run

    /// By the rules that the event-ingestor holds events against, so that what is shown as good would be stored.
    private func check(_ session: PastSession, _ report: SessionImportReport) {
        let (rules, now) = (EventRules(), context.wallClock.now)
        var tracker = SessionTracker()
        for event in session.events(venueID: venue.id, device: device, token: UUID()) {
            var broken = rules.violations(of: event, now: now)
            if broken.isEmpty, case .refused(let violation) = tracker.apply(event) { broken = [violation] }
            guard let violation = broken.first else { continue }
            return report.refused(
                PastSessionFault(line: session.line, reason: "would be refused: \(CommandWords.sentence(violation))"))
        }
        report.wouldStore(session)
    }

    // MARK: Submitting

    private func submit(_ sessions: [PastSession], _ report: SessionImportReport) async throws(CommandFailure) {
        guard let answer = try await answer(to: sessions) else { throw CommandFailure(.failure, "Interrupted.") }
        switch answer {
        case .success(let result):
            if result.accepted > 0 { stored = sessions.last }
            report.stored(sessions, result)
        case .failure where sessions.count > 1:
            // All or nothing: which of them is at fault is found by submitting each by itself.
            for session in sessions { try await submit([session], report) }
        case .failure(let error) where error.code == .conflict:
            // Imported a moment ago, with another token, and not yet counted.
            sessions.forEach(report.known)
        case .failure(let error):
            let text = error.violations.first.map { CommandWords.sentence($0) } ?? error.message
            for session in sessions {
                report.refused(PastSessionFault(line: session.line, reason: "is refused: \(text)"))
            }
        }
    }

    /// - Returns: `nil` when the task was cancelled.
    private func answer(
        to sessions: [PastSession]
    ) async throws(CommandFailure) -> Result<SubmitResult, EnergyError>? {
        let token: UUID
        if let known = self.token { token = known } else { token = try await issuedToken() }
        self.token = token
        let batch = EventBatch(
            events: sessions.flatMap { $0.events(venueID: venue.id, device: device, token: token) })
        let noteLoss = { [context] (failure: CommandFailure) in
            context.output.note("\(failure.message)\nWaiting for it to return.")
        }
        return try await context.untilAvailable(onLoss: noteLoss) { () async throws(CommandFailure) in
            try await answer(to: batch)
        }
    }

    /// - Throws: what is no matter of the events.
    private func answer(to batch: EventBatch) async throws(CommandFailure) -> Result<SubmitResult, EnergyError> {
        let connection = try context.connection(.events)
        let failure: EnergyError
        do throws(EnergyError) {
            return .success(try await connection.call(Methods.submitEvents, batch, timeout: context.timeout))
        } catch let caught { failure = caught }
        guard failure.code == .invalidInput || failure.code == .conflict else {
            throw await context.failure(failure, from: .events)
        }
        return .failure(failure)
    }

    private func issuedToken() async throws(CommandFailure) -> UUID {
        try await context.call(
            .guidance, Methods.getGuidance, GuidanceRequest(venueID: venue.id, action: .shift)
        ).token
    }
}
