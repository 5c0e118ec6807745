public import Foundation

/// A data point that was wrong, set right by hand. The log keeps what was sent; what is counted is this.
///
/// Every repair is kept, in the order in which they were made; of the same event the newest counts.
public struct EventRepair: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// As if the event had never come; its session ends all the same if it was the end.
        case ignore
        /// The counter stood at this.
        case energy(Energy)
        /// As it was sent: what was set right of it before is withdrawn.
        case asSent
    }

    public let venueID: UUID
    public let sessionID: UUID
    public let eventID: UUID
    public let action: Action
    /// Up to 500 UTF-16 units.
    public let reason: String
    /// Who repaired it.
    public let principal: String
    public let made: Timestamp
    /// Who took it over from a file, where it was made before; `nil` where it was made here.
    public let takenOverBy: String?
    /// What the event counted as until then; `nil` where it measures no energy, and where that was not kept yet.
    public var before: Action?
    /// What its session added up to until then, and since; `nil` likewise.
    public var sessionBefore: Energy?
    public var sessionAfter: Energy?

    /// What is repaired: an event's id belongs to its venue.
    public struct Target: Hashable, Sendable {
        public let venueID: UUID
        public let eventID: UUID

        public init(venueID: UUID, eventID: UUID) {
            self.venueID = venueID
            self.eventID = eventID
        }
    }

    public var target: Target { Target(venueID: venueID, eventID: eventID) }

    public init(
        venueID: UUID, sessionID: UUID, eventID: UUID, action: Action, reason: String, principal: String,
        made: Timestamp, takenOverBy: String? = nil, before: Action? = nil, sessionBefore: Energy? = nil,
        sessionAfter: Energy? = nil
    ) {
        self.venueID = venueID
        self.sessionID = sessionID
        self.eventID = eventID
        self.action = action
        self.reason = reason
        self.principal = principal
        self.made = made
        self.takenOverBy = takenOverBy
        self.before = before
        self.sessionBefore = sessionBefore
        self.sessionAfter = sessionAfter
    }

    /// Whether the two say the same of the same event: a call that is repeated is one repair, not two.
    public func repeats(_ other: EventRepair) -> Bool {
        target == other.target && action == other.action && reason == other.reason && principal == other.principal
    }
}

extension Sequence<EventRepair> {
    /// What counts: of each event the newest, and nothing where that withdraws.
    public var inForce: [EventRepair.Target: EventRepair.Action] {
        Dictionary(map { ($0.target, $0.action) }, uniquingKeysWith: { $1 }).filter { $0.value != .asSent }
    }
}
