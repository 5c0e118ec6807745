public import Foundation

/// Something that happened to a device, as a person would tell it: a session, or a status that a vehicle reported.
public struct Activity: Hashable, Sendable, Identifiable {
    /// What an activity is about.
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// What a session used, when it is over; as far as it has come before.
        case session
        /// Plugged in, unplugged.
        case plug
        /// Why a vehicle charges.
        case charging
        /// Why a vehicle does not charge.
        case waiting
    }

    public enum Content: Hashable, Sendable {
        case session(SessionInsight)
        case status(VehicleStatus)
    }

    /// Of the session or the event.
    public let id: UUID
    public let venueID: UUID
    public let device: Device
    /// Of a session the newest event.
    public let time: Timestamp
    public let content: Content

    public init(id: UUID, venueID: UUID, device: Device, time: Timestamp, content: Content) {
        self.id = id
        self.venueID = venueID
        self.device = device
        self.time = time
        self.content = content
    }

    public init(_ session: SessionInsight) {
        self.init(
            id: session.key.sessionID, venueID: session.key.venueID,
            device: Device(id: session.deviceID, name: session.deviceID, kind: session.deviceKind), time: session.last,
            content: .session(session))
    }

    /// - Returns: `nil` for an event of a session: it is a part of that.
    public init?(_ event: Event) {
        guard case .vehicleStatus(let status) = event.content else { return nil }
        self.init(
            id: event.id, venueID: event.venueID, device: event.device, time: event.timestamp,
            content: .status(status))
    }

    public var kind: Kind {
        switch content {
        case .session: .session
        case .status(let status): status.status.activityKind
        }
    }
}

extension VehicleStatus.Status {
    public var activityKind: Activity.Kind {
        switch self {
        case .pluggedIn, .unplugged: .plug
        case .active: .charging
        case .idle: .waiting
        }
    }
}

/// A question about what happened.
public struct ActivityQuery: Hashable, Sendable {
    public var venueID: UUID
    /// `nil` asks for all of the venue.
    public var deviceID: String?
    /// Empty asks for every kind.
    public var kinds: Set<Activity.Kind>
    /// Of their times; at most 5 years and a window.
    public var range: Interval

    public init(venueID: UUID, deviceID: String? = nil, kinds: Set<Activity.Kind> = [], range: Interval) {
        self.venueID = venueID
        self.deviceID = deviceID
        self.kinds = kinds
        self.range = range
    }

    public func wants(_ kind: Activity.Kind) -> Bool { kinds.isEmpty || kinds.contains(kind) }
}

/// An activity in words.
public struct ToldActivity: Hashable, Sendable {
    public let activity: Activity
    /// One sentence, on the clock of the venue.
    public let text: String

    public init(activity: Activity, text: String) {
        self.activity = activity
        self.text = text
    }
}

/// Some of the activities that answer a query.
public struct ActivityPage: Hashable, Sendable {
    /// Sorted by time; at one time sessions that are over, then statuses in the order of the log, then sessions that go on.
    public var entries: [ToldActivity]
    /// The log is counted up to here.
    public var applied: [LogHead]

    public init(entries: [ToldActivity], applied: [LogHead]) {
        self.entries = entries
        self.applied = applied
    }
}
