public import Foundation

/// A session's name, unique within its venue.
public struct SessionKey: Hashable, Sendable {
    public let venueID: UUID
    public let sessionID: UUID

    public init(venueID: UUID, sessionID: UUID) {
        self.venueID = venueID
        self.sessionID = sessionID
    }
}

/// How far a session has been counted: its last load event, in the terms that the next one is measured against.
public struct CountedSession: Hashable, Sendable {
    public let key: SessionKey
    /// Of the first event: a session has one device and one direction. HVAC imports.
    public let series: InsightSeries
    public let timestamp: Timestamp
    /// Since the session began; never falls. 0 for HVAC, which reports none.
    public let energy: Energy
    /// mW at `timestamp`; `nil` where the event says nothing about it: HVAC, and the formal zero of begin and end.
    public let powerMilliwatts: Int64?
    /// The device runs from `timestamp` on: power or stage above 0.
    public let isRunning: Bool
    /// The end event was counted: what follows is ignored.
    public let isOver: Bool

    public init(
        key: SessionKey, series: InsightSeries, timestamp: Timestamp, energy: Energy, powerMilliwatts: Int64?,
        isRunning: Bool, isOver: Bool
    ) {
        self.key = key
        self.series = series
        self.timestamp = timestamp
        self.energy = energy
        self.powerMilliwatts = powerMilliwatts
        self.isRunning = isRunning
        self.isOver = isOver
    }

    /// The session's name, if the event belongs to one: status events do not.
    public static func key(of event: Event) -> SessionKey? {
        event.session.map { SessionKey(venueID: event.venueID, sessionID: $0.id) }
    }

    /// Counts one more load event.
    ///
    /// - Parameter previous: the session so far, `nil` at its first event.
    /// - Returns: the session after the event and what happened since the event before; `nil` for an event that adds
    ///   nothing: a status event, or a load event after the end.
    public static func following(
        _ previous: CountedSession?, _ event: Event
    ) -> (progress: CountedSession, segment: SessionSegment?)? {
        guard let session = event.session, let key = key(of: event), previous?.isOver != true else { return nil }
        let start = previous?.energy ?? .zero
        // Events are validated before they are logged. What breaks a rule all the same cannot take energy back, and one
        // that is older than the last says nothing about how the session goes on.
        let timestamp = max(event.timestamp.clamped, previous?.timestamp ?? event.timestamp.clamped)
        let isLate = event.timestamp.clamped < timestamp
        var (energy, power, isRunning) = (start, Int64?.none, false)
        var direction = FlowDirection.imported
        switch event.content {
        case .vehicleLoad(let load):
            energy = max(start, Energy(milliwattHours: min(load.energyMilliwattHours, Energy.range.upperBound)))
            // EnergyKit asks for power 0 at begin and end whatever flows, so that zero is no measurement.
            let isFormal = session.state != .active && load.powerMilliwatts == 0
            power = isFormal ? nil : min(max(0, load.powerMilliwatts), Power.range.upperBound)
            isRunning = load.powerMilliwatts > 0
            direction = load.direction
        case .hvacLoad(let load): isRunning = load.stage > 0
        case .vehicleStatus: return nil
        }
        let progress = CountedSession(
            key: key,
            series: previous?.series
                ?? InsightSeries(venueID: event.venueID, deviceID: event.device.id, direction: direction),
            timestamp: timestamp, energy: energy, powerMilliwatts: isLate ? previous?.powerMilliwatts : power,
            isRunning: isLate ? previous?.isRunning == true : isRunning, isOver: session.state == .end)
        return (progress, SessionSegment(from: previous, to: progress))
    }
}

extension Timestamp {
    /// The nearest time that calendars are kept for.
    fileprivate var clamped: Timestamp {
        min(max(self, CalendarPeriods.supported.lowerBound), CalendarPeriods.supported.upperBound)
    }
}
