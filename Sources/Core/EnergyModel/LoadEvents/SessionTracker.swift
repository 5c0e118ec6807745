internal import Foundation

/// Follows one session: an event in, the session's progress or the broken rule out. begin -> active* -> end, of one
/// device at one venue in one direction; energy never falls, never rises faster than ``SessionBounds`` allow, and time
/// never goes back. A counter that was reset or has jumped is refused: what it counted cannot be told from a fault, and
/// the device can begin a new session.
///
/// - Precondition: the events are of this session and have passed ``EventRules``.
public struct SessionTracker: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case accepted(SessionProgress)
        /// The tracker is as it was before.
        case refused(RuleViolation)
    }

    /// `nil` before the session's begin.
    public private(set) var progress: SessionProgress?

    public init(_ progress: SessionProgress? = nil) { self.progress = progress }

    /// - Returns: `nil` for an event that belongs to no session (a status).
    public mutating func apply(_ event: Event) -> Outcome? {
        guard let session = event.session else { return nil }
        let next: SessionProgress
        switch (progress, session.state) {
        case (nil, .begin): next = begun(event, session)
        case (nil, .active), (nil, .end):
            return refuse(event, "session.state", "must be begin in a session's first event", session.state.rawValue)
        case (let known?, let state):
            if let violation = violation(of: event, in: known) { return .refused(violation) }
            next = advanced(known, by: event, isEnd: state == .end)
        }
        progress = next
        return .accepted(next)
    }

    private func begun(_ event: Event, _ session: Session) -> SessionProgress {
        SessionProgress(
            id: session.id, venueID: event.venueID, deviceID: event.device.id, kind: event.device.kind,
            direction: event.direction, began: event.timestamp, last: event.timestamp,
            energyMilliwattHours: event.energyMilliwattHours)
    }

    private func advanced(_ known: SessionProgress, by event: Event, isEnd: Bool) -> SessionProgress {
        var next = known
        next.last = event.timestamp
        next.energyMilliwattHours = event.energyMilliwattHours
        next.isEnded = isEnd
        // It was only thought to be.
        next.isAbandoned = false
        return next
    }

    /// What keeps `event` from following a session that has begun.
    private func violation(of event: Event, in known: SessionProgress) -> RuleViolation? {
        func broken(_ field: String, _ rule: String, _ value: String) -> RuleViolation {
            RuleViolation(field: "\(event.content.field).\(field)", rule: rule, value: value)
        }
        if known.venueID != event.venueID {
            return RuleViolation(
                field: "venue_id", rule: "must be the same in all events of a session",
                value: event.venueID.uuidString.lowercased())
        }
        if known.deviceID != event.device.id {
            return RuleViolation(
                field: "device.id", rule: "must be the same in all events of a session",
                value: "\(NameRules.quoted(event.device.id)), after \(NameRules.quoted(known.deviceID))")
        }
        if known.kind != event.device.kind {
            return RuleViolation(
                field: "device.type", rule: "must be the same in all events of a session",
                value: "\(event.device.kind.rawValue), after \(known.kind.rawValue)")
        }
        if let violation = orderViolation(event, known) {
            return broken("session.state", violation.rule, violation.value)
        }
        if known.direction != event.direction {
            return broken(
                "direction", "must be the same in all events of a session",
                "\(event.direction?.rawValue ?? "none"), after \(known.direction?.rawValue ?? "none")")
        }
        if event.timestamp < known.last {
            return RuleViolation(
                field: "timestamp_unix_ms",
                rule: "must not be before the session's last event",
                value: "\(event.timestamp.unixMilliseconds), after \(known.last.unixMilliseconds)")
        }
        let silence = event.timestamp.unixMilliseconds - known.last.unixMilliseconds
        if silence > SessionBounds.silenceMilliseconds {
            return broken(
                "session.id",
                "must be a new one, with a begin, after \(SessionBounds.silenceMilliseconds) ms without an event: "
                    + "the session is over",
                "that of a session whose last event was \(silence) ms before")
        }
        return counterViolation(event, known, silence: silence).map { broken("energy_mwh", $0.rule, $0.value) }
    }

    private func orderViolation(_ event: Event, _ known: SessionProgress) -> (rule: String, value: String)? {
        var state: String { event.session?.state.rawValue ?? "" }
        if known.isEnded { return ("must not follow the session's end: a new session has a new id", state) }
        guard event.session?.state == .begin else { return nil }
        return ("must be begin only once in a session: a new session has a new id", state)
    }

    /// Both bounds: steps that are each just possible must not add up to what is not.
    private func counterViolation(
        _ event: Event, _ known: SessionProgress, silence: Int64
    ) -> (rule: String, value: String)? {
        let energy = event.energyMilliwattHours
        // The same words each time, for they are counted: numbers are in the value.
        var remedy: String { "end the session with the last value that was accepted, and begin a new one" }
        var value: String { "\(energy) mWh, after \(known.energyMilliwattHours) mWh" }
        if energy < known.energyMilliwattHours {
            return ("must not fall within a session; if the counter was reset, \(remedy)", value)
        }
        let stepMax = SessionBounds.energyMax(overMilliseconds: silence)
        if energy - known.energyMilliwattHours > stepMax {
            return (
                "must not rise by more than \(SessionBounds.powerText) delivers in the time and one minute; "
                    + "if the counter has jumped, \(remedy)",
                "\(value) and \(silence) ms; \(stepMax) mWh more are possible"
            )
        }
        let length = event.timestamp.unixMilliseconds - known.began.unixMilliseconds
        let sessionMax = SessionBounds.energyMax(overMilliseconds: length)
        if energy > sessionMax {
            return (
                "must not be more than \(SessionBounds.powerText) delivers since begin and in one minute; "
                    + "if the counter has jumped, \(remedy)",
                "\(energy) mWh, \(length) ms after begin; \(sessionMax) mWh are possible"
            )
        }
        return nil
    }

    private func refuse(_ event: Event, _ field: String, _ rule: String, _ value: String) -> Outcome {
        .refused(RuleViolation(field: "\(event.content.field).\(field)", rule: rule, value: value))
    }
}

extension Event {
    /// `nil` for content that has none.
    fileprivate var direction: FlowDirection? {
        if case .vehicleLoad(let load) = content { load.direction } else { nil }
    }

    /// Since the session began; 0 for content that measures none.
    fileprivate var energyMilliwattHours: Int64 {
        if case .vehicleLoad(let load) = content { load.energyMilliwattHours } else { 0 }
    }
}
